"""How new values are spelled: in the manner of what stands around them, and so that every version of YAML agrees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from loopviz import yaml12
from loopviz.model import Json
from loopviz.settings import MaxRepeatSettings, describe, dump
from loopviz.specedit.source import Node
from loopviz.specedit.spots import Blocked, Spot

FIELDS = tuple(describe(MaxRepeatSettings))
"""The settings of a grader in the order in which they are written."""
_PLAIN = re.compile(r"[A-Za-z0-9^/_.(\\][A-Za-z0-9^/_.$()|*+\\-]*")
"""Texts that may go without quotes, in a list in brackets too."""

_DASH_BEFORE = re.compile(r" *(- +)")
_DEFAULTS = {name: field.default for name, field in describe(MaxRepeatSettings).items() if not field.required}


def plain_settings(settings: MaxRepeatSettings) -> dict[str, Json]:
    """Settings as decoded YAML, in order, defaults left out."""
    return {name: value for name, value in dump(settings).items() if name not in _DEFAULTS or value != _DEFAULTS[name]}


def spelled(value: Json, quote: str = "") -> str:
    """A text or a whole number on one line.

    Args:
        value: What to spell.
        quote: `'` or `"`; empty for none. Where a text does not allow what is asked for, it takes double quotes.
    """
    if not isinstance(value, str):
        return str(value)
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if not quote and _is_plain(value):
        return value
    return yaml12.dump(value).rstrip("\n")


def _is_plain(text: str) -> bool:
    """Whether a text is the same without quotes, in this version of YAML and the one before."""
    try:
        return bool(_PLAIN.fullmatch(text)) and yaml12.load(text) == text and yaml.safe_load(text) == text
    except (yaml.YAMLError, ValueError):  # such as 2024-99-99, a date to the older one
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a spec is laid out; columns are counted in characters."""

    step: int = 2
    """How far a key stands in from the key above it."""
    dash: int = 2
    """How far the dashes of a list stand in from its key."""
    gap: int = 2
    """How far the first key of an entry stands from its dash."""
    brackets: bool = True
    """Lists of tools are in brackets, on one line."""
    quote: str = '"'
    """Around the pattern of a tool."""

    def setting(self, field: str, value: Json) -> list[str]:
        """A setting, in lines."""
        if not isinstance(value, list):
            return [f"{field}: {spelled(value)}"]
        if self.brackets:
            return [f"{field}: {in_brackets(value, self.quote)}"]
        return [f"{field}:", *(f"{' ' * self.dash}- {spelled(item, self.quote)}" for item in value)]

    def settings(self, settings: MaxRepeatSettings) -> list[str]:
        """All that is not as by default, in lines."""
        return [line for name, value in plain_settings(settings).items() for line in self.setting(name, value)]

    def grader(self, type: str, name: str | None, settings: MaxRepeatSettings) -> list[str]:
        """An entry of a list of graders, in lines, the dash in the first column."""
        named = [] if name is None else [f"name: {spelled(name)}"]
        keys = [f"type: {type}", *named, "config:", *indented(self.settings(settings), self.step)]
        return [f"-{' ' * (self.gap - 1)}{keys[0]}", *indented(keys[1:], self.gap)]


def in_brackets(items: Sequence[Json], quote: str) -> str:
    """A list on one line."""
    return "[" + ", ".join(spelled(item, quote) for item in items) + "]"


def indented(lines: Sequence[str], columns: int) -> list[str]:
    """Lines, moved in."""
    return [" " * columns + line for line in lines]


def quote_of(nodes: Sequence[Node]) -> str:
    """The quotes that texts stand in: of the last one that has quotes or none."""
    return next((node.style for node in reversed(nodes) if node.kind == "scalar" and node.style in "'\""), '"')


def manner_of(stimuli: Spot) -> Manner:
    """The manner of a spec, as its graders show it.

    Args:
        stimuli: The list of its stimuli, in block style.
    """
    lists = [*_graders(stimuli), stimuli]
    entries = [entry for list_ in lists for entry in _block_entries(list_)]
    configs = [config for entry in entries if (config := entry.entry("config")) and _is_block(config)]
    tools = [tools for config in configs if (tools := config.entry("tools")) and tools.node.kind == "list"]
    dashes = [_inset(list_, dash) for list_ in lists if (dash := _first_dash(list_)) is not None]
    steps = [_inset(config, config.node.keys[0].start) for config in configs]
    return Manner(
        step=next(iter(steps), max(dashes[-1], 2) if dashes else 2),
        dash=next(iter(dashes), 2),
        gap=next(filter(None, map(gap_of, lists)), 2),
        brackets=tools[0].node.flow if tools else True,
        quote=quote_of(tools[0].node.values) if tools else '"',
    )


def _inset(spot: Spot, at: int) -> int:
    """How far something stands in from the key of its list or mapping."""
    return spot.source.column(at) - (spot.source.column(spot.key.start) if spot.key else 0)


def _first_dash(list_: Spot) -> int | None:
    try:
        return list_.dash(0)
    except Blocked:
        return None


def _graders(stimuli: Spot) -> list[Spot]:
    """Every list of graders that is in block style."""
    found = (stimulus.entry("graders") for stimulus in _block_entries(stimuli))
    return [graders for graders in found if graders and _is_block(graders)]


def _block_entries(list_: Spot) -> list[Spot]:
    entries = (list_.item(place) for place in range(len(list_.node.values)))
    return [entry for entry in entries if entry.node.kind == "mapping" and _is_block(entry)]


def _is_block(spot: Spot) -> bool:
    return spot.node.kind in ("mapping", "list") and not spot.node.flow and bool(spot.node.values)


def gap_of(list_: Spot) -> int | None:
    """How far the first key of an entry of a block list stands from its dash; None where no two are in one line."""
    for node in list_.node.values:
        if node.kind != "mapping" or node.flow:
            continue
        before = list_.source.text[list_.source.line_start(node.start) : node.start]
        if found := _DASH_BEFORE.fullmatch(before):
            return len(found[1])
    return None

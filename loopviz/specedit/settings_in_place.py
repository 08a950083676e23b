"""Changing the settings of one grader where they stand: only what differs is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loopviz.model import Json
from loopviz.refusals import SettingsError
from loopviz.settings import MaxRepeatSettings, dump, load
from loopviz.specedit.spelling import FIELDS, Manner, indented, plain_settings, spelled
from loopviz.specedit.splices import Splice, after_line, without_lines
from loopviz.specedit.spots import Spot
from loopviz.specedit.tool_lists import change_list


def change_settings(grader: Spot, wanted: MaxRepeatSettings, manner: Manner) -> Iterator[Splice]:
    """Make a grader judge by other settings.

    A setting that stands there is changed in its place, to the default too where it has a spelling; one that does not
    is added behind those that it follows.

    Args:
        grader: The mapping with its type, its name and its config.
        wanted: The settings it is to have.
        manner: How new lines are laid out.
    Raises:
        Blocked: for what cannot be changed with nothing else changed.
    """
    grader.require(dict)
    grader.require_no_template(in_values=True)
    config = grader.entry("config")
    if config is None:
        lines = ["config:", *indented(manner.settings(wanted), manner.step)]
        yield below_last(grader, lines)
    elif config.empty:
        yield from fill(config, indented(manner.settings(wanted), manner.step))
    else:
        config.require(dict)
        yield from _change_fields(config, wanted, manner)


def fill(spot: Spot, new: Sequence[str]) -> Iterator[Splice]:
    """Put a block where nothing stands.

    Args:
        spot: What stands under a key and is empty: null, `{}` or `[]`.
        new: The lines, moved in as far as they stand from the key.
    Raises:
        Blocked: when it stands in another line than its key.
    """
    assert spot.key is not None
    spot.require_alone()
    source, text = spot.source, spot.source.text
    written = text[spot.key.end : spot.node.end]
    if "\n" in written or "\r" in written:
        raise spot.blocked("its empty value stands in another line than the key")
    yield Splice(spot.key.end + written.index(":") + 1, spot.node.end, "")
    yield after_line(source, spot.node.end, indented(new, source.column(spot.key.start)))


def below_last(mapping: Spot, lines: Sequence[str]) -> Splice:
    """Lines behind everything that stands in a mapping."""
    column = mapping.column
    return after_line(mapping.source, mapping.source.entry_end(mapping.node, column), indented(lines, column))


def _change_fields(config: Spot, wanted: MaxRepeatSettings, manner: Manner) -> Iterator[Splice]:
    plain = dump(wanted)
    for field in FIELDS:
        standing, value = config.entry(field), plain.get(field)
        if standing is None:
            if field in plain_settings(wanted):
                yield _added(config, field, manner.setting(field, value))
        elif meaning(field, standing.value) == getattr(wanted, field):
            continue
        elif value is None:
            yield from _removed(standing)
        elif isinstance(value, list):
            yield from change_list(standing, value)
        else:
            yield _replaced(standing, value)


def meaning(field: str, written: Json) -> Json:
    """What a setting as written comes to; nothing that a setting can be, where it is refused."""
    try:
        return getattr(load(MaxRepeatSettings, {"max": 1, field: written}), field)
    except SettingsError:
        return NotImplemented


def _replaced(spot: Spot, value: Json) -> Splice:
    spot.require_alone()
    node = spot.node
    if node.kind != "scalar" or node.style in ("|", ">"):
        raise spot.blocked("its value is written over several lines, or holds others")
    empty = node.start == node.end
    return Splice(node.start, node.end, f"{' ' if empty else ''}{spelled(value, node.style)}")


def _removed(spot: Spot) -> Iterator[Splice]:
    assert spot.key is not None
    spot.require_alone()
    texts = [spot.key, *(node for node in spot.node.walk() if node.kind == "scalar")]
    return without_lines(spot.source, spot.key.start, spot.node.end, texts)


def _added(config: Spot, field: str, lines: Sequence[str]) -> Splice:
    """A setting behind the last one that it follows, else first of all."""
    source, column = config.source, config.column
    before = [spot for name in FIELDS[: FIELDS.index(field)] if (spot := config.entry(name))]
    assert config.key is not None
    at = source.entry_end(before[-1].node, column) if before else config.key.start
    return after_line(source, at, indented(lines, column))

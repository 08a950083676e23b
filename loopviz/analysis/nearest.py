"""The settings nearest to those in force that would count a marked stretch: an exact search.

Every choice of tools (`tool_choices`) is tried with every match mode and every longest pattern, 1 to 10. What is left,
`max`, needs no search: the largest that a loop of k copies fails is k - 1. One tool alone compared by its name is not
tried: such settings count calls, whatever they did.

**Nearer** is what changes fewer settings; then what moves `max` less; then what watches, or leaves out, fewer of the
run's tools than now; then the shorter longest pattern; then the stricter match mode.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from loopviz.analysis.lying import Found, Loop, Stretch, find_lying
from loopviz.analysis.runset import Tools
from loopviz.analysis.tool_choices import Kind, ToolChoice, tool_choices
from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES, Match, Unknown
from loopviz.model import BoolArray
from loopviz.settings import MaxRepeatSettings

FIELDS = ("max", "max_cycle_period", "match", "tools")
GIVEN = 3
"""Settings given at most, each of another kind: another set of fields is changed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nearest:
    """Settings that count the stretch."""

    settings: MaxRepeatSettings
    changed: tuple[str, ...]
    """The fields that differ from what is in force, in the order of `FIELDS`."""
    choice: ToolChoice
    loop: Loop
    """The loop in the stretch that they count."""


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What lies in a stretch under every choice of tools, that in force first; no other setting is looked at yet."""

    choices: tuple[ToolChoice, ...]
    found: tuple[Found, ...]

    @property
    def size(self) -> int:
        """How many settings are tried, `max` apart."""
        return sum(_tried(choice, match) for choice in self.choices for match in MATCHES) * MAX_PERIOD


def search(columns: Columns, watched: BoolArray, in_force: Tools, unknown: Unknown, stretch: Stretch) -> Search:
    """Look at a stretch of a run, alone in its set, under every choice of tools.

    Args:
        columns: The calls of the run.
        watched: Which calls the filter in force watches, shape (n_calls,).
        in_force: Its patterns.
        unknown: Whether values that nobody recorded equal each other or nothing.
        stretch: The marked calls.
    """
    used = np.zeros(len(columns.tools), dtype=np.bool_)
    used[columns.tool] = True
    watched_tools = np.zeros(len(columns.tools), dtype=np.bool_)
    watched_tools[columns.tool[watched]] = True
    inside = np.unique(columns.tool[stretch.calls])
    choices = tool_choices(columns.tools, used, in_force, watched_tools, inside)
    found = (find_lying(columns, choice.watched[columns.tool], unknown, stretch) for choice in choices)
    return Search(choices, tuple(found))


def nearest(search: Search, now: MaxRepeatSettings) -> tuple[Nearest, ...]:
    """The nearest settings that count the stretch, the best first, each of another kind.

    A kind that changes all that a nearer one does, and more, is left out. None where nothing counts the stretch; one
    that changes nothing where what is in force already does.
    """
    given: list[Nearest] = []
    for option in sorted(_options(search, now), key=lambda one: _distance(one, now)):
        if not any(set(other.changed) <= set(option.changed) for other in given):
            given.append(option)
        if len(given) == GIVEN:
            break
    return tuple(given)


def _options(search: Search, now: MaxRepeatSettings) -> Iterator[Nearest]:
    """Every setting that counts the stretch, with the largest `max` up to that in force."""
    for choice, found in zip(search.choices, search.found, strict=True):
        for match in MATCHES:
            if not _tried(choice, match):
                continue
            for bound in range(1, MAX_PERIOD + 1):
                loop = found.best(match, bound)
                if loop is None:
                    continue
                values = {
                    "max": min(now.max, loop.occurrences - 1),
                    "max_cycle_period": bound,
                    "match": match,
                    "tools": choice.patterns,
                }
                changed = tuple(field for field in FIELDS if values[field] != getattr(now, field))
                yield Nearest(settings=now.model_copy(update=values), changed=changed, choice=choice, loop=loop)


def _tried(choice: ToolChoice, match: Match) -> bool:
    return match != "name" or choice.n_tools != 1 or choice.kind is Kind.IN_FORCE


def _distance(option: Nearest, now: MaxRepeatSettings) -> tuple[int, ...]:
    settings = option.settings
    return (
        len(option.changed),
        now.max - settings.max,
        option.choice.changes,
        settings.max_cycle_period,
        MATCHES.index(settings.match),
    )

"""One run under two settings: whether the verdict turns, where, and which patterns appear or are gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.comparing.aligning import Walk
from loopviz.comparing.figures import UNKNOWN, signed
from loopviz.comparing.sides import LETTERS, Side, Sides, cut
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.max_repeat import preview
from loopviz.model import IntArray
from loopviz.timeline.contract import Part
from loopviz.timeline.verdict import call_place
from loopviz.timeline.words import number, span, text

MOST = 30
"""Patterns that are listed."""
Data = dict[str, Any]
Key = tuple[int, int, int]
"""A pattern by its first and last call, and its length."""


def title(sides: Sides) -> str:
    """The finding as a sentence."""
    passed = [side.passed for side in sides]
    if sides[0].settings == sides[1].settings:
        return f"A and B are the same settings: the run {_verb(passed[0])}"
    if passed[0] == passed[1]:
        both = {True: "The run passes", False: "The run fails", None: "The run is not judged"}[passed[0]]
        return f"{both} under both settings"
    return f"The run {_verb(passed[0])} under A and {_verb(passed[1])} under B"


def _verb(passed: bool | None) -> str:
    return {True: "passes", False: "fails", None: "is not judged"}[passed]


def line(sides: Sides) -> list[Part]:
    """What each finds, and where it is first over the limit."""
    words = [_told(side, letter) for side, letter in zip(sides, LETTERS, strict=True)]
    return [text(" ".join(words))]


def _told(side: Side, letter: str) -> str:
    found = side.inspection
    if found is None:
        return f"{letter} cannot judge it."
    times = number(found.finding.occurrences)
    call = found.finding.first_failing_call
    if call is None:
        return f"{letter} counts at most {times} in a row."
    return f"{letter} counts {times} in a row, over the limit at {call_place(side.trajectory, call)}."


def first_apart(sides: Sides, walk: Walk) -> int | None:
    """The first step that lies in another pattern under the other settings; None where all lie in the same."""
    looks = [_look(side, walk) for side in sides]
    apart = np.flatnonzero((looks[0] != looks[1]).any(axis=1))
    return int(apart[0]) if len(apart) else None


def _look(side: Side, walk: Walk) -> IntArray:
    """Of each step the most copies of a counted pattern that it lies in, and whether that is over the limit."""
    look = np.zeros((len(walk), 2), dtype=np.int64)
    if side.inspection is None:
        return look
    cycles, steps = side.inspection.finding.cycles, side.inspection.grader.steps
    to_walk = walk.of_call[steps.first_call]
    for at in np.argsort(cycles.occurrences, kind="stable").tolist():
        inside = to_walk[int(cycles.start[at]) : int(cycles.stop[at])]
        copies = int(cycles.occurrences[at])
        look[inside] = copies, copies > side.settings.max
    return look


def show_patterns(sides: Sides) -> Data | None:
    """Which patterns both find, and which only one; None where neither finds any."""
    found = [_patterns(side) for side in sides]
    keys = sorted({*found[0], *found[1]}, key=lambda key: (key in found[0] and key in found[1], key))
    if not keys:
        return None
    only = [sum(key not in found[1 - side] for key in found[side]) for side in (0, 1)]
    both = sum(key in found[1] for key in found[0])
    rows = [_pattern_row(sides, found, key) for key in keys[:MOST]]
    left = len(keys) - MOST
    return {
        "title": "Patterns",
        "aside": f"{number(only[0])} only under A · {number(only[1])} only under B · {number(both)} under both",
        "heads": ["Pattern", "Where", "Under A", "Under B"],
        "rows": rows,
        "note": f"{number(left)} more are left out." if left > 0 else "",
    }


def _patterns(side: Side) -> dict[Key, Cycle]:
    if side.inspection is None:
        return {}
    grader = side.inspection.grader
    found: dict[Key, Cycle] = {}
    for cycle in side.inspection.finding.cycles:
        last = grader.last_call_of_steps(0, cycle.start, cycle.complete)
        found[grader.first_call(0, cycle.start), last, cycle.period] = cycle
    return found


def _pattern_row(sides: Sides, found: list[dict[Key, Cycle]], key: Key) -> list[str]:
    holder = 0 if key in found[0] else 1
    inspection = sides[holder].inspection
    assert inspection is not None
    first, last, period = key
    where = f"call {span(first, last)}" if first == last else f"calls {span(first, last)}"
    tools = preview(tuple(map(cut, inspection.grader.pattern(0, found[holder][key].start, period))))
    return [tools, where, *(_counted(side, patterns.get(key)) for side, patterns in zip(sides, found, strict=True))]


def _counted(side: Side, cycle: Cycle | None) -> str:
    if cycle is None:
        return UNKNOWN
    over = cycle.occurrences > side.settings.max
    return f"× {number(cycle.occurrences)}" + (", over the limit" if over else "")


def show_figures(sides: Sides) -> list[Data]:
    """The run in figures that settings change."""
    return [_row(sides, name, read) for name, read in _FIGURES.items()]


_FIGURES: dict[str, Callable[[Inspection], int]] = {
    "Times in a row": lambda found: found.finding.occurrences,
    "Allowed": lambda found: found.finding.settings.max,
    "Length of the pattern": lambda found: found.finding.period or 0,
    "Watched calls": lambda found: found.finding.watched_calls,
    "Counted steps": lambda found: found.finding.steps,
    "Empty steps": lambda found: found.finding.empty_steps,
    "Patterns": lambda found: len(found.finding.cycles),
    "Patterns over the limit": lambda found: len(found.finding.cycles.over(found.finding.settings.max)),
}


def _row(sides: Sides, name: str, read: Callable[[Inspection], int]) -> Data:
    a, b = (None if side.inspection is None else read(side.inspection) for side in sides)
    return {
        "name": name,
        "a": UNKNOWN if a is None else number(a),
        "b": UNKNOWN if b is None else number(b),
        "more": "" if a is None or b is None else signed(b - a, lambda value: number(int(value))),
        "strong": [side.passed is False and name == "Times in a row" for side in sides],
    }

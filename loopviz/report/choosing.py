"""Which calls are shown first and whole, which others follow, and what part each plays in the deciding pattern."""

from __future__ import annotations

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.model import IntArray
from loopviz.timeline.words import number

MOST_CALLS = 1_000
"""Calls whose texts are in the file."""
MOST_CHOSEN = 12
"""Calls of a long pattern that stand first."""


def choose(found: Inspection) -> list[int]:
    """The calls that show what repeated, in order: those of the first copy, the first failing, the last.

    None where nothing comes twice in a row.
    """
    finding, grader = found.finding, found.grader
    if finding.start is None or finding.stop is None or finding.period is None or finding.occurrences < 2:
        return []
    copy = [call for step in range(finding.start, finding.start + finding.period) for call in calls_of(found, step)]
    ends = [grader.last_call_of_steps(0, finding.start, finding.stop)]
    if finding.first_failing_call is not None:
        ends.append(finding.first_failing_call)
    return sorted({*copy[:MOST_CHOSEN], *ends})


def calls_of(found: Inspection, step: int) -> list[int]:
    """The watched calls of a counted step."""
    first, last = found.grader.first_call(0, step), found.grader.last_call(0, step)
    of_call = found.grader.steps.of_call[first : last + 1]
    return [int(call) for call in first + np.flatnonzero(of_call == step)]


def nearest(n_calls: int, chosen: list[int], most: int = MOST_CALLS) -> IntArray:
    """The calls whose texts are in the file: all, or those nearest to the chosen ones."""
    calls = np.arange(n_calls)
    if n_calls <= most:
        return calls
    marks = np.array(chosen or [0])
    place = np.searchsorted(marks, calls)
    before = np.abs(calls - marks[np.maximum(place - 1, 0)])
    after = np.abs(calls - marks[np.minimum(place, len(marks) - 1)])
    return np.sort(np.argsort(np.minimum(before, after), kind="stable")[:most])


def role(found: Inspection, call: int) -> str:
    """What part a call plays in the deciding pattern: `4th of 7: over the limit`; empty outside it."""
    finding, grader = found.finding, found.grader
    step = int(grader.steps.of_call[call])
    inside = finding.start is not None and finding.stop is not None and finding.start <= step < finding.stop
    if not inside or finding.start is None or finding.stop is None or not finding.period or finding.occurrences < 2:
        return "over the limit" if call == finding.first_failing_call else ""
    copy, place = divmod(step - finding.start, finding.period)
    of = number(finding.occurrences)
    words = f"{ordinal(copy + 1)} of {of}"
    if finding.period > 1:
        words = f"{chr(ord('a') + place)}, copy {number(copy + 1)} of {of}"
    if call == finding.first_failing_call:
        return f"{words}: over the limit"
    return f"{words}: the last" if call == grader.last_call_of_steps(0, finding.start, finding.stop) else words


def ordinal(value: int) -> str:
    """`1st`, `2nd`, `23rd`, `111th`."""
    if value % 100 in (11, 12, 13):
        return f"{number(value)}th"
    return number(value) + {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")

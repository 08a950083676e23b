"""What came just before a pattern began: compaction, a cut or empty output, an error. Seen before it, not its cause.

Looked at are the turn before the pattern's first call and the last few calls before it, whichever reaches further back.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from enum import Enum

import numpy as np

from loopviz.analysis.around import around
from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.repeats import Cycle
from loopviz.model import Trajectory

CALLS_BEFORE = 3
"""Calls before the pattern that are looked at, even where its turn before holds fewer."""


class Sign(Enum):
    """What is looked for."""

    COMPACTION = "compaction"
    CUT = "cut"
    EMPTY = "empty"
    FAILED = "failed"
    ERROR = "error"


_OF_EVENT = {"compaction": Sign.COMPACTION, "cut": Sign.CUT, "error": Sign.ERROR}


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing that came just before."""

    sign: Sign
    call: int
    """The call that it is about, or the one that it stands just before: from 0."""
    text: str = ""
    """What the file says of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """The calls before a pattern, and what was found there; calls count from 0."""

    start: int
    """First call of the pattern."""
    first: int
    """First call that was looked at; equal to `start` where the pattern begins the run."""
    in_turn: bool
    """The call before it belongs to a turn, all of which was looked at."""
    seen: tuple[Seen, ...]
    """In the order of the run."""


def before_it_began(inspection: Inspection, call: int | None = None) -> Before | None:
    """What came before a pattern: that around a call, or without one that which decides the verdict.

    None where there is no such pattern.
    """
    if call is None:
        cycle = _deciding(inspection)
    else:
        found = around(inspection, int(inspection.grader.steps.of_call[call]))
        cycle = found.cycle if found else None
    if cycle is None:
        return None
    start = inspection.grader.first_call(0, cycle.start)
    first = _first_looked_at(inspection.trajectory, start)
    return Before(
        start=start,
        first=first,
        in_turn=bool(start and inspection.trajectory.calls.turn[start - 1] >= 0),
        seen=(*_events(inspection.trajectory, first, start), *_calls(inspection, first, start)),
    )


def _deciding(inspection: Inspection) -> Cycle | None:
    finding = inspection.finding
    cycles = finding.cycles
    deciding = cycles.where((cycles.start == finding.start) & (cycles.period == finding.period))
    return next(iter(deciding), None)


def _first_looked_at(trajectory: Trajectory, start: int) -> int:
    few = max(0, start - CALLS_BEFORE)
    if not start or trajectory.calls.turn[start - 1] < 0:
        return few
    other = np.flatnonzero(trajectory.calls.turn[:start] != trajectory.calls.turn[start - 1])
    return min(few, int(other[-1]) + 1 if len(other) else 0)


def _events(trajectory: Trajectory, first: int, start: int) -> list[Seen]:
    """What stands between the calls looked at, up to the pattern's first call."""
    events = trajectory.events
    here = events[
        bisect_left(events, first, key=lambda event: event.call) : bisect_right(
            events, start, key=lambda event: event.call
        )
    ]
    return [Seen(_OF_EVENT[event.kind], event.call, event.text) for event in here if event.kind in _OF_EVENT]


def _calls(inspection: Inspection, first: int, start: int) -> list[Seen]:
    failed, empty = inspection.trajectory.calls.failed, inspection.grader.columns.empty
    return [
        Seen(sign, call)
        for call in range(first, start)
        for sign, there in ((Sign.FAILED, failed[call]), (Sign.EMPTY, empty[call]))
        if there
    ]

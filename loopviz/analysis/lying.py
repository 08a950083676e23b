"""Which cycles lie in a marked stretch of calls, under one choice of tools.

**A cycle lies in a stretch** when its complete copies, from their first call to their last, cover at least half of the
marked calls, and at least two copies' worth of its steps are in the stretch. The marked calls are the measure, watched
or not, so that answers under different tools can be held beside each other. A turn that the stretch cuts through
belongs to it. **A setting counts a stretch** when a cycle that lies in it has more copies, those beyond the stretch
included, than are allowed: then the run fails there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.repeats import MAX_PERIOD, NO_CYCLES, Cycle, Cycles, find_cycles
from loopviz.detectors.core.steps import UNWATCHED, Match, Unknown, last_of_spans
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import BoolArray, IntArray

AROUND = 2_000
"""Calls looked at on both sides of a stretch; what reaches further is looked for in the whole run."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some calls of a run in a row, from 0."""

    first: int
    last: int
    """Inclusive."""

    def __len__(self) -> int:
        return self.last - self.first + 1

    @property
    def calls(self) -> slice:
        """Index of these calls in a column of the run."""
        return slice(self.first, self.last + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A cycle as it lies beside a stretch; calls count from 0."""

    match: Match
    period: int
    occurrences: int
    first: int
    """First call of its complete copies."""
    last: int
    """Last call of its complete copies."""
    covered: int
    """How many of the marked calls they span."""
    pattern: tuple[str, ...]
    """For each step of the pattern, the names of its tools."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the counted steps of a run, alone in its set, stand beside a stretch; calls count from 0."""

    stretch: Stretch
    first_call: IntArray
    """Of each step, shape (n_steps,)."""
    last_call: IntArray
    inside: IntArray
    """The steps with a call in the stretch, ascending."""

    def covered(self, cycles: Cycles) -> IntArray:
        """How many of the marked calls each cycle's complete copies span, shape (n_cycles,)."""
        first = np.maximum(self.first_call[cycles.start], self.stretch.first)
        last = np.minimum(last_of_spans(self.last_call, cycles.start, _complete(cycles)), self.stretch.last)
        span: IntArray = np.maximum(last - first + 1, 0)
        return span

    def n_inside(self, cycles: Cycles) -> IntArray:
        """How many steps of each cycle's complete copies are in the stretch, shape (n_cycles,)."""
        before_end, before = np.searchsorted(self.inside, _complete(cycles)), np.searchsorted(self.inside, cycles.start)
        return before_end - before

    def lying(self, cycles: Cycles) -> Cycles:
        """The cycles that lie in the stretch."""
        half = 2 * self.covered(cycles) >= len(self.stretch)
        return cycles.where(half & (self.n_inside(cycles) >= 2 * cycles.period))

    def without(self, left_out: BoolArray) -> Places:
        """The same when some of the steps are left out."""
        kept = np.flatnonzero(~left_out)
        inside = np.searchsorted(kept, self.inside[~left_out[self.inside]])
        return Places(self.stretch, self.first_call[kept], self.last_call[kept], inside)


def place_steps(grader: MaxRepeat, stretch: Stretch) -> Places:
    """Where the counted steps under a tool filter stand beside a stretch."""
    steps = grader.steps.of_call[stretch.calls]
    inside = np.unique(steps[steps != UNWATCHED])
    return Places(stretch, grader.steps.first_call, grader.steps.last_call, inside)


def _complete(cycles: Cycles) -> IntArray:
    """Exclusive end of the last complete copy of each cycle."""
    return cycles.start + cycles.occurrences * cycles.period


def as_loop(grader: MaxRepeat, match: Match, cycle: Cycle, stretch: Stretch) -> Loop:
    """A cycle in plain words and calls."""
    first, last = grader.first_call(0, cycle.start), grader.last_call_of_steps(0, cycle.start, cycle.complete)
    return Loop(
        match=match,
        period=cycle.period,
        occurrences=cycle.occurrences,
        first=first,
        last=last,
        covered=max(min(last, stretch.last) - max(first, stretch.first) + 1, 0),
        pattern=grader.pattern(0, cycle.start, cycle.period),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What lies in a stretch under one choice of tools, in every way of "same" and every pattern length."""

    stretch: Stretch
    by_coding: dict[tuple[Match, int], tuple[Loop, ...]]
    """The loops of `observation` with longest pattern 1, and of every match mode up to the longest there is."""
    _best: dict[tuple[Match, int], Loop | None] = field(default_factory=dict)

    def best(self, match: Match, bound: int) -> Loop | None:
        """The loop with the most copies that lies in the stretch; on a tie the shorter pattern, then the earlier."""
        key = (match, bound)
        if key not in self._best:
            loops = self.by_coding[coding(match, bound)]
            fitting = [loop for loop in loops if loop.period <= bound]
            self._best[key] = min(fitting, key=lambda one: (-one.occurrences, one.period, one.first), default=None)
        return self._best[key]

    def most(self, match: Match, bound: int) -> int:
        """Its copies; 0 where nothing lies in the stretch."""
        loop = self.best(match, bound)
        return 0 if loop is None else loop.occurrences


def coding(match: Match, bound: int) -> tuple[Match, int]:
    """Match mode and longest pattern whose fingerprints are used: only in one mode does a bound of 1 have its own."""
    return match, 1 if match == "observation" and bound == 1 else MAX_PERIOD


CODINGS: tuple[tuple[Match, int], ...] = (
    ("observation", 1),
    ("observation", MAX_PERIOD),
    ("name-args", MAX_PERIOD),
    ("name", MAX_PERIOD),
)


def find_lying(columns: Columns, watched: BoolArray, unknown: Unknown, stretch: Stretch) -> Found:
    """Find everything that lies in a stretch of a run, alone in its set, when some of its calls are watched.

    A long run is looked at around the stretch first; where a cycle reaches the edge of that, as a whole.
    """
    window = _around(columns, stretch)
    near = None if window is None else _find(columns, watched & window, unknown, stretch, whole=False)
    found = near or _find(columns, watched, unknown, stretch, whole=True)
    assert found is not None
    return found


def _around(columns: Columns, stretch: Stretch) -> BoolArray | None:
    """Which calls are near the stretch; None for all. No turn is cut in two."""
    first, last = stretch.first - AROUND, stretch.last + AROUND
    if (first <= 0 and last >= columns.n_calls - 1) or np.any(np.diff(columns.turn) < 0):
        return None
    turn = columns.turn
    near: BoolArray = (turn >= turn[max(first, 0)]) & (turn <= turn[min(last, columns.n_calls - 1)])
    return near


def _find(columns: Columns, watched: BoolArray, unknown: Unknown, stretch: Stretch, *, whole: bool) -> Found | None:
    """What lies in the stretch; None where a part of the run may have cut a cycle short."""
    grader = MaxRepeat(columns, watched, unknown)
    places = place_steps(grader, stretch)
    loops: dict[tuple[Match, int], tuple[Loop, ...]] = {}
    for match, bound in CODINGS:
        cycles = _beside(places, grader.run_codes(0, match, bound), bound)
        if not whole and ((cycles.start == 0) | (cycles.stop == len(grader.steps))).any():
            return None
        loops[match, bound] = tuple(as_loop(grader, match, one, stretch) for one in places.lying(cycles))
    return Found(stretch, loops)


def _beside(places: Places, codes: IntArray, bound: int) -> Cycles:
    """The cycles with a step between the first and the last of a stretch."""
    if len(places.inside) < 2:
        return NO_CYCLES
    cycles = find_cycles(codes, bound=bound)
    return cycles.where((cycles.start <= places.inside[-1]) & (cycles.stop > places.inside[0]))

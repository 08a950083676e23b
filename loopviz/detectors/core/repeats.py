"""Copies of a pattern that follow each other directly: the arithmetic of max-repeat, over codes alone.

For a period p, compare the sequence with itself moved by p steps. Where L steps in a row agree, a span of L + p steps
has period p, and holds 1 + L // p complete copies. In string theory the longest such spans are the runs of a word
(Kolpakov and Kucherov, 1999), of which a word of n letters has fewer than n.
Source: SPEC, section 1, "Patterns" and "What is reported".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.detectors.core.steps import EMPTY
from loopviz.model import IntArray

MAX_PERIOD = 10
"""The longest period the grader knows."""


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """The maximal spans of one period that hold at least two complete copies, by start; arrays have shape (n_spans,)."""

    period: int
    start: IntArray
    stop: IntArray
    """Exclusive, a trailing fragment included."""

    @property
    def occurrences(self) -> IntArray:
        """Complete copies in each span."""
        return (self.stop - self.start) // self.period


def find_spans(codes: IntArray, starts: IntArray, period: int) -> Spans:
    """Find every maximal span of one period with two complete copies or more, none across the border of two runs.

    Args:
        codes: One fingerprint per step, EMPTY for an empty one; shape (n_steps,).
        starts: Where each run's steps begin, and where the last one's end; shape (n_runs + 1,).
        period: Length of the pattern in steps, at least 1.
    """
    same = (codes[:-period] == codes[period:]) & (codes[:-period] != EMPTY)
    for back in range(1, period + 1):
        border = starts[1:-1] - back
        same[border[(border >= 0) & (border < len(same))]] = False
    agree = np.flatnonzero(same)
    first = np.flatnonzero(np.diff(agree, prepend=-2) != 1)
    length = np.diff(first, append=len(agree))
    keep = length >= period
    start = agree[first[keep]]
    return Spans(period, start, start + length[keep] + period)


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """The largest number of copies in each run; arrays have shape (n_runs,)."""

    occurrences: IntArray
    period: IntArray
    """0 where there is no occurrence."""
    start: IntArray
    """First step of the pattern, over all runs; -1 where there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The same for every period apart; arrays have shape (max_period, n_runs), row p - 1 for period p."""

    occurrences: IntArray
    start: IntArray

    def best(self, bound: int) -> Repeats:
        """The largest figure over periods 1 to `bound`; on a tie the shorter period, then the earlier start."""
        row = np.argmax(self.occurrences[:bound], axis=0)
        run = np.arange(self.occurrences.shape[1])
        occurrences = self.occurrences[row, run]
        return Repeats(occurrences, np.where(occurrences > 0, row + 1, 0), self.start[row, run])


def tabulate(codes: IntArray, starts: IntArray, *, max_period: int) -> Table:
    """Count, for each run and each period up to `max_period`, the most complete copies in a row.

    Raises:
        ValueError: if max_period is out of range.
    """
    if not 1 <= max_period <= MAX_PERIOD:
        raise ValueError(f"max_period is {max_period}; it must be a whole number from 1 to {MAX_PERIOD}")
    n_runs = len(starts) - 1
    occurrences = np.zeros((max_period, n_runs), dtype=np.int64)
    start = np.full((max_period, n_runs), -1, dtype=np.int64)
    _count_single_steps(codes, starts, occurrences[0], start[0])
    for period in range(1, max_period + 1):
        _count_copies(find_spans(codes, starts, period), starts, occurrences[period - 1], start[period - 1])
    return Table(occurrences, start)


def _count_single_steps(codes: IntArray, starts: IntArray, occurrences: IntArray, start: IntArray) -> None:
    """One non-empty step is one occurrence of period 1."""
    full = np.flatnonzero(codes != EMPTY)
    place = np.searchsorted(full, starts)
    some = place[1:] > place[:-1]
    occurrences[some] = 1
    start[some] = full[place[:-1][some]]


def _count_copies(spans: Spans, starts: IntArray, occurrences: IntArray, start: IntArray) -> None:
    if not len(spans.start):
        return
    run = np.searchsorted(starts, spans.start, side="right") - 1
    copies = spans.occurrences
    np.maximum.at(occurrences, run, copies)
    deciding = np.flatnonzero(copies == occurrences[run])[::-1]
    start[run[deciding]] = spans.start[deciding]  # from the last to the first, so that the earliest stays


@dataclass(frozen=True, slots=True)
class Cycle:
    """A maximal repeating span of one run; steps count from 0 within the run."""

    start: int
    stop: int
    """Exclusive, a trailing fragment included."""
    period: int
    ended_by: str
    """`different`, `empty` or `end`."""

    @property
    def occurrences(self) -> int:
        return (self.stop - self.start) // self.period

    @property
    def complete(self) -> int:
        """Exclusive end of the last complete copy."""
        return self.start + self.occurrences * self.period


def find_cycles(codes: IntArray, *, bound: int) -> tuple[Cycle, ...]:
    """Find the cycles of one run: maximal spans of a primitive period up to `bound`, by start, then period.

    Args:
        codes: Fingerprints of this run's steps, shape (n_steps,).
        bound: Longest period, 1 to 10.
    """
    n_steps = len(codes)
    starts = np.array([0, n_steps])
    seen: dict[int, set[tuple[int, int]]] = {}
    cycles = []
    for period in range(1, bound + 1):
        spans = find_spans(codes, starts, period)
        pairs = list(zip(spans.start.tolist(), spans.stop.tolist(), strict=True))
        # A span whose pattern is itself a repetition has that shorter period throughout, so its ends are the same.
        shorter = [seen[divisor] for divisor in range(1, period) if period % divisor == 0]
        seen[period] = set(pairs)
        cycles += [
            Cycle(start, stop, period, _ending(codes, stop))
            for start, stop in pairs
            if not any((start, stop) in found for found in shorter)
        ]
    return tuple(sorted(cycles, key=lambda cycle: (cycle.start, cycle.period)))


def _ending(codes: IntArray, stop: int) -> str:
    if stop == len(codes):
        return "end"
    return "empty" if codes[stop] == EMPTY else "different"


def first_over(codes: IntArray, *, bound: int, limit: int) -> int | None:
    """The smallest i such that steps 0…i of one run alone hold more than `limit` copies; None if none does."""
    starts = np.array([0, len(codes)])
    firsts = []
    for period in range(1, bound + 1):
        spans = find_spans(codes, starts, period)
        over = spans.start[spans.occurrences > limit]
        if len(over):
            firsts.append(int(over[0]) + (limit + 1) * period - 1)
    return min(firsts, default=None)

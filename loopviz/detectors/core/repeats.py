"""Copies of a pattern that follow each other directly: the arithmetic of max-repeat, over codes alone.

For a period p, compare the sequence with itself moved by p steps. Where L steps in a row agree, a span of L + p steps
has period p, and holds 1 + L // p complete copies. In string theory the longest such spans are the runs of a word
(Kolpakov and Kucherov, 1999), of which a word of n letters has fewer than n.

Decided:

- The count decides: a run's figure is the largest number of complete copies in a row, not the longest stretch of steps
  that repeats. Of two patterns with the same count the shorter one is named, and of two as short the earlier.

Source: SPEC, section 1, "Patterns" and "What is reported".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from loopviz.detectors.core.steps import EMPTY
from loopviz.model import BoolArray, IntArray

MAX_PERIOD = 10
"""The longest period the grader knows."""


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """The maximal spans of one period that hold at least two copies, by start; arrays have shape (n_spans,)."""

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


def first_over(codes: IntArray, starts: IntArray, *, bound: int, limit: int) -> IntArray:
    """The step of each run up to which its steps alone first hold more than `limit` copies, of a period up to `bound`.

    Args:
        codes: One fingerprint per step, EMPTY for an empty one; shape (n_steps,).
        starts: Where each run's steps begin, and where the last one's end; shape (n_runs + 1,).
        bound: Longest period, 1 to 10.
        limit: At least 1.
    Returns:
        Steps counted over all runs, -1 for a run that never does; shape (n_runs,).
    """
    first = np.full(len(starts) - 1, len(codes), dtype=np.int64)
    for period in range(1, bound + 1):
        spans = find_spans(codes, starts, period)
        over = spans.start[spans.occurrences > limit]
        run = np.searchsorted(starts, over, side="right") - 1
        np.minimum.at(first, run, over + (limit + 1) * period - 1)
    return np.where(first < len(codes), first, -1)


ENDINGS = ("different", "empty", "end")
"""What comes right after a cycle: another step, an empty one, or nothing."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """A maximal repeating span of one run; steps count from 0 within the run."""

    start: int
    stop: int
    """Exclusive, a trailing fragment included."""
    period: int
    ended_by: str
    """One of `ENDINGS`."""

    @property
    def occurrences(self) -> int:
        """Complete copies."""
        return (self.stop - self.start) // self.period

    @property
    def complete(self) -> int:
        """Exclusive end of the last complete copy."""
        return self.start + self.occurrences * self.period


@dataclass(frozen=True, slots=True, eq=False)
class Cycles:
    """The cycles of one run as columns, by start, then period; arrays have shape (n_cycles,)."""

    start: IntArray
    stop: IntArray
    """Exclusive, a trailing fragment included."""
    period: IntArray
    ending: IntArray
    """Index into `ENDINGS`."""

    def __len__(self) -> int:
        return len(self.start)

    def __iter__(self) -> Iterator[Cycle]:
        columns = (self.start.tolist(), self.stop.tolist(), self.period.tolist(), self.ending.tolist())
        return (Cycle(start, stop, period, ENDINGS[end]) for start, stop, period, end in zip(*columns, strict=True))

    @property
    def occurrences(self) -> IntArray:
        """Complete copies in each cycle."""
        return (self.stop - self.start) // self.period

    def where(self, chosen: BoolArray | IntArray) -> Cycles:
        """Some of the cycles."""
        return Cycles(self.start[chosen], self.stop[chosen], self.period[chosen], self.ending[chosen])

    def over(self, limit: int) -> Cycles:
        """Those with more than `limit` copies."""
        return self.where(self.occurrences > limit)

    def of_period(self, period: int) -> Cycles:
        """Those of one period."""
        return self.where(self.period == period)

    def first_over(self, limit: int) -> int | None:
        """The smallest i such that steps 0…i alone hold more than `limit` copies; None if the whole does not."""
        over = self.over(limit)
        return int((over.start + (limit + 1) * over.period - 1).min()) if len(over) else None


NO_CYCLES = Cycles(*(np.zeros(0, dtype=np.int64) for _ in range(4)))


def find_cycles(codes: IntArray, *, bound: int) -> Cycles:
    """Find the cycles of one run: maximal spans of a primitive period up to `bound`.

    Args:
        codes: Fingerprints of this run's steps, shape (n_steps,).
        bound: Longest period, 1 to 10.
    """
    n_steps = len(codes)
    bound = min(bound, n_steps // 2)  # two copies of anything longer have no room
    if not bound:
        return NO_CYCLES
    starts = np.array([0, n_steps])
    found = [find_spans(codes, starts, period) for period in range(1, bound + 1)]
    # A span whose pattern is itself a repetition has that shorter period throughout, so its ends are the same.
    names = [spans.start * (n_steps + 1) + spans.stop for spans in found]
    primitive = []
    for spans, name in zip(found, names, strict=True):
        shorter = [names[divisor - 1] for divisor in range(1, spans.period) if spans.period % divisor == 0]
        again = np.isin(name, np.concatenate(shorter)) if shorter else np.zeros(len(name), dtype=np.bool_)
        primitive.append(~again)
    start = np.concatenate([spans.start[keep] for spans, keep in zip(found, primitive, strict=True)])
    stop = np.concatenate([spans.stop[keep] for spans, keep in zip(found, primitive, strict=True)])
    period = np.repeat(np.arange(1, bound + 1), [np.count_nonzero(keep) for keep in primitive])
    after = np.append(codes, EMPTY)[stop]
    ending = np.where(stop == n_steps, 2, np.where(after == EMPTY, 1, 0))
    return Cycles(start, stop, period, ending).where(np.lexsort((period, start)))

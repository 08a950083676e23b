"""Cycles that are there but not counted: what another way of "same", or another longest pattern, finds over the limit.

A longest pattern of 1 has fingerprints of its own under *same output*: there a turn with some empty outputs is compared
by its other calls, and with a longer one it is empty (SPEC, section 1, "Fingerprints"). So a step that repeats by
itself is looked for in both ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from loopviz.detectors.core.repeats import MAX_PERIOD, Cycle, Cycles
from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding
from loopviz.model import BoolArray


@dataclass(frozen=True, slots=True)
class Hollow:
    """A cycle that would be over the limit under another setting."""

    cycle: Cycle
    match: Match
    """The way of "same" that finds it."""
    bound: int
    """The longest pattern under whose fingerprints it was found: 1, or the longest there is."""


def find_hollow(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> tuple[Hollow, ...]:
    """Find the cycles up to period 10, in any match mode, that are over the limit but not counted, by start.

    One loop gets one mark: a cycle is left out where one over the limit of the same period, counted or of a stricter
    match, overlaps it.
    """
    limit = finding.settings.max
    counted = finding.cycles.over(limit)
    covered = {int(period): _cover(finding.steps, counted.of_period(period)) for period in range(1, MAX_PERIOD + 1)}
    found: list[Hollow] = []
    for match, bound in _codings(finding.settings.max_cycle_period):
        cycles = grader.cycles(run, match, bound).over(limit)
        for period in np.unique(cycles.period).tolist():
            free = _apart(cycles.of_period(period), covered[period])
            covered[period] |= _cover(finding.steps, free)
            found += [Hollow(cycle, match, bound) for cycle in free]
    return tuple(sorted(found, key=lambda hollow: (hollow.cycle.start, hollow.cycle.period)))


def _codings(in_force: int) -> Iterator[tuple[Match, int]]:
    """The ways of "same" and the longest patterns to look under, of one way that first which changes fewer settings."""
    for match in MATCHES:
        if match == "observation":
            yield from ((match, bound) for bound in ((1, MAX_PERIOD) if in_force == 1 else (MAX_PERIOD, 1)))
        else:
            yield match, MAX_PERIOD


def _cover(n_steps: int, cycles: Cycles) -> BoolArray:
    """Whether each step lies in one of some cycles, shape (n_steps,)."""
    change = np.zeros(n_steps + 1, dtype=np.int64)
    np.add.at(change, cycles.start, 1)
    np.add.at(change, cycles.stop, -1)
    inside: BoolArray = np.cumsum(change)[:-1] > 0
    return inside


def _apart(cycles: Cycles, covered: BoolArray) -> Cycles:
    """The cycles of one period that touch no covered step, nor one of them that comes before."""
    so_far = np.concatenate([[0], np.cumsum(covered)])
    cycles = cycles.where(so_far[cycles.start] == so_far[cycles.stop])
    free, end = [], 0
    for place, (start, stop) in enumerate(zip(cycles.start.tolist(), cycles.stop.tolist(), strict=True)):
        if start >= end:
            free.append(place)
            end = stop
    return cycles.where(np.array(free, dtype=np.int64))

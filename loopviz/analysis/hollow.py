"""Cycles that are there but not counted: what another way of "same", or a longer pattern, would find over the limit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.detectors.core.repeats import MAX_PERIOD, Cycle
from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding


@dataclass(frozen=True, slots=True)
class Hollow:
    """A cycle that would be over the limit under another setting."""

    cycle: Cycle
    match: Match
    """The way of "same" that finds it."""


def find_hollow(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> tuple[Hollow, ...]:
    """Find the cycles up to period 10, in any match mode, that are over the limit but not counted, by start.

    One loop gets one mark: a cycle is left out where one over the limit of the same period, counted or of a stricter
    match, overlaps it.
    """
    limit = finding.settings.max
    covered = {period: np.zeros(finding.steps, dtype=np.bool_) for period in range(1, MAX_PERIOD + 1)}
    for cycle in finding.cycles.over(limit):
        covered[cycle.period][cycle.start : cycle.stop] = True
    found: list[Hollow] = []
    for match in MATCHES:
        for cycle in grader.cycles(run, match, MAX_PERIOD).over(limit):
            steps = slice(cycle.start, cycle.stop)
            if not covered[cycle.period][steps].any():
                found.append(Hollow(cycle, match))
                covered[cycle.period][steps] = True
    return tuple(sorted(found, key=lambda hollow: (hollow.cycle.start, hollow.cycle.period)))

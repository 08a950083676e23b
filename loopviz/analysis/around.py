"""The one pattern that is spoken of when a call lies in several."""

from __future__ import annotations

from dataclasses import dataclass

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.core.steps import MATCHES, Match


@dataclass(frozen=True, slots=True)
class Around:
    """A cycle that a step lies in, and how it is found."""

    cycle: Cycle
    match: Match
    """The way of "same" that finds it."""
    bound: int
    """The longest pattern under whose fingerprints it is found."""
    counted: bool
    """The settings in force count it."""


def around(inspection: Inspection, step: int) -> Around | None:
    """The strongest cycle that a step lies in.

    Those over the limit go before others that are counted, these before those that are only found; of the last the
    stricter way of "same"; then what has most copies.
    """
    settings, cycles = inspection.finding.settings, inspection.finding.cycles
    counted = cycles.where((cycles.start <= step) & (step < cycles.stop))
    if len(counted):
        strongest = max(counted, key=lambda cycle: cycle.occurrences)
        return Around(strongest, settings.match, settings.max_cycle_period, counted=True)
    found = [
        Around(hollow.cycle, hollow.match, hollow.bound, counted=False)
        for hollow in inspection.hollow
        if hollow.cycle.start <= step < hollow.cycle.stop
    ]
    return min(found, key=lambda one: (MATCHES.index(one.match), -one.cycle.occurrences), default=None)

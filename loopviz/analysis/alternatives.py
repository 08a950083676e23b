"""What would change the verdict: single settings moved, everything else as it is."""

from __future__ import annotations

from dataclasses import dataclass

from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding
from loopviz.settings import MaxRepeatSettings


@dataclass(frozen=True, slots=True)
class Alternative:
    """One setting moved, and the figure that it gives."""

    field: str
    """`max`, `max_cycle_period` or `match`."""
    value: int | Match
    occurrences: int
    beyond: bool = False
    """Of a longest pattern: every one further from the present setting turns the verdict round as well."""


def other_verdict(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> tuple[Alternative, ...]:
    """The single changes of `max`, longest pattern and match mode that turn the verdict round.

    Of longest patterns only the nearest is named: the largest smaller one that does it, else the smallest larger one.
    """
    settings = finding.settings
    changes = [*_limits(finding), *_periods(grader, run, settings, finding.passed)]
    for match in MATCHES:
        occurrences = int(grader.best(match, settings.max_cycle_period).occurrences[run])
        if match != settings.match and (occurrences <= settings.max) != finding.passed:
            changes.append(Alternative("match", match, occurrences))
    return tuple(changes)


def _limits(finding: MaxRepeatFinding) -> list[Alternative]:
    """The smallest `max` that passes, or the largest that fails; a run with at most 1 in a row fails under none."""
    value = finding.occurrences - 1 if finding.passed else finding.occurrences
    return [Alternative("max", value, finding.occurrences)] if value >= 1 else []


def _periods(grader: MaxRepeat, run: int, settings: MaxRepeatSettings, passed: bool) -> list[Alternative]:
    now = settings.max_cycle_period
    figures = [int(grader.best(settings.match, bound).occurrences[run]) for bound in range(1, MAX_PERIOD + 1)]
    turned = [(figure <= settings.max) != passed for figure in figures]
    for bounds in (range(now - 1, 0, -1), range(now + 1, MAX_PERIOD + 1)):
        for bound in bounds:
            if turned[bound - 1]:
                further = range(bound, bounds.stop, bounds.step)
                beyond = len(further) > 1 and all(turned[other - 1] for other in further)
                return [Alternative("max_cycle_period", bound, figures[bound - 1], beyond)]
    return []

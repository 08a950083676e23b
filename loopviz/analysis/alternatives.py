"""What would turn the verdict round: of the changes of one setting, the nearest that do."""

from __future__ import annotations

from dataclasses import dataclass

from loopviz.analysis.changes import Change, setting_changes
from loopviz.detectors.core.steps import Match
from loopviz.detectors.max_repeat import MaxRepeat, MaxRepeatFinding


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
    changes = setting_changes(grader, run, finding)
    now = finding.settings.max_cycle_period
    periods = [change for change in changes if change.bounds]
    smaller = [change for change in periods if change.bounds and change.bounds[1] < now][::-1]
    larger = [change for change in periods if change.bounds and change.bounds[0] > now]
    return (
        *(_alternative(change) for change in changes if change.kind == "max"),
        *(_nearest(smaller) or _nearest(larger)),
        *(_alternative(change) for change in changes if change.kind == "match" and change.turns),
    )


def _alternative(change: Change, *, beyond: bool = False) -> Alternative:
    field = change.kind
    return Alternative(field, getattr(change.settings, field), change.occurrences, beyond)


def _nearest(side: list[Change]) -> tuple[Alternative, ...]:
    """The first longest pattern on one side of the present one that turns the verdict, nearest first."""
    for place, change in enumerate(side):
        if change.turns and change.bounds:
            further = side[place:]
            several = len(further) > 1 or change.bounds[0] < change.bounds[1]
            return (_alternative(change, beyond=several and all(other.turns for other in further)),)
    return ()

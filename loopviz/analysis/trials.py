"""The other trials of a stimulus, judged beside the run on screen: a few runs out of many, never all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import Unknown
from loopviz.model import Trajectory
from loopviz.patterns import PatternError
from loopviz.settings import MaxRepeatSettings

MOST = 200
"""Trials that are judged and shown at most: those around the one on screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How one trial of a stimulus came out."""

    trajectory: Trajectory
    limit: int
    """Times in a row that its own grader, or the one that holds for all, allows."""
    occurrences: int | None
    """Times in a row; None where it cannot be judged."""
    period: int = 0
    """Length of the pattern, 0 without one."""

    @property
    def over(self) -> bool:
        """Whether it fails."""
        return self.occurrences is not None and self.occurrences > self.limit


def group_by_stimulus(trajectories: Sequence[Trajectory]) -> dict[str, tuple[int, ...]]:
    """The runs of each stimulus by their place, in the order of eval, variant, model and trial."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, trajectory in enumerate(trajectories):
        if trajectory.stimulus:
            groups[trajectory.stimulus].append(place)
    return {
        name: tuple(sorted(places, key=lambda place: _order(trajectories[place]))) for name, places in groups.items()
    }


def _order(trajectory: Trajectory) -> tuple[str, str, str, int]:
    named = (trajectory.eval_name, trajectory.variant, trajectory.model)
    names = [name or "" for name in named]
    return names[0], names[1], names[2], -1 if trajectory.trial is None else trajectory.trial


def nearest(places: Sequence[int], here: int) -> tuple[int, ...]:
    """Those of some places that are shown: all, or as many as may be around `here`."""
    first = max(0, min(places.index(here) - MOST // 2, len(places) - MOST))
    return tuple(places[first : first + MOST])


def judge_trials(runs: RunSet, settings: Sequence[MaxRepeatSettings], unknown: Unknown = "equal") -> tuple[Trial, ...]:
    """Judge each run of a set by its own settings.

    Args:
        runs: The trials.
        settings: Those of each trial, in the order of the runs.
        unknown: Whether values that nobody recorded equal each other or nothing.
    """
    return tuple(_judge(runs, run, own, unknown) for run, own in enumerate(settings))


def _judge(runs: RunSet, run: int, settings: MaxRepeatSettings, unknown: Unknown) -> Trial:
    trajectory = runs.trajectories[run]
    if trajectory.not_judged is not None:
        return Trial(trajectory=trajectory, limit=settings.max, occurrences=None)
    try:
        best = runs.max_repeat(settings.tools, unknown).best(settings.match, settings.max_cycle_period)
    except PatternError:
        return Trial(trajectory=trajectory, limit=settings.max, occurrences=None)
    return Trial(
        trajectory=trajectory,
        limit=settings.max,
        occurrences=int(best.occurrences[run]),
        period=int(best.period[run]),
    )

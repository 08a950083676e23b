"""What settings would do to other runs, held against the graders that judge those now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loopviz.analysis.overview import Graders, NamedGrader
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.max_repeat import NAME
from loopviz.model import BoolArray, IntArray
from loopviz.settings import MaxRepeatSettings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Effect:
    """What changes if some settings judged all runs in place of their own graders."""

    n_judged: int
    """Runs that are judged now and can be judged so."""
    newly_fail: IntArray
    """Those that pass now and would fail, ascending."""
    newly_pass: IntArray


def effects(
    runs: RunSet,
    graders: Sequence[Graders],
    options: Sequence[MaxRepeatSettings],
    unknown: Unknown = "equal",
    *,
    besides: int | None = None,
) -> tuple[Effect, ...]:
    """Judge all runs under each of some settings.

    Args:
        runs: The runs.
        graders: Those that judge each run now.
        options: The settings to hold against them.
        unknown: Whether values that nobody recorded equal each other or nothing.
        besides: A run that is left out of the count.
    Raises:
        PatternError: if a tool pattern is refused, or runs for longer than a second.
    """
    together = [(settings,) for settings in options]
    return effects_together(runs, graders, together, unknown, besides=besides)


def effects_together(
    runs: RunSet,
    graders: Sequence[Graders],
    options: Sequence[tuple[MaxRepeatSettings, ...]],
    unknown: Unknown = "equal",
    *,
    besides: int | None = None,
) -> tuple[Effect, ...]:
    """The same for options of several graders each, all of which must pass."""
    judged, failed = _judge(runs, graders, unknown)
    if besides is not None:
        judged[besides] = False
    return tuple(_effect(runs, judged, failed, settings, unknown) for settings in options)


def _effect(
    runs: RunSet, judged: BoolArray, failed: BoolArray, settings: tuple[MaxRepeatSettings, ...], unknown: Unknown
) -> Effect:
    _, then = _judge(runs, [tuple(NamedGrader(NAME, one) for one in settings)] * len(runs), unknown)
    return Effect(
        n_judged=int(np.count_nonzero(judged)),
        newly_fail=np.flatnonzero(judged & then & ~failed),
        newly_pass=np.flatnonzero(judged & failed & ~then),
    )


def _judge(runs: RunSet, graders: Sequence[Graders], unknown: Unknown) -> tuple[BoolArray, BoolArray]:
    """(whether each run is judged, whether any of its graders fails it), each of shape (n_runs,)."""
    judged, failed = np.zeros(len(runs), dtype=np.bool_), np.zeros(len(runs), dtype=np.bool_)
    members: dict[MaxRepeatSettings, list[int]] = defaultdict(list)
    for run, own in enumerate(graders):
        if runs.trajectories[run].not_judged is None:
            for grader in own:
                members[grader.settings].append(run)
    for settings, chosen in members.items():
        best = runs.max_repeat(settings.tools, unknown).best(settings.match, settings.max_cycle_period)
        judged[chosen] = True
        failed[chosen] |= best.occurrences[chosen] > settings.max
    return judged, failed

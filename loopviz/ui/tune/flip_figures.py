"""The figures that flips are sorted by, of all runs at once: a finding of each would take far too long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loopviz.model import IntArray
from loopviz.settings import MaxRepeatSettings
from loopviz.ui.tune.state import Tuned


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """What the grader that decides on a run says of it; every array has shape (n_runs,)."""

    occurrences: IntArray
    """Times in a row."""
    period: IntArray
    """Length of the pattern in steps, 0 where there is none."""
    call: IntArray
    """The first one over the limit, from 0; -1 where there is none."""


def under_candidate(tuned: Tuned) -> Figures:
    """By the grader of the candidate that is furthest over its limit, or has the least room left."""
    runs, unknown = tuned.opened.runs, tuned.swept.unknown
    engines = [runs.max_repeat(one.tools, unknown) for one in tuned.graders]
    best = [engine.best(one.match, one.max_cycle_period) for engine, one in zip(engines, tuned.graders, strict=True)]
    over = np.stack([found.occurrences - one.max for found, one in zip(best, tuned.graders, strict=True)])
    calls = [engine.first_failing_calls(one) for engine, one in zip(engines, tuned.graders, strict=True)]
    deciding = over.argmax(axis=0)
    return Figures(
        occurrences=_chosen([found.occurrences for found in best], deciding),
        period=_chosen([found.period for found in best], deciding),
        call=_chosen(calls, deciding),
    )


def in_force(tuned: Tuned, runs: Sequence[int]) -> Figures:
    """By what judges some runs now; of the others no call is told."""
    judged = tuned.judged
    call = np.full(tuned.n_runs, -1, dtype=np.int64)
    by_settings: dict[MaxRepeatSettings, list[int]] = {}
    for run in runs:
        if (grader := judged.grader(run)) is not None:
            by_settings.setdefault(grader.settings, []).append(run)
    for settings, members in by_settings.items():
        engine = judged.runs.max_repeat(settings.tools, judged.choice.unknown)
        call[members] = engine.first_failing_calls(settings)[members]
    return Figures(judged.overview.occurrences, judged.overview.period, call)


def _chosen(each: Sequence[IntArray], deciding: IntArray) -> IntArray:
    """Of some rows the one that decides on each run."""
    chosen: IntArray = np.take_along_axis(np.stack(each), deciding[np.newaxis], axis=0)[0]
    return chosen

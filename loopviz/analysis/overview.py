"""Every run of a set at a glance: verdict, figure, what the guards would have done. One row a run, as columns.

Runs may have different settings, several graders each: those that share a tool filter are judged in one pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loopviz.analysis.inspection import DEFAULT_GUARDS, GuardSettings
from loopviz.analysis.recorded import recorded_for
from loopviz.analysis.runset import RunSet, Tools
from loopviz.analysis.seen import repeated_per_run
from loopviz.detectors.core.steps import Unknown
from loopviz.model import BoolArray, FloatArray, IntArray, Trajectory
from loopviz.settings import MaxRepeatSettings

NOT_JUDGED, FAIL, PASS = -1, 0, 1


@dataclass(frozen=True, slots=True)
class NamedGrader:
    """A max-repeat grader of one run."""

    name: str
    settings: MaxRepeatSettings
    comparable: bool = True
    """Whether what the file records was judged by these settings, so that another verdict here is a disagreement."""


Graders = tuple[NamedGrader, ...]
"""The graders of one run; all must pass. Those of a run that records none are empty: it is not judged."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overview:
    """One row a run; arrays have shape (n_runs,)."""

    verdict: IntArray
    """PASS, FAIL, or NOT_JUDGED."""
    deciding: IntArray
    """Which of the run's graders comes nearest to its limit, or is furthest over it; -1 where there is none."""
    occurrences: IntArray
    """Times in a row under the deciding grader."""
    limit: IntArray
    """How many that grader allows."""
    period: IntArray
    """Length of the deciding pattern in steps, 0 where there is none."""
    start: IntArray
    """First step of the deciding pattern, from 0 within the run; -1 where there is none."""
    said: IntArray
    """What the file records for max-repeat: PASS, FAIL (any grader failed), or NOT_JUDGED where it says nothing."""
    disagrees: BoolArray
    """Whether a recorded verdict differs from ours for any of the run's graders."""
    ladder: IntArray
    """Highest level of the escalation ladder."""
    thrash: IntArray
    """The call at which thrash stops the run, from 0; -1 where it does not."""
    repeated: FloatArray
    """Share of watched calls whose tool and arguments were seen before in the run, 0 to 1; NaN without a call."""

    @property
    def one_away(self) -> BoolArray:
        """Passing runs that one more time in a row would fail, and failing ones that one fewer would pass."""
        near: BoolArray = (self.occurrences == self.limit) | (self.occurrences == self.limit + 1)
        judged: BoolArray = self.verdict != NOT_JUDGED
        return judged & near

    @property
    def detectors_disagree(self) -> BoolArray:
        """Runs that some of the three detectors would have failed or stopped, and others not."""
        fired = np.stack([self.verdict == FAIL, self.ladder >= 3, self.thrash >= 0])
        some: BoolArray = (self.verdict != NOT_JUDGED) & fired.any(axis=0) & ~fired.all(axis=0)
        return some


def survey(
    runs: RunSet, graders: Sequence[Graders], guards: GuardSettings = DEFAULT_GUARDS, unknown: Unknown = "equal"
) -> Overview:
    """Judge every run by its own graders, and let both guards watch it.

    Args:
        runs: The runs.
        graders: Those of each run, in the order of the runs.
        guards: Settings of the guards; without a filter of their own they watch what the run's first grader watches.
        unknown: Whether values that nobody recorded equal each other or nothing.
    Raises:
        PatternError: if a tool pattern is refused.
    """
    n_runs = len(runs)
    table = _Table(n_runs)
    for settings, places in _by_settings(runs.trajectories, graders).items():
        grader = runs.max_repeat(settings.tools, unknown)
        best = grader.best(settings.match, settings.max_cycle_period)
        run = np.array([place[0] for place in places])
        table.enter(
            run,
            np.array([place[1] for place in places]),
            best.occurrences[run],
            best.period[run],
            np.where(best.start[run] < 0, -1, best.start[run] - grader.steps.starts[run]),
            settings.max,
        )
    said, disagrees = _recorded(runs.trajectories, graders, table.passed)
    ladder, thrash, repeated = _guards(runs, graders, guards, unknown)
    return Overview(
        verdict=table.verdict,
        deciding=table.deciding,
        occurrences=table.occurrences,
        limit=table.limit,
        period=table.period,
        start=table.start,
        said=said,
        disagrees=disagrees,
        ladder=ladder,
        thrash=thrash,
        repeated=repeated,
    )


def _by_settings(
    trajectories: Sequence[Trajectory], graders: Sequence[Graders]
) -> dict[MaxRepeatSettings, list[tuple[int, int]]]:
    """(run, place among its graders) of all judged runs, by settings."""
    places: dict[MaxRepeatSettings, list[tuple[int, int]]] = defaultdict(list)
    for run, own in enumerate(graders):
        if trajectories[run].not_judged is None:
            for place, grader in enumerate(own):
                places[grader.settings].append((run, place))
    return places


class _Table:
    """Fills the rows one group of equal settings after the other; the grader with the least room left decides."""

    def __init__(self, n_runs: int) -> None:
        self.verdict = np.full(n_runs, NOT_JUDGED, dtype=np.int64)
        self.deciding = np.full(n_runs, -1, dtype=np.int64)
        self.occurrences = np.zeros(n_runs, dtype=np.int64)
        self.limit = np.zeros(n_runs, dtype=np.int64)
        self.period = np.zeros(n_runs, dtype=np.int64)
        self.start = np.full(n_runs, -1, dtype=np.int64)
        self.passed: dict[tuple[int, int], bool] = {}

    def enter(
        self, run: IntArray, place: IntArray, occurrences: IntArray, period: IntArray, start: IntArray, limit: int
    ) -> None:
        room = self.limit[run] - self.occurrences[run]
        closer = (self.deciding[run] < 0) | (limit - occurrences < room)
        closer |= (limit - occurrences == room) & (place < self.deciding[run])
        chosen = run[closer]
        self.deciding[chosen], self.occurrences[chosen] = place[closer], occurrences[closer]
        self.limit[chosen], self.period[chosen], self.start[chosen] = limit, period[closer], start[closer]
        passed = occurrences <= limit
        self.verdict[run] = np.where(self.verdict[run] == FAIL, FAIL, np.where(passed, PASS, FAIL))
        self.passed.update(zip(zip(run.tolist(), place.tolist(), strict=True), passed.tolist(), strict=True))


def _recorded(
    trajectories: Sequence[Trajectory], graders: Sequence[Graders], passed: dict[tuple[int, int], bool]
) -> tuple[IntArray, BoolArray]:
    said = np.full(len(trajectories), NOT_JUDGED, dtype=np.int64)
    disagrees = np.zeros(len(trajectories), dtype=np.bool_)
    for run, trajectory in enumerate(trajectories):
        if trajectory.grade is None:
            continue
        own = graders[run]
        results = [recorded_for(trajectory, grader.name, k, len(own)) for k, grader in enumerate(own)]
        verdicts = [None if result is None else result.passed for result in results]
        known = [verdict for verdict in verdicts if verdict is not None]
        if known:
            said[run] = PASS if all(known) else FAIL
        disagrees[run] = any(
            grader.comparable and verdict is not None and verdict != passed.get((run, place), verdict)
            for place, (grader, verdict) in enumerate(zip(own, verdicts, strict=True))
        )
    return said, disagrees


def _guards(
    runs: RunSet, graders: Sequence[Graders], guards: GuardSettings, unknown: Unknown
) -> tuple[IntArray, IntArray, FloatArray]:
    """(ladder level, stopping call of thrash, share seen before) of each run."""
    filters: dict[Tools, list[int]] = defaultdict(list)
    for run, own in enumerate(graders):
        filters[guards.tools or (own[0].settings.tools if own else None)].append(run)
    level = np.zeros(len(runs), dtype=np.int64)
    stop = np.full(len(runs), -1, dtype=np.int64)
    repeated = np.full(len(runs), np.nan)
    for tools, members in filters.items():
        chosen = np.array(members)
        level[chosen] = runs.escalation(guards.escalation, tools, unknown).level[chosen]
        thrash = runs.thrash(guards.thrash, tools, unknown)
        place = thrash.place[chosen]
        call = np.append(thrash.watched.call, 0)[place] - runs.columns.starts[chosen]
        stop[chosen] = np.where(place >= 0, call, -1)
        seen, total = repeated_per_run(runs.columns, runs.watched(tools), runs.seen(tools))
        repeated[chosen] = (seen / np.where(total > 0, total, np.nan))[chosen]
    return level, stop, repeated

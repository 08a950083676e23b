"""The trials of a stimulus: found, ordered, and judged each by its own settings."""

from __future__ import annotations

import pytest

from loopviz.analysis.runset import RunSet
from loopviz.analysis.trials import MOST, group_by_stimulus, judge_trials, nearest
from loopviz.model import Trajectory
from loopviz.settings import MaxRepeatSettings
from tests.detectors.test_max_repeat import A, B
from tests.detectors.trajectories_by_hand import trajectory_of


def trial(times: int = 1, **fields: object) -> Trajectory:
    return trajectory_of([{**A, "turn": turn} for turn in range(times)], **{"stimulus": "fix", **fields})


def test_runs_without_a_stimulus_are_alone() -> None:
    assert group_by_stimulus([trial(stimulus=None), trial(stimulus=None)]) == {}


def test_trials_stand_in_order_of_eval_variant_model_and_trial() -> None:
    runs = [trial(trial=2), trial(stimulus="other"), trial(trial=0), trial(trial=1, model="b"), trial(trial=1)]
    assert group_by_stimulus(runs) == {"fix": (2, 4, 0, 3), "other": (1,)}


@pytest.mark.parametrize(
    ("n", "here", "first"), [(3, 1, 0), (MOST, 0, 0), (1000, 0, 0), (1000, 500, 400), (1000, 999, 800)]
)
def test_of_very_many_those_around_are_shown(n: int, here: int, first: int) -> None:
    places = tuple(range(5, 5 + n))
    shown = nearest(places, here + 5)
    assert (shown[0], len(shown)) == (first + 5, min(n, MOST))
    assert here + 5 in shown


def test_each_is_judged_by_its_own_settings() -> None:
    pair = trajectory_of([{**c, "turn": turn} for turn, c in enumerate([A, B] * 3)], stimulus="fix")
    runs = RunSet([trial(5), pair, pair, trial(2), trial(not_judged="no events")])
    settings = [
        MaxRepeatSettings(max=3),
        MaxRepeatSettings(max=3),
        MaxRepeatSettings(max=2, max_cycle_period=2),
        MaxRepeatSettings(max=2, tools=("read",)),
        MaxRepeatSettings(max=3),
    ]
    trials = judge_trials(runs, settings)
    assert [one.occurrences for one in trials] == [5, 1, 3, 0, None]
    assert [one.over for one in trials] == [True, False, True, False, False]
    assert [one.period for one in trials] == [1, 1, 2, 0, 0]


def test_a_pattern_that_is_refused_judges_nothing() -> None:
    broken = MaxRepeatSettings(max=1).model_copy(update={"tools": ("(",)})
    assert [one.occurrences for one in judge_trials(RunSet([trial(3)]), [broken])] == [None]

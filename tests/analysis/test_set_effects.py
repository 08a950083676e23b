"""What settings would do to other runs."""

from __future__ import annotations

import pytest

from loopviz.analysis.overview import Graders, NamedGrader
from loopviz.analysis.runset import RunSet
from loopviz.analysis.set_effects import effects
from loopviz.settings import MaxRepeatSettings
from tests.detectors.trajectories_by_hand import trajectory_of

THREE, FOUR, FIVE = (NamedGrader("g", MaxRepeatSettings(max=limit)) for limit in (3, 4, 5))


def runs_of(*copies: int) -> RunSet:
    """Runs that do the same so many times; none at all is not judged."""
    same = {"tool": "a", "arguments": "x", "observation": "y", "turn": None, "watched": True}
    return RunSet(
        [trajectory_of([same] * count, not_judged=None if count else "it holds no trajectory") for count in copies]
    )


@pytest.mark.parametrize(
    ("graders", "fail", "passes"),
    [
        pytest.param([(FOUR,)] * 4, [], [], id="the same settings"),
        pytest.param([(FIVE,)] * 4, [2], [], id="stricter than now"),
        pytest.param([(THREE,)] * 4, [], [1], id="looser than now"),
        pytest.param([(FIVE,), (FIVE, THREE), (FIVE,), (FIVE,)], [2], [1], id="any grader fails a run"),
        pytest.param([(FIVE,), (), (), (FIVE,)], [], [], id="runs without a grader are not judged"),
    ],
)
def test_runs_that_turn(graders: list[Graders], fail: list[int], passes: list[int]) -> None:
    (effect,) = effects(runs_of(2, 4, 5, 0), graders, [FOUR.settings])
    assert (effect.newly_fail.tolist(), effect.newly_pass.tolist()) == (fail, passes)


def test_the_run_on_screen_is_left_out() -> None:
    runs = runs_of(5, 5, 0)
    (effect,) = effects(runs, [(FIVE,)] * 3, [FOUR.settings], besides=0)
    assert (effect.n_judged, effect.newly_fail.tolist()) == (1, [1])

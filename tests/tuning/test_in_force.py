"""What is in force now against what people say: runs with graders of their own, judged one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.evidence import from_labels, from_outcomes, score
from loopviz.tuning.in_force import own_pins, own_score
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, label_of
from loopviz.tuning.pins import find_pins
from loopviz.tuning.sweep import sweep
from tests.tuning.sets_by_hand import run_of, set_of

STEPS = ("aaaaab", "bbaaaaa", "abab", "aabbb")
"""Five, five, one and three in a row."""
IS_LOOP = (True, True, False, False)
SET = set_of(*(run_of(steps, run=f"t{place}", outcome=not IS_LOOP[place]) for place, steps in enumerate(STEPS)))
SWEPT = sweep(SET)
WHOLE = [(label_of(run, LOOP if loop else NOT_A_LOOP),) for run, loop in zip(SET.trajectories, IS_LOOP, strict=True)]


def settings(max: int, **more: Any) -> MaxRepeatSettings:
    return MaxRepeatSettings(max=max, **more)


TWO, FOUR, FIVE, OTHER = settings(2), settings(4), settings(5), settings(1, tools=("^other$",))
COUNTS = [
    pytest.param([(FIVE,)] * 4, (0, 0, 2, 2), id="nothing fails"),
    pytest.param([()] * 4, (0, 0, 0, 0), id="nothing is judged"),
    pytest.param([(OTHER,)] * 4, (0, 0, 2, 2), id="no tool is watched"),
    pytest.param([(TWO,)] * 4, (2, 1, 2, 2), id="one grader for all"),
    pytest.param([(FOUR,), (FIVE,), (FOUR,), (TWO,)], (1, 1, 2, 2), id="each its own"),
    pytest.param([(FIVE, FOUR), (OTHER, FOUR), (FIVE, OTHER), (FOUR, TWO)], (2, 1, 2, 2), id="several each"),
    pytest.param([(FOUR,), (), (FOUR,), ()], (1, 0, 1, 1), id="some are not judged"),
]


@pytest.mark.parametrize(("own", "counts"), COUNTS)
@pytest.mark.parametrize("by_labels", [True, False], ids=["labels", "outcomes"])
def test_runs_are_judged_by_their_own_graders(
    own: Sequence[Sequence[MaxRepeatSettings]], counts: tuple[int, ...], by_labels: bool
) -> None:
    evidence = from_labels(SET, SWEPT, WHOLE) if by_labels else from_outcomes(SET, SWEPT)
    found = own_score(SET, evidence, WHOLE, own)
    assert (found.hits, found.false_alarms, found.n_loops, found.n_good) == counts


@pytest.mark.parametrize("limit", range(1, 7))
@pytest.mark.parametrize("match", ["observation", "name-args", "name"])
def test_one_grader_for_all_is_scored_as_a_setting_of_the_grids(limit: int, match: str) -> None:
    one = settings(limit, match=match, max_cycle_period=2)
    labels = [(label_of(SET.trajectories[0], LOOP, calls=(5, 6)),), *WHOLE[1:]]
    evidence = from_labels(SET, SWEPT, labels)
    assert own_score(SET, evidence, labels, [(one,)] * 4) == score(evidence, one)


def test_a_run_that_fails_at_another_place_than_its_loop_is_no_hit() -> None:
    labels: list[tuple[Label, ...]] = [
        (label_of(SET.trajectories[1], LOOP, calls=(1, 2)),) if n == 1 else () for n in range(4)
    ]
    found = own_score(SET, from_labels(SET, SWEPT, labels), labels, [(TWO,)] * 4)
    assert (found.hits, found.elsewhere, found.n_loops) == (0, 1, 1)


def test_pins_are_held_by_the_graders_of_their_runs() -> None:
    pins = [(label_of(run, LOOP, calls=(1, 4), pin=True),) for run in SET.trajectories]
    found = find_pins(SET, SWEPT, pins)
    assert own_pins(SET, found, [(FOUR,), (FIVE, TWO), (FIVE,), (OTHER,)]).tolist() == [True, True, False, False]
    assert own_pins(SET, found, [(TWO,)] * 4).tolist() == found.holds(TWO).tolist()

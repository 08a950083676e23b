"""What a setting says of a stretch of calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.tuning.labels import Stretch
from loopviz.tuning.stretches import stretch_figures
from loopviz.tuning.sweep import figures
from tests.tuning.sets_by_hand import set_of


def grader_of(steps: str) -> MaxRepeat:
    return set_of(steps).max_repeat(None)


@pytest.mark.parametrize(
    ("steps", "stretch", "bound", "times"),
    [
        pytest.param("aaabcd", (1, 3), 1, 3, id="the loop itself"),
        pytest.param("aaabcd", (3, 5), 1, 3, id="its last call alone"),
        pytest.param("aaabcd", (4, 6), 1, 0, id="right behind it"),
        pytest.param("aaaxbb", (4, 6), 1, 2, id="the smaller of two loops"),
        pytest.param("ababa", (5, 5), 2, 2, id="a started copy: read from the second step on it is complete"),
        pytest.param("ababax", (6, 6), 2, 0, id="right behind a started copy"),
        pytest.param("ababa", (4, 5), 2, 2, id="the end of the last copy"),
        pytest.param("ababa", (4, 5), 1, 0, id="a pattern longer than is looked for"),
        pytest.param("aa_aa", (3, 3), 1, 0, id="an empty step belongs to nothing"),
    ],
)
def test_times_in_a_row(steps: str, stretch: Stretch, bound: int, times: int) -> None:
    assert stretch_figures(grader_of(steps), 0, stretch)[0, bound - 1] == times


@given(st.text("ab_", min_size=1, max_size=12))
def test_the_stretch_of_all_calls_has_what_the_run_has(steps: str) -> None:
    grader = grader_of(steps)
    whole, run = stretch_figures(grader, 0, (1, len(steps))), figures(grader)[:, :, 0]
    for row in range(len(MATCHES)):
        assert [max(times, 1) for times in whole[row]] == [max(times, 1) for times in run[row]]

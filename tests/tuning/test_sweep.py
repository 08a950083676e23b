"""Every run under every setting at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.sweep import NO_TRAJECTORY, UNKNOWN_VALUES, sweep
from tests.tuning.sets_by_hand import run_of, set_of

RUNS = st.lists(st.text("ab_?", max_size=9), min_size=1, max_size=5)


@given(RUNS, st.sampled_from(MATCHES), st.integers(1, 10), st.integers(1, 5))
def test_every_cell_says_what_grade_says(steps: list[str], match: Match, bound: int, limit: int) -> None:
    runs = set_of(*steps)
    swept = sweep(runs)
    settings = MaxRepeatSettings(max=limit, max_cycle_period=bound, match=match)
    judged = [not runs.max_repeat(None).judge(run, settings).passed for run in range(len(runs))]
    failing = [fails for fails, counts in zip(judged, swept.counts.tolist(), strict=True) if counts]
    assert swept.n_failing(match, np.array([limit]))[bound - 1, 0] == sum(failing)
    assert swept.fails(settings)[swept.counts].tolist() == failing


@given(RUNS)
def test_a_run_stays_out_when_unknown_values_would_change_its_table(steps: list[str]) -> None:
    runs = set_of(*steps)
    for run, reason in enumerate(sweep(runs).reasons):
        tables = [runs.max_repeat(None, unknown).grid(run) for unknown in ("equal", "distinct")]
        assert (reason == UNKNOWN_VALUES) == (tables[0] != tables[1])


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        pytest.param("aab", "", id="a sound run"),
        pytest.param("", "", id="a run without a call"),
        pytest.param("a?b", "", id="one unknown value equals nothing either way"),
        pytest.param("a??", UNKNOWN_VALUES, id="two unknown values may be equal"),
    ],
)
def test_which_runs_count(run: str, reason: str) -> None:
    assert sweep(set_of(run)).reasons == (reason,)


def test_what_stays_out_is_counted() -> None:
    swept = sweep(set_of("aaa", "??", "??", run_of("", not_judged="it holds no trajectory")))
    assert (swept.n_judged, swept.left_out) == (1, {UNKNOWN_VALUES: 2, NO_TRAJECTORY: 1})


def test_no_run_stays_out_where_unknown_values_are_said_to_differ() -> None:
    assert sweep(set_of("??"), unknown="distinct").n_judged == 1


def test_figures_of_another_filter_are_not_taken() -> None:
    with pytest.raises(ValueError, match="figures are for the tools"):
        sweep(set_of("aaa")).fails(MaxRepeatSettings(max=3, tools=("^t$",)))

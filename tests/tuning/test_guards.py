"""How many runs each setting of the guards would reach."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.settings import EscalationSettings, Scope, ThrashSettings
from loopviz.tuning.guards import ladder_reach, thrash_reach
from tests.tuning.sets_by_hand import set_of

RUNS = st.lists(st.text("ab_", max_size=9), min_size=1, max_size=5)


@given(RUNS, st.integers(2, 6))
def test_thrash_stops_as_many_as_the_table_says(steps: list[str], n: int) -> None:
    runs = set_of(*steps)
    everyone = np.ones(len(runs), dtype=np.bool_)
    scopes: tuple[Scope, Scope] = ("consecutive", "run")
    for row, scope in enumerate(scopes):
        settings = ThrashSettings(n=n, scope=scope, ping_pong=False)
        stopped = int(runs.thrash(settings).stopped.sum())
        assert thrash_reach(runs, ThrashSettings(), np.array([n]), everyone)[row, 0] == stopped


@given(RUNS, st.sampled_from([0.5, 1.0]), st.integers(2, 6))
def test_a_level_fires_as_often_as_the_table_says(steps: list[str], similarity: float, length: int) -> None:
    runs = set_of(*steps)
    settings = EscalationSettings(similarity=similarity, replan=length, explore=length + 1, force_done=length + 2)
    fired = int((runs.escalation(settings).level >= 1).sum())
    everyone = np.ones(len(runs), dtype=np.bool_)
    assert ladder_reach(runs, EscalationSettings(), [similarity], np.array([length]), everyone)[0, 0] == fired


@pytest.mark.parametrize(("counts", "reached"), [([True, True], 2), ([True, False], 1)])
def test_only_runs_that_count_are_counted(counts: list[bool], reached: int) -> None:
    assert thrash_reach(set_of("aaa", "bbb"), ThrashSettings(), np.array([3]), np.array(counts))[0, 0] == reached

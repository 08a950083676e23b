"""How far a setting may move and change nothing: held against simulations with the setting moved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.slack import Between, between_scores, idle_switches
from loopviz.detectors.escalation import EscalationFindings
from tests.analysis.inspections import look, run_of
from tests.detectors.test_max_repeat import A, B, call


def words(*texts: str) -> list[dict[str, Any]]:
    return [call("grep", text) for text in texts]


def ladder(calls: list[dict[str, Any]], **settings: Any) -> EscalationFindings:
    return look(calls, ladder=settings).ladder


@pytest.mark.parametrize(
    ("calls", "between"),
    [
        pytest.param([], Between(None, None), id="no call"),
        pytest.param([A, B] * 3, Between(None, None), id="two tools are never compared"),
        pytest.param([A] * 3, Between(None, 1.0), id="all equal"),
        pytest.param(words("a b", "c d"), Between(0.0, None), id="nothing alike"),
        pytest.param(words("a b c d", "a b c", "a b"), Between(0.5, 0.75), id="on either side"),
    ],
)
def test_scores_on_either_side(calls: list[dict[str, Any]], between: Between) -> None:
    assert between_scores(ladder(calls)) == between


TEXTS = st.lists(st.sampled_from(["a b c d", "a b c", "a b", "a", "d c b", "x", "a x"]), max_size=12)


@given(TEXTS, st.sampled_from([0.25, 1 / 3, 0.5, 0.6, 0.75, 1.0]), st.floats(0.01, 1.0))
def test_within_them_nothing_changes_and_at_their_ends_something_does(
    texts: list[str], now: float, other: float
) -> None:
    calls = words(*texts)
    here = ladder(calls, similarity=now)
    scores = between_scores(here)
    low, high = scores.below or 0.0, 1.0 if scores.above is None else scores.above
    moved = ladder(calls, similarity=other)
    if low < other <= high:
        np.testing.assert_array_equal(moved.stretches.length, here.stretches.length)
    if scores.below:
        assert ladder(calls, similarity=scores.below).stretches.length.tolist() != here.stretches.length.tolist()


@pytest.mark.parametrize(
    ("calls", "busy"),
    [
        pytest.param([], set(), id="no call"),
        pytest.param([A] * 3, set(), id="a plain loop"),
        pytest.param(
            [A, B] * 2,
            {"thrash.ping_pong", "thrash.scope", "escalation.same_tool"},
            id="two in turn, of equal arguments",
        ),
        pytest.param([A, call("read", "z"), A, call("read", "y"), A], {"thrash.scope"}, id="again and again"),
        pytest.param([A | {"ran": False}] * 3, {"thrash.count_unexecuted"}, id="calls that never ran"),
        pytest.param(
            words("a-b", "a b"),
            {"escalation.tokens"},
            id="stretches of two, which draw no nudge",
        ),
        pytest.param([A, B], {"escalation.same_tool"}, id="a pair of two tools"),
        pytest.param(
            words("one-two-three-four", "one-two-three-four-x", "one-two-three-four-y"),
            {"escalation.tokens"},
            id="words at signs",
        ),
    ],
)
def test_switches_that_do_nothing(calls: list[dict[str, Any]], busy: set[str]) -> None:
    every = {"escalation.same_tool", "escalation.tokens", "thrash.scope", "thrash.ping_pong", "thrash.count_unexecuted"}
    assert idle_switches(run_of(calls), look(calls)) == every - busy


def test_the_filter_in_force_is_kept() -> None:
    calls = [A, call("plan", "p"), A, call("plan", "p")]
    assert "thrash.ping_pong" in idle_switches(run_of(calls), look(calls, tools=["bash"]))
    assert "thrash.ping_pong" not in idle_switches(run_of(calls), look(calls))

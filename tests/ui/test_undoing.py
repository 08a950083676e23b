"""Steps back and forward, without a page: quiet cases first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.ui.undoing import MOST, History


def walk(*changes: tuple[int, str | None]) -> tuple[History[int], int]:
    """From 0 through some changes, each by a control or, without one, by a click."""
    history: History[int] = History()
    now = 0
    for state, control in changes:
        history, now = history.changed(now, state, control), state
    return history, now


@pytest.mark.parametrize(
    ("changes", "past"),
    [
        pytest.param([], (), id="nothing changed"),
        pytest.param([(1, None), (2, None)], (0, 1), id="clicks are steps of their own"),
        pytest.param([(1, "max"), (2, "max"), (3, "max")], (0,), id="a held key is one step"),
        pytest.param([(1, "max"), (0, "max")], (), id="stepped there and back"),
        pytest.param([(1, "max"), (0, "max"), (1, "max")], (0,), id="there and back, and there again"),
        pytest.param([(1, "max"), (2, "period"), (3, "max")], (0, 1, 2), id="controls in turn"),
        pytest.param([(1, "max"), (2, None), (3, "max")], (0, 1, 2), id="a click in between"),
    ],
)
def test_steps_back(changes: list[tuple[int, str | None]], past: tuple[int, ...]) -> None:
    assert walk(*changes)[0].past == past


def test_a_step_back_ends_what_a_control_was_doing() -> None:
    history, now = walk((1, "max"), (2, "period"))
    history, now = history.undone(now)
    assert now == 1
    assert history.changed(1, 5, "max").past == (0, 1)


def test_a_new_change_forgets_what_was_gone_back_from() -> None:
    history, now = walk((1, None), (2, None))
    history, now = history.undone(now)
    assert history.future == (2,)
    assert history.changed(now, 7).future == ()


def test_old_steps_are_forgotten() -> None:
    history, _ = walk(*((state, None) for state in range(1, 3 * MOST)))
    assert len(history.past) == MOST
    assert history.past[-1] == 3 * MOST - 2


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([None, "max", "period"])), max_size=20))
def test_all_the_way_back_and_forward_again(changes: list[tuple[int, str | None]]) -> None:
    history, now = walk(*changes)
    last = now
    while history.past:
        history, now = history.undone(now)
    assert now == 0
    while history.future:
        history, now = history.redone(now)
    assert now == last

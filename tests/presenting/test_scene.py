from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.presenting.scene import COPY, OTHER, PLAIN, STARTED, Scene, lay_scene
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import call


def quiet(n: int, start: int = 0) -> list[dict[str, Any]]:
    return [call(f"tool_{k % 7}", {"n": start + k}, f"{start + k}") for k in range(n)]


def loop(times: int, period: int = 1) -> list[dict[str, Any]]:
    return [call(f"step_{k}", k, f"same {k}") for k in range(period)] * times


def scene(calls: list[dict[str, Any]], room: int, **settings: Any) -> Scene:
    return lay_scene(look(calls, **settings), room)


def test_a_run_that_fits_has_a_cell_a_call() -> None:
    shown = scene(quiet(5) + loop(4) + quiet(3, 50), 20)
    assert [item.mark for item in shown.items] == [PLAIN] * 5 + [COPY] * 4 + [PLAIN] * 3
    assert [item.copy for item in shown.items if item.mark == COPY] == [0, 1, 2, 3]
    assert not shown.folded


def test_what_is_unmarked_is_folded_first() -> None:
    shown = scene(quiet(50) + loop(4) + quiet(30, 100), 20)
    assert [(item.first, item.last) for item in shown.items if item.wide] == [(0, 49), (54, 83)]
    assert [item.copy for item in shown.items if not item.wide] == [0, 1, 2, 3]


def test_then_a_copy_is_one_cell_and_then_those_in_the_middle_are_folded() -> None:
    by_copy = scene(quiet(50) + loop(8, 4) + quiet(30, 100), 20, max_cycle_period=4)
    assert [item.n_calls for item in by_copy.items if item.copy >= 0] == [4] * 8
    some = scene(quiet(50) + loop(60, 2) + quiet(30, 100), 20, max_cycle_period=2)
    fold = next(item for item in some.items if item.folds)
    kept = [item.copy for item in some.items if item.copy >= 0 and not item.folds]
    assert fold.folds + len(kept) == 60
    assert kept[-1] == 59


def test_a_stop_falls_between_two_cells_outside_the_copies() -> None:
    shown = scene(loop(3) + quiet(200), 20, max=3)
    assert shown.stop is not None
    assert any(item.first == shown.stop.first_after for item in shown.items)


def test_a_run_without_any_mark_is_cut_into_bins() -> None:
    shown = scene(quiet(1_000), 20)
    assert shown.binned
    assert len(shown.items) == 60


def test_other_repeats_over_the_limit_show_in_a_fold() -> None:
    shown = scene(loop(4) + quiet(40) + [call("other", 1, "o")] * 6 + quiet(40, 100), 20)
    assert {item.mark for item in shown.items} >= {OTHER, COPY}


def test_a_loop_that_the_settings_do_not_count_is_shown_as_such() -> None:
    waiting = [call("get_status", {}, f"{k}") for k in range(6)]
    shown = scene(quiet(3) + waiting, 20)
    assert shown.copies is not None
    assert shown.copies.state.name == "NOT_COUNTED"
    only_one_tool = [call("bash", k, f"{k}") for k in range(6)]
    assert scene(only_one_tool, 20).copies is None


def test_calls_of_a_started_copy_are_not_folded_with_unmarked_ones() -> None:
    started = [*loop(4, 3), *loop(1, 3)[:2]]
    shown = scene(started + quiet(30, 100), 22, max_cycle_period=3)
    marked = [item for item in shown.items if item.mark == STARTED]
    assert sum(item.n_calls for item in marked) == 2
    assert [item.n_calls for item in shown.items if item.wide] == [30]


@pytest.mark.parametrize("room", [8, 20, 70])
@given(data=st.data())
def test_every_call_is_in_one_cell_and_no_mark_is_lost(room: int, data: st.DataObject) -> None:
    letters = data.draw(st.lists(st.sampled_from("abcd_"), max_size=150))
    calls = [call(letter, letter, "" if letter == "_" else letter) for letter in letters]
    found = look(calls, max=data.draw(st.integers(1, 3)), max_cycle_period=data.draw(st.integers(1, 4)))
    shown, whole = lay_scene(found, room), lay_scene(found, 10_000)
    spans = [(item.first, item.last) for item in shown.items]
    assert [call for first, last in spans for call in range(first, last + 1)] == list(range(len(calls)))
    for item in shown.items:
        inside = whole.items[item.first : item.last + 1]
        assert item.mark == max(one.mark for one in inside)
        assert item.level == max(one.level for one in inside)
        assert item.fires == max(one.fires for one in inside)
    assert shown.binned or shown.weight <= max(room, len(shown.items) if not shown.folded else 0)

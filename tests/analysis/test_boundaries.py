"""What stands before a step and after it, and why that is not the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.boundaries import (
    Apart,
    Boundary,
    after,
    before,
    calls_of,
    contrast_steps,
    differing_calls,
    gaps,
)
from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import EMPTY, MATCHES, Match
from tests.detectors.test_max_repeat import CALLS, A, B, call
from tests.timeline.test_picture import look

NOTHING = call(out=None)


def ends(found: Inspection) -> list[Boundary]:
    settings = found.finding.settings
    bound = settings.max_cycle_period
    return [after(found.grader, 0, cycle, settings.match, bound) for cycle in found.finding.cycles]


@pytest.mark.parametrize(
    ("calls", "settings", "apart", "at", "other"),
    [
        pytest.param([A, A], {}, Apart.EDGE, None, None, id="the end of the run"),
        pytest.param([A, A, B], {}, Apart.TOOLS, 2, 1, id="another tool"),
        pytest.param([A, A, call(out="x")], {}, Apart.OUTPUT, 2, 1, id="another output"),
        pytest.param([A, A, call(args="x")], {"match": "name-args"}, Apart.ARGUMENTS, 2, 1, id="other arguments"),
        pytest.param([A, A, NOTHING], {}, Apart.EMPTY, 2, None, id="an empty output"),
        pytest.param([A, A, NOTHING], {"match": "name-args"}, Apart.EDGE, None, None, id="empty, but equal arguments"),
        pytest.param(
            [A, B, A, B, A, call("read", out="x")],
            {"max_cycle_period": 2},
            Apart.OUTPUT,
            5,
            3,
            id="behind a started copy, against the copy before",
        ),
    ],
)
def test_what_ends_a_cycle(
    calls: list[dict[str, Any]], settings: dict[str, Any], apart: Apart, at: int | None, other: int | None
) -> None:
    (found,) = ends(look(calls, **settings))
    assert (found.apart, found.call, found.other) == (apart, at, other)
    assert (found.difference is None) == (apart not in (Apart.OUTPUT, Apart.ARGUMENTS))


def test_in_a_turn_of_several_calls_the_one_that_differs_is_named() -> None:
    turns = [{**A, "turn": 0}, {**B, "turn": 0}, {**A, "turn": 1}, {**B, "turn": 1}]
    turns += [{**A, "turn": 2}, {**call("read", out="new"), "turn": 2}]
    (found,) = ends(look(turns))
    assert (found.apart, found.call, found.other, found.n_calls) == (Apart.OUTPUT, 5, 3, 2)


def test_what_nobody_recorded_and_is_taken_as_different() -> None:
    found = look([{**A, "unknown": True}] * 2)
    apart = inspect(RunSet([found.trajectory]), found.finding.settings, unknown="distinct")
    assert contrast_steps(apart.grader, 0, 1, 0, "observation", 1).apart is Apart.UNKNOWN


def test_only_one_of_the_two_recorded_is_taken_as_different_too() -> None:
    found = look([{**A, "unknown": True}, call(out="other")])
    apart = inspect(RunSet([found.trajectory]), found.finding.settings, unknown="distinct")
    assert contrast_steps(apart.grader, 0, 1, 0, "observation", 1).apart is Apart.UNKNOWN
    assert contrast_steps(found.grader, 0, 1, 0, "observation", 1).apart is Apart.OUTPUT


@pytest.mark.parametrize(
    ("mine", "others", "match", "pair"),
    [
        pytest.param([A], [A], "observation", None, id="the same call"),
        pytest.param([A, B], [B, A], "observation", None, id="in another order"),
        pytest.param([A, B], [A, call("read", out="x")], "observation", (1, 3), id="the second of two"),
        pytest.param([A, call(out="x")], [A], "observation", (1, 2), id="one more, against one of its tool"),
        pytest.param([A], [A, B], "observation", (0, 2), id="one less, of another tool"),
        pytest.param([NOTHING, A], [call(out="x")], "observation", (1, 2), id="an empty one is passed over"),
        pytest.param([A], [call(out="x")], "name-args", None, id="another output says nothing of arguments"),
        pytest.param([A, B], [A, call("ls")], "name", (1, 3), id="tools"),
    ],
)
def test_the_calls_in_which_two_steps_differ(
    mine: list[dict[str, Any]], others: list[dict[str, Any]], match: Match, pair: tuple[int, int] | None
) -> None:
    grader = look([{**one, "turn": turn} for turn, step in enumerate((mine, others)) for one in step]).grader
    assert differing_calls(grader, 0, calls_of(grader, 0, 0), calls_of(grader, 0, 1), match) == pair


@given(CALLS, st.sampled_from(MATCHES))
def test_two_steps_differ_exactly_where_a_pair_of_their_calls_does(calls: list[dict[str, Any]], match: Match) -> None:
    side = {"observation": "observation", "name-args": "arguments", "name": "tool"}[match]
    calls = [one for one in calls if one["observation"] is not None]
    found = look(calls, match=match)
    codes = found.grader.run_codes(0, match, 1)
    for step in range(1, len(codes)):
        mine, others = calls_of(found.grader, 0, step), calls_of(found.grader, 0, step - 1)
        pair = differing_calls(found.grader, 0, mine, others, match)
        assert (pair is None) == (codes[step] == codes[step - 1])
        if pair is not None:
            one, other = calls[pair[0]], calls[pair[1]]
            assert pair[0] in mine and pair[1] in others
            assert (one["tool"], one[side]) != (other["tool"], other[side])


def test_what_stood_before() -> None:
    found = look([call(out="x"), A, A])
    (cycle,) = found.finding.cycles
    began = before(found.grader, 0, cycle, "observation", 1)
    assert (began.apart, began.call, began.other) == (Apart.OUTPUT, 0, 1)


def test_unwatched_calls_between_copies() -> None:
    plan = call("plan", out="p")
    found = look([A, plan, A, plan, plan, A], tools=("bash",))
    (cycle,) = found.finding.cycles
    assert [(gap.step, gap.calls) for gap in gaps(found.grader, 0, cycle)] == [(0, (1,)), (1, (3, 4))]


def test_an_unwatched_call_inside_the_turn_of_a_step_joins_nothing() -> None:
    plan = call("plan", out="p")
    for turn in ([A, plan, B], [plan, A, B], [A, B, plan]):
        found = look([{**one, "turn": n} for n in range(3) for one in turn], tools=("bash", "read"))
        (cycle,) = found.finding.cycles
        assert gaps(found.grader, 0, cycle) == []


@given(CALLS)
def test_every_ending_agrees_with_the_cycle(calls: list[dict[str, Any]]) -> None:
    for match in ("observation", "name-args", "name"):
        found = look(calls, match=match, max_cycle_period=3)
        codes = found.grader.run_codes(0, match, 3)
        for cycle, end in zip(found.finding.cycles, ends(found), strict=True):
            words = {Apart.EDGE: "end", Apart.EMPTY: "empty"}
            assert words.get(end.apart, "different") == cycle.ended_by
            assert end.apart is not Apart.SAME
            assert (codes[end.step] == EMPTY) == (end.apart is Apart.EMPTY) if end.step is not None else True

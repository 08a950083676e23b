"""What stands before a step and after it, and why that is not the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from loopviz.analysis.boundaries import Apart, Boundary, after, before, contrast_steps, gaps
from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import EMPTY
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
    turn = [{**A, "turn": 0}, {**call("plan", out="p"), "turn": 0}, {**B, "turn": 0}]
    found = look([*turn, {**A, "turn": 1}, {**B, "turn": 1}], tools=("bash", "read"))
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

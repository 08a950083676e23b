"""Which call a span runs, and which one an answer belongs to."""

from __future__ import annotations

import pytest

from loopviz.model import Json
from loopviz.readers.asking import Agent, Asking, answered_by
from loopviz.readers.dialogue import Answered, Asked
from loopviz.readers.hearing import Hearing

Call = tuple[str, Json]
"""Tool and id."""

RUNS = [
    pytest.param([], ("a", "1"), None, id="nothing was asked for"),
    pytest.param([("b", "2")], ("a", "1"), None, id="something else was"),
    pytest.param([("a", "2")], ("a", "1"), None, id="another call of the tool"),
    pytest.param([("a", "2"), ("a", "1")], ("a", "1"), 1, id="by its id"),
    pytest.param([("b", "1")], ("a", "1"), 0, id="by its id, under another name"),
    pytest.param([("a", None), ("a", "1")], ("a", "1"), 1, id="its id before its name"),
    pytest.param([("b", None), ("a", None), ("a", None)], ("a", "1"), 1, id="the first of its tool that has no id"),
    pytest.param([("b", "2"), ("a", "1")], ("a", None), 1, id="the first of its tool where the span has none"),
]


@pytest.mark.parametrize(("asked", "run", "expected"), RUNS)
def test_which_call_a_span_runs(asked: list[Call], run: Call, expected: int | None) -> None:
    calls = [Asking(Asked(tool, {}, id)) for tool, id in asked]
    agent = Agent("", Hearing({}), calls=list(calls))
    found = agent.run(*run)
    assert (calls.index(found) if found in calls else None) == expected
    assert found in agent.calls


def test_a_call_that_has_run_is_not_run_again() -> None:
    agent = Agent("", Hearing({}), calls=[Asking(Asked("a", {}, "1"), number=0), Asking(Asked("a", {}, "1"))])
    assert agent.run("a", "1") is agent.calls[1]


ANSWERS = [
    pytest.param([], Answered("r", "1"), None, id="nothing waits"),
    pytest.param([("a", "1")], Answered("r", "2"), None, id="another id"),
    pytest.param([("a", "1")], Answered("r", "2", "a"), None, id="another id, the same tool"),
    pytest.param([("a", "1")], Answered("r", None, "b"), None, id="another tool"),
    pytest.param([("a", "2"), ("a", "1")], Answered("r", "1", "a"), 1, id="by its id"),
    pytest.param([("b", None), ("a", None)], Answered("r", "1", "a"), 1, id="by its tool"),
    pytest.param([("b", "1"), ("a", "2")], Answered("r", None, "a"), 1, id="by its tool where it has no id"),
    pytest.param([("b", "1"), ("a", "2")], Answered("r"), 0, id="the first where it says nothing"),
]


@pytest.mark.parametrize(("waiting", "answer", "expected"), ANSWERS)
def test_which_call_an_answer_belongs_to(waiting: list[Call], answer: Answered, expected: int | None) -> None:
    calls = [Asking(Asked(tool, {}, id)) for tool, id in waiting]
    found = answered_by(calls, answer)
    assert (None if found is None else calls.index(found)) == expected

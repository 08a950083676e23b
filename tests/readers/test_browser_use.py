"""browser-use: actions and their results, addresses, the outcome."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.browser_use_by_hand import dump, history, result, step
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns


def load(*steps: Json) -> Loaded:
    return read_bytes(dump(history(*steps)), "a.json", format="browser-use")


def only(*steps: Json) -> Trajectory:
    (trajectory,) = load(*steps).trajectories
    return trajectory


RESULTS = [
    pytest.param(None, ABSENT, False, id="none"),
    pytest.param({}, None, False, id="one that says nothing"),
    pytest.param(result(), None, False, id="null"),
    pytest.param(result(""), "", False, id="empty"),
    pytest.param(result("a"), "a", False, id="what it extracted"),
    pytest.param(result("a", error="bad"), "bad", True, id="an error"),
    pytest.param(result(long_term_memory="m"), "m", False, id="what to remember"),
]


@pytest.mark.parametrize(("given", "observation", "failed"), RESULTS)
def test_results(given: Json, observation: Json, failed: bool) -> None:
    trajectory = only(step({"click": {"index": 1}}, results=[given]))
    assert observations(trajectory) == [observation]
    assert trajectory.calls.failed.tolist() == [failed]


def test_actions_behind_the_last_result_never_ran() -> None:
    trajectory = only(step({"a": {}}, {"b": {}}, results=[result("x")]), step({"c": {}}, results=[result("y")]))
    assert (tools(trajectory), turns(trajectory)) == (["a", "b", "c"], [0, 0, 1])
    assert observations(trajectory) == ["x", ABSENT, "y"]


def test_the_same_click_on_another_page_is_another() -> None:
    one, other = (
        step({"click": {"index": 1}}, results=[result("clicked")], url=url) for url in ("http://a", "http://b")
    )
    assert observations(only(one, other)) == ["clicked\n[at http://a]", "clicked\n[at http://b]"]


ACTIONS = [
    pytest.param({"click": {"index": 1}}, "click", b'{"index":1}', id="an action"),
    pytest.param({"scroll": None, "click": {"index": 1}, "done": None}, "click", b'{"index":1}', id="among others"),
    pytest.param({"wait": 3}, "wait", b"3", id="arguments that are no object"),
    pytest.param({"go_back": {}}, "go_back", b"{}", id="no arguments"),
]


@pytest.mark.parametrize(("action", "tool", "arguments"), ACTIONS)
def test_actions(action: Json, tool: str, arguments: bytes) -> None:
    trajectory = only(step(action))
    assert (tools(trajectory), trajectory.arguments_json(0)) == ([tool], arguments)


def test_a_single_action_of_an_older_version() -> None:
    made = {"current_state": {"memory": "m", "next_goal": "g"}, "action": {"click": {"index": 1}}}
    older = {"model_output": made, "result": result("a"), "state": {"screenshot": "iVBOR"}}
    loaded = load(older)
    (trajectory,) = loaded.trajectories
    assert (tools(trajectory), observations(trajectory)) == (["click"], ["a"])
    assert [(told.kind, told.text) for told in trajectory.events] == [("reasoning", "m\ng")]
    assert loaded.notes == ("1 screenshot left out.",)


@pytest.mark.parametrize(("success", "outcome"), [(True, True), (False, False), (None, None)])
def test_the_outcome(success: Json, outcome: bool | None) -> None:
    trajectory = only(step({"done": {"text": "42"}}, results=[result("42", is_done=True, success=success)]))
    assert (trajectory.outcome, trajectory.output) == (outcome, "42")


def test_an_error_without_actions_is_told() -> None:
    trajectory = only({"model_output": None, "result": [result(error="no key")], "state": {}})
    assert [(told.kind, told.text) for told in trajectory.events] == [("error", "no key")]
    assert trajectory.n_turns == 0


def test_times_and_tokens() -> None:
    metadata = {"step_start_time": 1_750_000_000.5, "step_end_time": 1_750_000_002.0, "input_tokens": 900}
    trajectory = only(step({"a": {}}, results=[result("x")], metadata=metadata))
    assert trajectory.duration_s == 1.5
    assert [use.input_tokens for use in trajectory.usage] == [900]


ODD: list[Any] = [
    3,
    None,
    {},
    {"model_output": 3, "result": 3, "state": 3, "metadata": 3},
    {"model_output": {"action": [3, {}, None, [1]], "current_state": []}, "result": [3, {"error": {}}]},
    {"model_output": {"action": "a", "thinking": {}}, "metadata": {"step_start_time": "?", "input_tokens": []}},
]


@pytest.mark.parametrize("odd", ODD, ids=json.dumps)
def test_odd_steps_do_no_harm(odd: Json) -> None:
    named = tools(only(step({"a": {}}), odd, step({"b": {}})))
    assert (named[0], named[-1]) == ("a", "b")

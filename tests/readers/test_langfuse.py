"""Langfuse: the shapes of an export, what an observation is, its times, tokens and scores."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.langfuse_by_hand import dump, export, observation
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns

X = observation("TOOL", 1, name="x", input="{}", output="a")


def load(document: Json) -> Loaded:
    loaded = read_bytes(dump(document), "a.json")
    assert loaded.source.format == "langfuse"
    return loaded


def only(*those: Json, **trace: Any) -> Trajectory:
    (trajectory,) = load(export(*those, **trace)).trajectories
    return trajectory


@pytest.mark.parametrize(
    ("document", "runs"),
    [
        pytest.param(export(X), ["s1"], id="a trace and its observations"),
        pytest.param({"id": "s1", "name": "demo", "observations": [X]}, ["s1"], id="observations in the trace"),
        pytest.param({"trace": {"id": "s1", "observations": [X]}}, ["s1"], id="observations inside of `trace`"),
        pytest.param([X, {**X, "id": "2", "traceId": "s2"}], ["s1", "s2"], id="observations alone"),
        pytest.param([export(X), export({**X, "traceId": "s2"}, id="s2")], ["s1", "s2"], id="two traces"),
        pytest.param({"data": [X, {**X, "id": "2", "traceId": "s2"}], "meta": {}}, ["s1", "s2"], id="of the API"),
        pytest.param({"data": [{"id": "s1", "observations": [X]}], "meta": {}}, ["s1"], id="traces of the API"),
    ],
)
def test_shapes_of_an_export(document: Json, runs: list[str]) -> None:
    if "observations" in (document.get("trace") or {} if isinstance(document, dict) else ()):
        loaded = read_bytes(dump(document), "a.json", format="langfuse")
    else:
        loaded = load(document)
    assert [trajectory.run for trajectory in loaded.trajectories] == runs
    assert [tools(trajectory) for trajectory in loaded.trajectories] == [["x"]] * len(runs)
    assert not loaded.problems


def test_a_trace_without_observations_is_a_run_without_calls() -> None:
    trajectory = only(id="s7")
    assert (trajectory.run, len(trajectory.calls), trajectory.not_judged) == ("s7", 0, None)


ANSWER = {"type": "tool", "name": "x", "tool_call_id": "c", "content": "a", "status": "success"}
CALLS = [
    pytest.param(observation("TOOL", 1, name="x", input={}, output="a"), ["x"], "a", id="a tool"),
    pytest.param(observation("TOOL", 1, name="execute_tool x", input={}, output="a"), ["x"], "a", id="with a prefix"),
    pytest.param(
        observation(
            "SPAN",
            1,
            name="y",
            output="a",
            metadata={"attributes": {"gen_ai.tool.call.id": "c", "gen_ai.tool.name": "x"}},
        ),
        ["x"],
        "a",
        id="a span whose attributes say so",
    ),
    pytest.param(
        observation("SPAN", 1, name="x", output=json.dumps(ANSWER)), ["x"], "a", id="a span with a tool message"
    ),
    pytest.param(
        observation("SPAN", 1, name="x", output={"type": "constructor", "lc": 1, "kwargs": ANSWER}),
        ["x"],
        "a",
        id="serialised",
    ),
    pytest.param(observation("SPAN", 1, name="tools", output=ANSWER), [], None, id="a node that passes one on"),
    pytest.param(observation("SPAN", 1, name="x", output={"messages": [ANSWER]}), [], None, id="a state"),
    pytest.param(observation("TOOL", 1, name="x", output='"a"'), ["x"], "a", id="a text in quotes"),
    pytest.param(observation("TOOL", 1, name="x", output={"a": 1}), ["x"], {"a": 1}, id="an object"),
    pytest.param(observation("TOOL", 1, name="x", output=None, endTime=None), ["x"], ABSENT, id="no result"),
]


@pytest.mark.parametrize(("span", "named", "result"), CALLS)
def test_what_is_a_call(span: Json, named: list[str], result: Json) -> None:
    trajectory = only(span)
    assert tools(trajectory) == named
    assert observations(trajectory) == [result] * len(named)


def test_arguments_are_decoded_as_often_as_needed() -> None:
    trajectory = only(observation("TOOL", 1, name="x", input=json.dumps(json.dumps({"a": 1}))))
    assert trajectory.arguments_json(0) == b'{"a":1}'


USED = [
    pytest.param({"usageDetails": {"input": 5, "output": 2, "input_cache_read": 3}}, (5, 2, 3, None), id="details"),
    pytest.param({"usageDetails": '{"input": 5}', "totalCost": 0.5}, (5, None, None, 0.5), id="details as a text"),
    pytest.param({"usage": {"input": 5, "output": 2}}, (5, 2, None, None), id="older"),
    pytest.param({"promptTokens": 5, "completionTokens": 2}, (5, 2, None, None), id="oldest"),
    pytest.param(
        {"metadata": {"attributes": {"gen_ai.usage.input_tokens": 5}}}, (5, None, None, None), id="attributes"
    ),
    pytest.param({"costDetails": {"total": 0.25}, "totalCost": 1}, (None, None, None, 0.25), id="cost"),
]


@pytest.mark.parametrize(("fields", "expected"), USED)
def test_tokens_of_a_generation(fields: dict[str, Any], expected: tuple[Json, ...]) -> None:
    (use,) = only(observation("GENERATION", 0, model="m", **fields), X).usage
    assert (use.input_tokens, use.output_tokens, use.cache_read_tokens, use.cost) == expected


SCORES = [
    pytest.param([], None, id="none"),
    pytest.param([{"name": "toxicity", "value": 1}], None, id="one that says nothing of success"),
    pytest.param([{"name": "correctness", "value": 1}], True, id="success"),
    pytest.param([{"name": "toxicity", "value": 1}, {"name": "Reward", "value": 0.5}], False, id="not enough"),
    pytest.param([{"name": "resolved", "value": "1"}, 3], None, id="no number"),
    pytest.param({"name": "resolved"}, None, id="no list"),
]


@pytest.mark.parametrize(("scores", "outcome"), SCORES)
def test_scores(scores: Json, outcome: bool | None) -> None:
    trajectory = only(X, scores=scores)
    assert trajectory.outcome is outcome
    assert (trajectory.grade is None) == (not isinstance(scores, list) or not scores)


@pytest.mark.parametrize(
    "odd",
    [
        3,
        None,
        [],
        {},
        {"type": 3, "id": [], "traceId": {}, "startTime": [1], "name": 5, "metadata": 3, "level": []},
        {
            "type": "GENERATION",
            "input": {"messages": 3},
            "output": [[]],
            "usageDetails": [1],
            "costDetails": 3,
            "model": 7,
        },
        {"type": "TOOL", "name": None, "input": [1], "output": {"tool_call_id": []}, "metadata": {"attributes": 3}},
        {"type": "SPAN", "output": {"type": "constructor", "kwargs": {"tool_call_id": 3}}},
    ],
    ids=json.dumps,
)
def test_odd_observations_do_no_harm(odd: Json) -> None:
    loaded = load(export(X, odd, observation("TOOL", 2, name="y", output="b")))
    named = [tool for trajectory in loaded.trajectories for tool in tools(trajectory)]
    assert {"x", "y"} <= set(named)


def test_turns_of_a_trace() -> None:
    asked = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "x", "arguments": "{}"}}]}
    trajectory = only(X, observation("GENERATION", 0, output=asked), observation("GENERATION", 3), model="m")
    assert (turns(trajectory), trajectory.calls.ids, trajectory.n_turns) == ([0], ("c",), 2)


def test_a_cost_that_is_written_as_a_text() -> None:
    trajectory = only(observation("GENERATION", 1, costDetails=json.dumps({"total": 0.5})))
    assert [use.cost for use in trajectory.usage] == [0.5]


def test_a_trace_without_observations_says_what_it_is_about() -> None:
    trajectory = only(id="s7", input=json.dumps({"messages": [{"role": "user", "content": "Go"}]}), output="Done")
    assert (trajectory.prompt, trajectory.output) == ("Go", "Done")

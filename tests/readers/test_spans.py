"""Traces as runs: turns, parallel calls, what is wrapped and repeated, sub-agents, calls that no span shows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.langfuse_by_hand import dump, export, observation, time
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns


def load(*those: Json) -> Loaded:
    return read_bytes(dump(export(*those)), "a.json", format="langfuse")


def only(*those: Json) -> Trajectory:
    (trajectory,) = load(*those).trajectories
    return trajectory


def model(number: float, *asked: Json, given: Json = None, text: str = "", **fields: Any) -> dict[str, Any]:
    made = {"role": "assistant", "content": text, "tool_calls": list(asked)}
    return observation("GENERATION", number, input=given, output=made, **fields)


def tool(name: str, number: float, **fields: Any) -> dict[str, Any]:
    return observation("TOOL", number, **{"name": name, "input": {}, "output": "done", **fields})


def agent(number: float, **fields: Any) -> dict[str, Any]:
    return observation("AGENT", number, **fields)


def asks(name: str, call_id: Json = None, **arguments: Json) -> dict[str, Any]:
    return {"id": call_id, "function": {"name": name, "arguments": arguments}}


def inside(outer: dict[str, Any], *those: dict[str, Any]) -> list[dict[str, Any]]:
    """An observation and those that stand in it."""
    return [
        outer,
        *(each if each.get("parentObservationId") else {**each, "parentObservationId": outer["id"]} for each in those),
    ]


def test_a_trace_without_calls() -> None:
    trajectory = only(agent(0), model(1, text="hello"))
    assert (len(trajectory.calls), trajectory.n_turns, trajectory.output) == (0, 1, "hello")


TURNS = [
    pytest.param(
        [model(0), tool("a", 1), tool("b", 2), model(3), tool("c", 4)], ["a", "b", "c"], [0, 0, 1], id="a model's"
    ),
    pytest.param([tool("c", 4), model(3), tool("a", 1), model(0)], ["a", "c"], [0, 1], id="file order says nothing"),
    pytest.param(
        [model(0, endTime=time(9)), tool("a", 1), model(10), tool("b", 11)],
        ["a", "b"],
        [0, 1],
        id="a model span that ends after its calls",
    ),
    pytest.param(
        inside(model(0), tool("a", 0, id="a"), tool("b", 0, id="b")),
        ["a", "b"],
        [0, 0],
        id="calls inside the model span",
    ),
    pytest.param([tool("a", 0), tool("b", 1)], ["a", "b"], [0, 1], id="no model span, one after the other"),
    pytest.param(
        [tool("a", 0), tool("b", 0.2), tool("c", 0.6), tool("d", 2)],
        ["a", "b", "c", "d"],
        [0, 0, 0, 1],
        id="overlapping",
    ),
    pytest.param(
        [tool("a", 0, startTime=None, endTime=None), tool("b", 1, startTime="?", endTime=3)],
        ["a", "b"],
        [0, 1],
        id="times that are not known",
    ),
    pytest.param(
        [
            *inside(agent(0, id="x"), model(1), tool("a", 4)),
            *inside(agent(0, id="y"), model(2), tool("b", 5), model(6)),
            tool("c", 7),
        ],
        ["a", "b", "c"],
        [0, 1, 2],
        id="two agents at once",
    ),
    pytest.param(
        [*inside(agent(0), model(1)), tool("a", 2), tool("b", 3)], ["a", "b"], [0, 0], id="tools beside the agent"
    ),
]


@pytest.mark.parametrize(("spans", "named", "expected"), TURNS)
def test_turns(spans: list[Json], named: list[str], expected: list[int]) -> None:
    trajectory = only(*spans)
    assert tools(trajectory) == named
    assert turns(trajectory) == expected


def test_a_model_span_that_repeats_another_counts_once() -> None:
    usage: dict[str, Any] = {"usageDetails": {"input": 5, "output": 1}}
    loaded = load(*inside(model(0, **usage), model(0.1, id="in", **usage)), tool("a", 1))
    (trajectory,) = loaded.trajectories
    assert (trajectory.n_turns, len(trajectory.usage)) == (1, 1)
    assert loaded.notes == ("1 span that repeats another left out.",)


def test_a_model_span_around_several_is_no_turn() -> None:
    trajectory = only(*inside(model(0, id="loop"), model(1), tool("a", 2), model(3), tool("b", 4)))
    assert turns(trajectory) == [0, 1]
    assert trajectory.n_turns == 2


def test_what_a_tool_does_inside_is_left_out() -> None:
    loaded = load(model(0), *inside(tool("a", 1, id="a"), tool("http", 1.1)), *inside(tool("b", 2, id="b"), model(2.1)))
    (trajectory,) = loaded.trajectories
    assert (tools(trajectory), trajectory.n_turns) == (["a", "b"], 1)
    assert loaded.notes == ("2 spans inside calls left out.",)


def test_a_sub_agent_is_a_run_of_its_own() -> None:
    inner = inside(agent(2, id="sub", parentObservationId="task"), model(3), tool("b", 4, id="b"), model(5, id="m"))
    main, other = load(agent(0), model(1), tool("task", 1.5, id="task"), *inner, tool("c", 6)).trajectories
    assert (main.run, tools(main), turns(main)) == ("s1", ["task", "c"], [0, 0])
    assert (other.run, tools(other), other.n_turns) == ("s1/task", ["b"], 2)


def test_calls_that_no_span_shows() -> None:
    trajectory = only(
        model(0, asks("a", "1", x=1), asks("b", "2"), asks("c", "3")),
        tool("b", 1, metadata={"attributes": {"gen_ai.tool.call.id": "2"}}),
        model(
            2,
            given=[
                {"role": "user", "content": "go"},
                {"role": "assistant", "tool_calls": [asks("a", "1")]},
                {"role": "tool", "tool_call_id": "1", "content": "A"},
                {"role": "tool", "tool_call_id": "2", "content": "done"},
            ],
        ),
    )
    assert sorted(zip(tools(trajectory), turns(trajectory), observations(trajectory), strict=True), key=str) == [
        ("a", 0, "A"), ("b", 0, "done"), ("c", 0, ABSENT),
    ]  # fmt: skip
    assert trajectory.calls.event.tolist() == [1, 0, 0]


def test_a_call_takes_from_the_answer_what_its_span_does_not_record() -> None:
    bare = {"input": None, "output": None}
    given = [{"role": "tool", "tool_call_id": "1", "content": "A"}]
    trajectory = only(model(0, asks("a", "1", x=1)), tool("a", 1, **bare), model(2, given=given))
    assert (trajectory.calls.ids, trajectory.arguments_json(0), observations(trajectory)) == (("1",), b'{"x":1}', ["A"])
    assert not trajectory.calls.unknown_arguments.any()


@pytest.mark.parametrize(
    ("asked", "run", "told"),
    [
        pytest.param({"x": 1}, "{'x': 1}", {"x": 1}, id="an object that the span writes as Python does"),
        pytest.param({"x": 1}, {"x": 2}, {"x": 2}, id="two objects"),
        pytest.param("*** Begin", "*** Begin patch", "*** Begin patch", id="two texts"),
    ],
)
def test_arguments_that_a_span_spells_otherwise(asked: Json, run: Json, told: Json) -> None:
    call = {"id": "1", "function": {"name": "a", "arguments": asked}}
    trajectory = only(model(0, call), tool("a", 1, input=run))
    assert json.loads(trajectory.arguments_json(0) or b"null") == told


def test_only_the_results_after_the_last_answer_are_new() -> None:
    old = [{"role": "tool", "tool_call_id": "1", "content": "old"}, {"role": "assistant", "content": "so"}]
    trajectory = only(model(0, asks("a", "1")), model(1, asks("a", "1"), given=old))
    assert observations(trajectory) == [ABSENT, ABSENT]


UNRECORDED = [
    pytest.param({}, ABSENT, True, id="ended without a result"),
    pytest.param({"endTime": None}, ABSENT, False, id="never ended"),
    pytest.param({"output": ""}, "", False, id="an empty result"),
    pytest.param(
        {"level": "ERROR", "statusMessage": "no such file"}, "no such file", False, id="an error in its place"
    ),
]


@pytest.mark.parametrize(("fields", "observation", "unknown"), UNRECORDED)
def test_what_is_recorded_nowhere_is_unknown(fields: dict[str, Any], observation: Json, unknown: bool) -> None:
    trajectory = only(model(0), tool("a", 1, **{"input": None, "output": None, **fields}))
    assert observations(trajectory) == [observation]
    assert trajectory.calls.unknown_arguments.tolist() == [True]
    assert trajectory.calls.unknown_observation.tolist() == [unknown]


def test_what_is_said_again_and_again_is_told_once() -> None:
    def given(*texts: str) -> list[Json]:
        return [{"role": "system", "content": "be kind"}, *({"role": "user", "content": text} for text in texts)]

    trajectory = only(model(0, given=given("go")), model(1, given=given("go")), model(2, given=given("go", "on", "go")))
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("system", "be kind"), ("user", "go"), ("user", "on"), ("user", "go"),
    ]  # fmt: skip


def test_the_first_span_says_what_the_run_is_about() -> None:
    trajectory = only(agent(0, input="find it", output="found", endTime=time(60)), model(1))
    assert (trajectory.prompt, trajectory.output, trajectory.duration_s) == ("find it", "found", 60)


def test_spans_written_twice_count_once() -> None:
    loaded = load(model(0), tool("a", 1), tool("a", 1))
    assert tools(loaded.trajectories[0]) == ["a"]
    assert loaded.notes == ("1 span that was written before left out.",)


def test_parents_in_a_circle_and_parents_that_are_not_there() -> None:
    circle = [model(0, id="m", parentObservationId="t"), tool("a", 1, id="t", parentObservationId="m")]
    trajectory = only(*circle, tool("b", 2, parentObservationId="gone"), tool("c", 3, id="c", parentObservationId="c"))
    assert sorted(tools(trajectory)) == ["a", "b", "c"]


def test_many_spans_in_each_other_take_no_long() -> None:
    deep = [tool("a", n, id=f"t{n}", parentObservationId=f"t{n - 1}") for n in range(3_000)]
    assert tools(only(*deep)) == ["a"]

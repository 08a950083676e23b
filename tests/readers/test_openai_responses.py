"""Items of OpenAI's Responses API: turns without marks, tools that OpenAI runs, responses in a chain."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Loaded, Trajectory
from loopviz.readers import find_reader, read_bytes
from tests.readers.responses_by_hand import asked, call, lines, response, result, said


def read(document: Any) -> Loaded:
    return read_bytes(json.dumps(document).encode(), "a.json", format="openai.responses")


def read_one(*items: Any) -> Trajectory:
    loaded = read(list(items))
    assert not loaded.problems
    (trajectory,) = loaded.trajectories
    return trajectory


def calls(trajectory: Trajectory) -> list[tuple[str, Any, Any]]:
    """Tool, arguments and result of each call; `None` for what is missing."""
    numbers = range(len(trajectory.calls))
    raws = [(trajectory.arguments_json(number), trajectory.observation_json(number)) for number in numbers]
    values = [tuple(None if raw is None else json.loads(raw) for raw in pair) for pair in raws]
    return [(trajectory.tool(number), *values[number]) for number in numbers]


@pytest.mark.parametrize(
    ("items", "turns"),
    [
        pytest.param([call("a", {}), result("r")], [0], id="one call"),
        pytest.param([call("a", {}, "1"), call("a", {"x": 1}, "2"), result("r", "1")], [0, 0], id="two of one turn"),
        pytest.param([call("a", {}, "1"), result("r", "1"), call("a", {}, "2")], [0, 1], id="two, a result between"),
        pytest.param([call("a", {}, "1"), asked("Well?"), call("a", {}, "2")], [0, 1], id="two, a question between"),
        pytest.param(
            [{"type": "reasoning", "summary": []}, said("Look"), call("a", {}, "1")], [0], id="thought, word and call"
        ),
        pytest.param([call("a", {}, "1"), said("Look"), call("a", {}, "2")], [0, 0], id="a word between"),
        pytest.param(
            [
                call("a", {}, "1"),
                {"role": "user", "content": "Well?"},
                {"role": "assistant", "content": "?"},
                call("a", {}, "2"),
            ],
            [0, 1],
            id="messages without a type",
        ),
    ],
)
def test_turns(items: list[Any], turns: list[int]) -> None:
    assert read_one(*items).calls.turn.tolist() == turns


UNKNOWN = object()


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        pytest.param([call("a", {"x": 1}), result("r")], ("a", {"x": 1}, "r"), id="a function"),
        pytest.param([{**call("a", {}), "arguments": {"x": 1}}], ("a", {"x": 1}, None), id="arguments as an object"),
        pytest.param(
            [call("a", {}), result([{"type": "input_text", "text": "r"}])], ("a", {}, "r"), id="a result in blocks"
        ),
        pytest.param(
            [{"type": "custom_tool_call", "call_id": "c", "name": "patch", "input": "*** Begin"}, result("r")],
            ("patch", "*** Begin", "r"),
            id="a custom tool",
        ),
        pytest.param(
            [
                {"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls"]}},
                {"type": "local_shell_call_output", "call_id": "c", "output": "r"},
            ],
            ("local_shell", {"command": ["ls"]}, "r"),
            id="a shell",
        ),
        pytest.param(
            [{"type": "web_search_call", "id": "ws", "action": {"query": "x"}}],
            ("web_search", {"query": "x"}, UNKNOWN),
            id="a search that OpenAI ran",
        ),
        pytest.param(
            [{"type": "file_search_call", "id": "fs", "queries": ["x"], "results": [{"file_id": "f"}]}],
            ("file_search", ["x"], [{"file_id": "f"}]),
            id="a search with its results",
        ),
        pytest.param(
            [{"type": "mcp_call", "id": "m", "name": "ask", "arguments": "{}", "output": "r", "error": None}],
            ("ask", {}, "r"),
            id="a tool behind MCP",
        ),
        pytest.param(
            [{"type": "image_generation_call", "id": "i", "result": "aGVsbG8="}],
            ("image_generation", None, UNKNOWN),
            id="an image",
        ),
    ],
)
def test_calls(items: list[Any], expected: tuple[str, Any, Any]) -> None:
    trajectory = read_one(*items)
    tool, arguments, observation = expected
    assert calls(trajectory) == [(tool, arguments, None if observation is UNKNOWN else observation)]
    assert trajectory.calls.unknown_observation.tolist() == [observation is UNKNOWN]


def test_a_tool_that_failed() -> None:
    item = {"type": "mcp_call", "id": "m", "name": "ask", "arguments": "{}", "output": None, "error": "no such host"}
    trajectory = read_one(item)
    assert calls(trajectory) == [("ask", {}, "no such host")]
    assert trajectory.calls.failed.tolist() == [True]


def test_what_was_said() -> None:
    trajectory = read_one(
        {"role": "developer", "content": "Be brief"},
        asked("Go"),
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}], "encrypted_content": "gAAA"},
        {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No"}]},
    )
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("system", "Be brief"),
        ("user", "Go"),
        ("reasoning", "Hm"),
        ("assistant", "No"),
    ]


USED = {"input_tokens": 7, "output_tokens": 3, "input_tokens_details": {"cached_tokens": 2}}


def test_a_response() -> None:
    given = response("r1", call("a", {}), instructions="Be brief", input="Go", usage=USED, status="completed")
    (trajectory,) = read(given).trajectories
    assert (trajectory.run, trajectory.model, trajectory.status, trajectory.prompt) == ("r1", "m", "completed", "Go")
    assert [(used.input_tokens, used.output_tokens, used.cache_read_tokens) for used in trajectory.usage] == [(7, 3, 2)]
    assert [told.kind for told in trajectory.events] == ["system", "user"]


def test_responses_that_follow_each_other_are_one_run() -> None:
    loaded = read_bytes(
        lines(
            response("r1", call("a", {}, "1"), input="Go", usage=USED),
            response("x1", call("b", {}, "1"), input="Do something else"),
            response("r2", call("a", {}, "2"), previous_response_id="r1", input=[result("one", "1")], usage=USED),
        ),
        "a.jsonl",
    )
    assert {run.run: calls(run) for run in loaded.trajectories} == {
        "r1": [("a", {}, "one"), ("a", {}, None)],
        "x1": [("b", {}, None)],
    }
    assert loaded.trajectories[0].calls.turn.tolist() == [0, 1]
    assert len(loaded.trajectories[0].usage) == 2


def test_a_request_with_its_response() -> None:
    document = {
        "input": [asked("Go"), call("a", {}), result("r")],
        "response": response("r1", said("Done"), usage=USED),
    }
    (trajectory,) = read(document).trajectories
    assert calls(trajectory) == [("a", {}, "r")]
    assert (trajectory.n_turns, trajectory.output, len(trajectory.usage)) == (2, "Done", 1)
    assert trajectory.not_judged is None


@pytest.mark.parametrize(
    "document",
    [
        pytest.param([asked("Go")], id="a message in blocks"),
        pytest.param([call("a", {})], id="a call"),
        pytest.param({"items": [call("a", {})]}, id="wrapped"),
        pytest.param(response("r1"), id="an empty response"),
    ],
)
def test_is_known(document: Any) -> None:
    assert find_reader(json.dumps(document).encode()).name == "openai.responses"


@pytest.mark.parametrize("document", [{"output": 5}, {"input": {}, "response": []}, {"id": "r", "object": "response"}])
def test_without_items_there_is_nothing_to_judge(document: Any) -> None:
    (trajectory,) = read(document).trajectories
    assert trajectory.not_judged == "The record has no list of items."


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda given, answer: {"input": given, "response": answer}, id="beside the response"),
        pytest.param(lambda given, answer: {"request": {"input": given}, "response": answer}, id="in the request"),
        pytest.param(lambda given, answer: {**answer, "input": given}, id="in the response"),
    ],
)
def test_requests_that_repeat_each_other_are_one_run(wrap: Any) -> None:
    first, second = {**call("a", {}, "1"), "status": "completed"}, call("a", {}, "2")
    thought = {"type": "reasoning", "id": "rs", "summary": []}
    begun = [asked("Go")]
    once = [*begun, thought, call("a", {}, "1"), result("one", "1")]
    data = lines(
        wrap(begun, response("r1", thought, first, usage=USED)),
        wrap([asked("Go on")], response("x1", call("b", {}, "1"))),
        wrap(once, response("r2", second, usage=USED)),
        wrap([*once, second, result("two", "2")], response("r3", said("Done"), usage=USED)),
    )
    loaded = read_bytes(data, "a.jsonl")
    assert {run.run: calls(run) for run in loaded.trajectories} == {
        "r1": [("a", {}, "one"), ("a", {}, "two")],
        "x1": [("b", {}, None)],
    }
    run = loaded.trajectories[0]
    assert (run.n_turns, run.prompt, run.output, len(run.usage)) == (3, "Go", "Done", 3)


def test_an_input_that_was_changed_begins_another_run() -> None:
    data = lines(
        {"input": [asked("Go")], "response": response("r1", call("a", {}, "1"))},
        {"input": [asked("Go"), call("a", {"x": 2}, "1"), result("r", "1")], "response": response("r2", said("Done"))},
        {"input": [asked("Go")], "response": response("r3", said("Done"))},
    )
    assert [len(run.calls) for run in read_bytes(data, "a.jsonl").trajectories] == [1, 1, 0]


def test_a_list_a_line_is_a_run_a_line() -> None:
    loaded = read_bytes(lines([asked("1"), call("a", {})], [asked("2"), call("b", {})]), "a.jsonl")
    assert loaded.source.format == "openai.responses"
    assert [calls(run) for run in loaded.trajectories] == [[("a", {}, None)], [("b", {}, None)]]


def test_responses_happened_when_they_were_created() -> None:
    data = lines(
        response("r1", call("a", {}, "1"), created_at=1_700_000_000),
        response("r2", said("Done"), previous_response_id="r1", created_at=1_700_000_005),
    )
    (trajectory,) = read_bytes(data, "a.jsonl").trajectories
    assert (trajectory.started_s, trajectory.duration_s) == (1_700_000_000, 5)
    assert trajectory.turn_starts.tolist() == [1_700_000_000, 1_700_000_005]


def test_a_response_that_was_cut_off() -> None:
    (trajectory,) = read(response("r1", said("An"), incomplete_details={"reason": "max_output_tokens"})).trajectories
    assert [told.kind for told in trajectory.events] == ["assistant", "cut"]
    assert trajectory.end_reason == "max_output_tokens"


def test_what_the_item_of_a_hosted_tool_does_not_hold_is_unknown() -> None:
    trajectory = read_one(
        {"type": "image_generation_call", "id": "i", "result": "aGk="},
        {"type": "file_search_call", "id": "f", "queries": ["x"], "results": None},
        {"type": "code_interpreter_call", "id": "c", "code": "1", "outputs": [{"type": "logs", "logs": "1"}]},
    )
    assert trajectory.calls.unknown_arguments.tolist() == [True, False, False]
    assert trajectory.calls.unknown_observation.tolist() == [True, True, False]


def test_two_screenshots_are_not_one() -> None:
    loaded = read(
        [
            {"type": "computer_call", "call_id": "1", "action": {"type": "screenshot"}},
            {
                "type": "computer_call_output",
                "call_id": "1",
                "output": {"type": "computer_screenshot", "image_url": "a"},
            },
        ]
    )
    (trajectory,) = loaded.trajectories
    assert (trajectory.observation_json(0) or b"").startswith(b'"[image ')
    assert "1 image left out." in loaded.notes


def test_of_a_stream_the_whole_response_is_told() -> None:
    data = lines(
        {"type": "response.created", "response": response("r1")},
        {"type": "response.output_item.added", "item": call("a", {})},
        {"type": "response.function_call_arguments.delta", "delta": "{"},
        {"type": "response.completed", "response": response("r1", call("a", {}), usage=USED)},
    )
    loaded = read_bytes(data, "a.jsonl")
    assert loaded.source.format == "openai.responses"
    (trajectory,) = loaded.trajectories
    assert (calls(trajectory), len(trajectory.usage)) == ([("a", {}, None)], 1)
    assert loaded.notes == ("3 streamed pieces left out.",)

"""Messages of the Anthropic API: blocks, responses of the API among them, and wrappers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Loaded, Trajectory
from loopviz.readers import find_reader, read_bytes
from tests.readers import openai_by_hand
from tests.readers.anthropic_by_hand import assistant, call, lines, result, said, user


def read(document: Any) -> Loaded:
    return read_bytes(json.dumps(document).encode(), "a.json", format="anthropic.messages")


def read_one(*messages: Any) -> Trajectory:
    loaded = read(list(messages))
    assert not loaded.problems
    (trajectory,) = loaded.trajectories
    return trajectory


def calls(trajectory: Trajectory) -> list[tuple[str, Any, Any, bool]]:
    """Tool, arguments and result of each call, `None` for what is missing; whether it failed."""
    numbers = range(len(trajectory.calls))
    raws = [(trajectory.arguments_json(number), trajectory.observation_json(number)) for number in numbers]
    values = [tuple(None if raw is None else json.loads(raw) for raw in pair) for pair in raws]
    failed = trajectory.calls.failed.tolist()
    return [(trajectory.tool(number), *values[number], failed[number]) for number in numbers]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([user(said("Hi")), assistant(said("Hi"))], [], id="talk alone"),
        pytest.param([assistant(call("a", {"x": 1})), user(result("r"))], [("a", {"x": 1}, "r", False)], id="a call"),
        pytest.param(
            [assistant(call("a", {})), user(result([said("r")], failed=True), said("Well?"))],
            [("a", {}, "r", True)],
            id="a call that failed, a word beside its result",
        ),
        pytest.param(
            [assistant(call("a", {}, "1"), call("b", {}, "2")), user(result("two", "2"), result("one", "1"))],
            [("a", {}, "one", False), ("b", {}, "two", False)],
            id="results in another order",
        ),
        pytest.param(
            [assistant(call("a", {})), user({"type": "tool_result", "tool_use_id": "c"})],
            [("a", {}, None, False)],
            id="a result without content",
        ),
        pytest.param(
            [
                assistant(
                    {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}},
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "s",
                        "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"},
                    },
                )
            ],
            [
                (
                    "web_search",
                    {"query": "x"},
                    '{"type":"web_search_tool_result_error","error_code":"unavailable"}',
                    True,
                )
            ],
            id="a tool of the server",
        ),
        pytest.param(
            [assistant(5, None, [], {}, "x", {"type": {}}), {"role": "assistant"}], [], id="blocks that are none"
        ),
    ],
)
def test_calls(messages: list[Any], expected: list[Any]) -> None:
    assert calls(read_one(*messages)) == expected


def test_what_was_said() -> None:
    trajectory = read_one(
        {"role": "user", "content": "Go"},
        assistant({"type": "thinking", "thinking": "Hm"}, {"type": "redacted_thinking", "data": "x"}, said("Look")),
        user({"type": "image", "source": {}}, said("Well?")),
    )
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("user", "Go"),
        ("reasoning", "Hm"),
        ("assistant", "Look"),
        ("user", "Well?"),
    ]
    assert trajectory.prompt == "Go\n\nWell?"


def test_blocks_of_one_response_are_one_turn() -> None:
    used = {"usage": {"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": 5}, "model": "m"}
    trajectory = read_one(
        assistant(call("a", {}, "1"), id="r1", **used),
        assistant(call("a", {}, "2"), id="r1", **used),
        assistant(call("a", {}, "3"), id="r2", **used),
    )
    assert trajectory.calls.turn.tolist() == [0, 0, 1]
    assert [(one.input_tokens, one.output_tokens, one.cache_read_tokens) for one in trajectory.usage] == [(7, 3, 5)] * 2
    assert trajectory.model == "m"


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([user(said("Go"))], id="behind its request"),
        pytest.param([user(said("Go")), assistant(call("a", {}))], id="repeated in the messages"),
    ],
)
def test_the_answer_to_a_request_is_the_last_turn(messages: list[Any]) -> None:
    answer = assistant(call("a", {}), id="r1", usage={"input_tokens": 7, "output_tokens": 3})
    loaded = read({"id": "one", "tools": [], "messages": messages, "response": answer})
    (trajectory,) = loaded.trajectories
    assert calls(trajectory) == [("a", {}, None, False)]
    assert (trajectory.run, len(trajectory.usage), trajectory.n_turns) == ("one", 1, 1)


@pytest.mark.parametrize("wrap", [lambda told: {"messages": told}, lambda told: {"request": {"messages": told}}])
def test_requests_that_repeat_each_other_are_one_run(wrap: Any) -> None:
    used = {"usage": {"input_tokens": 7, "output_tokens": 3}, "type": "message", "role": "assistant", "model": "m"}
    bad, look = call("look", "?", "0"), call("look", {}, "1")
    hinted = {**said("Go"), "cache_control": {"type": "ephemeral"}}
    told = [
        {**wrap([user(hinted)]), "response": {"id": "r1", "content": [bad, look], **used}},
        {
            **wrap([{"role": "user", "content": "Go"}, assistant(look), user(result("r", "1"))]),
            "response": {"id": "r2", "content": [said("Done")], **used},
        },
    ]
    loaded = read_bytes(lines(*told), "a.jsonl")
    (trajectory,) = loaded.trajectories
    assert loaded.source.format == "anthropic.messages"
    assert calls(trajectory) == [("look", "?", None, False), ("look", {}, "r", False)]
    assert trajectory.calls.executed.tolist() == [False, True]
    assert (trajectory.output, trajectory.n_turns, len(trajectory.usage)) == ("Done", 2, 2)


@pytest.mark.parametrize("response", [None, 5, [], {}, {"content": None}, {"content": [None, 5]}])
def test_a_response_that_says_nothing(response: Any) -> None:
    (trajectory,) = read({"messages": [user(said("Go"))], "response": response}).trajectories
    assert (len(trajectory.calls), trajectory.prompt) == (0, "Go")


@pytest.mark.parametrize(
    ("data", "format"),
    [
        pytest.param(lines(user(said("Go")), assistant(call("a", {}))), "anthropic.messages", id="lines"),
        pytest.param(lines({"messages": [user(result("r"))]}), "anthropic.messages", id="wrapped"),
        pytest.param(lines(user(said("Go")), assistant(said("Hi"))), "openai.chat", id="talk, which both have"),
        pytest.param(
            lines(openai_by_hand.user("Go"), openai_by_hand.assistant(openai_by_hand.call("a", {"type": "tool_use"}))),
            "openai.chat",
            id="an argument that looks like a block",
        ),
    ],
)
def test_is_told_from_its_neighbour(data: bytes, format: str) -> None:
    assert find_reader(data).name == format


def test_messages_of_another_api_among_them() -> None:
    trajectory = read_one(
        user(said("Go")),
        openai_by_hand.assistant(openai_by_hand.call("a", {"x": 1}, "1")),
        openai_by_hand.result("r", "1"),
        assistant(call("b", {}, "2")),
        user(result("s", "2")),
    )
    assert calls(trajectory) == [("a", {"x": 1}, "r", False), ("b", {}, "s", False)]
    assert trajectory.calls.turn.tolist() == [0, 1]


def test_a_list_a_line_is_a_run_a_line() -> None:
    loaded = read_bytes(lines([user(said("1")), assistant(call("a", {}))], [assistant(call("b", {}))]), "a.jsonl")
    assert loaded.source.format == "anthropic.messages"
    assert [calls(run) for run in loaded.trajectories] == [[("a", {}, None, False)], [("b", {}, None, False)]]


def test_a_compaction_and_a_response_that_was_cut_off() -> None:
    trajectory = read_one(
        assistant({"type": "compaction", "content": "So far"}, call("a", {}), stop_reason="tool_use"),
        assistant(said("And"), stop_reason="max_tokens"),
    )
    assert [told.kind for told in trajectory.events] == ["compaction", "assistant", "cut"]


def test_arguments_that_were_not_recorded_are_unknown() -> None:
    trajectory = read_one(assistant({"type": "tool_use", "id": "1", "name": "a"}, call("a", {}, "2")))
    assert trajectory.calls.unknown_arguments.tolist() == [True, False]

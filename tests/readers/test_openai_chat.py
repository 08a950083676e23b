"""Chat messages of OpenAI's API: wrappers, older and spelled calls, and messages that stand alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Loaded, Trajectory
from loopviz.readers import read_bytes, read_path
from tests.readers.openai_by_hand import assistant, call, lines, result, user

REAL = Path(__file__).resolve().parents[3] / "shared" / "real" / "openai_chat_messages"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")


def read(document: Any) -> Loaded:
    return read_bytes(json.dumps(document).encode(), "a.json", format="openai.chat")


def read_one(*messages: Any) -> Trajectory:
    loaded = read(list(messages))
    assert not loaded.problems
    (trajectory,) = loaded.trajectories
    return trajectory


def calls(trajectory: Trajectory) -> list[tuple[str, Any, Any]]:
    """Tool, arguments and result of each call; `None` for what is missing."""
    raws = [(trajectory.arguments_json(number), trajectory.observation_json(number)) for number in count(trajectory)]
    values = [tuple(None if raw is None else json.loads(raw) for raw in pair) for pair in raws]
    return [(trajectory.tool(number), *values[number]) for number in count(trajectory)]


def count(trajectory: Trajectory) -> range:
    return range(len(trajectory.calls))


def stories(trajectory: Trajectory) -> list[tuple[str, str]]:
    return [(told.kind, told.text) for told in trajectory.events]


def spelled(*calls: tuple[str, dict[str, str]]) -> str:
    """Calls as models without function calling write them."""
    parts = (
        f"<function={tool}>\n" + "".join(f"<parameter={name}>{value}</parameter>\n" for name, value in given.items())
        for tool, given in calls
    )
    return "".join(part + "</function>\n" for part in parts)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([assistant(content="Hi"), user("Hi")], [], id="talk alone"),
        pytest.param([assistant(call("a", {"x": 1})), result("r")], [("a", {"x": 1}, "r")], id="a call"),
        pytest.param([assistant(call("a", {})), result(None)], [("a", {}, None)], id="a result that is null"),
        pytest.param(
            [assistant(call("a", {})), result([{"type": "text", "text": "r"}])],
            [("a", {}, "r")],
            id="a result in blocks",
        ),
        pytest.param(
            [
                {"role": "assistant", "function_call": {"name": "a", "arguments": '{"x":1}'}},
                {"role": "function", "name": "a", "content": "r"},
            ],
            [("a", {"x": 1}, "r")],
            id="the older function call",
        ),
        pytest.param(
            [assistant(call("a", {}), function_call={"name": "a", "arguments": "{}"}), result("r")],
            [("a", {}, "r")],
            id="both, said twice",
        ),
        pytest.param(
            [assistant({"id": "c", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}}), result("r")],
            [("patch", "*** Begin", "r")],
            id="a custom tool with plain text",
        ),
        pytest.param(
            [assistant({"id": "c", "function": {"name": "a", "arguments": '{"x": '}}), result("r")],
            [("a", '{"x": ', "r")],
            id="arguments that are cut off",
        ),
        pytest.param(
            [assistant({"id": "c", "function": {"name": "a", "arguments": {"x": 1}}}), result("r")],
            [("a", {"x": 1}, "r")],
            id="arguments as an object",
        ),
        pytest.param([assistant({"id": "c", "function": {"name": "a"}})], [("a", None, None)], id="no arguments"),
        pytest.param(
            [assistant(call("a", {})), {"role": "tool", "tool_call_ids": ["c"], "content": "r"}],
            [("a", {}, "r")],
            id="a list of ids",
        ),
        pytest.param(
            [assistant(call("a", {}, "1"), call("b", {}, "2")), result("two", "2"), result("one", "1")],
            [("a", {}, "one"), ("b", {}, "two")],
            id="results in another order",
        ),
        pytest.param([assistant(5, None, "x", {}, [])], [("unknown", None, None)], id="calls that are no objects"),
    ],
)
def test_calls(messages: list[Any], expected: list[Any]) -> None:
    assert calls(read_one(*messages)) == expected


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param(
            [
                assistant(content="Look: " + spelled(("bash", {"command": "ls"}))),
                user("EXECUTION RESULT of [bash]:\na.txt"),
            ],
            [("bash", {"command": "ls"}, "a.txt")],
            id="a call and its result",
        ),
        pytest.param(
            [assistant(content=spelled(("edit", {"path": "a", "text": "\nx = 1\ny\n"})))],
            [("edit", {"path": "a", "text": "x = 1\ny"}, None)],
            id="a parameter of several lines",
        ),
        pytest.param(
            [
                assistant(content=[{"type": "text", "text": spelled(("a", {}), ("b", {}))}]),
                user([{"type": "text", "text": "EXECUTION RESULT of [b]:\ntwo"}]),
                user([{"type": "text", "text": "EXECUTION RESULT of [a]:\none"}]),
            ],
            [("a", {}, "one"), ("b", {}, "two")],
            id="two calls, in blocks, answered by name",
        ),
        pytest.param(
            [assistant(content="<function=bash>\n<parameter=command>ls</parameter>")],
            [("bash", {"command": "ls"}, None)],
            id="cut before its end, as a stop word does",
        ),
        pytest.param([user(spelled(("bash", {"command": "ls"})))], [], id="an example that the user gives"),
        pytest.param(
            [assistant(call("a", {}), content="I use " + spelled(("b", {})))],
            [("a", {}, None)],
            id="beside a real call",
        ),
    ],
)
def test_calls_that_a_text_spells(messages: list[Any], expected: list[Any]) -> None:
    assert calls(read_one(*messages)) == expected


@pytest.mark.parametrize("text", ["<function=", "<function=a><parameter=", "<parameter=a>", "<function=a>"])
def test_a_text_full_of_beginnings_takes_no_time(text: str) -> None:
    read_one(assistant(content="<function=a>" + text * 100_000))


def test_what_was_said() -> None:
    trajectory = read_one(
        {"role": "developer", "content": "Be brief"},
        user([{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "data:…"}}]),
        assistant(content=None, reasoning_content="Hm", refusal="No"),
        {"role": "critic", "content": "Fine"},
    )
    assert stories(trajectory) == [
        ("system", "Be brief"),
        ("user", "Look\n[image_url]"),
        ("reasoning", "Hm"),
        ("assistant", "No"),
        ("critic", "Fine"),
    ]


def test_parallel_calls_are_one_turn() -> None:
    trajectory = read_one(assistant(call("a", {}, "1"), call("a", {"x": 2}, "2")), assistant(call("a", {}, "3")))
    assert trajectory.calls.turn.tolist() == [0, 0, 1]


ANSWER = {"id": "r1", "model": "m", "choices": [{"message": {"content": "Done", "tool_calls": [call("finish", {})]}}]}
USED = {"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 2}}


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([user("Go")], id="behind its request"),
        pytest.param([user("Go"), assistant(call("finish", {}), content="Done")], id="repeated in the messages"),
    ],
)
def test_the_answer_to_a_request_is_the_last_turn(messages: list[Any]) -> None:
    loaded = read({"messages": messages, "tools": [{}], "cost": 0.25, "response": {**ANSWER, "usage": USED}})
    (trajectory,) = loaded.trajectories
    assert calls(trajectory) == [("finish", {}, None)]
    assert (trajectory.n_turns, trajectory.model) == (1, "m")
    assert [
        (used.input_tokens, used.output_tokens, used.cache_read_tokens, used.cost) for used in trajectory.usage
    ] == [(7, 3, 2, 0.25)]
    assert loaded.notes == ("1 list of tools left out.",)


def test_requests_that_repeat_each_other_are_one_run() -> None:
    go, look, seen = user("Go"), assistant(call("look", {})), result("r")
    told = [
        {"id": "one", "messages": [go], "response": {"id": "r1", "choices": [{"message": look}], "usage": USED}},
        {"id": "two", "messages": [user("Wait")], "response": {"choices": [{"message": look}]}},
        {"id": "one", "messages": [go, look, seen], "response": {**ANSWER, "id": "r2", "usage": USED}},
    ]
    loaded = read_bytes(lines(*told), "a.jsonl")
    assert loaded.source.format == "openai.chat"
    assert {run.run: calls(run) for run in loaded.trajectories} == {
        "one": [("look", {}, "r"), ("finish", {}, None)],
        "two": [("look", {}, None)],
    }
    assert len(loaded.trajectories[0].usage) == 2


@pytest.mark.parametrize(
    "response", [None, 5, "text", [], {}, {"choices": None}, {"choices": []}, {"choices": [5]}, {"choices": [{}]}]
)
def test_a_response_that_says_nothing(response: Any) -> None:
    (trajectory,) = read({"messages": [user("Go")], "response": response}).trajectories
    assert (trajectory.n_turns, trajectory.usage, trajectory.prompt) == (0, (), "Go")


@pytest.mark.parametrize(
    ("fields", "outcome", "score"),
    [
        pytest.param({}, None, None, id="nothing recorded"),
        pytest.param({"resolved": True}, True, None, id="resolved"),
        pytest.param({"success": False}, False, None, id="no success"),
        pytest.param({"success": "yes"}, None, None, id="a word"),
        pytest.param({"reward": 0.4}, None, 0.4, id="a reward of an unknown scale"),
    ],
)
def test_outcomes(fields: dict[str, Any], outcome: bool | None, score: float | None) -> None:
    (trajectory,) = read({"messages": [], **fields}).trajectories
    assert trajectory.outcome is outcome
    assert (None if trajectory.grade is None else trajectory.grade.score) == score


@pytest.mark.parametrize(
    ("fields", "tokens", "cost"),
    [
        pytest.param({"usage": {"prompt_tokens": 5, "completion_tokens": 2}, "cost": 0.5}, 7, 0.5, id="of a run"),
        pytest.param({"usage": {"input_tokens": 5, "output_tokens": 0}}, 5, None, id="by other names"),
        pytest.param({"usage": 5, "cost": -1}, None, None, id="none that is one"),
    ],
)
def test_tokens_of_a_whole_run(fields: dict[str, Any], tokens: int | None, cost: float | None) -> None:
    (trajectory,) = read({"messages": [user("Go"), assistant(content="Hi")], **fields}).trajectories
    assert (trajectory.total_tokens, trajectory.total_cost) == (tokens, cost)
    assert not trajectory.usage


def test_a_message_a_line_is_one_run() -> None:
    loaded = read_bytes(lines(user("Go"), assistant(call("a", {})), result("r")), "a.jsonl")
    (trajectory,) = loaded.trajectories
    assert loaded.source.format == "openai.chat"
    assert calls(trajectory) == [("a", {}, "r")]
    assert trajectory.calls.line.tolist() == [2]


def test_sessions_that_take_turns_are_runs_of_their_own() -> None:
    told = [
        {**message, "session_id": session}
        for session, message in (
            ("one", assistant(call("a", {}))),
            ("two", assistant(call("a", {"x": 2}))),
            ("one", result("first")),
            ("two", result("second")),
        )
    ]
    loaded = read_bytes(lines(*told), "a.jsonl")
    assert {run.run: calls(run) for run in loaded.trajectories} == {
        "one": [("a", {}, "first")],
        "two": [("a", {"x": 2}, "second")],
    }


@real
def test_a_real_list_of_messages() -> None:
    loaded = read_path(REAL / "azure-sdk-tools__example2.json")
    (run,) = loaded.trajectories
    assert loaded.problems == run.problems == ()
    assert (run.n_turns, len(run.calls), int((run.calls.observation < 0).sum())) == (19, 21, 0)
    sizes = [run.calls.turn.tolist().count(turn) for turn in range(run.n_turns)]
    assert sorted(sizes) == [0] * 6 + [1] * 10 + [3] + [4] * 2


@real
def test_a_real_request_with_its_answer() -> None:
    loaded = read_path(REAL / "oh-sdk__claude-sonnet-4.json")
    (run,) = loaded.trajectories
    assert loaded.problems == run.problems == ()
    assert [name for name, _, _ in calls(run)] == [
        "str_replace_editor", "execute_bash", "str_replace_editor", "str_replace_editor", "execute_bash", "finish",
    ]  # fmt: skip
    assert (run.n_turns, (run.calls.observation < 0).tolist()) == (6, [False] * 5 + [True])
    (used,) = run.usage
    assert (used.turn, used.input_tokens, used.output_tokens, used.cost) == (5, 6729, 199, 0.023172)
    assert (run.started_s, run.duration_s) == (1757015046.707548, None)  # The log states a single moment.


def test_a_list_a_line_is_a_run_a_line() -> None:
    loaded = read_bytes(
        lines([user("One"), assistant(call("a", {})), result("r")], [user("Two"), assistant(call("b", {}))]), "a.jsonl"
    )
    assert loaded.source.format == "openai.chat"
    assert not loaded.problems
    assert [(run.run, run.prompt, calls(run)) for run in loaded.trajectories] == [
        ("line 1", "One", [("a", {}, "r")]),
        ("line 2", "Two", [("b", {}, None)]),
    ]


BLOCKS = [
    user("Go"),
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "a", "input": {"x": 1}}]},
    user([{"type": "tool_result", "tool_use_id": "c", "content": "r"}, {"type": "text", "text": "Well?"}]),
]


def test_blocks_that_a_proxy_lets_through() -> None:
    trajectory = read_one(*BLOCKS, assistant(call("b", {}, "d")), result("s", "d"))
    assert calls(trajectory) == [("a", {"x": 1}, "r"), ("b", {}, "s")]
    assert trajectory.calls.turn.tolist() == [0, 1]
    assert stories(trajectory) == [("user", "Go"), ("user", "Well?")]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"reasoning_content": "Hm"}, id="reasoning_content"),
        pytest.param({"reasoning": "Hm"}, id="reasoning"),
        pytest.param({"reasoning_details": [{"type": "reasoning.text", "text": "Hm"}]}, id="details"),
        pytest.param({"thinking_blocks": [{"type": "thinking", "thinking": "Hm"}]}, id="blocks beside the content"),
        pytest.param({"content": [{"type": "thinking", "thinking": "Hm"}]}, id="blocks among the content"),
    ],
)
def test_thoughts(fields: dict[str, Any]) -> None:
    assert stories(read_one({"role": "assistant", **fields})) == [("reasoning", "Hm")]


@pytest.mark.parametrize(("reason", "kinds"), [("stop", []), (None, []), (5, []), ("length", ["cut"])])
def test_a_response_that_was_cut_off(reason: Any, kinds: list[str]) -> None:
    response = {"choices": [{"finish_reason": reason, "message": assistant(call("a", {}))}]}
    (trajectory,) = read({"messages": [user("Go")], "response": response}).trajectories
    assert [told.kind for told in trajectory.events] == ["user", *kinds]


def test_arguments_that_were_not_recorded_are_unknown() -> None:
    trajectory = read_one(assistant({"id": "c", "function": {"name": "a"}}), assistant(call("a", {}, "d")))
    assert trajectory.calls.unknown_arguments.tolist() == [True, False]

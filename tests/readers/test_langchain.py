"""Messages of LangChain: three encodings, calls that are said twice, and states that repeat each other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import find_reader, read_bytes, read_path
from tests.readers import openai_by_hand
from tests.readers.langchain_by_hand import ENCODINGS, call, dumped, lines, messages, plain
from tests.readers.stories import STORIES, expected, found

REAL = Path(__file__).resolve().parents[3] / "shared" / "real" / "langchain"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")


def read(document: Any) -> Loaded:
    return read_bytes(json.dumps(document).encode(), "a.json", format="langchain")


def read_one(*told: Any) -> Trajectory:
    loaded = read(list(told))
    assert not loaded.problems
    (trajectory,) = loaded.trajectories
    return trajectory


def calls(trajectory: Trajectory) -> list[tuple[str, Any, Any]]:
    """Tool, arguments and result of each call; `None` for what is missing."""
    numbers = range(len(trajectory.calls))
    raws = [(trajectory.arguments_json(number), trajectory.observation_json(number)) for number in numbers]
    values = [tuple(None if raw is None else json.loads(raw) for raw in pair) for pair in raws]
    return [(trajectory.tool(number), *values[number]) for number in numbers]


@pytest.mark.parametrize("story", ["several turns", "parallel calls", "missing result", "error result", "loops"])
@pytest.mark.parametrize("encode", [pytest.param(encode, id=name) for name, encode in ENCODINGS.items()])
@pytest.mark.parametrize("is_bare", [True, False])
def test_every_encoding_tells_the_same(story: str, encode: Callable[..., Any], is_bare: bool) -> None:
    told = list(messages(STORIES[story], encode))
    data = lines(*told) if is_bare else lines({"messages": told})
    loaded = read_bytes(data, "a.jsonl")
    (trajectory,) = loaded.trajectories
    assert loaded.source.format == "langchain"
    assert found(trajectory) == expected(STORIES[story])
    assert trajectory.prompt == STORIES[story].prompt


BLOCK = {"type": "tool_use", "id": "c", "name": "a", "input": {"x": 1}}
OPENAI = openai_by_hand.call("a", {"x": 1})


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"tool_calls": [call("a", {"x": 1})]}, id="once"),
        pytest.param(
            {"tool_calls": [call("a", {"x": 1})], "additional_kwargs": {"tool_calls": [OPENAI]}, "content": [BLOCK]},
            id="three times",
        ),
        pytest.param({"tool_calls": [], "additional_kwargs": {"tool_calls": [OPENAI]}}, id="as the provider said it"),
        pytest.param(
            {"additional_kwargs": {"function_call": {"name": "a", "arguments": '{"x":1}'}}}, id="as it said it long ago"
        ),
        pytest.param({"tool_calls": [OPENAI]}, id="in OpenAI's shape"),
        pytest.param({"content": [{"type": "text", "text": "Look"}, BLOCK]}, id="as a block alone"),
    ],
)
def test_a_call_is_told_once(fields: Any) -> None:
    trajectory = read_one(plain("ai", **{"content": "", **fields}), plain("tool", content="r", name="a"))
    assert calls(trajectory) == [("a", {"x": 1}, "r")]


def test_a_call_that_could_not_be_parsed() -> None:
    invalid = {"name": "a", "args": '{"x": ', "id": "1", "error": "not JSON"}
    trajectory = read_one(plain("ai", content="", tool_calls=[call("a", {}, "2")], invalid_tool_calls=[invalid]))
    assert [name for name, _, _ in calls(trajectory)] == ["a", "a"]
    assert trajectory.calls.executed.tolist() == [True, False]
    assert trajectory.calls.turn.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("fields", "used"),
    [
        pytest.param({}, [], id="none"),
        pytest.param(
            {
                "usage_metadata": {"input_tokens": 7, "output_tokens": 3, "input_token_details": {"cache_read": 2}},
                "response_metadata": {"token_usage": {"prompt_tokens": 70, "completion_tokens": 30}},
            },
            [(7, 3, 2)],
            id="LangChain's own, before the provider's",
        ),
        pytest.param(
            {"response_metadata": {"token_usage": {"prompt_tokens": 7, "completion_tokens": 3}}},
            [(7, 3, None)],
            id="OpenAI",
        ),
        pytest.param(
            {"response_metadata": {"tokenUsage": {"promptTokens": 7, "completionTokens": 3}}}, [(7, 3, None)], id="JS"
        ),
        pytest.param(
            {"response_metadata": {"usage": {"input_tokens": 7, "output_tokens": 3}}}, [(7, 3, None)], id="Anthropic"
        ),
    ],
)
def test_tokens(fields: Any, used: list[Any]) -> None:
    trajectory = read_one(plain("ai", content="Hi", **fields))
    assert [(one.input_tokens, one.output_tokens, one.cache_read_tokens) for one in trajectory.usage] == used


def test_what_was_said() -> None:
    thought = {"type": "thinking", "thinking": "Hm"}
    trajectory = read_one(
        plain("system", content="Be brief"),
        plain("human", content="Go"),
        dumped("ai", content=[thought, {"type": "text", "text": "Look"}]),
        plain("remove", content="", id="x"),
        plain("chat", content="Well?", role="critic"),
    )
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("system", "Be brief"),
        ("user", "Go"),
        ("reasoning", "Hm"),
        ("assistant", "Look"),
        ("chat", "Well?"),
    ]


LOOK, SEEN = plain("ai", content="", tool_calls=[call("a", {}, "1")]), plain("tool", content="r", tool_call_id="1")
GO, OTHER = plain("human", content="Go"), plain("human", content="Do something else")
DONE = plain("ai", content="Done", tool_calls=[])


@pytest.mark.parametrize(
    ("states", "sizes", "left_out"),
    [
        pytest.param([[GO]], [1], 0, id="one"),
        pytest.param([[GO], [GO, LOOK], [GO, LOOK, SEEN]], [3], 2, id="growing"),
        pytest.param([[GO, LOOK, SEEN], [GO]], [3], 1, id="the longest first"),
        pytest.param([[GO, LOOK], [GO, DONE]], [2, 2], 0, id="parting"),
        pytest.param([[GO], [OTHER], [GO, LOOK], [OTHER, DONE]], [2, 2], 2, id="two that take turns"),
        pytest.param([[], []], [0, 0], 0, id="empty"),
    ],
)
@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda told: {"messages": told}, id="state"),
        pytest.param(lambda told: {"values": {"messages": told}}, id="snapshot"),
        pytest.param(lambda told: {"checkpoint": {"channel_values": {"messages": told}}}, id="checkpoint"),
    ],
)
def test_states(wrap: Callable[[Any], Any], states: list[Any], sizes: list[int], left_out: int) -> None:
    loaded = read_bytes(lines(*map(wrap, states)), "a.jsonl", format="langchain")
    told = [len(run.events) + len(run.calls) + int((run.calls.observation >= 0).sum()) for run in loaded.trajectories]
    assert told == sizes
    assert loaded.notes == (
        ()
        if not left_out
        else (f"{left_out} state{'s that others repeat' if left_out > 1 else ' that another repeats'} left out.",)
    )


def test_threads_are_runs_of_their_own() -> None:
    told = [{"messages": [GO], "config": {"configurable": {"thread_id": thread}}} for thread in ("one", "two")]
    assert [run.run for run in read_bytes(lines(*told), "a.jsonl", format="langchain").trajectories] == ["one", "two"]


def test_updates_are_one_run() -> None:
    loaded = read_bytes(
        lines({"agent": {"messages": [LOOK]}}, {"tools": {"messages": [SEEN]}}, {"agent": {"messages": [DONE]}}),
        "a.jsonl",
    )
    (trajectory,) = loaded.trajectories
    assert loaded.source.format == "langchain"
    assert calls(trajectory) == [("a", {}, "r")]
    assert trajectory.output == "Done"


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"messages": [openai_by_hand.user("Go"), dumped("ai", content="Hi")]}, id="a request among them"),
        pytest.param([dumped("human", content="Go")], id="dumps"),
        pytest.param([plain("ai", content="Hi", tool_calls=[])], id="plain"),
        pytest.param([plain("human", content="Go")], id="plain, with nothing of its own"),
    ],
)
def test_is_known(document: Any) -> None:
    assert find_reader(json.dumps(document).encode()).name == "langchain"


@real
def test_a_real_state() -> None:
    loaded = read_path(REAL / "langfuse__chat_ml_json.json")
    (run,) = loaded.trajectories
    assert loaded.source.format == "langchain"
    assert loaded.problems == run.problems == ()
    assert calls(run) == [("search", {"query": "current weather in San Francisco"}, "It's 60 degrees and foggy.")]
    assert [(used.input_tokens, used.output_tokens) for used in run.usage] == [(48, 17), (80, 15)]
    assert (run.model, run.n_turns) == ("gpt-4o-mini-2024-07-18", 2)
    assert run.output == "The current weather in San Francisco is 60 degrees and foggy."


@pytest.mark.parametrize(
    ("report", "kinds"),
    [
        ({"finish_reason": "tool_calls"}, []),
        ({"finish_reason": "length"}, ["cut"]),
        ({"stop_reason": "max_tokens"}, ["cut"]),
    ],
)
def test_a_response_that_was_cut_off(report: Json, kinds: list[str]) -> None:
    trajectory = read_one({"type": "ai", "content": "", "response_metadata": report})
    assert [told.kind for told in trajectory.events] == kinds


def test_a_list_a_line_is_a_run_a_line() -> None:
    told = [{"type": "ai", "content": "", "tool_calls": [{"name": "a", "args": {}, "id": "c"}]}]
    loaded = read_bytes(lines(told, [{"type": "human", "content": "Go"}, *told]), "a.jsonl")
    assert loaded.source.format == "langchain"
    assert [calls(run) for run in loaded.trajectories] == [[("a", {}, None)], [("a", {}, None)]]


def test_arguments_that_were_not_recorded_are_unknown() -> None:
    trajectory = read_one({"type": "ai", "content": "", "tool_calls": [{"name": "a", "id": "c"}]})
    assert trajectory.calls.unknown_arguments.tolist() == [True]

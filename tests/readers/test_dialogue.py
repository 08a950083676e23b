"""Messages in the forms of many libraries come out as one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json
from loopviz.readers.dialogue import Answered, Asked, Message, messages, unpacked

ASKED = Asked("x", {"a": 1}, "c")
ARGUMENTS = {"a": 1}


def langchain(kind: str, **kwargs: Json) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", kind], "kwargs": kwargs}


MADE = [
    pytest.param("hi", Message("assistant", "hi"), id="a bare text"),
    pytest.param({"role": "assistant", "content": "hi"}, Message("assistant", "hi"), id="a message"),
    pytest.param(
        {"choices": [{"message": {"role": "assistant", "content": "hi"}}]}, Message("assistant", "hi"), id="choices"
    ),
    pytest.param(
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "x", "arguments": {"a": 1}}}]},
        Message("assistant", asked=[ASKED]),
        id="a chat message",
    ),
    pytest.param(
        [
            {
                "message": {
                    "role": "assistant",
                    "tool_calls": [{"tool_call": {"id": "c", "function": {"name": "x", "arguments": {"a": 1}}}}],
                }
            }
        ],
        Message("assistant", asked=[ASKED]),
        id="OpenInference",
    ),
    pytest.param(
        [{"message": {"role": "assistant", "contents": [{"message_content": {"type": "text", "text": "hi"}}]}}],
        Message("assistant", "hi"),
        id="OpenInference, contents",
    ),
    pytest.param(
        {
            "role": "assistant",
            "parts": [
                {"type": "reasoning", "content": "hm"},
                {"type": "tool_call", "id": "c", "name": "x", "arguments": {"a": 1}},
            ],
        },
        Message("assistant", reasoning="hm", asked=[ASKED]),
        id="OpenTelemetry",
    ),
    pytest.param(
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "hi"},
                {"type": "tool_use", "id": "c", "name": "x", "input": {"a": 1}},
            ],
        },
        Message("assistant", "hi", "hm", [ASKED]),
        id="Anthropic",
    ),
    pytest.param(
        {
            "content": {
                "role": "model",
                "parts": [{"text": "hi"}, {"function_call": {"name": "x", "args": {"a": 1}, "id": "c"}}],
            }
        },
        Message("assistant", "hi", asked=[ASKED]),
        id="Gemini",
    ),
    pytest.param(
        {"output": [{"type": "function_call", "id": "fc", "call_id": "c", "name": "x", "arguments": {"a": 1}}]},
        Message("assistant", asked=[ASKED]),
        id="an item of a response",
    ),
    pytest.param(
        langchain("AIMessage", content="hi", tool_calls=[{"id": "c", "name": "x", "args": {"a": 1}}]),
        Message("assistant", "hi", asked=[ASKED]),
        id="LangChain, serialised",
    ),
    pytest.param(
        {
            "type": "ai",
            "content": [{"type": "tool_use", "id": "c", "name": "x", "input": {}}],
            "tool_calls": [{"id": "c", "name": "x", "args": {"a": 1}}],
        },
        Message("assistant", asked=[ASKED]),
        id="LangChain, a call in two places",
    ),
    pytest.param({"type": "ai", "data": {"content": "hi"}}, Message("assistant", "hi"), id="LangChain, as dicts"),
    pytest.param({"generations": [[{"text": "hi"}]]}, Message("assistant", "hi"), id="LangChain, generations"),
    pytest.param(
        {"role": "assistant", "content": None, "function_call": {"name": "x", "arguments": "{}"}},
        Message("assistant", asked=[Asked("x", "{}")]),
        id="the older single call",
    ),
]

GIVEN = [
    pytest.param("go", Message("user", "go"), id="a bare text"),
    pytest.param({"messages": [{"role": "human", "content": "go"}]}, Message("user", "go"), id="a state"),
    pytest.param({"contents": [{"role": "user", "parts": [{"text": "go"}]}]}, Message("user", "go"), id="Gemini"),
    pytest.param(
        {"role": "tool", "tool_call_id": "c", "content": "r"},
        Message("tool", answered=[Answered("r", "c")]),
        id="a tool's message",
    ),
    pytest.param(
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "r", "is_error": True}]},
        Message("user", answered=[Answered("r", "c", None, True)]),
        id="Anthropic, a result",
    ),
    pytest.param(
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "result": "r"}]},
        Message("tool", answered=[Answered("r", "c")]),
        id="OpenTelemetry, a result",
    ),
    pytest.param(
        {"role": "user", "parts": [{"function_response": {"name": "x", "response": {"r": 1}}}]},
        Message("user", answered=[Answered({"r": 1}, None, "x")]),
        id="Gemini, a result",
    ),
    pytest.param(
        {"type": "function_call_output", "call_id": "c", "output": "r"},
        Message("tool", answered=[Answered("r", "c")]),
        id="an item of a response",
    ),
    pytest.param(
        langchain("ToolMessage", content="r", tool_call_id="c", name="x", status="error"),
        Message("tool", answered=[Answered("r", "c", "x", True)]),
        id="LangChain, a result",
    ),
]


@pytest.mark.parametrize(("value", "message"), MADE)
def test_what_a_model_made(value: Json, message: Message) -> None:
    assert messages(value, "assistant") == [message]
    assert messages(json.dumps(value) if value != "hi" else value, "assistant") == [message]


@pytest.mark.parametrize(("value", "message"), GIVEN)
def test_what_a_model_was_given(value: Json, message: Message) -> None:
    assert messages(value, "user") == [message]


@pytest.mark.parametrize("value", [None, "", " ", 3, True, [], [None, 3], [[[]]]], ids=repr)
def test_what_says_nothing(value: Json) -> None:
    assert messages(value, "user") == []


@pytest.mark.parametrize(
    "value",
    [
        {"role": 1}, {"role": []}, {"type": {}}, {"role": "user", "content": 3}, {"role": "tool", "parts": 3},
        {"role": "assistant", "tool_calls": [1, {}, {"function": 3}, {"tool_call": []}], "content": [1, {"type": []}]},
        {"kwargs": {"content": 1}, "type": "constructor", "id": 3}, {"message": {"message": {}}}, {"reasoning": 3},
        {"type": "ai", "data": 3}, {"function_call": {}}, {"content": {"parts": 3}}, {"contents": 3},
        {"role": "user", "parts": [{"functionCall": 3}, {"function_response": []}, {"text": 1}]},
    ],
    ids=json.dumps,
)  # fmt: skip
def test_odd_messages_do_no_harm(value: Json) -> None:
    messages(value, "user")
    messages([value, {"messages": [value]}], "assistant")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("a", "a", id="a text"),
        pytest.param('"a"', "a", id="a text in quotes"),
        pytest.param('{"a": 1}', {"a": 1}, id="an object"),
        pytest.param(json.dumps('{"a": 1}'), {"a": 1}, id="an object, twice"),
        pytest.param('{"a": 1', '{"a": 1', id="cut off"),
        pytest.param('"a" and "b"', '"a" and "b"', id="two texts in quotes"),
        pytest.param('"a", "b"', '"a", "b"', id="two values"),
        pytest.param("12", "12", id="a number"),
    ],
)
def test_json_inside_texts(value: Json, expected: Json) -> None:
    assert unpacked(value) == expected

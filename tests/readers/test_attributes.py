"""Attributes by the conventions of several libraries say the same of a span."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json
from loopviz.readers import attributes
from loopviz.readers.dialogue import messages
from loopviz.readers.spans import Span
from loopviz.readers.telling import ABSENT
from loopviz.readers.trees import Kind

KINDS = [
    pytest.param({}, "", Kind.OTHER, id="nothing"),
    pytest.param({"gen_ai.operation.name": "embeddings"}, "", Kind.OTHER, id="embeddings"),
    pytest.param({"openinference.span.kind": "CHAIN"}, "", Kind.OTHER, id="a chain"),
    pytest.param({"traceloop.span.kind": "workflow"}, "", Kind.OTHER, id="a workflow"),
    pytest.param({"gen_ai.operation.name": 3}, "", Kind.OTHER, id="no text"),
    pytest.param({"gen_ai.operation.name": "chat"}, "", Kind.MODEL, id="OpenTelemetry, a model"),
    pytest.param({"gen_ai.operation.name": "execute_tool"}, "", Kind.TOOL, id="OpenTelemetry, a tool"),
    pytest.param({"gen_ai.operation.name": "invoke_agent"}, "", Kind.AGENT, id="OpenTelemetry, an agent"),
    pytest.param({"gen_ai.response.model": "m"}, "", Kind.MODEL, id="OpenTelemetry, without an operation"),
    pytest.param({"openinference.span.kind": "LLM"}, "", Kind.MODEL, id="OpenInference, a model"),
    pytest.param({"openinference": {"span": {"kind": "TOOL"}}}, "", Kind.TOOL, id="OpenInference, nested"),
    pytest.param({"traceloop.span.kind": "tool"}, "", Kind.TOOL, id="OpenLLMetry, a tool"),
    pytest.param({"llm.request.type": "chat"}, "", Kind.MODEL, id="OpenLLMetry, a model"),
    pytest.param({"ai.operationId": "ai.generateText"}, "", Kind.OTHER, id="Vercel, the loop"),
    pytest.param({"ai.operationId": "ai.generateText.doGenerate"}, "", Kind.MODEL, id="Vercel, a model"),
    pytest.param({"ai.operationId": "ai.toolCall"}, "", Kind.TOOL, id="Vercel, a tool"),
    pytest.param({}, "running tool: x", Kind.TOOL, id="Pydantic AI, by its name"),
]


@pytest.mark.parametrize(("given", "name", "kind"), KINDS)
def test_what_a_span_is(given: dict[str, Json], name: str, kind: Kind) -> None:
    assert attributes.kind(attributes.flat(given), name) is kind


def span(kind: Kind, given: dict[str, Json], name: str = "x") -> Span:
    found = Span(name=name)
    attributes.read(found, kind, attributes.flat(given))
    return found


TOOLS = [
    pytest.param({}, ABSENT, ABSENT, id="nothing recorded"),
    pytest.param(
        {"gen_ai.tool.call.arguments": '{"a": 1}', "gen_ai.tool.call.result": "r"}, {"a": 1}, "r", id="OpenTelemetry"
    ),
    pytest.param({"input.value": '{"a": 1}', "output.value": "r"}, {"a": 1}, "r", id="OpenInference"),
    pytest.param({"input": {"value": "a"}, "output": {"value": ""}}, "a", "", id="OpenInference, nested"),
    pytest.param(
        {"input.value": json.dumps({"args": [], "sanitize_inputs_outputs": True, "kwargs": {"a": 1}})},
        {"a": 1},
        ABSENT,
        id="a call in Python",
    ),
    pytest.param({"input.value": '{"args": [2], "kwargs": {"a": 1}}'}, {"a": 1, "args": [2]}, ABSENT, id="by position"),
    pytest.param(
        {"input.value": '{"args": 2, "kwargs": 1}'}, {"args": 2, "kwargs": 1}, ABSENT, id="names of another tool"
    ),
    pytest.param({"traceloop.entity.input": "{}", "traceloop.entity.output": "r"}, {}, "r", id="OpenLLMetry"),
    pytest.param(
        {"gcp.vertex.agent.tool_call_args": "{}", "gcp.vertex.agent.tool_response": '{"r": 1}', "output.value": "no"},
        {},
        {"r": 1},
        id="Google",
    ),
    pytest.param({"tool_arguments": {"a": 1}, "tool_response": "r"}, {"a": 1}, "r", id="Pydantic AI"),
    pytest.param({"ai.toolCall.args": '{"a": 1}', "ai.toolCall.result": '"r"'}, {"a": 1}, "r", id="Vercel"),
]


@pytest.mark.parametrize(("given", "arguments", "result"), TOOLS)
def test_what_a_tool_got_and_gave(given: dict[str, Json], arguments: Any, result: Any) -> None:
    found = span(Kind.TOOL, given)
    assert (found.tool, found.arguments, found.result) == ("x", arguments, result)


MODELS = [
    pytest.param(
        {
            "gen_ai.input.messages": '[{"role": "user", "parts": [{"type": "text", "content": "go"}]}]',
            "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "hi"}]}],
        },
        id="OpenTelemetry",
    ),
    pytest.param(
        {
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "go",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "hi",
        },
        id="OpenInference",
    ),
    pytest.param(
        {
            "llm": {
                "input_messages": [{"message": {"role": "user", "content": "go"}}],
                "output_messages": [{"message": {"role": "assistant", "content": "hi"}}],
            }
        },
        id="OpenInference, nested",
    ),
    pytest.param(
        {
            "gen_ai.prompt.0.role": "user",
            "gen_ai.prompt.0.content": "go",
            "gen_ai.completion.0.content": "hi",
            "gen_ai.completion.0.role": "assistant",
        },
        id="OpenLLMetry",
    ),
    pytest.param({"ai.prompt.messages": '[{"role": "user", "content": "go"}]', "ai.response.text": "hi"}, id="Vercel"),
    pytest.param(
        {
            "gcp.vertex.agent.llm_request": '{"contents": [{"role": "user", "parts": [{"text": "go"}]}]}',
            "gcp.vertex.agent.llm_response": '{"content": {"role": "model", "parts": [{"text": "hi"}]}}',
        },
        id="Google",
    ),
    pytest.param({"input.value": "go", "output.value": "hi"}, id="bare texts"),
]


@pytest.mark.parametrize("given", MODELS)
def test_what_a_model_was_given_and_made(given: dict[str, Json]) -> None:
    found = span(Kind.MODEL, given)
    assert [(said.role, said.text) for said in messages(found.given, "user")] == [("user", "go")]
    assert [(said.role, said.text) for said in messages(found.made, "assistant")] == [("assistant", "hi")]


def test_lists_written_flat_keep_their_order() -> None:
    given = {f"gen_ai.prompt.{number}.content": f"{number}" for number in (10, 9, 0)}
    assert [said.text for said in messages(span(Kind.MODEL, given).given, "user")] == ["0", "9", "10"]


@pytest.mark.parametrize(
    "given",
    [
        {"gen_ai.prompt.0": 1, "gen_ai.prompt.0.role": 2, "gen_ai.prompt.²": 3},
        {"gen_ai.prompt." + "0." * 100 + "a": 1},
        {"gen_ai.prompt.": 1, "gen_ai.prompt..": 2},
        {"llm": {"input_messages": 3}, "gen_ai": []},
        {"llm.token_count.prompt": [], "gen_ai.usage.output_tokens": "many", "gen_ai.request.model": 3},
    ],
    ids=lambda given: json.dumps(given)[:60],
)
def test_odd_attributes_do_no_harm(given: dict[str, Json]) -> None:
    messages(span(Kind.MODEL, given).given, "user")
    span(Kind.TOOL, given)
    span(Kind.OTHER, given)


def test_numbers_written_as_texts_are_numbers() -> None:
    assert span(Kind.MODEL, {"llm.token_count.prompt": "5", "llm.token_count.completion": 2}).usage == {
        "input": 5,
        "output": 2,
        "cache_read": None,
        "cache_write": None,
        "cost": None,
    }

"""OpenInference spans written by hand: those that hold others, and those that Phoenix exports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from loopviz.model import Json
from tests.readers.spans_by_hand import Told, spans
from tests.readers.stories import Story

KINDS = {"agent": "AGENT", "model": "LLM", "tool": "TOOL"}


def write_nested(stories: Sequence[Story]) -> bytes:
    """A document for each trace; several are a list."""
    documents = [_nested(told) for told in stories]
    return dump(documents if len(documents) > 1 else documents[0])


def write_phoenix(stories: Sequence[Story]) -> bytes:
    """The spans of all traces, as a list."""
    return dump([_phoenix(span) for told in stories for span in spans(told)])


def dump(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def trace(*those: Json) -> dict[str, Any]:
    return {"trace_id": "s1", "spans": list(those)}


def nested(number: float, kind: str, *inner: Json, took: Json = "PT0.5S", **attributes: Json) -> dict[str, Any]:
    """A span that begins so many seconds after the trace; attributes with `__` for dots."""
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return {
        "span_id": f"{number}",
        "span_name": "a",
        "timestamp": time(1_750_000_000 + number),
        "duration": took,
        "status_code": "Ok",
        "span_attributes": {"openinference.span.kind": kind, **named},
        "child_spans": list(inner),
    }


def time(time_s: float) -> str:
    return datetime.fromtimestamp(time_s, UTC).isoformat()


def _nested(told: Story) -> Json:
    those: list[dict[str, Any]] = [
        {
            "trace_id": span.trace,
            "span_id": span.id,
            "parent_span_id": span.parent or None,
            "span_name": span.sort,
            "timestamp": time(span.start_s),
            "duration": f"PT{span.end_s - span.start_s}S",
            "status_code": _status(span).title(),
            "span_attributes": _attributes(span),
            "child_spans": [],
        }
        for span in spans(told)
    ]
    return {"trace_id": told.name, "spans": [{**those[0], "child_spans": those[1:]}]}


def _phoenix(span: Told) -> Json:
    return {
        "name": span.sort,
        "context": {"trace_id": span.trace, "span_id": span.id},
        "span_kind": KINDS[span.sort],
        "parent_id": span.parent or None,
        "start_time": time(span.start_s),
        "end_time": time(span.end_s),
        "status_code": _status(span),
        "attributes": _attributes(span),
        "events": [],
    }


def _status(span: Told) -> str:
    return "ERROR" if span.call is not None and span.call.failed else "OK"


def _attributes(span: Told) -> dict[str, Json]:
    own: dict[str, Json] = {"openinference.span.kind": KINDS[span.sort]}
    if span.call is not None:
        own |= {"tool.name": span.call.tool, "input.value": json.dumps(span.call.arguments)}
        own |= {"output.value": span.call.observation} if span.has_result else {}
    elif span.sort == "model":
        own |= {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": span.given}
        own |= dict(_made("llm.output_messages.0.message", span.made))
    return own


def _made(prefix: str, message: Json) -> Iterator[tuple[str, Json]]:
    yield f"{prefix}.role", message["role"]
    yield f"{prefix}.content", message["content"]
    for number, call in enumerate(message.get("tool_calls", ())):
        own = f"{prefix}.tool_calls.{number}.tool_call"
        yield f"{own}.id", call["id"]
        yield f"{own}.function.name", call["function"]["name"]
        yield f"{own}.function.arguments", json.dumps(call["function"]["arguments"])

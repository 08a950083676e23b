"""OpenTelemetry spans written by hand: as OTLP, and one a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.spans_by_hand import BEGAN_S, Told, spans
from tests.readers.stories import Story

ERROR = {"code": 2}


def write_otlp(stories: Sequence[Story]) -> bytes:
    """A batch for each trace: one as a document, several as lines."""
    batches = [otlp(*(_span(one, flat=False) for one in spans(told))) for told in stories]
    return b"\n".join(json.dumps(batch, ensure_ascii=False).encode() for batch in batches)


def write_flat(stories: Sequence[Story]) -> bytes:
    """A line for each span, as each of them ends."""
    written = [_span(one, flat=True) for told in stories for one in sorted(spans(told), key=lambda one: one.end_s)]
    return lines(*written)


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def otlp(*those: Json) -> dict[str, Any]:
    """A batch of spans."""
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "a"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "a"}, "spans": list(those)}]}]}


def span(number: float, *, flat: bool, id: str = "", name: str = "", **attributes: Json) -> dict[str, Any]:
    """A span that begins so many seconds after the trace, and takes half a second; attributes with `_` for dots."""
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    own = {"traceId": "s1", "spanId": id or f"{number}", "name": name, "status": {}}
    return {**own, **_times(BEGAN_S + number, BEGAN_S + number + 0.5, flat=flat), "attributes": _own(named, flat=flat)}


def chat(number: float, *, flat: bool = True, **attributes: Json) -> dict[str, Any]:
    return span(number, flat=flat, gen_ai__operation__name="chat", **attributes)


def tool(name: str, number: float, *, flat: bool = True, **attributes: Json) -> dict[str, Any]:
    return span(number, flat=flat, gen_ai__operation__name="execute_tool", gen_ai__tool__name=name, **attributes)


def typed(value: Json) -> Json:
    """A value of an attribute as OTLP writes it."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [typed(item) for item in value]}}
        case dict():
            return {"kvlistValue": {"values": pairs(value)}}
        case _:
            return {}


def pairs(attributes: dict[str, Json]) -> list[Json]:
    return [{"key": key, "value": typed(value)} for key, value in attributes.items()]


def _times(start_s: float, end_s: float, *, flat: bool) -> dict[str, Json]:
    if flat:
        return {
            key: [int(time_s), round(time_s % 1 * 1e9)] for key, time_s in (("startTime", start_s), ("endTime", end_s))
        }
    return {"startTimeUnixNano": str(round(start_s * 1e9)), "endTimeUnixNano": str(round(end_s * 1e9))}


def _own(attributes: dict[str, Json], *, flat: bool) -> Json:
    return attributes if flat else pairs(attributes)


def _span(told: Told, *, flat: bool) -> Json:
    ids = {"traceId": told.trace, "spanId": told.id, "parentSpanId": told.parent, "name": told.sort}
    times = _times(told.start_s, told.end_s, flat=flat)
    status = ERROR if told.call is not None and told.call.failed else {}
    return {**ids, **times, "status": status, "attributes": _own(_attributes(told), flat=flat)}


def _attributes(told: Told) -> dict[str, Json]:
    if told.call is not None:
        result = {"gen_ai.tool.call.result": told.call.observation} if told.has_result else {}
        return {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": told.call.tool,
            "gen_ai.tool.call.id": told.call.id,
            "gen_ai.tool.call.arguments": json.dumps(told.call.arguments),
            **result,
        }
    if told.sort == "agent":
        return {"gen_ai.operation.name": "invoke_agent"}
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": told.given}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": _parts(told.made)}]),
    }


def _parts(made: Json) -> list[Json]:
    asked = [
        {
            "type": "tool_call",
            "id": call["id"],
            "name": call["function"]["name"],
            "arguments": call["function"]["arguments"],
        }
        for call in made.get("tool_calls", ())
    ]
    return [{"type": "text", "content": made["content"]}, *asked]

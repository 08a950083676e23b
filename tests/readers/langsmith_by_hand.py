"""Runs of LangSmith written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from loopviz.model import Json
from tests.readers.spans_by_hand import BEGAN_S, Told, spans
from tests.readers.stories import Story

TYPES = {"agent": "chain", "model": "llm", "tool": "tool"}


def write(stories: Sequence[Story]) -> bytes:
    """A line for each run of each trace."""
    return lines(*(_run(span) for told in stories for span in spans(told)))


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def run(run_type: str, number: float, **fields: Any) -> dict[str, Any]:
    """A run that begins so many seconds after the trace, and takes half a second."""
    own = {"id": f"r{number}", "name": "x", "run_type": run_type, "trace_id": "s1", "parent_run_id": None}
    return {**own, "error": None, "start_time": time(number), "end_time": time(number + 0.5), **fields}


def time(after_s: float) -> str:
    """A point in time without a zone, in seconds after the trace began."""
    return datetime.fromtimestamp(BEGAN_S + after_s, UTC).replace(tzinfo=None).isoformat()


def generated(message: Json) -> Json:
    """The outputs of a model."""
    kwargs = {"type": "ai", **message}
    dumped = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": kwargs}
    return {"generations": [[{"text": "", "message": dumped}]]}


def asked(call_id: str, tool: str, args: Json) -> Json:
    return {"id": call_id, "name": tool, "args": args, "type": "tool_call"}


def answered(call_id: str, content: Json, **fields: Any) -> Json:
    """The outputs of a tool."""
    return {"output": {"type": "tool", "tool_call_id": call_id, "content": content, "status": "success", **fields}}


def human(content: str) -> Json:
    """The inputs of a model."""
    kwargs = {"type": "human", "content": content}
    path = ["langchain", "schema", "messages", "HumanMessage"]
    return {"messages": [[{"lc": 1, "type": "constructor", "id": path, "kwargs": kwargs}]]}


def _run(span: Told) -> Json:
    fields: dict[str, Any] = {"id": span.id, "trace_id": span.trace, "parent_run_id": span.parent or None}
    if span.sort == "model":
        made = span.made
        calls = [asked(one["id"], one["function"]["name"], one["function"]["arguments"]) for one in _calls(made)]
        fields |= {
            "inputs": human(span.given),
            "outputs": generated({"content": made["content"], "tool_calls": calls}),
        }
    elif span.call is not None:
        one = span.call
        fields |= {"name": one.tool, "inputs": {"input": json.dumps(one.arguments)}, "outputs": None}
        if span.has_result:
            fields["outputs"] = answered(one.id, one.observation, status="error" if one.failed else "success")
    times = {"start_time": time(span.start_s - BEGAN_S), "end_time": time(span.end_s - BEGAN_S)}
    return run(TYPES[span.sort], span.number, **{**times, **fields})


def _calls(made: Json) -> Any:
    return made.get("tool_calls", [])

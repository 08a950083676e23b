"""Logs of Inspect written by hand: documents, and archives of them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

DEFLATED, STORED, ZSTANDARD = zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_ZSTANDARD
TIME = "2026-01-02T03:04:05.000006+00:00"


def write(stories: Sequence[Story]) -> bytes:
    """A log with a sample for each run."""
    samples = [sample(*_events(told), id=told.name) for told in stories]
    return json.dumps(document(*samples), ensure_ascii=False).encode()


def document(*samples: Json, **described: Any) -> dict[str, Any]:
    """A log of these samples."""
    about = {"run_id": "r", "created": TIME, "task": "t", "model": "p/m", "config": {}, **described}
    return {"version": 2, "status": "success", "eval": about, "samples": list(samples)}


def sample(*events: Json, **fields: Any) -> dict[str, Any]:
    """A sample told by events; with none, by the `messages` that are given."""
    return {"id": "s1", "epoch": 1, "input": "Do it.", "events": list(events), **fields}


def archive(log: dict[str, Any], method: int = DEFLATED, *, header: str = "header.json") -> bytes:
    """The same log as Inspect packs it: a beginning, its samples, and at the end a header."""
    about = {key: value for key, value in log.items() if key != "samples"}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        packed.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"], "plan": {}}))
        for one in log["samples"]:
            packed.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        packed.writestr("summaries.json", "[]")
        if header:
            packed.writestr(header, json.dumps(about))
    return file.getvalue()


def user(content: str, message_id: str = "u1") -> dict[str, Any]:
    return {"id": message_id, "role": "user", "content": content}


def call(tool: str, arguments: Json, call_id: Json = "c", **fields: Any) -> dict[str, Any]:
    return {"id": call_id, "function": tool, "arguments": arguments, "type": "function", **fields}


def model(content: Json = "", *calls: Json, input: Sequence[Json] = (), **fields: Any) -> dict[str, Any]:
    """The event of a request and its answer."""
    message = {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {})}
    output = {"model": "m", "choices": [{"message": message, "stop_reason": "stop"}], **fields.pop("output", {})}
    return {"event": "model", "timestamp": TIME, "model": "p/m", "input": list(input), "output": output, **fields}


def tool(name: str, arguments: Json, result: Json, call_id: Json = "c", **fields: Any) -> dict[str, Any]:
    """The event of a tool; a result that is `NOTHING` has not come yet."""
    come = {"pending": True} if result is NOTHING else {"result": result, "completed": TIME}
    return {"event": "tool", "timestamp": TIME, **call(name, arguments, call_id), **come, **fields}


def span(kind: Json, number: str, parent: str | None = None, name: str = "n") -> dict[str, Any]:
    above = {} if parent is None else {"parent_id": parent}
    return {
        "event": "span_begin",
        "timestamp": TIME,
        "id": number,
        "span_id": number,
        "type": kind,
        "name": name,
    } | above


def _events(told: Story) -> Iterator[Json]:
    numbers = count()
    for turn in (*told.turns, Turn((), told.answer)):
        calls = [call(one.tool, one.arguments, one.id) for one in turn.calls]
        given = [] if next(numbers) else [user(told.prompt)]
        yield model(turn.text, *calls, input=given)
        yield from (_tool(one) for one in turn.calls)


def _tool(one: Call) -> Json:
    error = {"error": {"type": "unknown", "message": "It failed."}} if one.failed else {}
    return tool(one.tool, one.arguments, one.observation, one.id, **error)

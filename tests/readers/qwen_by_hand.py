"""Sessions of Qwen Code written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn

TIME = "2025-12-16T23:47:01.000Z"


def write(stories: Sequence[Story]) -> bytes:
    """The sessions one after the other."""
    numbers = count()
    return lines(*({"uuid": f"u{next(numbers)}", **line} for told in stories for line in _session(told)))


def lines(*values: Json) -> bytes:
    """A file of these lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def line(kind: str, *parts: Json, run: str = "s1", **more: Any) -> dict[str, Any]:
    role = "model" if kind == "assistant" else "user"
    message = {"role": role, "parts": list(parts)}
    return {"parentUuid": None, "sessionId": run, "timestamp": TIME, "type": kind, "message": message, **more}


def call(call_id: str, tool: str = "bash", args: Json = None) -> Json:
    return {"functionCall": {"id": call_id, "name": tool, "args": {} if args is None else args}}


def result(call_id: str, output: Json = "a.txt", tool: str = "bash", **more: Any) -> dict[str, Any]:
    """A line with a result; `status` says how the call ended."""
    beside = {"callId": call_id, "status": more.pop("status", "success")}
    part = {"functionResponse": {"id": call_id, "name": tool, "response": {"output": output}}}
    return line("tool_result", part, toolCallResult=beside, **more)


def _session(told: Story) -> Iterator[dict[str, Any]]:
    yield line("user", {"text": told.prompt}, run=told.name)
    for turn in (*told.turns, Turn((), told.answer)):
        said = [{"text": turn.text}] if turn.text else []
        yield line("assistant", *said, *(call(one.id, one.tool, one.arguments) for one in turn.calls), run=told.name)
        yield from (_result(one, told.name) for one in turn.calls if one.observation is not NOTHING)


def _result(one: Call, run: str) -> dict[str, Any]:
    return result(one.id, one.observation, one.tool, run=run, status="error" if one.failed else "success")

"""Copilot sessions written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn


def write(stories: Sequence[Story]) -> bytes:
    """The sessions one after the other."""
    return lines(*(line for told in stories for line in _session(told)))


def lines(*events: Json) -> bytes:
    """A file of these events."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in events).encode()


def event(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data, "id": "e", "timestamp": "2026-01-02T03:04:05.000Z", "parentId": None}


def start(call_id: str, tool: str, arguments: Json, **data: Any) -> dict[str, Any]:
    return event("tool.execution_start", toolCallId=call_id, toolName=tool, arguments=arguments, **data)


def complete(call_id: str, content: Json, *, success: bool = True, **data: Any) -> dict[str, Any]:
    """A result; that of a call that failed is an error."""
    what = {"result": {"content": content}} if success else {"error": {"content": content}}
    return event("tool.execution_complete", toolCallId=call_id, success=success, **what, **data)


def message(content: str = "", *asked: tuple[str, str, Json], **data: Any) -> dict[str, Any]:
    """A message that asks for calls, each an id, a tool and arguments."""
    requests = [{"toolCallId": call_id, "name": tool, "arguments": arguments} for call_id, tool, arguments in asked]
    return event("assistant.message", messageId="m", content=content, toolRequests=requests, **data)


def _session(told: Story) -> Iterator[Json]:
    yield event("session.start", sessionId=told.name, version=1)
    yield event("user.message", content=told.prompt)
    for number, turn in enumerate((*told.turns, Turn((), told.answer))):
        yield event("assistant.turn_start", turnId=str(number))
        yield message(turn.text, *((one.id, one.tool, one.arguments) for one in turn.calls))
        yield from (start(one.id, one.tool, one.arguments) for one in turn.calls)
        yield from (_complete(one) for one in turn.calls if one.observation is not NOTHING)
        yield event("assistant.turn_end", turnId=str(number))


def _complete(one: Call) -> Json:
    return complete(one.id, one.observation, success=not one.failed)

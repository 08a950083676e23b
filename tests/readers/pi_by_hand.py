"""pi sessions written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn

TIME = "2026-01-02T03:04:05.000Z"


def write(stories: Sequence[Story]) -> bytes:
    """The sessions one after the other."""
    return lines(*(line for told in stories for line in _session(told)))


def lines(*values: Json) -> bytes:
    """A file of these lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def session(run: str = "s1", **more: Any) -> dict[str, Any]:
    return {"type": "session", "id": run, "timestamp": TIME, "cwd": "/w", **more}


def message(role: str, content: Json, **more: Any) -> dict[str, Any]:
    return {"type": "message", "timestamp": TIME, "message": {"role": role, "content": content, **more}}


def text(said: str) -> Json:
    return {"type": "text", "text": said}


def call(call_id: str, tool: str = "bash", arguments: Json = None) -> Json:
    given = {"command": "ls"} if arguments is None else arguments
    return {"type": "toolCall", "id": call_id, "name": tool, "arguments": given}


def result(call_id: str, content: Json = "a.txt", **more: Any) -> dict[str, Any]:
    return message("toolResult", [text(content)], **{"toolCallId": call_id, "isError": False, **more})


def _session(told: Story) -> Iterator[Json]:
    yield session(told.name)
    yield message("user", told.prompt)
    for turn in (*told.turns, Turn((), told.answer)):
        said = [text(turn.text)] if turn.text else []
        yield message("assistant", [*said, *(call(one.id, one.tool, one.arguments) for one in turn.calls)])
        yield from (_result(one) for one in turn.calls if one.observation is not NOTHING)


def _result(one: Call) -> Json:
    return result(one.id, one.observation, toolName=one.tool, isError=one.failed)

"""Grok sessions written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story, Turn


def write(stories: Sequence[Story]) -> bytes:
    """A session is a file."""
    (told,) = stories
    return lines(*_session(told))


def lines(*values: Json) -> bytes:
    """A file of these lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def call(call_id: str, tool: str = "bash", arguments: Json = None) -> Json:
    given = {"command": "ls"} if arguments is None else arguments
    return {"id": call_id, "name": tool, "arguments": json.dumps(given, ensure_ascii=False)}


def response(text: str = "", *calls: Json) -> dict[str, Any]:
    return {"type": "assistant", "content": text, **({"tool_calls": list(calls)} if calls else {})}


def result(call_id: str, content: Json = "a.txt") -> dict[str, Any]:
    return {"type": "tool_result", "tool_call_id": call_id, "content": content}


def _session(told: Story) -> Iterator[Json]:
    yield {"type": "user", "content": [{"type": "text", "text": told.prompt}]}
    for turn in (*told.turns, Turn((), told.answer)):
        yield response(turn.text, *(call(one.id, one.tool, one.arguments) for one in turn.calls))
        yield from (result(one.id, one.observation) for one in turn.calls if one.observation is not NOTHING)

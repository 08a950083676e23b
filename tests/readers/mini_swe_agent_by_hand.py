"""Runs of mini-swe-agent written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn


def write(stories: Sequence[Story]) -> bytes:
    """One run as a document, several as a list of them."""
    documents = [document(*_messages(told), instance_id=told.name) for told in stories]
    return json.dumps(documents if len(documents) > 1 else documents[0], ensure_ascii=False).encode()


def document(*messages: Json, **fields: Any) -> dict[str, Any]:
    """A document of these messages."""
    info = {"exit_status": "Submitted", "submission": "", "mini_version": "2.2.7"}
    return {"info": info, "messages": list(messages), "trajectory_format": "mini-swe-agent-1.1", **fields}


def user(content: Json, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def assistant(content: str, *calls: Json, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {}), **fields}


def call(tool: str, arguments: Json, call_id: Json = "c") -> dict[str, Any]:
    spelled = json.dumps(arguments, ensure_ascii=False)
    return {"function": {"name": tool, "arguments": spelled}, "id": call_id, "type": "function"}


def result(content: Json, code: int = 0, call_id: Json = "c") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, "extra": {"returncode": code}}


def _messages(told: Story) -> Iterator[Json]:
    yield user(told.prompt)
    for turn in (*told.turns, Turn((), told.answer)):
        yield assistant(turn.text, *(call(one.tool, one.arguments, one.id) for one in turn.calls))
        yield from (_result(one) for one in turn.calls if one.observation is not NOTHING)


def _result(one: Call) -> Json:
    return result(one.observation, int(one.failed), one.id)

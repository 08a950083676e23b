"""ATIF documents written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn


def write(stories: Sequence[Story]) -> bytes:
    """One run as a document, several as a list of them."""
    documents = [_document(told) for told in stories]
    return json.dumps(documents if len(documents) > 1 else documents[0], ensure_ascii=False).encode()


def document(*steps: Json, **fields: Any) -> dict[str, Any]:
    """A document of these steps."""
    numbered = [{"step_id": number, **step} if isinstance(step, dict) else step for number, step in enumerate(steps, 1)]
    return {
        "schema_version": "ATIF-v1.6",
        "session_id": "s1",
        "agent": {"name": "a", "version": "1", "model_name": "m"},
        "steps": numbered,
        **fields,
    }


def agent(*calls: Json, results: Sequence[Json] | None = None, message: Json = "", **fields: Any) -> dict[str, Any]:
    """An agent's step."""
    step: dict[str, Any] = {"source": "agent", "message": message, **fields}
    if calls:
        step["tool_calls"] = list(calls)
    if results is not None:
        step["observation"] = {"results": list(results)}
    return step


def call(tool: Json, arguments: Json, call_id: Json = "c") -> dict[str, Any]:
    return {"tool_call_id": call_id, "function_name": tool, "arguments": arguments}


def _document(told: Story) -> Json:
    steps = [{"source": "user", "message": told.prompt}, *map(_step, told.turns), agent(message=told.answer)]
    return document(*steps, session_id=told.name)


def _step(turn: Turn) -> Json:
    results = [_result(one) for one in turn.calls if one.observation is not NOTHING]
    calls = [call(one.tool, one.arguments, one.id) for one in turn.calls]
    return agent(*calls, results=results or None, message=turn.text)


def _result(one: Call) -> Json:
    extra = {"extra": {"is_error": True}} if one.failed else {}
    return {"source_call_id": one.id, "content": one.observation, **extra}

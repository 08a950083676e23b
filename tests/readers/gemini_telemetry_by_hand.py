"""Telemetry of Gemini CLI written by hand: no results of calls, and no words of the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import Story

TIME = "2025-12-16T23:47:00.000Z"


def write(stories: Sequence[Story]) -> bytes:
    """The sessions one after the other."""
    return dump(*(record for told in stories for record in _session(told)))


def dump(*records: Json) -> bytes:
    """Records one after the other, each over several lines, as the program writes them."""
    return "".join(json.dumps(record, indent=2, ensure_ascii=False) + "\n" for record in records).encode()


def event(kind: str, *, session: str = "s1", **attributes: Json) -> dict[str, Any]:
    named = {"session.id": session, "event.name": f"gemini_cli.{kind}", "event.timestamp": TIME}
    return {"attributes": {**named, **attributes}, "_body": "x"}


def tool_call(tool: str = "ls", args: str = '{"path":"."}', **attributes: Json) -> dict[str, Any]:
    return event("tool_call", function_name=tool, function_args=args, duration_ms=5, **{"success": True, **attributes})


def _session(told: Story) -> Iterator[Json]:
    run: dict[str, Any] = {"session": told.name}
    yield event("user_prompt", prompt=told.prompt, **run)
    for turn in told.turns:
        yield event("api_response", **run)
        for one in turn.calls:
            spelled = json.dumps(one.arguments, ensure_ascii=False)
            yield tool_call(one.tool, spelled, call_id=one.id, success=not one.failed, **run)

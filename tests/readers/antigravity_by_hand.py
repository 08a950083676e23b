"""Antigravity conversations written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import Story, Turn


def write(stories: Sequence[Story]) -> bytes:
    """A conversation is a file."""
    (told,) = stories
    return lines(*({"step_index": number, **line} for number, line in enumerate(_conversation(told))))


def lines(*values: Json) -> bytes:
    """A file of these lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def line(kind: str, content: Json = None, *, source: str = "MODEL", **more: Any) -> dict[str, Any]:
    said = {} if content is None else {"content": content}
    return {"source": source, "type": kind, "status": "DONE", "created_at": "2026-06-26T21:16:16Z", **said, **more}


def asked(text: str) -> dict[str, Any]:
    wrapped = f"<USER_REQUEST>\n{text}\n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>\nNone.\n</USER_SETTINGS_CHANGE>"
    return line("USER_INPUT", wrapped, source="USER_EXPLICIT")


def response(*calls: tuple[str, dict[str, Json]], **more: Any) -> dict[str, Any]:
    """A response with calls, each a tool and its arguments."""
    asked_for = [
        {"name": tool, "args": {key: json.dumps(value) for key, value in arguments.items()}}
        for tool, arguments in calls
    ]
    return line("PLANNER_RESPONSE", **({"tool_calls": asked_for} if asked_for else {}), **more)


def _conversation(told: Story) -> Iterator[dict[str, Any]]:
    yield asked(told.prompt)
    for turn in (*told.turns, Turn((), told.answer)):
        said = {"content": turn.text} if turn.text else {}
        yield response(*((one.tool, one.arguments) for one in turn.calls), **said)
        for one in turn.calls:
            yield line("RUN_COMMAND", one.observation, **({"status": "ERROR"} if one.failed else {}))

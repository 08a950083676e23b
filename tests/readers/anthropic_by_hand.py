"""Messages of the Anthropic API written by hand: a line a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story


def write(stories: Sequence[Story]) -> bytes:
    """A line for each run."""
    return lines(*({"id": told.name, "messages": list(_messages(told))} for told in stories))


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def user(*blocks: Json, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks), **fields}


def assistant(*blocks: Json, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks), **fields}


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(tool: Json, arguments: Json, call_id: Json = "c") -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": tool, "input": arguments}


def result(content: Json, call_id: Json = "c", *, failed: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": failed}


def _messages(told: Story) -> Iterator[Json]:
    yield {"role": "user", "content": told.prompt}
    for turn in told.turns:
        words = [said(turn.text)] if turn.text else []
        yield assistant(*words, *(call(one.tool, one.arguments, one.id) for one in turn.calls))
        answered = [one for one in turn.calls if one.observation is not NOTHING]
        if answered:
            yield user(*(result(one.observation, one.id, failed=one.failed) for one in answered))
    yield assistant(said(told.answer))

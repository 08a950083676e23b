"""Items of OpenAI's Responses API written by hand: a line a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story


def write(stories: Sequence[Story]) -> bytes:
    """A line for each run: what the model was given, and its last output."""
    return lines(
        *(
            {"id": told.name, "model": "m", "input": list(_items(told)), "output": [said(told.answer)]}
            for told in stories
        )
    )


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def asked(content: str) -> dict[str, Any]:
    """What the user says."""
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": content}]}


def said(content: str) -> dict[str, Any]:
    """What the model says."""
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": content}]}


def call(tool: Json, arguments: Json, call_id: Json = "c", **fields: Any) -> dict[str, Any]:
    spelled = json.dumps(arguments, ensure_ascii=False)
    return {"type": "function_call", "id": "fc", "call_id": call_id, "name": tool, "arguments": spelled, **fields}


def result(output: Json, call_id: Json = "c") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def response(response_id: str, *output: Json, **fields: Any) -> dict[str, Any]:
    """A response as the API returns it."""
    return {"id": response_id, "object": "response", "model": "m", "output": list(output), **fields}


def _items(told: Story) -> Iterator[Json]:
    yield asked(told.prompt)
    for turn in told.turns:
        if turn.text:
            yield said(turn.text)
        yield from (call(one.tool, one.arguments, one.id) for one in turn.calls)
        yield from (result(one.observation, one.id) for one in turn.calls if one.observation is not NOTHING)

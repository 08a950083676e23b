"""Histories of browser-use written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story


def write(stories: Sequence[Story]) -> bytes:
    """One history as a document, several as a list of them."""
    documents = [history(*_steps(told)) for told in stories]
    return dump(documents if len(documents) > 1 else documents[0])


def dump(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def history(*steps: Json) -> dict[str, Any]:
    return {"history": list(steps)}


def step(
    *actions: Json, results: Sequence[Json] = (), url: str = "", thinking: str = "", **fields: Any
) -> dict[str, Any]:
    """A step with its actions, each an object of a name and its arguments."""
    made = {"thinking": thinking, "action": list(actions)}
    state: dict[str, Json] = {"url": url, "title": "", "tabs": [], "screenshot": None}
    return {"model_output": made, "result": list(results), "state": state, **fields}


def result(content: Json = None, **fields: Any) -> dict[str, Any]:
    return {"is_done": False, "success": None, "extracted_content": content, "error": None, **fields}


def _steps(told: Story) -> list[Json]:
    steps = [
        step(*({call.tool: call.arguments} for call in turn.calls), results=list(map(_result, turn.calls)))
        for turn in told.turns
    ]
    return [*steps, step(thinking=told.answer)]


def _result(call: Call) -> Json:
    if call.observation is NOTHING:
        return None
    return result(error=call.observation) if call.failed else result(call.observation)

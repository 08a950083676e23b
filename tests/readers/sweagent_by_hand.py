"""Runs of SWE-agent written by hand, as 1.x writes them: an agent takes one action a step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story


def write(stories: Sequence[Story]) -> bytes:
    """One run as a document, several as a list of them."""
    documents = [_document(told) for told in stories]
    return json.dumps(documents if len(documents) > 1 else documents[0], ensure_ascii=False).encode()


def document(*steps: Json, history: Sequence[Json] = (), **fields: Any) -> dict[str, Any]:
    """A document of these steps."""
    return {"trajectory": list(steps), "history": list(history), "info": {"exit_status": "submitted"}, **fields}


def step(action: Json, observation: Json = "", thought: str = "", **fields: Any) -> dict[str, Any]:
    return {"action": action, "observation": observation, "response": thought, "thought": thought, **fields}


def said(role: str, content: Json, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": "main", **fields}


def called(action: str, tool: str, arguments: Json, call_id: Json = "c", thought: str = "") -> dict[str, Any]:
    """A message of the history that calls a function."""
    function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
    calls = [{"function": function, "id": call_id, "type": "function"}]
    return said("assistant", thought, thought=thought, action=action, tool_calls=calls, message_type="action")


def _document(told: Story) -> Json:
    history = [
        said("user", told.prompt),
        *(called(_action(one), one.tool, one.arguments, one.id) for one in told.calls),
    ]
    return document(*_steps(told), step("", "", told.answer), history=history)


def _steps(told: Story) -> Iterator[Json]:
    for turn in told.turns:
        if not turn.calls:
            yield step("", "", turn.text)
        thought = turn.text
        for one in turn.calls:
            written = step(_action(one), one.observation, thought)
            yield {key: value for key, value in written.items() if value is not NOTHING}
            thought = ""


def _action(one: Call) -> str:
    return f"{one.tool} {' '.join(map(str, one.arguments.values()))}"

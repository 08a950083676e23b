"""Runs of Who&When written by hand: an orchestrator, and an agent for each tool."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story


def write(stories: Sequence[Story]) -> bytes:
    """One run as a document, several as a list of them."""
    documents = [document(*_messages(told), question_ID=told.name, question=told.prompt) for told in stories]
    return dump(documents if len(documents) > 1 else documents[0])


def dump(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def document(*messages: Json, **fields: Any) -> dict[str, Any]:
    own = {"question_ID": "s1", "is_correct": False, "mistake_agent": "a", "mistake_step": "1", "mistake_reason": "r"}
    return {**own, **fields, "history": list(messages)}


def says(role: Json, content: Json, **fields: Json) -> dict[str, Any]:
    return {"content": content, "role": role, **fields}


def _messages(told: Story) -> Iterator[Json]:
    yield says("human", told.prompt)
    for call in told.calls:
        yield says(f"Orchestrator (-> {call.tool})", json.dumps(call.arguments, ensure_ascii=False))
        if call.observation is not NOTHING:
            yield says(call.tool, call.observation)

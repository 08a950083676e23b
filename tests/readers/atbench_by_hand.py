"""Runs of ATBench written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story


def write(stories: Sequence[Story]) -> bytes:
    """A list of all runs."""
    return dump(*(document(list(_messages(told)), id=told.name) for told in stories))


def dump(*documents: Json) -> bytes:
    return json.dumps(list(documents), ensure_ascii=False).encode()


def document(*rounds: Json, **fields: Any) -> dict[str, Any]:
    return {"contents": list(rounds), "label": 0, **fields}


def user(content: Json) -> dict[str, Any]:
    return {"role": "user", "content": content}


def acts(action: Json, thought: Json = "") -> dict[str, Any]:
    return {"role": "agent", "thought": thought, "action": action}


def answers(content: Json) -> dict[str, Any]:
    return {"role": "environment", "content": content}


def _messages(told: Story) -> Iterator[Json]:
    yield user(told.prompt)
    for turn in told.turns:
        for one in turn.calls:
            yield acts(f"{one.tool}: {json.dumps(one.arguments, ensure_ascii=False)}")
            if one.observation is not NOTHING:
                yield answers(one.observation)

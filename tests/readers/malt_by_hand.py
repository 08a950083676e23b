"""Runs of MALT written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.openai_by_hand import assistant, call, result, user
from tests.readers.stories import NOTHING, Story


def write(stories: Sequence[Story]) -> bytes:
    """A line for each run."""
    return lines(*({"run_id": told.name, **tree(*chain(*_messages(told)))} for told in stories))


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def tree(*nodes: Json, **fields: Any) -> dict[str, Any]:
    return {"nodes": list(nodes), "labels": ["normal"], **fields}


def node(own: Json, parent: Json, message: Json) -> dict[str, Any]:
    return {"node_id": own, "parent_node_id": parent, "branch_id": 0, "node_data": {"message": message}}


def chain(*messages: Json) -> list[dict[str, Any]]:
    """Nodes that follow each other."""
    return [node(number, number - 1 if number else None, message) for number, message in enumerate(messages)]


def _messages(told: Story) -> Iterator[Json]:
    yield user(told.prompt)
    for turn in told.turns:
        yield assistant(*(call(one.tool, one.arguments, one.id) for one in turn.calls), content=turn.text or None)
        yield from (result(one.observation, one.id) for one in turn.calls if one.observation is not NOTHING)
    yield assistant(content=told.answer)

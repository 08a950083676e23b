"""The plain form written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story


def write(stories: Sequence[Story]) -> bytes:
    """The lines of all runs."""
    return lines(*(line for told in stories for line in _lines(told)))


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def _lines(told: Story) -> Iterator[Json]:
    said = {"user": told.prompt}
    for number, turn in enumerate(told.turns):
        said |= {"assistant": turn.text} if turn.text else {}
        for call in turn.calls:
            line = {"run": told.name, "turn": number, "tool": call.tool, "args": call.arguments, "id": call.id}
            line |= {} if call.observation is NOTHING else {"observation": call.observation}
            yield line | ({"error": True} if call.failed else {}) | said
            said = {}
    yield {"run": told.name, "assistant": told.answer, **said}

"""Messages of LangChain written by hand, in its three encodings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story

CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}


def write(stories: Sequence[Story]) -> bytes:
    """A state for each run, a line each."""
    return lines(*({"id": told.name, "messages": list(messages(told))} for told in stories))


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def plain(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def as_dict(kind: str, **fields: Any) -> dict[str, Any]:
    """As `messages_to_dict` writes it."""
    return {"type": kind, "data": {"type": kind, **fields}}


def dumped(kind: str, **fields: Any) -> dict[str, Any]:
    """As `dumps` writes it."""
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", CLASSES[kind]], "kwargs": fields}


ENCODINGS = {"plain": plain, "messages_to_dict": as_dict, "dumps": dumped}


def call(tool: Json, args: Json, call_id: Json = "c") -> dict[str, Any]:
    return {"name": tool, "args": args, "id": call_id, "type": "tool_call"}


def messages(told: Story, encode: Callable[..., dict[str, Any]] = plain) -> Iterator[Json]:
    """The messages of a run."""
    yield encode("human", content=told.prompt)
    for turn in told.turns:
        yield encode("ai", content=turn.text, tool_calls=[call(one.tool, one.arguments, one.id) for one in turn.calls])
        for one in turn.calls:
            if one.observation is not NOTHING:
                status = "error" if one.failed else "success"
                yield encode("tool", content=one.observation, tool_call_id=one.id, name=one.tool, status=status)
    yield encode("ai", content=told.answer, tool_calls=[])

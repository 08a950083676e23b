"""Kimi sessions written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn


def write(stories: Sequence[Story]) -> bytes:
    """The agents one after the other."""
    return lines(*(line for told in stories for line in _agent(told)))


def lines(*values: Json) -> bytes:
    """A file of these lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def event(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "context.append_loop_event", "time": 1767323045000, "event": {"type": kind, **more}}


def said(text: str) -> dict[str, Any]:
    return event("content.part", part={"type": "text", "text": text})


def call(call_id: str, tool: str = "Bash", arguments: Json = None) -> dict[str, Any]:
    return event("tool.call", toolCallId=call_id, name=tool, args={"command": "ls"} if arguments is None else arguments)


def result(call_id: str, output: Json = "a.txt", **more: Any) -> dict[str, Any]:
    return event("tool.result", toolCallId=call_id, result={"output": output, **more})


def asked(text: str, origin: str = "user") -> dict[str, Any]:
    message = {"role": "user", "content": [{"type": "text", "text": text}], "toolCalls": [], "origin": {"kind": origin}}
    return {"type": "context.append_message", "time": 1767323045000, "message": message}


def _agent(told: Story) -> Iterator[Json]:
    for line in (asked(told.prompt), *_steps(told)):
        yield {**line, "agentId": told.name}


def _steps(told: Story) -> Iterator[dict[str, Any]]:
    for number, turn in enumerate((*told.turns, Turn((), told.answer))):
        yield event("step.begin", turnId="0", step=number)
        if turn.text:
            yield said(turn.text)
        yield from (call(one.id, one.tool, one.arguments) for one in turn.calls)
        yield from (_result(one) for one in turn.calls if one.observation is not NOTHING)
        yield event("step.end", turnId="0", step=number)


def _result(one: Call) -> dict[str, Any]:
    return result(one.id, one.observation, **({"isError": True} if one.failed else {}))

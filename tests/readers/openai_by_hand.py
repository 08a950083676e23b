"""Chat messages of OpenAI's API written by hand: one run a line, and the log of requests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story


def write_chat(stories: Sequence[Story]) -> bytes:
    """A line for each run."""
    return lines(*({"id": told.name, "messages": conversation(told)} for told in stories))


def write_log(stories: Sequence[Story]) -> bytes:
    """A request and its answer for each message of the assistant."""
    return lines(*(line for told in stories for line in exchanges(conversation(told))))


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def user(content: Json) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(*calls: Json, content: Json = None, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {}), **fields}


def call(tool: Json, arguments: Json, call_id: Json = "c") -> dict[str, Any]:
    """A call; its arguments are spelled as a text."""
    return {"id": call_id, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}


def result(content: Json, call_id: Json = "c", **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **fields}


def conversation(told: Story) -> list[Json]:
    """The messages of a run."""
    messages: list[Json] = [user(told.prompt)]
    for turn in told.turns:
        messages.append(assistant(*map(_call, turn.calls), content=turn.text or None))
        messages += [result(one.observation, one.id) for one in turn.calls if one.observation is not NOTHING]
    return [*messages, assistant(content=told.answer)]


def exchanges(messages: Sequence[Json]) -> Iterator[Json]:
    """Each request repeats all that was said before it."""
    for number, message in enumerate(messages):
        if message["role"] == "assistant":
            yield request(*messages[:number])
            yield response(message)


def request(*messages: Json) -> dict[str, Any]:
    return {"type": "request", "request_params": {"model": "m", "messages": list(messages)}}


def response(message: Json, **fields: Any) -> dict[str, Any]:
    return {"type": "response", "response": {"choices": [{"index": 0, "message": message}], **fields}}


def _call(one: Call) -> Json:
    return call(one.tool, one.arguments, one.id)

"""Sessions of Gemini CLI, and histories, written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn

TIME = "2025-12-16T23:47:01.000Z"


def write_sessions(stories: Sequence[Story]) -> bytes:
    """One session as a document, several as a list of them."""
    documents = [session(*_messages(told), sessionId=told.name) for told in stories]
    return dump(documents if len(documents) > 1 else documents[0])


def write_histories(stories: Sequence[Story]) -> bytes:
    """One history as a list of contents, several as a list of documents."""
    histories = [_contents(told) for told in stories]
    return dump([{"history": history} for history in histories] if len(histories) > 1 else histories[0])


def dump(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def session(*messages: Json, **fields: Any) -> dict[str, Any]:
    return {"sessionId": "s1", "projectHash": "0f", "startTime": TIME, "messages": list(messages), **fields}


def gemini(*calls: Json, content: Json = "", **fields: Any) -> dict[str, Any]:
    """A message of the model."""
    return {"type": "gemini", "timestamp": TIME, "content": content, "model": "m", "toolCalls": list(calls), **fields}


def call(tool: Json, args: Json, *result: Json, id: Json = "c", **fields: Any) -> dict[str, Any]:
    """A call with the parts of its result; none where there is no result."""
    return {"id": id, "name": tool, "args": args, **({"result": list(result)} if result else {}), **fields}


def response(content: Json, *, id: Json = "c", tool: Json = "x") -> dict[str, Any]:
    """The part that answers a call; without an `id` it bears none."""
    named = {"name": tool, "response": content}
    return {"functionResponse": named if id is None else {"id": id, **named}}


def model(*parts: Json) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: Json) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def asks(tool: Json, args: Json, **fields: Any) -> dict[str, Any]:
    """The part that asks for a call."""
    return {"functionCall": {"name": tool, "args": args, **fields}}


def _messages(told: Story) -> list[Json]:
    turns = [
        gemini(*map(_call, turn.calls), content=turn.text, id=f"m{number}") for number, turn in enumerate(told.turns)
    ]
    return [{"type": "user", "id": "u", "content": told.prompt}, *turns, gemini(content=told.answer, id="m")]


def _call(one: Call) -> Json:
    answer = () if one.observation is NOTHING else (_answer(one),)
    return call(one.tool, one.arguments, *answer, id=one.id, status="error" if one.failed else "success")


def _answer(one: Call) -> Json:
    return response({"error" if one.failed else "output": one.observation}, id=one.id, tool=one.tool)


def _contents(told: Story) -> list[Json]:
    turns = [content for turn in told.turns for content in _turn(turn)]
    return [user({"text": told.prompt}), *turns, model({"text": told.answer})]


def _turn(turn: Turn) -> list[Json]:
    said = [{"text": turn.text}] if turn.text else []
    asked = [asks(one.tool, one.arguments, id=one.id) for one in turn.calls]
    answered = [_answer(one) for one in turn.calls if one.observation is not NOTHING]
    return [model(*said, *asked), user(*answered)]

"""Lines of Claude Code written by hand: sessions, streams and exports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Story, Turn

Line = dict[str, Any]


def write_sessions(stories: Sequence[Story]) -> bytes:
    """The lines of one session after those of the other."""
    return lines(*(line for told in stories for line in _session(told)))


def write_streams(stories: Sequence[Story]) -> bytes:
    """What is printed, one run after the other."""
    return lines(*(line for told in stories for line in _stream(told)))


def write_exports(stories: Sequence[Story]) -> bytes:
    """One document with all lines."""
    return json.dumps({"loglines": [line for told in stories for line in _session(told)]}, ensure_ascii=False).encode()


def lines(*values: Json) -> bytes:
    """A file of these lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def line(kind: str, content: Json, uuid: str | None = None, parent: str | None = None, **more: Any) -> Line:
    """A line of a session; `message` adds to its message."""
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {
        "parentUuid": parent, "isSidechain": False, "sessionId": "s1", "type": kind, "message": message,
        **({} if uuid is None else {"uuid": uuid}), **more,
    }  # fmt: skip


def said(response: str, *blocks: Json, **more: Any) -> Line:
    """A line of a response."""
    usage = more.pop("usage", None)
    message = {"id": response, "model": "claude", **({} if usage is None else {"usage": usage})}
    return line("assistant", list(blocks), message=message, **more)


def text(what: str) -> Json:
    return {"type": "text", "text": what}


def use(call_id: str, tool: str = "Bash", arguments: Json = None) -> Json:
    return {
        "type": "tool_use",
        "id": call_id,
        "name": tool,
        "input": {"command": "ls"} if arguments is None else arguments,
    }


def result(call_id: str, content: Json = "a.txt", **more: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def answered(call_id: str, content: Json = "a.txt", **more: Any) -> Line:
    """A line with the result of a call."""
    return line("user", [result(call_id, content)], **more)


def _session(told: Story) -> Iterator[Line]:
    yield line("user", told.prompt, sessionId=told.name)
    for response, block in _blocks(told):
        if response is None:
            yield line("user", [block], sessionId=told.name)
        else:
            yield said(response, block, sessionId=told.name)


def _stream(told: Story) -> Iterator[Line]:
    known = {"session_id": told.name, "parent_tool_use_id": None}
    yield {"type": "system", "subtype": "init", "session_id": told.name, "model": "claude", "tools": []}
    yield {"type": "user", "message": {"role": "user", "content": told.prompt}, **known}
    for response, block in _blocks(told):
        role = "user" if response is None else "assistant"
        message = {"role": role, "content": [block], **({} if response is None else {"id": response})}
        yield {"type": role, "message": message, **known}
    yield {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "session_id": told.name}


def _blocks(told: Story) -> Iterator[tuple[str | None, Json]]:
    """Each block of content, with the response that it is part of; None for what is sent to the model."""
    for number, turn in enumerate((*told.turns, Turn((), told.answer))):
        response = f"msg_{told.name}_{number}"
        if turn.text:
            yield response, text(turn.text)
        for call in turn.calls:
            yield response, use(call.id, call.tool, call.arguments)
        for call in turn.calls:
            if call.observation is not NOTHING:
                yield None, result(call.id, call.observation, **({"is_error": True} if call.failed else {}))

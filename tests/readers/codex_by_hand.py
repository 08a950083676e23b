"""Sessions and streams of Codex written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn

TIME = "2026-04-01T08:00:00.000Z"


def write_rollout(stories: Sequence[Story]) -> bytes:
    """A session is a file."""
    (told,) = stories
    return lines(*_session(told))


def write_document(stories: Sequence[Story]) -> bytes:
    """A session is a document."""
    (told,) = stories
    _, *rest = _session(told)
    items = [line["payload"] for line in rest]
    return json.dumps({"session": {"id": told.name, "instructions": ""}, "items": items}, ensure_ascii=False).encode()


def write_stream(stories: Sequence[Story]) -> bytes:
    """What is printed, one thread after the other."""
    return lines(*(event for told in stories for event in _thread(told)))


def lines(*values: Json) -> bytes:
    """A file of these lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": TIME, "type": kind, "payload": payload}


def item(kind: str, **more: Any) -> dict[str, Any]:
    return line("response_item", type=kind, **more)


def event(kind: str, **more: Any) -> dict[str, Any]:
    return line("event_msg", type=kind, **more)


def message(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": kind, "text": text}])


def call(call_id: str, tool: str = "shell", arguments: Json = None) -> dict[str, Any]:
    spelled = json.dumps({"command": ["ls"]} if arguments is None else arguments, ensure_ascii=False)
    return item("function_call", id=f"fc_{call_id}", name=tool, call_id=call_id, arguments=spelled)


def output(call_id: str, content: Json = "a.txt") -> dict[str, Any]:
    return item("function_call_output", call_id=call_id, output=content)


def tokens(total: Json, **last: int) -> dict[str, Any]:
    return event("token_count", info={"total_token_usage": {"total_tokens": total}, "last_token_usage": last})


def of_item(event: str, kind: str, **more: Any) -> dict[str, Any]:
    """An event of a stream about an item."""
    return {"type": f"item.{event}", "item": {"type": kind, **more}}


def _session(told: Story) -> Iterator[dict[str, Any]]:
    yield line("session_meta", id=told.name, cwd="/w", originator="codex_cli_rs")
    yield message("user", told.prompt)
    for turn in (*told.turns, Turn((), told.answer)):
        if turn.text:
            yield message("assistant", turn.text)
        yield from (call(one.id, one.tool, one.arguments) for one in turn.calls)
        yield from (output(one.id, _output(one)) for one in turn.calls if one.observation is not NOTHING)


def _output(one: Call) -> Json:
    if not one.failed:
        return one.observation
    return json.dumps({"output": one.observation, "metadata": {"exit_code": 1, "duration_seconds": 0.1}})


def _thread(told: Story) -> Iterator[Json]:
    yield {"type": "thread.started", "thread_id": told.name}
    yield {"type": "turn.started"}
    for turn in (*told.turns, Turn((), told.answer)):
        if turn.text:
            yield of_item("completed", "agent_message", text=turn.text)
        for one in turn.calls:
            yield of_item("started", "mcp_tool_call", id=one.id, tool=one.tool, arguments=one.arguments)
        yield from (_ended(one) for one in turn.calls if one.observation is not NOTHING)


def _ended(one: Call) -> Json:
    answer = {"error": {"message": one.observation}} if one.failed else {"result": {"content": _blocks(one)}}
    status = "failed" if one.failed else "completed"
    return of_item(
        "completed", "mcp_tool_call", id=one.id, tool=one.tool, arguments=one.arguments, status=status, **answer
    )


def _blocks(one: Call) -> Json:
    return [{"type": "text", "text": one.observation}]

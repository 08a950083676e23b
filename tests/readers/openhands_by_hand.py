"""Runs of OpenHands written by hand: events of version 0.x, and of the SDK."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from loopviz.model import Json
from tests.readers.stories import NOTHING, Call, Story, Turn


def write(stories: Sequence[Story]) -> bytes:
    """Records of an evaluation, one a line."""
    return lines(*({"instance_id": told.name, "history": list(_events(told))} for told in stories))


def write_sdk(stories: Sequence[Story]) -> bytes:
    """Records of a benchmark with events of the SDK, one a line."""
    return lines(*({"instance_id": told.name, "history": list(_sdk_events(told))} for told in stories))


def lines(*records: Json) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def action(kind: str, number: Json, source: Json = "agent", asked: Json = None, **args: Any) -> dict[str, Any]:
    """An action; `asked` is what goes into `tool_call_metadata`."""
    event = {"id": number, "timestamp": "2026-01-02T03:04:05.000006", "source": source, "action": kind, "args": args}
    return event if asked is None else {**event, "tool_call_metadata": asked}


def observation(kind: str, cause: Json, content: Json, **extras: Any) -> dict[str, Any]:
    return {"observation": kind, "cause": cause, "source": "agent", "content": content, "extras": extras}


def asked(tool: str, call_id: str, response: str, arguments: Json = None, **fields: Any) -> dict[str, Any]:
    """That the model asked for a call; with arguments, in its own words."""
    call = {"id": call_id, "function": {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}}
    choices = [] if arguments is None else [{"message": {"tool_calls": [call]}}]
    model_response = {"id": response, "choices": choices, **fields}
    return {"function_name": tool, "tool_call_id": call_id, "model_response": model_response}


def sdk(kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": "e", "timestamp": "2026-01-02T03:04:05.000006", "source": "agent", "kind": kind, **fields}


def sdk_call(tool: str, arguments: Json, call_id: Json = "c", response: Json = "r", **fields: Any) -> dict[str, Any]:
    call = {"id": call_id, "name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
    action = {"kind": "Action"}
    names = {"tool_name": tool, "tool_call_id": call_id, "llm_response_id": response}
    return sdk("ActionEvent", tool_call=call, action=action, thought=[], **names, **fields)


def sdk_result(content: Json, call_id: Json = "c", **observation: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return sdk("ObservationEvent", tool_call_id=call_id, observation={"content": blocks, **observation})


def sdk_message(source: str, content: str, response: Json = None) -> dict[str, Any]:
    message = {"role": source, "content": [{"type": "text", "text": content}]}
    return {**sdk("MessageEvent", llm_message=message, llm_response_id=response), "source": source}


def _events(told: Story) -> Iterator[Json]:
    numbers = count()
    yield action("message", next(numbers), "user", content=told.prompt)
    for turn in told.turns:
        response, begun, thought = f"r{next(numbers)}", [], turn.text
        if not turn.calls:
            yield action("message", next(numbers), content=turn.text)
        for one in turn.calls:
            begun.append(next(numbers))
            own = asked(one.tool, one.id, response, one.arguments)
            yield action("run", begun[-1], asked=own, thought=thought)
            thought = ""
        yield from (_observation(one, number) for one, number in zip(turn.calls, begun, strict=True) if _answered(one))
    yield action("message", next(numbers), content=told.answer)


def _observation(one: Call, number: int) -> Json:
    return observation("error" if one.failed else "run", number, one.observation)


def _sdk_events(told: Story) -> Iterator[Json]:
    yield sdk_message("user", told.prompt)
    for number, turn in enumerate((*told.turns, Turn((), told.answer))):
        if turn.text:
            yield sdk_message("agent", turn.text, f"r{number}")
        yield from (sdk_call(one.tool, one.arguments, one.id, f"r{number}") for one in turn.calls)
        yield from (sdk_result(one.observation, one.id, is_error=one.failed) for one in turn.calls if _answered(one))


def _answered(one: Call) -> bool:
    return one.observation is not NOTHING

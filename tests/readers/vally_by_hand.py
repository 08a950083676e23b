"""Vally files written by hand: events, trajectories and trials as short as a test needs them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.stories import NOTHING, Story

Event = dict[str, Any]
ABSENT = object()
"""A field that is not written at all."""


def event(kind: str, **data: Any) -> Event:
    """An event; `on_event` holds fields that stand beside its data, and a field that is `ABSENT` is left out."""
    beside = data.pop("on_event", {})
    return {"type": kind, **beside, "data": {key: value for key, value in data.items() if value is not ABSENT}}


def start(turn: str | None = None, **data: Any) -> Event:
    return event("turn_start", turnId=ABSENT if turn is None else turn, **data)


def end(turn: str | None = None, **data: Any) -> Event:
    return event("turn_end", turnId=ABSENT if turn is None else turn, **data)


def call(tool: Json = ABSENT, call_id: Json = ABSENT, arguments: Json = ABSENT, **data: Any) -> Event:
    return event("tool_call", toolName=tool, toolCallId=call_id, arguments=arguments, **data)


def result(value: Json = ABSENT, call_id: Json = ABSENT, tool: Json = ABSENT, **data: Any) -> Event:
    return event("tool_result", toolName=tool, toolCallId=call_id, result=value, **data)


def document(*events: Json, **fields: Any) -> bytes:
    """A bare trajectory."""
    return json.dumps({"id": "t1", "stimulus": {"name": "s1"}, "events": list(events), **fields}).encode()


def trial(*events: Json, **fields: Any) -> dict[str, Any]:
    """A trial with its trajectory inside; a field that is `ABSENT` is left out."""
    trajectory = {"id": "t1", "stimulus": {"name": "s1"}, "events": list(events)}
    record = {"type": "trial-result", "itemId": "i1", "trajectory": trajectory, **fields}
    return {key: value for key, value in record.items() if value is not ABSENT}


def lines(*records: Json) -> bytes:
    """A file of lines; a record that is bytes already stands in it as it is."""
    texts = (record if isinstance(record, bytes) else json.dumps(record).encode() for record in records)
    return b"".join(text + b"\n" for text in texts)


def load(data: bytes) -> Loaded:
    return read_bytes(data, "a.json")


def only(data: bytes) -> Trajectory:
    """The one trajectory of a file."""
    (trajectory,) = load(data).trajectories
    return trajectory


def read_events(*events: Json) -> Trajectory:
    """The trajectory that these events make."""
    return only(document(*events))


def observations(trajectory: Trajectory) -> list[Json]:
    """What each call gave back, decoded; `ABSENT` where there is nothing."""
    raws = map(trajectory.observation_json, range(len(trajectory.calls)))
    return [ABSENT if raw is None else json.loads(raw) for raw in raws]


def tools(trajectory: Trajectory) -> list[str]:
    return [trajectory.tool(number) for number in range(len(trajectory.calls))]


def turns(trajectory: Trajectory) -> list[int]:
    return [int(turn) for turn in trajectory.calls.turn]


def troubles(trajectory: Trajectory) -> list[tuple[str, str]]:
    """Where something was wrong, and the first words that say what."""
    return [(problem.where, " ".join(problem.message.split()[:4])) for problem in trajectory.problems]


def _events(told: Story) -> list[Event]:
    events = [event("user_message", content=told.prompt)]
    for number, turn in enumerate(told.turns):
        events.append(start(str(number)))
        if turn.text:
            events.append(event("assistant_message", content=turn.text))
        events += [call(one.tool, one.id, one.arguments) for one in turn.calls]
        events += [
            result(one.observation, one.id, success=not one.failed)
            for one in turn.calls
            if one.observation is not NOTHING
        ]
        events.append(end(str(number)))
    return [*events, event("assistant_message", content=told.answer)]


def _trajectory(told: Story) -> Json:
    return {"id": told.name, "stimulus": {"name": "s", "prompt": told.prompt}, "events": _events(told)}


def write_trajectories(stories: Sequence[Story]) -> bytes:
    return _pretty_lines(_trajectory(told) for told in stories)


def write_results(stories: Sequence[Story]) -> bytes:
    return _pretty_lines(
        {"type": "trial-result", "itemId": told.name, "trajectory": _trajectory(told)} for told in stories
    )


def write_outcomes(stories: Sequence[Story]) -> bytes:
    return _pretty_lines(
        {"status": "ok", "trajectory": _trajectory(told), "gradeResult": {"passed": True}} for told in stories
    )


def _pretty_lines(records: Iterable[Json]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()

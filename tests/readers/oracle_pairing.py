"""Turns, calls said twice, results and tools by the letter of SPEC, section 1, rules 2 to 4: slow and plain.

It shares no code with the package. Events are dictionaries as Vally writes them, with texts or nothing in their fields.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]


@dataclass
class Call:
    """A call, and what became of it."""

    event: int
    turn: int | None
    id: str
    own_tool: str
    arguments: str
    result: int | None = None
    tool: str = ""


def read(events: list[Event]) -> tuple[list[Call], list[int], int]:
    """The calls in file order, the results that have none, and how many turns there are."""
    opened = [number for number, event in enumerate(events) if event["type"] == "turn_start"]
    calls: list[Call] = []
    for number, event in enumerate(events):
        if event["type"] == "tool_call":
            found = Call(number, turn_of(events, number), *call_fields(event))
            if not said_before(calls, found):
                calls.append(found)
    orphans = give_out(calls, events)
    for each in calls:
        own_result = "" if each.result is None else tool_of(events[each.result])
        each.tool = each.own_tool or own_result or "unknown"
        each.turn = None if each.turn is None else opened.index(each.turn)
    return calls, orphans, len(opened)


def field(event: Event, name: str) -> str:
    return event.get("data", {}).get(name) or event.get(name) or ""


def agent_of(event: Event) -> str:
    return field(event, "agentId") or field(event, "parentToolCallId")


def tool_of(event: Event) -> str:
    return event["data"].get("toolName") or event["data"].get("name") or ""


def call_fields(event: Event) -> tuple[str, str, str]:
    arguments = json.dumps(event["data"].get("arguments"), sort_keys=True)
    return event["data"].get("toolCallId") or "", tool_of(event), arguments


def open_at(events: list[Event], number: int) -> dict[str, int]:
    """For each agent the event that opened its turn, of the turns open just before event `number`."""
    opened: dict[str, int] = {}
    for earlier, event in enumerate(events[:number]):
        if event["type"] == "turn_start":
            opened.pop(agent_of(event), None)
            opened[agent_of(event)] = earlier
        elif event["type"] == "turn_end":
            opened.pop(agent_of(event), None)
    return opened


def turn_of(events: list[Event], number: int) -> int | None:
    """The event that opened the turn of the call at event `number`."""
    event, opened = events[number], open_at(events, number)
    own = opened.get(agent_of(event))
    wanted = field(event, "turnId")
    bearers = [at for at in opened.values() if wanted and field(events[at], "turnId") == wanted]
    if own in bearers or not bearers:
        return own
    main = opened.get("")
    return main if main in bearers else bearers[0]


def said_before(calls: list[Call], call: Call) -> bool:
    return any(
        call.id
        and call.turn is not None
        and (call.turn, call.id, call.own_tool, call.arguments) == (one.turn, one.id, one.own_tool, one.arguments)
        for one in calls
    )


def give_out(calls: list[Call], events: list[Event]) -> list[int]:
    results = [number for number, event in enumerate(events) if event["type"] == "tool_result"]
    orphans = []
    for call_id in {call.id for call in calls if call.id}:
        same = [call for call in calls if call.id == call_id]
        own = [number for number in results if events[number]["data"].get("toolCallId") == call_id]
        for each, call in enumerate(same):
            last_takes_rest = own[each:] if each == len(same) - 1 else own[each : each + 1]
            call.result = last_takes_rest[-1] if last_takes_rest else None
    for number in results:
        call_id = events[number]["data"].get("toolCallId") or ""
        if call_id:
            if all(call.id != call_id for call in calls):
                orphans.append(number)
            continue
        tool = tool_of(events[number])
        waiting = [
            call
            for call in calls
            if call.event < number and call.result is None and (not tool or call.own_tool == tool)
        ]
        if waiting:
            waiting[0].result = number
        else:
            orphans.append(number)
    return sorted(orphans)

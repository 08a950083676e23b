"""The short lines of the Help page, such as `A A _ A A`, as recorded runs.

A line becomes a Vally trajectory, and that goes through the same reader as any file: nothing about it is special. Every
group of signs between spaces is a turn with one call; turns with several stand in round brackets.

    A    a call of tool A            A1 A2    two outputs of it        A_   an empty output
    Ap   other arguments, id = p     A!       it failed                _    the call before once more, output empty
    x    a tool that is not watched  (A B)    two calls in one turn
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from loopviz.analysis.runset import RunSet
from loopviz.model import Json
from loopviz.readers import read_bytes

WATCHED = ("^[A-Z]",)
"""The tool filter of the examples: small letters are not watched."""
MOST_CALLS, MOST_SIGNS = 60, 200
_SIGN = re.compile(r"(?P<tool>[A-Za-z])(?P<id>[a-z]?)(?P<output>\d*)(?P<empty>_?)(?P<failed>!?)|_")
_TURN = re.compile(r"\((?P<several>[^()]*)\)|(?P<one>[^()\s]+)")


class NotationError(ValueError):
    """A line that means nothing; the message says which part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One call of a line."""

    tool: str
    id: str = ""
    output: str = ""
    empty: bool = False
    failed: bool = False


def read_line(line: str) -> list[tuple[Sign, ...]]:
    """The turns of a line, each with its calls.

    Raises:
        NotationError: if something in it means nothing, or if it is too long.
    """
    if len(line) > MOST_SIGNS:
        raise NotationError(f"This line is too long: it has {len(line):,} signs, and at most {MOST_SIGNS} are read")
    rest = _TURN.sub("", line).split()
    if rest:
        raise NotationError(f"A bracket stands alone: {rest[0]}")
    turns: list[tuple[Sign, ...]] = []
    before = Sign(tool="A")
    for turn in _TURN.finditer(line):
        calls = []
        for word in (turn["one"] or turn["several"]).split():
            before = _read_sign(word, before)
            calls.append(before)
        turns.append(tuple(calls))
    if sum(map(len, turns)) > MOST_CALLS:
        raise NotationError(f"This line has more than {MOST_CALLS} calls")
    return turns


def _read_sign(word: str, before: Sign) -> Sign:
    found = _SIGN.fullmatch(word)
    if found is None:
        raise NotationError(f"This means nothing here: {word}")
    if found["tool"] is None:
        return replace(before, empty=True, failed=False)
    return Sign(
        tool=found["tool"],
        id=found["id"],
        output=found["output"],
        empty=bool(found["empty"]),
        failed=bool(found["failed"]),
    )


def run_of_line(line: str) -> RunSet:
    """The run that a line stands for, alone in its set.

    Raises:
        NotationError: if something in the line means nothing.
    """
    return run_of(events_of(read_line(line), {}))


def run_of_commands(commands: Sequence[str], tools: Sequence[str]) -> RunSet:
    """A run with a call for each command line, given as its tool's only argument."""
    events = []
    for tool, command in zip(tools, commands, strict=True):
        events += [{"type": "turn_start"}, _event("tool_call", toolName=tool, arguments={"command": command})]
    return run_of(events)


def run_of(events: Sequence[Json]) -> RunSet:
    """The run of some events of a Vally trajectory, read as a file is."""
    data = json.dumps({"id": "example", "events": events}).encode()
    return RunSet(read_bytes(data, "example").trajectories)


def events_of(turns: Sequence[tuple[Sign, ...]], names: Mapping[str, str]) -> list[Json]:
    """The events of a Vally trajectory; `names` gives a letter the name of a tool."""
    events: list[Json] = []
    for number, turn in enumerate(turns):
        events.append({"type": "turn_start"})
        for place, sign in enumerate(turn):
            events += _call(sign, names.get(sign.tool, sign.tool), f"{number + 1}.{place + 1}")
    return events


def _call(sign: Sign, tool: str, call_id: str) -> Iterator[Json]:
    arguments = {"id": sign.id} if sign.id else {}
    yield _event("tool_call", toolName=tool, toolCallId=call_id, arguments=arguments)
    output = "" if sign.empty else f"output {sign.output}".strip()
    yield _event("tool_result", toolName=tool, toolCallId=call_id, success=not sign.failed, result=output)


def _event(event_type: str, **data: Json) -> Json:
    return {"type": event_type, "data": data}

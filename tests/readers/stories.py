"""Runs that every format can hold: what the contract writes in each of them, and what must come back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from loopviz.canonical import canonical
from loopviz.model import Json, Trajectory

NOTHING = object()
"""The result of a call that nobody answered."""


@dataclass(frozen=True)
class Call:
    id: str
    tool: str
    arguments: dict[str, Json]
    observation: Any = NOTHING
    """A text, or `NOTHING`."""
    failed: bool = False


@dataclass(frozen=True)
class Turn:
    calls: tuple[Call, ...]
    text: str = ""


@dataclass(frozen=True)
class Story:
    name: str
    turns: tuple[Turn, ...]
    prompt: str = "Tidy up \U0001f9f9"
    answer: str = "done"

    @property
    def calls(self) -> list[Call]:
        return [call for turn in self.turns for call in turn.calls]

    def named(self, name: str) -> Story:
        return replace(self, name=name)


def story(*turns: Turn | Call, name: str = "s1") -> Story:
    """A run; a call that is no turn is one by itself."""
    return Story(name, tuple(turn if isinstance(turn, Turn) else Turn((turn,)) for turn in turns))


def _ls(call_id: str, observation: Any = "a.txt\n") -> Call:
    return Call(call_id, "bash", {"command": "ls"}, observation)


_VIEW = Call("b", "view", {"path": "ü.py", "range": [1, 2.5]}, "über\n")
_TESTS = Call("t", "run_tests", {"path": "tests", "verbose": True}, "1 failed")
_EDIT = Call("e", "edit", {"path": "a.py", "text": 'x = {"a": null}'}, "edited")

SHORT = story(Turn((_ls("a"), replace(_VIEW, observation="no such file", failed=True)), text="Let me look."))
"""Two calls of one turn, one of which fails: what is spoilt and cut at every byte."""

LOOPS = story(
    Turn((_ls("a"), _VIEW), text="Let me look."),
    *(Turn((replace(_TESTS, id=f"t{number}"),)) for number in range(6)),
    *(Turn((replace(call, id=f"{call.id}x{number}"),)) for number in range(3) for call in (_EDIT, _TESTS)),
    Turn((_ls("c"), _ls("d"))),
)
"""A loop of one call, a loop of two, and the same call twice in one turn: all three detectors have something to say."""

STORIES = {
    "no calls": story(Turn((), text="There is nothing to do.")),
    "one call": story(_ls("a")),
    "several turns": story(_ls("a"), _VIEW, _ls("c", "b.txt\n")),
    "parallel calls": story(Turn((_ls("a"), _VIEW, _ls("c"))), _ls("d")),
    "missing result": story(_ls("a"), _ls("b", NOTHING)),
    "missing result among parallel calls": story(Turn((_ls("a", NOTHING), _VIEW)), _ls("c")),
    "empty result": story(_ls("a", ""), _ls("b", "")),
    "error result": story(_ls("a"), replace(_ls("b", "no such folder"), failed=True)),
    "ids that come again": story(_ls("0", "a"), _ls("0", "b"), _ls("0", "c")),
    "no arguments": story(Call("a", "status", {}, "clean"), Call("b", "status", {}, "clean")),
    "redacted": story(Call("a", "bash", {"command": "[REDACTED]"}, "[REDACTED]")),
    "loops": LOOPS,
}
NEEDS = {
    "no calls": {"no calls"},
    "parallel calls": {"parallel"},
    "missing result": {"missing"},
    "missing result among parallel calls": {"missing", "parallel"},
    "empty result": {"empty"},
    "error result": {"failed"},
    "ids that come again": {"ids"},
    "loops": {"parallel"},
}
"""What a format must be able to record to hold a story."""


def expected(told: Story) -> list[dict[str, Any]]:
    """What a reader should make of each call."""
    return [
        {
            "turn": turn,
            "id": call.id,
            "tool": call.tool,
            "arguments": canonical(call.arguments).decode(),
            "observation": None if call.observation is NOTHING else call.observation,
            "failed": call.failed,
            "unknown": call.observation == "[REDACTED]",
        }
        for turn, calls in enumerate(turn.calls for turn in told.turns if turn.calls)
        for call in calls
    ]


def found(trajectory: Trajectory) -> list[dict[str, Any]]:
    """What a reader made of each call, turns numbered by those that hold calls."""
    calls, book = trajectory.calls, trajectory.codebook
    numbers: dict[object, int] = {}
    raws = map(trajectory.observation_json, range(len(calls)))
    return [
        {
            "turn": numbers.setdefault(
                ("alone", call) if calls.turn[call] < 0 else int(calls.turn[call]), len(numbers)
            ),
            "id": calls.ids[call],
            "tool": trajectory.tool(call),
            "arguments": book.keys[book.codes[calls.arguments[call]]].decode(),
            "observation": None if raw is None else json.loads(raw),
            "failed": bool(calls.failed[call]),
            "unknown": bool(calls.unknown_arguments[call] and calls.unknown_observation[call]),
        }
        for call, raw in enumerate(raws)
    ]


def _turn_of(trajectory: Trajectory, call: int) -> object:
    turn = int(trajectory.calls.turn[call])
    return ("alone", call) if turn < 0 else turn

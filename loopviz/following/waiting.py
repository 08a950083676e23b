"""What rests on a result that may still come, and is therefore not told yet.

Some programs write a call first and its result later. Until it comes, a call counts as one that came back with nothing,
which is right at the end of a run and may be wrong while it goes on: whoever stopped an agent by that would stop a
healthy one. So what rests on such a call is held back until its result comes, another turn begins, or the run ends.

A result may still come for the calls of the last turn; of calls that stand alone, for the last one.
"""

from __future__ import annotations

from typing import Protocol

from loopviz.detectors.thrash import Kind
from loopviz.model import Trajectory

RESTING = (Kind.EMPTY_RETRY, Kind.PING_PONG)
"""Stops that rest on results; an identical call is one whatever it came back with."""


class Turns(Protocol):
    """The calls of a run so far, by their numbers from 0."""

    @property
    def n_turns(self) -> int:
        """How many turns have begun."""

    def __len__(self) -> int:
        """How many calls there are."""

    def turn_of(self, call: int) -> int:
        """The turn of a call, or -1."""

    def is_answered(self, call: int) -> bool:
        """Whether its result is there."""


def is_last(call: int, calls: Turns) -> bool:
    """Whether results may still come for the turn of a call."""
    last, turn = len(calls) - 1, calls.turn_of(call)
    if turn < 0:
        return call == last
    return turn == calls.n_turns - 1 == calls.turn_of(last)


def waits(call: int, calls: Turns) -> bool:
    """Whether a call, or one before it in its turn, may still be answered."""
    if not is_last(call, calls):
        return False
    turn = calls.turn_of(call)
    while calls.is_answered(call):
        call -= 1
        if turn < 0 or call < 0 or calls.turn_of(call) != turn:
            return False
    return True


def is_stop_held(kind: Kind, call: int, calls: Turns) -> bool:
    """Whether a stop rests on what may still come."""
    return kind in RESTING and waits(call, calls)


def is_failure_held(match: str, call: int | None, calls: Turns) -> bool:
    """Whether a grader that compares results in this way fails at a call by those of a turn that lacks some."""
    return match == "observation" and call is not None and is_last(call, calls) and waits(len(calls) - 1, calls)


class Recorded:
    """The calls of a run that was read as far as it is written."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.n_turns = trajectory.n_turns
        self._calls = trajectory.calls

    def __len__(self) -> int:
        return len(self._calls)

    def turn_of(self, call: int) -> int:
        """The turn of a call, or -1."""
        return int(self._calls.turn[call])

    def is_answered(self, call: int) -> bool:
        """Whether its result is there."""
        return bool(self._calls.result_offset[call] >= 0)

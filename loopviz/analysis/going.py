"""What a person means who types where to go: a call, a turn, a counted step, a line, a byte, a call id, or a text.

The readings are tried in the order of `KINDS`. What is named by a word (`turn 8`, `t8`) is that; a bare number is a
call, unless there is none of that number but one of that id. Every other reading is kept, so that it can be offered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from loopviz.model import IntArray, Trajectory

GoKind = Literal["call", "turn", "step", "line", "byte", "id", "stretch", "text"]
KINDS: tuple[GoKind, ...] = ("call", "turn", "step", "line", "byte", "id", "stretch", "text")
"""The readings in their order."""

_NAMED = re.compile(r"(call|turn|step|line|byte|[ctslb#])?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15})", re.IGNORECASE)
_STRETCH = re.compile(r"(?:calls?\s*)?([0-9]{1,12})\s*(?:-|–|—|\.\.|to)\s*([0-9]{1,12})", re.IGNORECASE)
_SHORT: dict[str, GoKind] = {"c": "call", "#": "call", "t": "turn", "s": "step", "l": "line", "b": "byte"}
_NUMBERED: tuple[GoKind, ...] = ("call", "turn", "step", "line")
"""Readings of a bare number; nobody means a byte who does not say so."""


MOST_FURTHER = 3
"""Calls that are offered of those which bear the same id, beside the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reading of what was typed."""

    kind: GoKind
    number: int = 0
    """The number that was named, from 1 as a person counts; bytes from 0, as files do."""
    last: int = 0
    """Of a stretch: the number of its last call."""
    words: str = ""
    """Of an id or a text: what was typed."""
    call: int | None = None
    """The call it leads to, from 0; None for a text, and where there is none."""
    exact: bool = True
    """False where the place itself holds no call, so that a neighbour stands in."""
    bearers: int = 1
    """Of an id: the calls that bear it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """What was typed, as it is read."""

    taken: Reading
    others: tuple[Reading, ...] = ()
    """The other readings that lead somewhere, in their order; the text last."""

    def as_read(self, kind: GoKind) -> Going:
        """The same with another reading taken, where it is one of them."""
        every = (self.taken, *self.others)
        taken = next((one for one in every if one.kind == kind), self.taken)
        return Going(taken=taken, others=tuple(one for one in every if one is not taken))


def read(words: str, trajectory: Trajectory, step_of_call: IntArray) -> Going:
    """Read what was typed.

    Args:
        words: What was typed, white space at its ends aside.
        trajectory: The run it is about.
        step_of_call: Counted step of each call under the settings in force, -1 where it is not watched.
    """
    readings = _readings(words.strip(), trajectory, step_of_call)
    taken = readings[0]
    if taken.call is None:
        taken = next((one for one in readings if one.kind == "id"), taken)
    others = tuple(one for one in readings if one is not taken and _leads(one))
    return Going(taken=taken, others=others)


def _leads(reading: Reading) -> bool:
    """Whether a reading is worth an offer: it leads to the very place, or into the texts."""
    return reading.kind == "text" or (reading.call is not None and reading.exact)


def _readings(words: str, trajectory: Trajectory, step_of_call: IntArray) -> list[Reading]:
    """Every reading in its order, those that lead nowhere included; the text last."""
    readings = [find(kind, number, trajectory, step_of_call) for kind, number in _numbered(words)]
    if words and words in trajectory.calls.ids:
        readings += _by_id(words, trajectory, [one.call for one in readings if one.kind == "call"])
    stretch = _STRETCH.fullmatch(words)
    if stretch:
        readings.append(_stretch(int(stretch[1]), int(stretch[2]), len(trajectory.calls)))
    return [*readings, Reading(kind="text", words=words)]


def _by_id(words: str, trajectory: Trajectory, named: Sequence[int | None]) -> list[Reading]:
    """The first call with an id; of several a few more as calls, save those that are named already."""
    calls = [call for call, name in enumerate(trajectory.calls.ids) if name == words]
    further = [call for call in calls[1 : 1 + MOST_FURTHER] if call not in named]
    return [
        Reading(kind="id", words=words, call=calls[0], bearers=len(calls)),
        *(Reading(kind="call", number=call + 1, call=call) for call in further),
    ]


def _numbered(words: str) -> list[tuple[GoKind, int]]:
    named = _NAMED.fullmatch(words)
    if not named:
        return []
    name, number = (named[1] or "").lower(), int(named[2].replace(",", ""))
    kinds = _NUMBERED if not name else tuple(kind for kind in KINDS if kind == _SHORT.get(name, name))
    return [(kind, number) for kind in kinds]


def find(kind: GoKind, number: int, trajectory: Trajectory, step_of_call: IntArray) -> Reading:
    """Where a numbered place leads; to the next call where the place itself has none."""
    calls = trajectory.calls
    if kind == "call":
        return Reading(kind=kind, number=number, call=number - 1 if 1 <= number <= len(calls) else None)
    if kind == "turn":
        there = 1 <= number <= trajectory.n_turns
        return _first_from(kind, number, calls.turn, number - 1) if there else Reading(kind=kind, number=number)
    if kind == "step":
        at = np.flatnonzero(step_of_call == number - 1) if number else np.zeros(0, dtype=np.int64)
        return Reading(kind=kind, number=number, call=int(at[0]) if len(at) else None)
    if kind == "line":
        return _last_to(kind, number, calls.line) if calls.line.any() else Reading(kind=kind, number=number)
    return _byte(number, trajectory)


def _first_from(kind: GoKind, number: int, column: IntArray, wanted: int) -> Reading:
    """The first call at `wanted` or, where there is none, behind it."""
    at = np.flatnonzero(column == wanted)
    if len(at):
        return Reading(kind=kind, number=number, call=int(at[0]))
    behind = np.flatnonzero(column > wanted)
    return Reading(kind=kind, number=number, call=int(behind[0]) if len(behind) else None, exact=False)


def _last_to(kind: GoKind, number: int, column: IntArray) -> Reading:
    """The first call at `number` or, where there is none, the last before it."""
    at = np.flatnonzero(column == number)
    if len(at):
        return Reading(kind=kind, number=number, call=int(at[0]))
    before = np.flatnonzero(column < number)
    return Reading(kind=kind, number=number, call=int(before[-1]) if len(before) else None, exact=False)


def _byte(number: int, trajectory: Trajectory) -> Reading:
    """The call whose record, or that of whose result, holds a byte; else the last that begins before it."""
    calls = trajectory.calls
    for offset, length in ((calls.offset, calls.length), (calls.result_offset, calls.result_length)):
        inside = np.flatnonzero((offset >= 0) & (offset <= number) & (number < offset + length))
        if len(inside):
            return Reading(kind="byte", number=number, call=int(inside[0]))
    before = np.flatnonzero(calls.offset <= number)
    there = len(before) and number < trajectory.source.size
    return Reading(kind="byte", number=number, call=int(before[-1]) if there else None, exact=False)


def _stretch(first: int, last: int, n_calls: int) -> Reading:
    first, last = min(first, last), max(first, last)
    there = first >= 1 and last <= n_calls
    return Reading(kind="stretch", number=first, last=last, call=first - 1 if there else None)

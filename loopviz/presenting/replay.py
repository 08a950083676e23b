"""A run told call by call, as plain data: what was done, what came back, and whether that was so before.

Texts are cut and masked here, once each, and calls name them by number. A run of very many calls brings the texts of
those round the repeat and of the first ones; the others are told by their tools alone, and a note says so.
"""

from __future__ import annotations

import json
from typing import Any, TypedDict

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.masking import mask, mask_text
from loopviz.model import MISSING, IntArray, Trajectory
from loopviz.presenting.labels import LEVELS, stop_words
from loopviz.presenting.names import cut, seen, tool_name
from loopviz.presenting.repeats import Copies, shown_copies
from loopviz.presenting.stopping import stop_point
from loopviz.timeline.contract import CycleState, Encoded, encode
from loopviz.timeline.guards import level_of_call
from loopviz.timeline.telling import decoded
from loopviz.timeline.words import number

MOST_TOLD = 2_000
"""Calls whose texts are told."""
LONGEST_ASKED, LONGEST_RESULT = 60, 48
"""Characters of what was asked for, and of what came back."""
_BEGINNING = 20_000
"""Characters of a text that are masked before it is cut."""
_NO_TEXT = -1


class Told(TypedDict):
    """Everything that a replay says; columns are as `loopviz.timeline.contract.encode` writes them, a number a call."""

    n_calls: int
    texts: list[str]
    """Every text once."""
    tools: list[str]
    tool: Encoded
    """Index into `tools`."""
    asked: Encoded
    """Index into `texts`, -1 where nothing is told."""
    result: Encoded
    """The same, of what came back."""
    level: Encoded
    """Ladder level at the call, 0 to 3."""
    fires: Encoded
    """The level that fires at the call, 0 where none does."""
    copy: Encoded
    """Number of the copy of the repeat that is shown, from 1; 0 outside it."""
    again: list[str]
    """By number of the copy: `the 5th time, the same result`; the first, for calls in no copy, is empty. Copies beyond
    the list are told by its last entry."""
    levels: list[str]
    """By level: `a warning guard would say: try another way`; the first is empty."""
    stop: tuple[int, str] | None
    """The call after which, or before which, the run could have ended, and what to say there."""
    note: str
    """What is left out; empty where nothing is."""


def tell_replay(inspection: Inspection, *, hide_texts: bool) -> Told:
    """Tell every call of a run.

    Args:
        inspection: The run and what was found in it.
        hide_texts: Leave out what was asked for and what came back.
    """
    trajectory, n_calls = inspection.trajectory, len(inspection.trajectory.calls)
    copies, stop = shown_copies(inspection), stop_point(inspection)
    told = np.zeros(0, dtype=np.int64) if hide_texts else _told(n_calls, copies)
    texts = _Texts(trajectory)
    asked, result = texts.column(told, asked=True), texts.column(told, asked=False)
    used, tool = np.unique(trajectory.calls.tool, return_inverse=True)
    fires = np.zeros(n_calls, dtype=np.int64)
    for firing in inspection.ladder.fired(0):
        fires[firing.call] = int(firing.level)
    return {
        "n_calls": n_calls,
        "texts": texts.told,
        "tools": [tool_name(trajectory.codebook.tools[index]) for index in used.tolist()],
        "tool": encode(tool),
        "asked": encode(asked),
        "result": encode(result),
        "level": encode(level_of_call(inspection)),
        "fires": encode(fires),
        "copy": encode(np.zeros(n_calls, dtype=np.int64) if copies is None else copies.copy_of_call + 1),
        "again": [] if copies is None else _agains(copies),
        "levels": ["", *(f"a warning guard would say: {words}" for words in LEVELS[1:])],
        "stop": None if stop is None else (min(stop.call, n_calls - 1), stop_words(stop)),
        "note": _note(n_calls, len(told), hide_texts),
    }


def _agains(copies: Copies) -> list[str]:
    told = [again(copies, copy) for copy in range(min(copies.times, MOST_TOLD))]
    return ["", *told, *(["one time more"] if copies.times > MOST_TOLD else [])]


def again(copies: Copies, copy: int) -> str:
    """`the 5th time, the same result`: what is to be said of a copy, counted from 0."""
    if copy == 0:
        return "the 1st time"
    results = {"same": ", the same result", "new": ", another result", "empty": ", nothing back"}
    if copies.tool is None:
        results = {"same": ", the same results", "empty": ", nothing back"}
    counted = "" if copies.state is not CycleState.NOT_COUNTED else " (not counted)"
    return f"the {ordinal(copy + 1)} time{results.get(copies.results, '')}{counted}"


def ordinal(value: int) -> str:
    """`1st`, `22nd`, `113th`."""
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{number(value)}{ending}"


def _note(n_calls: int, n_told: int, hide_texts: bool) -> str:
    if hide_texts:
        return "Texts are hidden."
    if n_told < n_calls:
        return f"Texts are told of {number(n_told)} of {number(n_calls)} calls, those of the repeat first."
    return ""


def _told(n_calls: int, copies: Copies | None) -> IntArray:
    """The calls whose texts are told, ascending: those of the repeat, those before and after it, then the first."""
    if n_calls <= MOST_TOLD:
        return np.arange(n_calls)
    if copies is None:
        return np.arange(MOST_TOLD)
    first, last = copies.first_call(), copies.last_call()
    place = np.arange(n_calls)
    distance = np.maximum(np.maximum(first - place, place - last), 0)
    return np.sort(np.argsort(distance, kind="stable")[:MOST_TOLD])


class _Texts:
    """The short texts of some calls, each once, found by the value that they are made of."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.told: list[str] = []
        self._trajectory = trajectory
        self._place: dict[str, int] = {}

    def column(self, calls: IntArray, *, asked: bool) -> IntArray:
        """Which text each call of the run has, shape (n_calls,)."""
        columns = self._trajectory.calls
        values = columns.arguments if asked else columns.observation
        column = np.full(len(columns), _NO_TEXT)
        known: dict[int, int] = {}
        for call in calls.tolist():
            value = int(values[call])
            if value not in known:
                known[value] = self._text(value, asked=asked)
            column[call] = known[value]
        return column

    def _text(self, value: int, *, asked: bool) -> int:
        if value == MISSING:
            return _NO_TEXT
        told = decoded(self._trajectory.codebook.values[value])
        words = asked_briefly(told) if asked else result_briefly(told)
        if not words:
            return _NO_TEXT
        if words not in self._place:
            self._place[words] = len(self.told)
            self.told.append(words)
        return self._place[words]


def asked_briefly(arguments: Any) -> str:
    """What was asked for, in one short line: the values of the arguments, as far as they fit."""
    masked = mask(arguments)
    values = list(masked.values()) if isinstance(masked, dict) else [masked]
    return _line("  ".join(_as_words(value) for value in values if value not in (None, "")), LONGEST_ASKED)


def result_briefly(result: Any) -> str:
    """What came back, in one short line: the first one that says something."""
    words = _as_words(mask(_beginning(result)))
    lines = [line.strip() for line in words.splitlines() if any(sign.isalnum() for sign in line)]
    if not lines:
        return _line(words, LONGEST_RESULT) or "nothing"
    first = _line(lines[0], LONGEST_RESULT)
    return first if len(lines) == 1 or first.endswith("…") else f"{first} …"


def _beginning(value: Any) -> Any:
    return value[:_BEGINNING] if isinstance(value, str) else value


def _as_words(value: Any) -> str:
    """A masked value as it is read; of what is written the names of fields are masked too."""
    return value if isinstance(value, str) else mask_text(json.dumps(value, ensure_ascii=False)[:_BEGINNING])


def _line(words: str, longest: int) -> str:
    return cut(seen(" ".join(words.split())), longest)

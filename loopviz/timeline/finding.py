"""How what was typed was read, and what was found, in words: the line above the verdict, the section below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np

from loopviz.analysis.going import Going, GoKind, Reading
from loopviz.analysis.matching import Query
from loopviz.analysis.searching import (
    ANSWER,
    ARGUMENTS,
    CALL_ID,
    ERROR,
    OF_THE_RUN,
    OUTPUT,
    PROMPT,
    TOOL,
    Excerpt,
    Hits,
    excerpts,
)
from loopviz.model import Trajectory
from loopviz.timeline.contract import Part, Payload, encode
from loopviz.timeline.words import number, span, strong, text

ROWS = 10
"""Hits listed at a time."""
LONGEST_WORDS = 60
"""Characters of what was typed that are said again; also what fits into an address."""

Data = dict[str, Any]

_PLACES = {
    TOOL: "tool",
    CALL_ID: "call id",
    ARGUMENTS: "arguments",
    OUTPUT: "output",
    PROMPT: "prompt",
    ANSWER: "final answer",
    ERROR: "error",
}
_FOLDS = {PROMPT: "Prompt", ANSWER: "Final answer", ERROR: "Error"}
"""Titles of the folds that hold the texts of the whole run."""
_SAID = {"assistant": "message", "user": "user message"}


def say_going(going: Going, trajectory: Trajectory, n_steps: int) -> list[Part]:
    """Which reading was taken and where it leads, or why it leads nowhere, and the other readings, a click away."""
    taken = going.taken
    if taken.call is None:
        line = [text(_nowhere(taken, trajectory, n_steps))]
    else:
        line = [text("Read as "), strong(_name(taken)), text(_where(taken, trajectory))]
    if going.others:
        line.append(text(" Also: "))
        for place, other in enumerate(going.others):
            line += [text(", ")] if place else []
            line.append(_button(_name(other), find_action(*_typed(other))))
        line.append(text("."))
    return line


def say_found(hits: Hits) -> list[Part]:
    """How often the words stand in the run, as the answer to what was typed."""
    query = hits.query
    if not len(hits):
        where = "in its calls, messages, reasoning, prompt, final answer and errors"
        return [text(f"{_quoted(query)} stands nowhere in this run: looked for {where}.")]
    return [text("Read as "), strong(query.kind), text(f". {_quoted(query)} stands in {_counted(hits)}.")]


def show_found(hits: Hits, call: int | None, page: int | None, *, notice: str = "") -> Data | None:
    """The section of hits; nothing where there are none.

    Args:
        hits: What was found.
        call: The chosen call, from 0.
        page: The part of the list asked for, from 0; None for that of the chosen call.
        notice: What to say of the last step, such as that it began again.
    Raises:
        PatternError: if the pattern runs too long this time.
    """
    if not len(hits):
        return None
    page = _page_of(hits, call) if page is None else min(page, (len(hits) - 1) // ROWS)
    places = range(page * ROWS, min((page + 1) * ROWS, len(hits)))
    return {
        "caption": f"{_quoted(hits.query)} in {_counted(hits)}",
        "at": _standing(hits, call),
        "notice": notice,
        "steps": len(hits.calls) > 0,
        "rows": [
            _row(hits, place, excerpt, call) for place, excerpt in zip(places, excerpts(hits, places), strict=True)
        ],
        "pages": _pages(page, len(hits)),
        "marks": marks(hits, call),
    }


def marks(hits: Hits, call: int | None) -> list[str]:
    """The texts to mark in what is shown of the chosen call: the words, or what a pattern found there."""
    if hits.query.kind == "text":
        return [hits.query.words]
    here = [] if call is None else np.flatnonzero(hits.call == call)[:ROWS].tolist()
    return sorted({excerpt.hit for excerpt in excerpts(hits, here) if excerpt.hit.strip()})


def mark_on_timeline(payload: Payload, hits: Hits) -> None:
    """Give the picture the calls that hold what was looked for."""
    if len(hits.calls):
        payload["hits"] = encode(hits.calls)


def find_action(words: str, kind: str = "") -> str:
    """The action that asks for something: `find=turn+12`, `find=404&as=text`."""
    return urlencode({"find": words} | ({"as": kind} if kind else {}))


def _typed(reading: Reading) -> tuple[str, str]:
    """What a person would type for a reading, and the reading itself where that alone would not settle it."""
    if reading.kind in ("id", "text"):
        return reading.words, reading.kind
    return (f"{reading.number}-{reading.last}" if reading.kind == "stretch" else f"{reading.kind} {reading.number}"), ""


def _name(reading: Reading) -> str:
    if reading.kind == "stretch":
        return f"call{'' if reading.number == reading.last else 's'} {span(reading.number - 1, reading.last - 1)}"
    if reading.kind in ("id", "text"):
        return {"id": "call id", "text": "text"}[reading.kind]
    name = "counted step" if reading.kind == "step" else reading.kind
    return f"{name} {number(reading.number)}"


def _where(reading: Reading, trajectory: Trajectory) -> str:
    """What has to be said of a place beside its name."""
    call = reading.call
    assert call is not None
    calls = trajectory.calls
    here = f"call {number(call + 1)}"
    if reading.kind in ("call", "stretch"):
        return "."
    if reading.bearers > 1:
        return f": {here}, the first of {number(reading.bearers)} that bear it."
    if reading.exact:
        alone = reading.kind == "line" and len(calls) > 1 and bool((calls.line == calls.line[0]).all())
        return f": {here}, its first, since the whole run stands on that line." if alone else f": {here}."
    if reading.kind == "turn":
        return f", which holds no call: {here}, of turn {number(int(calls.turn[call]) + 1)}, is the next."
    if reading.kind == "line":
        return f", which holds no call: {here}, on line {number(int(calls.line[call]))}, is the last before it."
    return f", which lies in no call: {here}, from byte {number(int(calls.offset[call]))}, is the last before it."


def _nowhere(reading: Reading, trajectory: Trajectory, n_steps: int) -> str:
    n_calls, wanted = len(trajectory.calls), number(reading.number)
    if reading.kind == "stretch":
        missing = reading.last if reading.last > n_calls else reading.number
        return f"There is no call {number(missing)}: this run has {number(n_calls)}."
    if reading.kind == "turn" and not reading.exact:
        return f"Turn {wanted} holds no call, and none follows it."
    has: dict[GoKind, str] = {
        "call": f"There is no call {wanted}: this run has {number(n_calls)}.",
        "turn": f"There is no turn {wanted}: this run has {number(trajectory.n_turns)}.",
        "step": f"There is no counted step {wanted}: these settings count {number(n_steps)}.",
        "line": f"No call of this run stands on line {wanted}{_lines(trajectory)}.",
        "byte": f"No call of this run stands at byte {wanted}{_bytes(trajectory)}.",
    }
    return has[reading.kind]


def _lines(trajectory: Trajectory) -> str:
    lines = trajectory.calls.line
    if not lines.any():
        return ": its file is one document, in which calls are known by their bytes"
    first, last = int(lines.min()), int(lines.max())
    return (
        f": all stand on line {number(first)}"
        if first == last
        else f": they stand on lines {span(first - 1, last - 1)}"
    )


def _bytes(trajectory: Trajectory) -> str:
    offset = trajectory.calls.offset
    if not len(offset):
        return ": it has none"
    return f": the first begins at byte {number(int(offset.min()))}, and the file has {number(trajectory.source.size)}"


def quoted(words: str) -> str:
    """What was typed, in quotes, cut where it is long."""
    return f"“{words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + '…'}”"


def _quoted(query: Query) -> str:
    return quoted(query.words)


def _counted(hits: Hits) -> str:
    """`15 places: 12 of 60 calls, the prompt`."""
    n_calls = len(hits.trajectory.calls)
    inside, outside = len(hits.calls), np.flatnonzero(hits.call == OF_THE_RUN).tolist()
    words = "1 place" if len(hits) == 1 else f"{number(len(hits))} places"
    parts = [f"{number(inside)} of {number(n_calls)} call{'' if n_calls == 1 else 's'}"] if inside else []
    names = Counter(_place(hits, place) for place in outside)
    parts += [f"the {name}" if count == 1 else f"{number(count)} × {name}" for name, count in names.items()]
    return f"{words}: {', '.join(parts)}"


def _standing(hits: Hits, call: int | None) -> str:
    """`hit 3 of 12`: where the chosen call stands among those with a hit."""
    if not len(hits.calls):
        return ""
    at = -1 if call is None else int(np.searchsorted(hits.calls, call))
    if 0 <= at < len(hits.calls) and hits.calls[at] == call:
        return f"call {number(at + 1)} of {number(len(hits.calls))} with a hit"
    return f"{number(len(hits.calls))} call{'' if len(hits.calls) == 1 else 's'} with a hit"


def _page_of(hits: Hits, call: int | None) -> int:
    at = np.flatnonzero(hits.call == call) if call is not None else np.zeros(0, dtype=np.int64)
    return int(at[0]) // ROWS if len(at) else 0


def _row(hits: Hits, place: int, excerpt: Excerpt, chosen: int | None) -> Data:
    call, source = int(hits.call[place]), int(hits.source[place])
    row: Data = {
        "place": _place(hits, place),
        "field": excerpt.field,
        "before": excerpt.before,
        "hit": excerpt.hit,
        "after": excerpt.after,
    }
    if call == OF_THE_RUN:
        return row | {"call": "", "tool": "", "fold": _FOLDS.get(source), "now": False}
    return row | {
        "call": number(call + 1),
        "tool": hits.trajectory.tool(call),
        "action": f"call={call}",
        "now": call == chosen,
    }


def _place(hits: Hits, place: int) -> str:
    source = int(hits.source[place])
    if source < 0:
        return _PLACES[source]
    kind = hits.trajectory.events[source].kind
    name = _SAID.get(kind, kind)
    return f"{name} after the last call" if hits.call[place] == OF_THE_RUN else name


def _pages(page: int, n_hits: int) -> Sequence[Data]:
    """The ways to the other parts of the list, and which part this is."""
    if n_hits <= ROWS:
        return []
    last = (n_hits - 1) // ROWS
    shown = f"{span(page * ROWS, min((page + 1) * ROWS, n_hits) - 1)} of {number(n_hits)}"
    return [
        {"label": "← Earlier", "action": f"found={page - 1}" if page else None},
        {"label": shown, "action": ""},
        {"label": "Later →", "action": f"found={page + 1}" if page < last else None},
    ]


def _button(words: str, action: str) -> Part:
    return {"kind": "text", "text": words, "action": action}

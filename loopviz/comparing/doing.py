"""What each side did in a column: its calls with arguments and outputs, and where they stand in the file."""

from __future__ import annotations

import json
from typing import Any

from loopviz.comparing.aligning import ABSENT, Alignment, Kind
from loopviz.comparing.heading import marked_in_words
from loopviz.comparing.picture import KINDS
from loopviz.comparing.sides import LETTERS, Side, Sides, seen, step_place, tool_name
from loopviz.model import Trajectory
from loopviz.timeline.telling import as_text, decoded
from loopviz.timeline.words import number

Data = dict[str, Any]
MOST_CALLS = 12
"""Calls of one step that are shown."""
SHOWN = 6_000
"""Characters of a text that are shown; Inspect has the rest."""
ONE_LINE = 200
"""Arguments up to so many characters stand on one line."""


def show_column(sides: Sides, aligned: Alignment, column: int, *, chosen: bool) -> Data:
    """Both sides of a column; where one has no step there, its next one.

    Args:
        sides: The runs.
        aligned: Their steps in columns.
        column: Which column.
        chosen: A person chose it; otherwise it is the marked one.
    """
    marked = marked_in_words(aligned)
    title = f"What each did {marked}" if aligned.parting is not None else f"What each did at {marked}"
    if chosen:
        kind = KINDS[Kind(int(aligned.kind[column]))]
        title = f"Step {number(column + 1)} of {number(len(aligned))}: {kind}"
    back = chosen and aligned.mark is not None and aligned.mark != column
    return {
        "title": title,
        "back": {"label": f"Back to {marked}", "action": "at="} if back else None,
        "sides": [_show_side(sides[side], side, aligned, column) for side in (0, 1)],
    }


def _show_side(side: Side, place: int, aligned: Alignment, column: int) -> Data:
    letter, walk, here = LETTERS[place], aligned.sides[place], aligned.step(place, column)
    step = here if here != ABSENT else aligned.next_step(place, column)
    if step is None:
        words = "This run has ended before." if len(walk) else "This run makes no call."
        return {"letter": letter, "head": "", "note": words, "calls": [], "inspect": None}
    calls, trajectory = walk.calls(step), side.trajectory
    head = [step_place(trajectory, walk, step), _which(calls), _position(trajectory, calls[0])]
    more = len(calls) - MOST_CALLS
    absent = "No step of this run stands here; its next one is this." if here == ABSENT else ""
    return {
        "letter": letter,
        "head": " · ".join(filter(None, head if not head[0].startswith("call") else head[1:])),
        "note": absent if column != aligned.mark else "",
        "calls": [show_call(trajectory, call) for call in calls[:MOST_CALLS]],
        "more": f"{number(more)} more calls in this turn" if more > 0 else "",
        "inspect": {"label": f"Inspect {letter} here", "action": f"inspect={letter}&call={calls[0]}"},
    }


def _which(calls: list[int]) -> str:
    named = ", ".join(number(call + 1) for call in calls[:4])
    return f"call {named}" if len(calls) == 1 else f"calls {named}" + (" …" if len(calls) > 4 else "")


def _position(trajectory: Trajectory, call: int) -> str:
    offset = int(trajectory.calls.offset[call])
    return f"byte {number(offset)}" if offset else ""


def show_call(trajectory: Trajectory, call: int) -> Data:
    """One call: tool, id, what it was asked and what it gave."""
    raw, result = trajectory.arguments_json(call), trajectory.observation_json(call)
    output = None if result is None else as_text(decoded(result))
    return {
        "tool": tool_name(trajectory.tool(call)),
        "place": f"call {number(call + 1)}" + (" · error" if trajectory.calls.failed[call] else ""),
        "id": trajectory.calls.ids[call] or "",
        "arguments": _cut("no arguments recorded" if raw is None else _one_line(decoded(raw))),
        "output": _cut("no result in the file" if output is None else output or "empty"),
        "missing": not output,
    }


def _one_line(value: Any) -> str:
    if isinstance(value, str):
        return value
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= ONE_LINE else as_text(value)


def _cut(words: str) -> str:
    left = len(words) - SHOWN
    shown = seen(words[:SHOWN])
    return shown if left <= 0 else f"{shown}\n… {number(left)} more characters: Inspect shows them."

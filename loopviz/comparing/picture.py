"""What the canvas of the Compare page draws, as plain arrays: both runs in the columns of one alignment.

Everything counts from 0 as in `loopviz.timeline.contract`, whose `encode` writes the columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.comparing.aligning import Alignment, Kind, Walk
from loopviz.comparing.heading import SIGNS
from loopviz.comparing.sides import Side, Sides, step_place, tool_name
from loopviz.model import IntArray
from loopviz.timeline.contract import CycleState, encode
from loopviz.timeline.words import allowed, number

ROWS = 8
"""Tools with a row of their own; those called less often share one."""
NAMES = 1_000
"""Tools that are called by their names where a step is told in words."""
OTHERS = "other tools"
ERROR, UNWATCHED = 1, 2
NO_LETTER = 255
Data = dict[str, Any]


def draw(sides: Sides, aligned: Alignment, *, name: str, marked: int | None, mark: str, flag: str = "") -> Data:
    """The picture of two sides.

    Args:
        sides: The runs as they are judged.
        aligned: Their steps in columns.
        name: Tells this picture from others: zoom and selection are kept for as long as it stays.
        marked: The column that is flagged.
        mark: Where it stands: `turn 10`.
        flag: What is there: `where they part`.
    """
    rows = _tool_rows(sides)
    names = [tool_name(row) for row in rows[:NAMES]]
    return {
        "id": name,
        "kind": encode(aligned.kind),
        "rows": [*names[:ROWS], *([OTHERS] if len(rows) > ROWS else [])],
        "names": [*names, OTHERS],
        "sides": [_draw_side(side, walk, rows) for side, walk in zip(sides, aligned.sides, strict=True)],
        "mark": None if marked is None else {"column": marked, "text": f"{flag}: {mark}", "short": mark},
        "signs": [SIGNS[kind][0] if kind in SIGNS else "" for kind in Kind],
        "words": [KINDS[kind] for kind in Kind],
        "label": "Both runs, a column a step. Arrow keys walk, n and p go to the next and previous difference, "
        "plus and minus zoom, 0 shows the whole. The table below holds the same in words.",
        "idle": "Choose a step: click it, or walk with the arrow keys; n and p go to the next and previous difference.",
    }


KINDS = {
    Kind.SAME: "same call, same output",
    **{kind: words for kind, (_, words) in SIGNS.items()},
    Kind.ONLY_A: "only in A",
    Kind.ONLY_B: "only in B",
}


def mark_place(sides: Sides, aligned: Alignment) -> str:
    """Where the flag stands: `turn 10`, by the run that has a step there."""
    column = aligned.mark
    if column is None:
        return ""
    steps = [aligned.next_step(side, column) for side in (0, 1)]
    places = [
        step_place(sides[side].trajectory, aligned.sides[side], step)
        for side, step in enumerate(steps)
        if step is not None
    ]
    return places[0] if len(set(places)) == 1 else " | ".join(places)


def _tool_rows(sides: Sides) -> list[str]:
    """Names of all tools, the most called ones first."""
    counts: dict[str, int] = {}
    for side in sides:
        used = np.bincount(side.trajectory.calls.tool, minlength=len(side.trajectory.codebook.tools))
        for tool, count in enumerate(used.tolist()):
            if count:
                name = side.trajectory.codebook.tools[tool]
                counts[name] = counts.get(name, 0) + count
    return sorted(counts, key=lambda name: (-counts[name], name))


def _draw_side(side: Side, walk: Walk, rows: list[str]) -> Data:
    calls, tools = side.trajectory.calls, side.trajectory.codebook.tools
    place = {name: row for row, name in enumerate(rows)}
    row_of_tool = np.array([place.get(name, 0) for name in tools], dtype=np.int64)
    row = row_of_tool[calls.tool] if len(calls) else calls.tool
    flags = np.where(calls.failed, ERROR, 0)
    if side.inspection is not None:
        flags = flags | np.where(side.inspection.grader.watched, 0, UNWATCHED)
    return {
        "turn": encode(calls.turn[walk.first_call] + 1),
        "call": encode(walk.first_call),
        "step": encode(walk.of_call),
        "row": encode(np.minimum(row, ROWS)),
        "name": encode(np.minimum(row, NAMES)) if len(rows) > ROWS else None,
        "flags": encode(flags),
        **_cycles(side, walk),
    }


def _cycles(side: Side, walk: Walk) -> Data:
    """Brackets, and for each step the cycle that it is drawn in: the strongest."""
    none = np.zeros(len(walk), dtype=np.int64)
    if side.inspection is None:
        empty = {name: encode([]) for name in ("start", "stop", "occurrences", "state", "period")}
        letters = encode(np.full(len(walk), NO_LETTER))
        return {"brackets": empty, "look": encode(none), "period": encode(none), "letter": letters, "flag": None}
    finding, grader = side.inspection.finding, side.inspection.grader
    to_walk = walk.of_call[grader.steps.first_call]
    cycles = finding.cycles
    occurrences = cycles.occurrences
    state = np.where(occurrences > finding.settings.max, int(CycleState.OVER), int(CycleState.COUNTED))
    deciding = (cycles.start == finding.start) & (cycles.period == finding.period)
    order = np.lexsort((deciding, occurrences, state))
    look, period, letter = none, none.copy(), np.full(len(walk), NO_LETTER)
    for at in order.tolist():
        inside = np.arange(int(cycles.start[at]), int(cycles.stop[at]))
        steps = to_walk[inside]
        look[steps], period[steps] = state[at], cycles.period[at]
        letter[steps] = (inside - int(cycles.start[at])) % int(cycles.period[at])
    return {
        "brackets": {
            "start": encode(to_walk[cycles.start[order]]),
            "stop": encode(to_walk[cycles.start[order] + occurrences[order] * cycles.period[order] - 1] + 1),
            "occurrences": encode(occurrences[order]),
            "state": encode(state[order]),
            "period": encode(cycles.period[order]),
        },
        "look": encode(look),
        "period": encode(period),
        "letter": encode(letter),
        "allowed": allowed(finding.settings.max).replace(" are ", " ").replace(" is ", " "),
        "flag": _flag(side, to_walk),
    }


def _flag(side: Side, to_walk: IntArray) -> Data | None:
    assert side.inspection is not None
    finding = side.inspection.finding
    if finding.first_failing_step is None or finding.first_failing_call is None:
        return None
    call = number(finding.first_failing_call + 1)
    step = int(to_walk[finding.first_failing_step])
    return {"step": step, "text": f"over the limit at call {call}", "short": f"over at {call}"}

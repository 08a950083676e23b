"""Steps that are matched and yet not the same: the two texts beside each other, line by line."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.analysis.difference import compare_values
from loopviz.comparing.aligning import Alignment, Kind
from loopviz.comparing.heading import SIGNS
from loopviz.comparing.sides import LETTERS, Sides, step_place
from loopviz.detectors.core.columns import Columns
from loopviz.timeline.comparing import lines_of, value_of
from loopviz.timeline.words import number

Data = dict[str, Any]
TABS = 8
"""Steps offered at first."""
MOST_TEXTS = 4
"""Members whose two values are shown for a step."""
MOST_CALLS = 32
"""Calls of a step on either side among which those that belong together are looked for."""


def show_unlike(sides: Sides, aligned: Alignment, columns: Columns, chosen: int | None) -> Data | None:
    """The section; None where every matched step is the same in all.

    Args:
        sides: The runs.
        aligned: Their steps in columns.
        columns: The calls of both, laid end to end.
        chosen: The column that a person asked for.
    """
    unlike = np.flatnonzero(aligned.unlike).tolist()
    if not unlike:
        return None
    column = chosen if chosen in unlike else unlike[0]
    at = unlike.index(column)
    first = max(0, min(at - TABS // 2, len(unlike) - TABS))
    kinds = {Kind(int(aligned.kind[place])) for place in unlike}
    title = SIGNS[kinds.pop()][1].capitalize() if len(kinds) == 1 else "Matched, and not quite the same"
    shown = unlike[first : first + TABS]
    return {
        "title": title,
        "aside": "" if len(unlike) <= TABS else f"{number(at + 1)} of {number(len(unlike))}",
        "tabs": [
            {"label": _tab(sides, aligned, place), "action": f"unlike={place}", "on": place == column}
            for place in (shown if len(unlike) > 1 else [])
        ],
        "sign": SIGNS[Kind(int(aligned.kind[column]))][1],
        **_texts(sides, aligned, columns, column),
    }


def _tab(sides: Sides, aligned: Alignment, column: int) -> str:
    a, b = (step_place(sides[side].trajectory, aligned.sides[side], aligned.step(side, column)) for side in (0, 1))
    if a == b:
        return a
    if a.startswith("turn ") and b.startswith("turn "):
        return f"turns {a.removeprefix('turn ')} and {b.removeprefix('turn ')}"
    return f"{a} and {b}"


def _texts(sides: Sides, aligned: Alignment, columns: Columns, column: int) -> Data:
    """The first two calls of the step that differ, and in what."""
    calls = [aligned.sides[side].calls(aligned.step(side, column)) for side in (0, 1)]
    pair = _unlike_pair(columns, calls[0], calls[1])
    heads = [_head(sides, aligned, side, column, call) for side, call in enumerate(pair)]
    one, other = (side.trajectory for side in sides)
    values = {
        "arguments": (one.arguments_json(pair[0]), other.arguments_json(pair[1])),
        "output": (one.observation_json(pair[0]), other.observation_json(pair[1])),
    }
    texts = [
        lines_of(f"{what} {change.path}".strip(), change)
        for what, (old, new) in values.items()
        for change in compare_values(value_of(old), value_of(new)).changes[:MOST_TEXTS]
    ]
    return {"heads": heads, "texts": texts[:MOST_TEXTS]}


def _head(sides: Sides, aligned: Alignment, side: int, column: int, call: int) -> Data:
    trajectory = sides[side].trajectory
    place = step_place(trajectory, aligned.sides[side], aligned.step(side, column))
    words = f"call {number(call + 1)}"
    return {
        "letter": LETTERS[side],
        "words": words if place == words else f"{place} · {words}",
        "tool": trajectory.tool(call),
    }


def _unlike_pair(columns: Columns, a: list[int], b: list[int]) -> tuple[int, int]:
    """Two calls that belong together and differ: of the same arguments first, then of the same output or tool."""
    offset = int(columns.starts[1])
    values = np.column_stack([columns.tool, columns.arguments, columns.observation])
    pairs = [(one, other) for one in a[:MOST_CALLS] for other in b[:MOST_CALLS]]
    same = {pair: values[pair[0]] == values[pair[1] + offset] for pair in pairs}
    for way in ([0, 1], [0, 2], [0]):
        for pair, alike in same.items():
            if alike[way].all() and not alike.all():
                return pair
    return a[0], b[0]

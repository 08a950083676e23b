"""The picture as a table of words, for whoever cannot see it: a row a difference, equal stretches in one row."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from loopviz.comparing.aligning import ABSENT, Alignment, Kind
from loopviz.comparing.picture import KINDS
from loopviz.comparing.sides import Sides, step_place, step_tools
from loopviz.timeline.words import number

MOST = 200
"""Rows of the table."""
Data = dict[str, Any]


def show_table(sides: Sides, aligned: Alignment) -> Data:
    """Every column in words."""
    border = np.flatnonzero(np.diff(aligned.kind, prepend=-1, append=-1)).tolist()
    spans = [(first, stop - 1) for first, stop in pairwise(border)]
    left = len(spans) - MOST
    return {
        "title": "The same as a table",
        "rows": [_row(sides, aligned, first, last) for first, last in spans[:MOST]],
        "note": f"{number(left)} more rows are left out." if left > 0 else "",
    }


def _row(sides: Sides, aligned: Alignment, first: int, last: int) -> list[str]:
    kind = Kind(int(aligned.kind[first]))
    return [_told(sides, aligned, 0, first, last), KINDS[kind], _told(sides, aligned, 1, first, last)]


def _told(sides: Sides, aligned: Alignment, side: int, first: int, last: int) -> str:
    """`turns 11–17: bash`."""
    one, other = aligned.step(side, first), aligned.step(side, last)
    if one == ABSENT:
        return "–"
    walk, trajectory = aligned.sides[side], sides[side].trajectory
    places = [step_place(trajectory, walk, step) for step in (one, other)]
    place = places[0] if one == other else _from_to(*places)
    named = list(dict.fromkeys(step_tools(trajectory, walk, step) for step in range(one, min(other + 1, one + 40))))
    return f"{place}: {', '.join(named[:4])}" + (" …" if len(named) > 4 else "")


def _from_to(first: str, last: str) -> str:
    word, _, figure = last.partition(" ")
    return f"{word}s {first.removeprefix(f'{word} ')}–{figure}" if first.startswith(word) else f"{first} to {last}"

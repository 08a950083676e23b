"""What a run repeats anywhere, in words: a description of what no detector counts, never a verdict."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.seen import Described, Repeated
from loopviz.timeline.answering import to_call
from loopviz.timeline.contract import Part
from loopviz.timeline.words import code, muted, number, spaced, strong, text

Data = dict[str, Any]
Line = list[Part]
POINTS = 160
"""Points of the line at most, evenly spaced, the last call among them: as many as it has pixels to show."""
NAMED = 12
"""Calls of a kind that are named one by one."""
PREVIEW = 90
"""Characters of the arguments that tell one kind of call from another."""


def show_seen(inspection: Inspection) -> Data | None:
    """The section; None for a run without a watched call."""
    described = inspection.described
    if not described.watched:
        return None
    return {
        "lines": [spaced(line) for line in _lines(described)],
        "line": _line(described),
        "rows": [_row(inspection, repeated) for repeated in described.most],
    }


def _lines(described: Described) -> list[Line]:
    if described.first is None or described.first_seen is None:
        lines = [[strong("No call repeats an earlier one"), text("by its tool and arguments.")]]
    else:
        repeats = "repeats" if described.by_arguments == 1 else "repeat"
        lines = [
            [
                strong(f"{_share(described.by_arguments, described.watched)} {repeats} an earlier one"),
                text("by tool and arguments: first"),
                to_call(described.first),
                text(", which was seen before as"),
                to_call(described.first_seen),
                text("."),
            ]
        ]
    if described.by_output:
        lines.append(
            [text(f"{_share(described.by_output, described.watched)} gave an output that the same tool gave before.")]
        )
    else:
        lines.append([text("No call gave an output that the same tool gave before.")])
    return lines


def _share(part: int, whole: int) -> str:
    """`9 of 22 calls (41 %)`."""
    return f"{number(part)} of {number(whole)} call{'' if whole == 1 else 's'} ({100 * part / whole:.0f} %)"


def _line(described: Described) -> Data:
    """Distinct calls so far against calls, both as shares of all watched calls."""
    whole = described.watched
    places = np.unique(np.linspace(0, whole - 1, min(whole, POINTS)).round().astype(np.int64))
    distinct = int(described.distinct[-1])
    return {
        "x": np.round((places + 1) / whole, 4).tolist(),
        "y": np.round(described.distinct[places] / whole, 4).tolist(),
        "label": f"{number(distinct)} distinct of {number(whole)}",
    }


def _row(inspection: Inspection, repeated: Repeated) -> Data:
    first = int(repeated.calls[0])
    named = repeated.calls[:NAMED].tolist()
    calls: Line = [part for call in named for part in (text(","), to_call(call, number(call + 1)))][1:]
    if repeated.times > NAMED:
        calls.append(muted(f"and {number(repeated.times - NAMED)} more"))
    rows = "never twice in a row" if repeated.in_a_row == 1 else f"at most {number(repeated.in_a_row)} in a row"
    return {
        "times": number(repeated.times),
        "what": spaced([code(inspection.trajectory.tool(first)), muted(_arguments(inspection, first))]),
        "calls": spaced(calls),
        "row": rows,
    }


def _arguments(inspection: Inspection, call: int) -> str:
    raw = inspection.trajectory.arguments_json(call)
    words = " ".join((raw or b"")[: 4 * PREVIEW].decode("utf-8", "replace").split())
    return words if len(words) <= PREVIEW else f"{words[:PREVIEW]}…"

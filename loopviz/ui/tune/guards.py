"""The live guards over all runs: how many would be reached at each threshold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from loopviz.model import IntArray
from loopviz.timeline.words import number
from loopviz.tuning.guards import ladder_reach, thrash_reach
from loopviz.ui import choice as choices
from loopviz.ui.tune.grids import share_cell
from loopviz.ui.tune.state import Tuned

LENGTHS = np.arange(2, 13)
SIMILARITIES = (0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)


def show_guards(tuned: Tuned, *, everything: bool) -> dict[str, Any]:
    """What the script draws.

    Args:
        tuned: The runs.
        everything: Try several similarities, which takes a moment for many runs.
    """
    choice = choices.current()
    ladder, thrash, tools = choice.guards.escalation, choice.guards.thrash, tuned.candidate.tools
    tried = tuple(sorted({*SIMILARITIES, ladder.similarity})) if everything else (ladder.similarity,)
    runs, counts, unknown = tuned.opened.runs, tuned.counts, tuned.swept.unknown
    key = ("guards", ladder, thrash, tools, unknown, tried)

    def reach() -> tuple[IntArray, IntArray]:
        return (
            ladder_reach(runs, ladder, tried, LENGTHS, counts, tools=tools, unknown=unknown),
            thrash_reach(runs, thrash, LENGTHS, counts, tools=tools, unknown=unknown),
        )

    similar, identical = runs.kept.get(key, reach)
    fired = {ladder.replan: "replan", ladder.explore: "explore", ladder.force_done: "force-done"}
    levels = ", ".join(f"{name} at {length}" for length, name in fired.items())
    return {
        "title": "The live guards, simulated",
        "caption": f"Share of {number(int(counts.sum()))} runs in percent. Now: {levels}; thrash stops at {thrash.n}.",
        "limits": LENGTHS.tolist(),
        "grids": [
            {
                "label": "Ladder",
                "match": "longest stretch of similar actions",
                "axis": "actions in a row at least →",
                "rows": [
                    _row(words, row, int(counts.sum()), f"similarity {words}") for words, row in _alike(tried, similar)
                ],
            },
            {
                "label": "Thrash",
                "match": "identical calls",
                "axis": "identical calls at least →",
                "rows": [
                    _row(words, row, int(counts.sum()), f"identical calls, {words}")
                    for words, row in zip(("in a row", "in all"), identical, strict=True)
                ],
            },
        ],
        "more": {
            "label": "Show this similarity only" if everything else "Try other similarities",
            "action": f"guards={'few' if everything else 'all'}",
        },
    }


def _alike(tried: Sequence[float], rows: IntArray) -> Iterator[tuple[str, IntArray]]:
    """Each row with the similarities that give it; those next to each other that are alike are one."""
    first = 0
    for place in range(1, len(tried) + 1):
        if place == len(tried) or (rows[place] != rows[first]).any():
            last = place - 1
            yield f"{tried[first]:g}" if first == last else f"{tried[first]:g}–{tried[last]:g}", rows[first]
            first = place


def _row(label: str, reached: IntArray, n_runs: int, what: str) -> dict[str, Any]:
    cells = [
        share_cell(n_reached, n_runs, [f"{what}: {length} or more", f"{n_reached:,} of {n_runs:,} runs"])
        for length, n_reached in zip(LENGTHS.tolist(), reached.tolist(), strict=True)
    ]
    return {"label": label, "cells": cells}

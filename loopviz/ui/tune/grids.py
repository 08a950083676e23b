"""The three grids: the share of runs that fails for each limit and longest pattern, in each match mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from loopviz.detectors.core.steps import MATCHES
from loopviz.model import IntArray
from loopviz.settings import Match, MaxRepeatSettings
from loopviz.tuning.evidence import Evidence, score
from loopviz.tuning.words import SAME, counted, fit_words
from loopviz.ui.tune.state import Tuned

FEW = np.arange(1, 11)
"""Limits that are shown at first."""
MANY = np.arange(1, 21)
STEPS = 24
"""Steps of the colour ramp, which goes by the square root of the share, so that small shares stay apart."""


def show_grids(tuned: Tuned, evidence: Evidence | None, *, everything: bool) -> dict[str, Any]:
    """What the script draws.

    Args:
        tuned: The runs and both settings.
        evidence: What people say of some of them; None where nobody says anything.
        everything: Show limits to 20 and all figures that occur, not only the first ten.
    """
    limits = _limits(tuned, everything=everything)
    has_current = tuned.current is not None and tuned.current.tools == tuned.candidate.tools
    return {
        "title": f"Share of {counted(tuned.swept.n_judged, 'run')} that fail{_s(tuned.swept.n_judged)}, in percent",
        "rings": ["current", "candidate"] if has_current else ["candidate"],
        "caption": f"rows: longest pattern · a click makes a cell the candidate{_without_current(tuned)}",
        "limits": limits.tolist(),
        "wide": everything,
        "grids": [_grid(tuned, evidence, match, limits) for match in MATCHES],
        "foot": "Colour by square root of the share, so that small shares stay apart. Rows that are alike are one. "
        "Under “same tool” the plain use of one tool counts as a loop.",
        "more": {
            "label": "Show max 1–10" if everything else "Show max 1–20 and every count that occurs",
            "action": f"limits={'few' if everything else 'all'}",
        },
    }


def _s(number: int) -> str:
    """The ending of a verb that goes with so many."""
    return "s" if number == 1 else ""


def _limits(tuned: Tuned, *, everything: bool) -> IntArray:
    """The columns; both settings are always among them."""
    both = [one.max for one in (tuned.current, tuned.candidate) if one is not None]
    if not everything:
        return np.union1d(FEW, both)
    occurring = tuned.swept.occurring()
    return np.union1d(np.union1d(MANY, both), occurring[occurring > 0])


def _without_current(tuned: Tuned) -> str:
    """Why no cell is ringed as the current one."""
    if tuned.current is None:
        return " · current is more than one setting, so it has no cell" if tuned.graders_now else ""
    return "" if tuned.current.tools == tuned.candidate.tools else " · current watches other tools, so it has no cell"


def _grid(tuned: Tuned, evidence: Evidence | None, match: Match, limits: IntArray) -> dict[str, Any]:
    failing = tuned.swept.n_failing(match, limits)
    rows = [
        {
            "label": f"{first}" if first == last else f"{first}–{last}",
            "cells": [
                _cell(tuned, evidence, settings, last, int(number))
                for settings, number in zip(
                    _settings(tuned, match, first, limits), failing[first - 1].tolist(), strict=True
                )
            ],
        }
        for first, last in tuned.swept.alike(match)
    ]
    return {"label": SAME[match].capitalize(), "match": match, "rows": rows}


def _settings(tuned: Tuned, match: Match, bound: int, limits: IntArray) -> Iterator[MaxRepeatSettings]:
    tools = tuned.candidate.tools
    return (
        MaxRepeatSettings.model_construct(max=limit, max_cycle_period=bound, match=match, tools=tools)
        for limit in limits.tolist()
    )


def _cell(
    tuned: Tuned, evidence: Evidence | None, settings: MaxRepeatSettings, last: int, failing: int
) -> dict[str, Any]:
    """One cell, which stands for all longest patterns from that of the settings to `last`."""
    n_runs = tuned.swept.n_judged
    share = failing / n_runs if n_runs else 0.0
    lines = [
        f"max {settings.max} · longest pattern {settings.max_cycle_period}",
        f"{failing:,} of {counted(n_runs, 'run')} fail ({100 * share:.1f} %)",
    ]
    if evidence is not None and len(evidence):
        lines.append(fit_words(evidence, score(evidence, settings)))
    return {
        **share_cell(failing, n_runs, lines),
        "action": f"max={settings.max}&max_cycle_period={settings.max_cycle_period}&match={settings.match}",
        "current": _is_in(tuned.current, settings, last),
        "candidate": _is_in(tuned.candidate, settings, last),
    }


def share_cell(count: int, n_runs: int, tip: list[str]) -> dict[str, Any]:
    """A share in percent, its step on the colour ramp, and what it says on hover."""
    share = count / n_runs if n_runs else 0.0
    return {"text": _percent(share), "step": round(STEPS * share**0.55), "tip": tip}


def _percent(share: float) -> str:
    """A share in percent with two figures: `0.3`, `5.8`, `12`, `100`."""
    percent = 100 * share
    return f"{percent:.0f}" if percent >= 9.95 or not percent else f"{percent:.1f}"


def _is_in(settings: MaxRepeatSettings | None, cell: MaxRepeatSettings, last: int) -> bool:
    """Whether settings lie in a cell."""
    if settings is None or (settings.max, settings.match, settings.tools) != (cell.max, cell.match, cell.tools):
        return False
    return cell.max_cycle_period <= settings.max_cycle_period <= last

"""Pinned stretches under both settings, and the runs that are worth a label next."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.tuning.labels import LOOP, Label
from loopviz.tuning.queue import worth_labelling
from loopviz.tuning.words import counted
from loopviz.ui.runs_findings import run_title
from loopviz.ui.runs_links import opening
from loopviz.ui.tune import keeping
from loopviz.ui.tune.judging import Said, pins_held
from loopviz.ui.tune.state import Tuned

SKIPPED, MET = "tune.skipped", "tune.met"
PINS_NAMED = 3
"""Pins that are named beside the controls."""


def show_pins(tuned: Tuned, said: Said) -> dict[str, Any]:
    """What the script draws: each pin, and whether it holds now and would hold."""
    pins = said.pins
    then = pins_held(tuned, said)
    now = pins.holds(tuned.comparable) if tuned.comparable else None
    rows = []
    for place, (run, label) in enumerate(zip(pins.run, pins.labels, strict=True)):
        assert label.calls is not None
        rows.append(
            {
                "run": run_title(tuned.opened.runs.trajectories[run]),
                "model": tuned.opened.runs.trajectories[run].model or "",
                "pinned": _what(label),
                "note": label.note,
                "current": "" if now is None else _word(label.label == LOOP, holds=bool(now[place])),
                "candidate": _word(label.label == LOOP, holds=bool(then[place])),
                "broken": not then[place],
                "action": opening(run, label.calls[0] - 1),
            }
        )
    return {"title": "Pins", "caption": _caption(then, now), "rows": rows, "foot": _where()}


def pins_in_words(tuned: Tuned, said: Said) -> str:
    """Every pin under the candidate in a few words, broken ones first: `poll at 8–20 ✗ still flagged · 3 more hold`."""
    then = pins_held(tuned, said)
    now = said.pins.holds(tuned.comparable) if tuned.comparable else None
    told = [
        f"{_what(label)} of {run_title(tuned.opened.runs.trajectories[run])} "
        f"{_moving(label, holds=bool(then[place]), held=None if now is None else bool(now[place]))}"
        for place, (run, label) in enumerate(zip(said.pins.run, said.pins.labels, strict=True))
    ]
    order = sorted(range(len(told)), key=lambda place: bool(then[place]))
    rest = [bool(then[place]) for place in order[PINS_NAMED:]]
    more = [f"{rest.count(True):,} more hold"] if True in rest else []
    more += [f"{rest.count(False):,} more broken"] if False in rest else []
    return " · ".join([*(told[place] for place in order[:PINS_NAMED]), *more])


def _moving(label: Label, *, holds: bool, held: bool | None) -> str:
    """`✓ still caught`, where the current settings say the same; `✓ now caught` where they do not."""
    mark, word = _word(label.label == LOOP, holds=holds).split(" ", 1)
    change = "" if held is None else "still " if held == holds else "now "
    return f"{mark} {change}{word}"


def _what(label: Label) -> str:
    assert label.calls is not None
    return f"{'loop' if label.label == LOOP else 'no loop'} at {label.calls[0]:,}–{label.calls[1]:,}"


def _word(wanted: bool, *, holds: bool) -> str:
    if wanted:
        return "✓ caught" if holds else "✗ missed"
    return "✓ left alone" if holds else "✗ flagged"


def _caption(then: np.ndarray, now: np.ndarray | None) -> str:
    if not len(then):
        return "Stretches that every setting must catch, or leave alone. Mark one in a run on Inspect, and pin it."
    words = f"{int(then.sum()):,} of {len(then):,} hold under the candidate"
    words += "" if now is None else f", {int(now.sum()):,} of {len(now):,} under the current settings"
    return f"{words}. Calls count from 1."


def _where() -> str:
    path = keeping.path()
    if path is None:
        return "Kept in this browser session alone until a label file is chosen."
    return f"Kept in {path}, one line a label. In CI, loopviz grade --labels checks the pins."


def show_queue(tuned: Tuned, said: Said, skipped: frozenset[int], met: str = "") -> dict[str, Any]:
    """The run that is worth a label next, and how many flips have none.

    Args:
        tuned: The runs and both settings.
        said: What is said of them.
        skipped: Runs that are not offered again.
        met: What became of the label before, where somebody else was faster.
    """
    flips = [*tuned.newly_fail.tolist(), *tuned.newly_pass.tolist()]
    labelled = {run for run, labels in enumerate(said.labels) if labels}
    open_flips = [run for run in flips if run not in labelled]
    offered = worth_labelling(tuned.opened.runs.trajectories, tuned.swept, labelled | skipped, open_flips)
    run, is_random = next(offered, (None, False))
    return {
        "title": "Still to label",
        "caption": "Runs on which settings disagree come first; a random share shows what all settings miss.",
        "count": _count(len(labelled), len(open_flips), len(flips)),
        "met": met,
        "nothing": "No run can be judged, so there is nothing to label."
        if not tuned.swept.n_judged
        else "Every run that counts has a label, or was skipped.",
        "next": None
        if run is None
        else {
            "title": run_title(tuned.opened.runs.trajectories[run]),
            "why": "drawn at random" if is_random else "settings disagree on it",
            "figures": _figures(tuned, run),
            "run": run,
            "open": opening(run),
        },
    }


def _count(n_labelled: int, n_open: int, n_flips: int) -> str:
    """`67 runs labelled. 23 of 35 flips have no label.`"""
    words = f"{counted(n_labelled, 'run')} labelled."
    if not n_flips:
        return words
    return f"{words} {n_open:,} of {counted(n_flips, 'flip')} {'has' if n_open == 1 else 'have'} no label."


def _figures(tuned: Tuned, run: int) -> str:
    now, then = bool(tuned.current_fails[run]), bool(tuned.candidate_fails[run])
    times = int(tuned.swept.of(tuned.candidate.match, tuned.candidate.max_cycle_period)[run])
    verdict = {True: "fails", False: "passes"}
    return f"{verdict[now]} now, {verdict[then]} under the candidate with {times:,} in a row"

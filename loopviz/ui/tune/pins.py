"""Pinned stretches under both settings, and the runs that are worth a label next."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from loopviz.model import BoolArray
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label
from loopviz.tuning.queue import worth_labelling
from loopviz.tuning.words import calls_words, counted
from loopviz.ui.runs_findings import run_and_model, run_title
from loopviz.ui.runs_links import opening
from loopviz.ui.tune import keeping
from loopviz.ui.tune.answering import Answers
from loopviz.ui.tune.judging import Said, pins_held
from loopviz.ui.tune.state import Tuned

PINS_NAMED = 3
"""Pins that are named beside the controls."""


def show_pins(tuned: Tuned, said: Said) -> dict[str, Any]:
    """What the script draws: each pin, and whether it holds now and would hold."""
    pins = said.pins
    then, now = pins_held(tuned, said), said.pins_now
    rows = []
    for place, (run, label) in enumerate(zip(pins.run, pins.labels, strict=True)):
        assert label.calls is not None
        rows.append(
            {
                "run": run_title(tuned.opened.runs.trajectories[run]),
                "model": tuned.opened.runs.trajectories[run].model or "",
                "pinned": _what(label),
                "note": label.note,
                "current": _word(label.label == LOOP, holds=bool(now[place])),
                "candidate": _word(label.label == LOOP, holds=bool(then[place])),
                "broken": not then[place],
                "action": opening(run, label.calls[0] - 1),
            }
        )
    return {"title": "Pins", "caption": _caption(then, now), "rows": rows, "foot": _where()}


def pins_in_words(tuned: Tuned, said: Said) -> str:
    """Every pin under the candidate in a few words, broken ones first: `poll at 8–20 ✗ still flagged · 3 more hold`."""
    then, now = pins_held(tuned, said), said.pins_now
    told = [
        f"{_what(label)} of {run_and_model(tuned.opened.runs.trajectories[run])} "
        f"{_moving(label, holds=bool(then[place]), held=bool(now[place]))}"
        for place, (run, label) in enumerate(zip(said.pins.run, said.pins.labels, strict=True))
    ]
    order = sorted(range(len(told)), key=lambda place: bool(then[place]))
    rest = [bool(then[place]) for place in order[PINS_NAMED:]]
    more = [f"{rest.count(True):,} more hold"] if True in rest else []
    more += [f"{rest.count(False):,} more broken"] if False in rest else []
    return " · ".join([*(told[place] for place in order[:PINS_NAMED]), *more])


def _moving(label: Label, *, holds: bool, held: bool) -> str:
    """`✓ still caught`, where the current settings say the same; `✓ now caught` where they do not."""
    mark, word = _word(label.label == LOOP, holds=holds).split(" ", 1)
    return f"{mark} {'still' if held == holds else 'now'} {word}"


def _what(label: Label) -> str:
    assert label.calls is not None
    return f"{'loop' if label.label == LOOP else 'no loop'} at {calls_words(label.calls)}"


def _word(wanted: bool, *, holds: bool) -> str:
    if wanted:
        return "✓ caught" if holds else "✗ missed"
    return "✓ left alone" if holds else "✗ flagged"


def _caption(then: BoolArray, now: BoolArray) -> str:
    if not len(then):
        return "Stretches that every setting must catch, or leave alone. Mark one in a run on Inspect, and pin it."
    kept = [f"{int(held.sum()):,} of {len(held):,}" for held in (then, now)]
    return f"{kept[0]} hold under the candidate, {kept[1]} under what is in force now. Calls count from 1."


def _where() -> str:
    path = keeping.path()
    if path is None:
        return "Lost when this page is reloaded, until a label file is chosen below, under Labels."
    return f"Kept in {path}, one line a label. In CI, loopviz grade --labels checks the pins."


def show_queue(tuned: Tuned, said: Said, answers: Answers) -> dict[str, Any]:
    """The run that is worth a label next, and how many flips have none.

    Args:
        tuned: The runs and both settings.
        said: What is said of them.
        answers: What this session has answered so far.
    """
    flips, labelled = _flips(tuned), _labelled(said)
    open_flips = [run for run in flips if run not in labelled]
    run, is_random = next_to_label(tuned, said, answers)
    return {
        "title": "Still to label",
        "caption": "Runs on which settings disagree come first; a random share shows what all settings miss.",
        "count": _count(len(labelled), len(open_flips), len(flips)),
        "told": answers.told,
        "kept": _where() if labelled and keeping.path() is None else "",
        "answers": answers.number,
        "nothing": "No run can be judged, so there is nothing to label."
        if not tuned.swept.n_judged
        else "Every run that counts has a label, or was skipped.",
        "waiting": "Not taken yet. It is sent again as soon as the connection is back.",
        "next": None
        if run is None
        else _offer(tuned, run, _why(is_random=is_random, flips=run in open_flips), after=answers.number),
    }


def next_to_label(
    tuned: Tuned, said: Said, answers: Answers, besides: frozenset[int] = frozenset()
) -> tuple[int | None, bool]:
    """The run that is worth a label next, and whether it was drawn at random; not one of `besides`."""
    opened, labelled = tuned.opened, _labelled(said)
    skipped = {run for run in range(tuned.n_runs) if opened.key(run) in answers.skipped} if answers.skipped else set()
    open_flips = [run for run in _flips(tuned) if run not in labelled]
    done = labelled | skipped | besides
    return next(worth_labelling(opened.runs.trajectories, tuned.swept, done, open_flips), (None, False))


def _flips(tuned: Tuned) -> list[int]:
    return [*tuned.newly_fail.tolist(), *tuned.newly_pass.tolist()]


def _labelled(said: Said) -> set[int]:
    return {run for run, labels in enumerate(said.labels) if labels}


def _offer(tuned: Tuned, run: int, why: str, *, after: int) -> dict[str, Any]:
    trajectory, of = tuned.opened.runs.trajectories[run], tuned.opened.key(run)
    offers = ((LOOP, "l", {"label": LOOP, "of": of}), (NOT_A_LOOP, "o", {"label": NOT_A_LOOP, "of": of}))
    return {
        "title": run_title(trajectory),
        "model": trajectory.model or "",
        "why": f"{why} · {_figures(tuned, run)}",
        "of": of,
        "answers": [
            {"words": words, "key": key, "action": urlencode({**fields, "after": after})}
            for words, key, fields in (*offers, ("skip", "s", {"skip": of}))
        ],
        "open": opening(run),
    }


def _why(*, is_random: bool, flips: bool) -> str:
    if is_random:
        return "drawn at random"
    return "current and candidate disagree on it" if flips else "other settings of the grids disagree on it"


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
    both = f"{verdict[then]} now and" if now == then else f"{verdict[now]} now, {verdict[then]}"
    return f"{both} under the candidate with {times:,} in a row"

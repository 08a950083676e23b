"""Saying on Inspect what a run is: a loop or not, of the whole run or of the stretch that is marked, and pinning it.

`say=loop` labels the run, `say=loop&calls=29-57` calls of it (both from 0, the last inclusive), with `pin=1` every
setting must agree; `say=` takes that back, and `note=` goes with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.steps import MATCHES
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, Stretch, label_of
from loopviz.tuning.stretches import stretch_figures
from loopviz.ui.asking import marked_span
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.tune import keeping

Data = dict[str, Any]
Fields = Mapping[str, list[str]]


def say(fields: Fields) -> None:
    """The action `say`."""
    library = open_library()
    index = library.find(st.session_state.get("run", ""))
    if index is None:
        return
    trajectory = library.trajectories[index]
    stretch = _stretch(fields.get("calls", [""])[0])
    verdict = fields["say"][0]
    if verdict not in (LOOP, NOT_A_LOOP):
        keeping.remove((trajectory.digest, stretch))
        return
    pin, note = "pin" in fields, fields.get("note", [""])[0].strip()
    keeping.put(label_of(trajectory, LOOP if verdict == LOOP else NOT_A_LOOP, calls=stretch, pin=pin, note=note))


def label_section(library: Library, index: int, found: Inspection) -> Data:
    """The section that shows what is said of the run on screen, and takes what a person says."""
    trajectory = library.trajectories[index]
    applied = keeping.said_of(library)
    labels = applied.of_run[index]
    stale = [label for label in applied.stale if (label.run, label.stimulus) == (trajectory.run, trajectory.stimulus)]
    span = marked_span(found)
    whole = next((label for label in labels if label.calls is None), None)
    return {
        "label": {
            "run": {"said": whole.label if whole else "", "note": whole.note if whole else "", "calls": ""},
            "stretch": None if span is None else _of_stretch(labels, span),
            "rows": [_row(found, label) for label in labels if label.calls is not None],
            "stale": _stale(stale),
            "fault": keeping.fault() or "",
            "where": _where(),
            "draft": trajectory.digest,
        }
    }


def _of_stretch(labels: Sequence[Label], span: tuple[int, int]) -> Data:
    stretch = span[0] + 1, span[1] + 1
    said = next((label for label in labels if label.calls == stretch), None)
    return {
        "title": f"calls {stretch[0]:,}–{stretch[1]:,}",
        "calls": f"{span[0]}-{span[1]}",
        "said": said.label if said else "",
        "pin": bool(said and said.pin),
        "note": said.note if said else "",
    }


def _row(found: Inspection, label: Label) -> Data:
    assert label.calls is not None
    settings, grader = found.finding.settings, found.grader
    figures = stretch_figures(grader, 0, label.calls)
    times = int(figures[MATCHES.index(settings.match), settings.max_cycle_period - 1])
    flagged = times > settings.max
    first, last = label.calls
    if label.label == LOOP:
        words = "✓ caught" if flagged else "✗ missed"
    else:
        words = "✗ flagged" if flagged else "✓ left alone"
    return {
        "what": f"{label.label} at {first:,}–{last:,}",
        "pin": label.pin,
        "words": f"{words} by these settings, {times:,} in a row there",
        "note": label.note,
        "calls": f"{first - 1}-{last - 1}",
    }


def _stale(labels: Sequence[Label]) -> str:
    if not labels:
        return ""
    said = ", ".join(
        label.label if label.calls is None else f"{label.label} at {label.calls[0]}–{label.calls[1]}"
        for label in labels
    )
    return f"A run of this name was labelled before its data changed: {said}. Say it again if it still holds."


def _where() -> str:
    path = keeping.path()
    return f"Kept in {path}." if path else "Kept in this browser session alone; choose a label file on Tune."


def _stretch(words: str) -> Stretch | None:
    first, _, last = words.partition("-")
    return (int(first) + 1, int(last) + 1) if first.isdecimal() and last.isdecimal() else None

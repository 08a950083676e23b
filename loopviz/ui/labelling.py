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
from loopviz.patterns import PatternError
from loopviz.tuning.applying import may_be
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, Stretch, keys_of, label_of
from loopviz.tuning.stretches import stretch_figures
from loopviz.tuning.words import calls_words
from loopviz.ui.asking import marked_span
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.tune import keeping
from loopviz.ui.tune.answering import answers
from loopviz.ui.tune.judging import said
from loopviz.ui.tune.pins import next_to_label
from loopviz.ui.tune.state import tuned
from loopviz.ui.walk import go_to_run

Data = dict[str, Any]
Fields = Mapping[str, list[str]]

_PASSED = "label.passed"


def say(fields: Fields) -> None:
    """The action `say`."""
    library = open_library()
    index = library.find(st.session_state.get("run", ""))
    if index is None:
        return
    trajectory = library.trajectories[index]
    stretch = _stretch(fields.get("calls", [""])[0])
    verdict, was = fields["say"][0], fields.get("was", [""])[0]
    label = None
    if verdict in (LOOP, NOT_A_LOOP):
        pin, note = "pin" in fields, fields.get("note", [""])[0].strip()
        label = label_of(trajectory, LOOP if verdict == LOOP else NOT_A_LOOP, calls=stretch, pin=pin, note=note)
    keys = keys_of(trajectory, stretch)
    met = keeping.change_if(label, keys, lambda stands: _standing(stands) == was)
    if met is not None:
        st.toast(f"Said meanwhile, and left as it is: {_standing(met.find(*keys)) or 'no label'}.")


def label_next(fields: Fields) -> None:
    """The action `label-next`: show the run that Tune would offer for a label next, those passed by already last."""
    library = open_library()
    try:
        found = tuned(library)
    except PatternError:  # Tune says which pattern, and why.
        return
    known, here = said(library, found), library.find(st.session_state.get("run", ""))
    for passed in (st.session_state.get(_PASSED, frozenset()) | {here}, frozenset({here})):
        st.session_state[_PASSED] = passed
        besides = frozenset(place for place, member in enumerate(found.opened.members) if member in passed)
        place, _ = next_to_label(found, known, answers(), besides)
        if place is not None:
            go_to_run(library, found.opened.members[place])
            st.rerun()
    st.toast("Every other run that counts has a label, or was skipped on Tune.")


def label_section(library: Library, index: int, found: Inspection) -> Data:
    """The section that shows what is said of the run on screen, and takes what a person says."""
    trajectory = library.trajectories[index]
    applied = keeping.said_of(library)
    labels = applied.of_run[index]
    stale = [label for label in applied.stale if may_be(label, trajectory)]
    span = marked_span(found)
    whole = next((label for label in labels if label.calls is None), None)
    return {
        "label": {
            "run": {
                "said": whole.label if whole else "",
                "was": _standing(whole),
                "note": whole.note if whole else "",
                "calls": "",
            },
            "stretch": None if span is None else _of_stretch(labels, span),
            "rows": [_row(found, label) for label in labels if label.calls is not None],
            "stale": _stale(stale),
            "fault": keeping.fault() or "",
            "where": _where(),
            "draft": trajectory.digest,
            "more": len(library.trajectories) > 1,
        }
    }


def _of_stretch(labels: Sequence[Label], span: tuple[int, int]) -> Data:
    stretch = span[0] + 1, span[1] + 1
    said = next((label for label in labels if label.calls == stretch), None)
    return {
        "title": f"{'' if stretch[0] == stretch[1] else 'calls '}{calls_words(stretch)}",
        "calls": f"{span[0]}-{span[1]}",
        "said": said.label if said else "",
        "was": _standing(said),
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
        "what": f"{label.label} at {calls_words(label.calls)}",
        "was": _standing(label),
        "pin": label.pin,
        "words": f"{words} by these settings, {times:,} in a row there",
        "note": label.note,
        "calls": f"{first - 1}-{last - 1}",
    }


def _standing(label: Label | None) -> str:
    """What is said, as a page has it that somebody answers on: `loop`, `loop, pinned`; nothing where nothing is."""
    return "" if label is None else f"{label.label}{', pinned' if label.pin else ''}"


def _stale(labels: Sequence[Label]) -> str:
    if not labels:
        return ""
    said = ", ".join(
        label.label if label.calls is None else f"{label.label} at {calls_words(label.calls)}" for label in labels
    )
    return f"A run of this name was labelled before its data changed: {said}. Say it again if it still holds."


def _where() -> str:
    path = keeping.path()
    return f"Kept in {path}." if path else "Lost when this page is reloaded, until a label file is chosen on Tune."


def _stretch(words: str) -> Stretch | None:
    first, _, last = words.partition("-")
    return (int(first) + 1, int(last) + 1) if first.isdecimal() and last.isdecimal() else None

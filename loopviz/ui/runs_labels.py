"""What people say of the runs on the page, and the ones that are picked by hand for Tune."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from loopviz.analysis.overview import FAIL
from loopviz.model import BoolArray
from loopviz.timeline.words import number
from loopviz.tuning.labels import Label
from loopviz.ui.compare.asked import ask_runs
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_words import noun
from loopviz.ui.tune import keeping
from loopviz.ui.tune.state import pick

PICKING = "runs.picking"
_PICKED = "runs.picked"
_GROUP, _BEFORE = "People", "Size"
TUNE = "views/tune.py"
COMPARE = "views/compare.py"


def labelled(opened: Opened) -> BoolArray:
    """Which runs have a label, shape (n_runs,)."""
    said = keeping.said_of(opened.library)

    def found() -> BoolArray:
        return np.array([bool(said.of_run[member]) for member in opened.members], dtype=np.bool_)

    mask: BoolArray = opened.runs.kept.get(("labelled", id(said)), found)
    return mask


def add_labels(table: dict[str, Any], opened: Opened, rows: Sequence[int]) -> None:
    """Put a column into a table that `show_table` gave: what people say of each run; none where they say nothing."""
    said = keeping.said_of(opened.library).of_run
    words = [labels_in_words(said[opened.members[run]]) for run in rows]
    if any(words):
        groups = [column["group"] for column in table["columns"]]
        at = groups.index(_BEFORE) if _BEFORE in groups else len(groups)
        tip = "What people say of the run, on Inspect or Tune."
        table["columns"].insert(at, {"name": "label", "title": "Label", "group": _GROUP, "kind": "text", "tip": tip})
        for row, word in zip(table["rows"], words, strict=True):
            row["cells"].insert(at, word or "–")


def labels_in_words(labels: Sequence[Label]) -> str:
    """`loop`, `not a loop`, or `2 stretches`."""
    whole = next((label.label for label in labels if label.calls is None), "")
    n_stretches = sum(label.calls is not None for label in labels)
    stretches = f"{n_stretches:,} stretch{'' if n_stretches == 1 else 'es'}" if n_stretches else ""
    return ", ".join(filter(None, (whole, stretches)))


def add_boxes(table: dict[str, Any], opened: Opened, rows: Sequence[int]) -> None:
    """Let each row be picked, while runs are picked by hand."""
    if st.session_state.get(PICKING):
        picked = _picked()
        for row, run in zip(table["rows"], rows, strict=True):
            row["pick"] = {"on": opened.key(run) in picked, "action": f"pick={run}"}


def turn(opened: Opened, run: int) -> None:
    """Pick a run, or drop it."""
    st.session_state[_PICKED] = _picked() ^ {opened.key(run)}


def tune_buttons(opened: Opened, judged: Judged, runs: Sequence[int]) -> None:
    """The way to Tune, with the runs of the table or those picked by hand."""
    picked = _picked()
    chosen = [run for run in range(len(judged.trajectories)) if opened.key(run) in picked] if picked else []
    picking = bool(st.session_state.get(PICKING))
    on = chosen if picking else runs
    what = f"{number(len(on))} {noun(judged, len(on))}"
    if st.button(f"Tune on {what}", key="runs.tune", disabled=not len(on)):
        pick(opened.library, [opened.members[run] for run in on])
        st.switch_page(TUNE)
    if picking and len(chosen) == 2 and st.button("Compare these two", key="runs.compare"):
        ask_runs(*(opened.key(run) for run in _passing_first(judged, chosen)))
        st.switch_page(COMPARE)
    st.toggle("Pick by hand", key=PICKING)


def _passing_first(judged: Judged, runs: Sequence[int]) -> list[int]:
    """Runs that pass before those that fail, else in their order."""
    return sorted(runs, key=lambda run: bool(judged.overview.verdict[run] == FAIL))


def _picked() -> frozenset[str]:
    picked: frozenset[str] = st.session_state.get(_PICKED, frozenset())
    return picked

"""What people say of the runs in the table, and runs that are picked by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st

from loopviz.analysis.runset import RunSet
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, label_of
from loopviz.ui.library import Library
from loopviz.ui.runs_judged import Opened, all_runs
from loopviz.ui.runs_labels import PICKING, add_boxes, add_labels, labelled, turn
from loopviz.ui.tune import keeping
from loopviz.ui.tune.state import pick, picked
from tests.tuning.sets_by_hand import run_of

RUNS = tuple(run_of("aaab", run=f"t{number}") for number in range(3))


@pytest.fixture
def opened() -> Iterator[Opened]:
    st.session_state.clear()
    library = Library([], [], [], {}, samples=False)
    library.trajectories = RUNS
    library.__dict__["runs"] = RunSet(RUNS)
    yield all_runs(library)
    st.session_state.clear()


def table(n_rows: int = 3) -> dict[str, Any]:
    return {
        "columns": [{"name": "name", "group": "Run"}, {"name": "turns", "group": "Size"}],
        "rows": [{"cells": [f"t{number}", "4"]} for number in range(n_rows)],
    }


def test_without_labels_there_is_no_column(opened: Opened) -> None:
    drawn = table()
    add_labels(drawn, opened, [0, 1, 2])
    assert drawn == table()
    assert labelled(opened).tolist() == [False, False, False]


def test_labels_stand_before_the_sizes(opened: Opened) -> None:
    keeping.put(label_of(RUNS[0], LOOP))
    keeping.put(label_of(RUNS[0], NOT_A_LOOP, calls=(1, 2)))
    keeping.put(label_of(RUNS[2], LOOP, calls=(1, 3)))
    drawn = table()
    add_labels(drawn, opened, [0, 1, 2])
    assert [column["name"] for column in drawn["columns"]] == ["name", "label", "turns"]
    assert [row["cells"][1] for row in drawn["rows"]] == ["loop, 1 stretch", "–", "1 stretch"]
    assert labelled(opened).tolist() == [True, False, True]


def test_rows_are_picked_and_dropped_by_hand(opened: Opened) -> None:
    st.session_state[PICKING] = True
    for run in (0, 2, 0):
        turn(opened, run)
    drawn = table()
    add_boxes(drawn, opened, [0, 1, 2])
    assert [row["pick"]["on"] for row in drawn["rows"]] == [False, False, True]


def test_tune_takes_the_picked_runs_until_others_are_open(opened: Opened) -> None:
    library = opened.library
    pick(library, [0, 2])
    assert list(picked(library).members) == [0, 2]
    library.trajectories = RUNS[:2]
    library.__dict__["runs"] = RunSet(RUNS[:2])
    assert len(picked(library).members) == 2
    pick(library, None)
    assert list(picked(library).members) == [0, 1]

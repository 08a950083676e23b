"""The order of the table and the counts above it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.overview import FAIL, NOT_JUDGED, PASS, Overview
from loopviz.ui.runs_facts import Facts, facts_of, in_order
from loopviz.ui.runs_filters import FILTERS, SORTS, order
from loopviz.ui.runs_table import COLUMNS
from tests.detectors.trajectories_by_hand import trajectory_of
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial, without_trajectory

URGENCY = {FAIL: 0, NOT_JUDGED: 1, PASS: 2}


def overview(verdicts: list[int], times: list[int]) -> Overview:
    """What is found in runs of which only verdict and figure matter."""
    zeros = np.zeros(len(verdicts), dtype=np.int64)
    return Overview(
        verdict=np.array(verdicts),
        deciding=zeros,
        occurrences=np.array(times),
        limit=zeros + 3,
        period=zeros,
        start=zeros,
        said=zeros,
        disagrees=zeros.astype(bool),
        ladder=zeros,
        thrash=zeros - 1,
        repeated=np.full(len(verdicts), np.nan),
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from([FAIL, NOT_JUDGED, PASS]), st.integers(0, 9), st.sampled_from("ab"), st.integers(0, 3)
        ),
        max_size=20,
    )
)
def test_failed_runs_come_first_then_the_highest_figures(rows: list[tuple[int, int, str, int]]) -> None:
    facts = Facts([trajectory_of([], stimulus=name, trial=number) for _, _, name, number in rows])
    found = order(facts, overview([row[0] for row in rows], [row[1] for row in rows]))
    expected = sorted(range(len(rows)), key=lambda at: (URGENCY[rows[at][0]], -rows[at][1], *rows[at][2:]))
    assert found.tolist() == expected


@given(st.lists(st.one_of(st.none(), st.floats(0, 5)), min_size=1, max_size=12), st.booleans())
def test_runs_without_a_value_stand_last_either_way(seconds: list[float | None], descending: bool) -> None:
    facts = Facts([trajectory_of([], duration_s=value) for value in seconds])
    found = order(facts, overview([PASS] * len(seconds), [0] * len(seconds)), "time", descending=descending)
    ordered = [seconds[run] for run in found.tolist()]
    known = [value for value in ordered if value is not None]
    assert ordered == [*sorted(known, reverse=descending), *[None] * (len(ordered) - len(known))]


def test_every_column_can_be_sorted_by() -> None:
    assert list(SORTS) == [column.name for column in COLUMNS]


@pytest.mark.parametrize(
    ("given_texts", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([None, "b", "a", "b"], ["a", "b"], id="each once, none left out"),
        pytest.param(["B", "a", "C"], ["a", "B", "C"], id="case aside"),
        pytest.param(["task-10", "task-9", "task-2b"], ["task-2b", "task-9", "task-10"], id="numbers by size"),
        pytest.param(["x" + "9" * 5000, "x1"], ["x1", "x" + "9" * 5000], id="a number of 5,000 digits"),
    ],
)
def test_names_stand_in_the_order_a_person_expects(given_texts: list[str | None], expected: list[str]) -> None:
    assert in_order(given_texts) == expected


def test_the_counts_above_the_table(tmp_path: Path) -> None:
    records = [
        trial("abcd", stimulus="quiet", said=True),
        trial("aaabcd", stimulus="at the limit", said=True),
        trial("aaaaab", stimulus="fails", said=False),
        trial("aaaaa", stimulus="fails by one in spite of Vally", said=True, graders=({"max": 4},)),
        without_trajectory(graders=({"max": 3},)),
    ]
    opened, judged = judged_runs(tmp_path, records)
    counts = {
        one.name: [facts_of(opened.runs).names[run] for run in np.flatnonzero(one.mask(judged.overview))]
        for one in FILTERS
    }
    assert counts == {
        "all": [record["stimulus"] for record in records],
        "fail": ["fails", "fails by one in spite of Vally"],
        "unjudged": ["update-dependency"],
        "otherwise": ["fails by one in spite of Vally"],
        "apart": ["fails", "fails by one in spite of Vally"],
        "near": ["at the limit", "fails by one in spite of Vally"],
    }

"""What empty outputs do to a figure, said where they change the verdict, either way round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.repeats import find_cycles
from loopviz.detectors.core.steps import EMPTY
from loopviz.timeline.empties import copies_without_empty, turned_by_empties, what_ifs
from tests.detectors.test_max_repeat import CALLS, A, call
from tests.timeline.test_picture import look


def part_empty(n: int, turns: int) -> list[dict[str, Any]]:
    """Turns of one full call and an empty one whose arguments change."""
    return [part for turn in range(turns) for part in ({**A, "turn": turn}, _empty(turn, n))]


def _empty(turn: int, n: int) -> dict[str, Any]:
    return {**call("read", f"file {turn % n}", None), "turn": turn}


def rows(found: Inspection) -> list[tuple[str, str]]:
    return [(row["label"], row["parts"][0]["text"]) for row in turned_by_empties(found.grader, found.finding)]


@pytest.mark.parametrize(
    ("calls", "settings", "labels"),
    [
        pytest.param([A] * 5, {}, [], id="no empty output"),
        pytest.param([A] * 5 + [call(out="")], {}, [], id="empty, but it decides nothing"),
        pytest.param([A, A, call(out=""), A, A], {}, ["Empty outputs"], id="hides a loop"),
        pytest.param([call(out="")] * 5, {}, ["Empty outputs"], id="nothing but empty outputs"),
        pytest.param([call(out="")] * 5, {"match": "name-args"}, [], id="arguments have no empty outputs"),
        pytest.param(part_empty(4, 4), {}, ["Empty outputs", "Longest pattern"], id="a fail that counting would pass"),
        pytest.param(
            part_empty(1, 4), {"max_cycle_period": 2}, ["Empty outputs", "Longest pattern"], id="longer is less"
        ),
        pytest.param(part_empty(1, 2), {"max_cycle_period": 2}, [], id="less, with the same verdict"),
    ],
)
def test_rows_beside_the_verdict(calls: list[dict[str, Any]], settings: dict[str, Any], labels: list[str]) -> None:
    assert [label for label, _ in rows(look(calls, **settings))] == labels


def test_a_fail_that_would_pass_if_empty_outputs_counted_says_so() -> None:
    found = look(part_empty(4, 4))
    assert not found.finding.passed and found.finding.occurrences_counting_empty == 1
    assert "If empty outputs counted: 1 in a row, which would pass" in rows(found)[0][1]


def test_the_longest_pattern_that_lowers_a_count_is_explained_from_both_sides() -> None:
    calls = part_empty(1, 4)
    longer, shorter = look(calls, max_cycle_period=2), look(calls)
    assert rows(longer)[-1][1].startswith(
        "With longest pattern 1 it would be 4 in a row: with longest pattern 1 a turn"
    )
    assert rows(shorter)[-1][1].startswith("With longest pattern 2 it would be 0 in a row")


@given(st.lists(st.integers(-1, 2), max_size=20), st.integers(1, 3))
def test_copies_without_empty_steps_agree_with_the_definition(codes: list[int], bound: int) -> None:
    for cycle in find_cycles(np.array(codes, dtype=np.int64), bound=bound):
        full = [code for code in codes[cycle.start :] if code != EMPTY]
        copies = 1
        while full[copies * cycle.period :][: cycle.period] == full[: cycle.period]:
            copies += 1
        assert copies_without_empty(np.array(codes, dtype=np.int64), cycle) == copies


@given(CALLS, st.integers(1, 4), st.integers(1, 3))
def test_a_row_stands_exactly_where_the_verdict_turns(calls: list[dict[str, Any]], bound: int, limit: int) -> None:
    found = look(calls, max=limit, max_cycle_period=bound)
    finding = found.finding
    labels = [label for label, _ in rows(found)]
    figures = (finding.occurrences_without_empty, finding.occurrences_counting_empty)
    turned = any((figure <= limit) != finding.passed for figure in figures)
    assert ("Empty outputs" in labels) == turned
    other = int(found.grader.best("observation", 1 if bound > 1 else 2).occurrences[0])
    lower = other > finding.occurrences if bound > 1 else other < finding.occurrences
    assert ("Longest pattern" in labels) == (lower and (other <= limit) != finding.passed)
    assert any("Longest pattern" in line for line in what_ifs(found.grader, finding)) == lower

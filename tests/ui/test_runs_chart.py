"""The dot chart: which rows and spots it has, and how they are drawn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.ui.charts.dots import SIDE_BY_SIDE, Row, Spot, dot_chart, position, ticks
from loopviz.ui.runs_chart import MOST_ROWS, _grouped, rows_by, spots_of
from loopviz.ui.runs_facts import facts_of
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial, without_trajectory

HOSTILE = "<b>x</b> <a href='https://example.invalid/'>y</a>"


def spot(row: int = 0, times: int | None = 1, fails: bool = False, count: int = 1, name: str = "run") -> Spot:
    """Some runs at one place."""
    runs = tuple((number, name) for number in range(min(count, SIDE_BY_SIDE)))
    return Spot(row=row, times=times, fails=fails, count=count, runs=runs)


def points(figure: Any) -> list[tuple[float, float, str]]:
    """Place and sign of every mark."""
    return [
        (round(x, 6), y, text) for trace in figure.data for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    ]


@pytest.mark.parametrize(
    ("spots", "expected"),
    [
        pytest.param([], [], id="no run"),
        pytest.param([spot()], [(1, 0, "")], id="one run"),
        pytest.param([spot(times=7, fails=True)], [(7, 0, "✗")], id="one that fails"),
        pytest.param([spot(times=None)], [(0, 0, "")], id="one not judged stands left of the smallest figure"),
        pytest.param([spot(count=3)], [(0.8, 0, ""), (1, 0, ""), (1.2, 0, "")], id="three side by side"),
        pytest.param([spot(count=1_200)], [(1, 0, "1,200")], id="many as one mark with their count"),
        pytest.param([spot(row=0), spot(row=1, times=2)], [(1, 0, ""), (2, -1, "")], id="two rows, the first on top"),
    ],
)
def test_where_the_marks_stand(spots: list[Spot], expected: list[tuple[float, float, str]]) -> None:
    rows = [Row(name="a", limit=3), Row(name="b", limit=3)]
    assert points(dot_chart(rows, spots, "light", row_title="stimulus")) == expected


def test_names_are_no_markup() -> None:
    written = dot_chart([Row(name=HOSTILE, limit=3)], [spot(name=HOSTILE), spot(count=9)], "dark", row_title="stimulus")
    assert "<" not in written.to_json().encode().decode("unicode_escape")


def test_a_mark_hands_back_its_run_and_what_it_stands_for() -> None:
    figure = dot_chart([Row(name="a", limit=3)], [spot(count=2), spot(times=2, count=9)], "light", row_title="")
    assert [list(pair) for pair in figure.data[0].customdata] == [[0, 1], [1, 1], [0, 9]]


@pytest.mark.parametrize(
    ("limits", "title"),
    [
        pytest.param([3, 3], "more than 3: fails", id="one limit"),
        pytest.param([3, 2], "shaded: fails", id="two limits"),
        pytest.param([None], None, id="none known"),
    ],
)
def test_the_shaded_part_is_named(limits: list[int | None], title: str | None) -> None:
    figure = dot_chart([Row(name="a", limit=limit) for limit in limits], [spot()], "light", row_title="stimulus")
    named = [annotation.text for annotation in figure.layout.annotations]
    assert named == ["stimulus", *([title] if title else [])]
    boxes = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert len(boxes) == sum(limit is not None for limit in limits)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_axis_keeps_the_order_of_figures(one: int, other: int) -> None:
    assert (position(one) < position(other)) == (one < other)


@given(st.integers(0, 100_000))
def test_the_axis_names_few_figures_and_reaches_the_largest(most: int) -> None:
    named = ticks(most)
    assert named == sorted(set(named))
    assert len(named) <= 11
    assert most <= named[-1] * 4


@pytest.mark.parametrize(
    ("figures", "named"),
    [
        pytest.param([2, 14], [1, 5, 10, 14], id="the one beyond"),
        pytest.param([11], [1, 5, 11], id="too near to the end of the even part"),
        pytest.param([14, 15, 40], [1, 5, 10, 15, 40], id="too near to each other"),
    ],
)
def test_figures_beyond_the_even_part_are_named(figures: list[int], named: list[int]) -> None:
    assert ticks(max(figures), figures) == named


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 3)), min_size=1, max_size=30))
def test_equal_keys_are_brought_together(keys: list[tuple[int, int]]) -> None:
    together, first, count = _grouped(np.array(keys))
    groups = [tuple(keys[at] for at in together[begin : begin + n]) for begin, n in zip(first, count, strict=True)]
    assert sorted(together.tolist()) == list(range(len(keys)))
    assert all(len(set(group)) == 1 for group in groups)
    assert Counter({group[0]: len(group) for group in groups}) == Counter(keys)
    assert all(sorted(together[b : b + n]) == list(together[b : b + n]) for b, n in zip(first, count, strict=True))


def test_rows_and_spots_of_some_runs(tmp_path: Path) -> None:
    records = [
        trial("abc", stimulus="quiet", number=0),
        trial("abc", stimulus="quiet", number=1),
        trial("aaaab", stimulus="loops", number=0),
        trial("aab", stimulus="loops", number=1, graders=({"max": 1},)),
        without_trajectory(stimulus="lost", graders=({"max": 3},)),
    ]
    opened, judged = judged_runs(tmp_path, records)
    title, names, row = rows_by(facts_of(opened.runs))
    rows, spots, n_rows = spots_of(judged, names, row)
    assert (title, n_rows) == ("stimulus", 3)
    assert [(row.name, row.limit) for row in rows] == [("loops", None), ("quiet", 3), ("lost", None)]
    assert {(rows[s.row].name, s.times, s.fails, s.count) for s in spots} == {
        ("loops", 4, True, 1),
        ("loops", 2, True, 1),
        ("quiet", 1, False, 2),
        ("lost", None, False, 1),
    }
    assert [run for s in spots if s.count == 2 for run, _ in s.runs] == [0, 1]


@pytest.mark.parametrize(
    ("records", "title", "names"),
    [
        pytest.param([trial("a"), trial("a")], "stimulus", ["fix-failing-test"] * 2, id="one stimulus"),
        pytest.param(
            [trial("a", model="m"), trial("a", model="n")], "model", ["m", "n"], id="one stimulus, two models"
        ),
        pytest.param([trial("a", stimulus="s"), trial("a", stimulus="t")], "stimulus", ["s", "t"], id="two stimuli"),
    ],
)
def test_what_the_rows_stand_for(records: list[dict[str, Any]], title: str, names: list[str], tmp_path: Path) -> None:
    opened, _ = judged_runs(tmp_path, records)
    found, rows, row = rows_by(facts_of(opened.runs))
    assert (found, [rows[at] for at in row]) == (title, names)


def test_only_the_worst_rows_are_drawn(tmp_path: Path) -> None:
    records = [trial("a" * (number + 1), stimulus=f"s{number}") for number in range(MOST_ROWS + 4)]
    opened, judged = judged_runs(tmp_path, records)
    rows, spots, n_rows = spots_of(judged, *rows_by(facts_of(opened.runs))[1:])
    assert n_rows == MOST_ROWS + 4
    assert [row.name for row in rows] == [f"s{number}" for number in range(MOST_ROWS + 3, 3, -1)]
    assert len(spots) == MOST_ROWS

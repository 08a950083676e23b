"""The dot chart of the Runs page: which rows it has, which runs share a spot, and what a click on a mark means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from loopviz.analysis.overview import FAIL, NOT_JUDGED
from loopviz.model import IntArray
from loopviz.timeline.palette import Theme
from loopviz.timeline.words import number
from loopviz.ui.charts.dots import LINEAR_UP_TO, SIDE_BY_SIDE, Row, Spot, dot_chart
from loopviz.ui.runs_facts import Facts, facts_of
from loopviz.ui.runs_findings import run_title
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_links import follow, opening
from loopviz.ui.runs_words import noun

MOST_ROWS = 9
FEWEST_RUNS = 2
NAMELESS = "none named"


def chart(opened: Opened, judged: Judged) -> None:
    """Draw the chart; a click on a mark opens its run."""
    figure, legend = judged.kept.get(("chart", theme()), lambda: _draw(judged, theme()))
    with st.container(key="runs-chart"):
        st.markdown(f"**Times in a row, one mark a {noun(judged, 1)}**")
        state: Any = st.plotly_chart(
            figure,
            key="runs.chart",
            on_select="rerun",
            selection_mode="points",
            theme=None,
            config={"displayModeBar": False, "scrollZoom": False, "doubleClick": False},
            alt="Times in a row of each run; the table below holds the same figures.",
        )
        st.caption(legend)
    points = state.selection.points
    if points and points[0]["customdata"][1] == 1:
        follow(opened, judged, opening(int(points[0]["customdata"][0])))


def is_worth_drawing(judged: Judged) -> bool:
    """Whether there is more than one run to compare."""
    return len(judged.trajectories) >= FEWEST_RUNS


def theme() -> Theme:
    """The theme at hand: a figure does not see the page's colours."""
    return "dark" if st.context.theme.type == "dark" else "light"


def _draw(judged: Judged, theme: Theme) -> tuple[Any, str]:
    title, names, row = rows_by(facts_of(judged.runs))
    rows, spots, n_rows = spots_of(judged, names, row)
    return dot_chart(rows, spots, theme, row_title=title), _legend(
        n_rows,
        unknown=any(spot.times is None for spot in spots),
        several=any(
            row.limit is None and any(spot.row == at and spot.times is not None for spot in spots)
            for at, row in enumerate(rows)
        ),
        bent=any((spot.times or 0) > LINEAR_UP_TO for spot in spots),
    )


def rows_by(facts: Facts) -> tuple[str, Sequence[str], IntArray]:
    """(title of the rows, their names, the row of each run): by stimulus, else by model, else all runs in one row."""
    for title, column in (("stimulus", "stimuli"), ("model", "models")):
        names, row = facts.options(column), facts.ranks(column)
        if row.min() < 0:
            names, row = [NAMELESS, *names], row + 1
        if len(names) > 1:
            return title, names, row
    if facts.named:
        return "stimulus", facts.options("stimuli"), facts.ranks("stimuli")
    return "", ["all runs"], np.zeros(len(facts.names), dtype=np.int64)


def spots_of(judged: Judged, names: Sequence[str], row: IntArray) -> tuple[list[Row], list[Spot], int]:
    """The rows of the chart, worst first, the spots in them, and how many rows there are in all.

    Args:
        judged: The runs and what is found in them.
        names: What the rows are called.
        row: The row of each run, shape (n_runs,).
    """
    found = judged.overview
    worst = _worst_first(judged, row)
    place = np.full(int(row.max()) + 1, -1)
    place[worst[:MOST_ROWS]] = np.arange(len(worst[:MOST_ROWS]))
    shown = np.flatnonzero(place[row] >= 0)
    times = np.where(found.verdict == NOT_JUDGED, -1, found.occurrences)
    keys = np.stack([place[row], times, found.verdict == FAIL], axis=1)[shown]
    of_spot, first, count = _grouped(keys)
    spots = [
        Spot(
            row=int(keys[members[0], 0]),
            times=None if keys[members[0], 1] < 0 else int(keys[members[0], 1]),
            fails=bool(keys[members[0], 2]),
            count=int(n),
            runs=tuple((int(run), run_title(judged.trajectories[run])) for run in shown[members[:SIDE_BY_SIDE]]),
        )
        for at, n in zip(first, count, strict=True)
        for members in (of_spot[at : at + n],)
    ]
    rows = [Row(name=names[at], limit=_limit(judged, row == at)) for at in worst[:MOST_ROWS]]
    return rows, spots, len(worst)


def _grouped(keys: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """(rows of `keys` with equal ones together, where each group begins, how many each holds)."""
    _, group, count = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    together = np.argsort(group.reshape(-1), kind="stable")
    return together, np.concatenate([[0], np.cumsum(count)[:-1]]), count


def _worst_first(judged: Judged, row: IntArray) -> IntArray:
    """The rows by how many of their runs fail, then by their highest figure, then by name."""
    found = judged.overview
    n_rows = int(row.max()) + 1
    fails = np.bincount(row, found.verdict == FAIL, n_rows)
    most = np.zeros(n_rows, dtype=np.int64)
    np.maximum.at(most, row, found.occurrences)
    return np.lexsort((np.arange(n_rows), -most, -fails))


def _limit(judged: Judged, members: Any) -> int | None:
    """What the judged runs of a row are allowed, where that is the same for all."""
    limits = np.unique(judged.overview.limit[members & (judged.overview.verdict != NOT_JUDGED)])
    return int(limits[0]) if len(limits) == 1 else None


def _legend(n_rows: int, *, unknown: bool, several: bool, bent: bool) -> str:
    words = f"○ passes  ✗ fails{'  ⊙ not judged' if unknown else ''}. A click opens the run."
    if several:
        words += " A row without shading holds runs with several limits."
    if bent:
        words += f" Beyond {LINEAR_UP_TO} the axis is drawn closer together."
    if n_rows > MOST_ROWS:
        words += f" The {MOST_ROWS} of {number(n_rows)} with most failures, then the highest figures."
    return words

"""The dot chart of the Runs page: which runs it shows, in which rows, and what a click on a mark means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

import streamlit as st

from loopviz.analysis.overview import FAIL, NOT_JUDGED
from loopviz.timeline.palette import Theme
from loopviz.timeline.words import number
from loopviz.ui.charts.dots import Dot, dot_chart
from loopviz.ui.runs_facts import facts_of
from loopviz.ui.runs_findings import run_title
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_links import open_run
from loopviz.ui.runs_words import noun

MOST_ROWS = 9
FEWEST_RUNS = 2


def chart(opened: Opened, judged: Judged) -> None:
    """Draw the chart; a click on a mark opens its run."""
    row_title, names = rows_by(opened)
    dots = dots_of(judged, names)
    rows = worst_rows(dots)
    with st.container(key="runs-chart"):
        st.markdown(f"**Times in a row, one mark a {noun(judged.trajectories, 1)}**")
        state: Any = st.plotly_chart(
            dot_chart(dots, rows[:MOST_ROWS], theme(), row_title=row_title),
            key="runs.chart",
            on_select="rerun",
            selection_mode="points",
            theme=None,
            config={"displayModeBar": False, "scrollZoom": False, "doubleClick": False},
            alt="Times in a row of each run; the table below holds the same figures.",
        )
        st.caption(_legend(len(rows), row_title))
    points = state.selection.points
    if points and points[0]["customdata"][1] == 1:
        open_run(opened.library, opened.members[int(points[0]["customdata"][0])])


def is_worth_drawing(judged: Judged) -> bool:
    """Whether there is more than one run to compare."""
    return len(judged.trajectories) >= FEWEST_RUNS


def theme() -> Theme:
    """The theme at hand: a figure does not see the page's colours."""
    return cast(Theme, "dark" if st.context.theme.type == "dark" else "light")


def rows_by(opened: Opened) -> tuple[str, Sequence[str]]:
    """(title of the rows, row of each run): by stimulus, else by model, else all runs in one row."""
    facts = facts_of(opened.runs)
    for title, values in (("stimulus", facts.stimuli), ("model", facts.models)):
        if len(set(values)) > 1:
            return title, [value or "none" for value in values]
    only = next(iter(set(facts.stimuli)), None)
    return ("stimulus", [only] * len(facts.stimuli)) if only else ("", ["all runs"] * len(facts.names))


def dots_of(judged: Judged, names: Sequence[str]) -> list[Dot]:
    """Every run as a mark."""
    found = judged.overview
    return [
        Dot(
            row=names[run],
            name=run_title(judged.trajectories[run]),
            times=None if verdict == NOT_JUDGED else times,
            fails=verdict == FAIL,
            limit=None if verdict == NOT_JUDGED else limit,
            run=run,
        )
        for run, (verdict, times, limit) in enumerate(
            zip(found.verdict.tolist(), found.occurrences.tolist(), found.limit.tolist(), strict=True)
        )
    ]


def worst_rows(dots: Sequence[Dot]) -> list[str]:
    """The rows with the highest figures over their limits first."""
    worst: dict[str, tuple[int, int, int]] = defaultdict(lambda: (0, -1, -1))
    for dot in dots:
        fails, most, unjudged = worst[dot.row]
        worst[dot.row] = (fails + dot.fails, max(most, dot.times or 0), max(unjudged, dot.times is None))
    return sorted(worst, key=lambda row: (*(-value for value in worst[row]), row))


def _legend(n_rows: int, row_title: str) -> str:
    words = "○ passes  ✗ fails  ⊙ not judged. A click opens the run."
    if n_rows > MOST_ROWS:
        words += f" Shown: {number(MOST_ROWS)} of {number(n_rows)} in the order of failures, then of times in a row."
    return words

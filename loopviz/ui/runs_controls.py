"""The controls above and below the table of runs; what they say is kept while the person is on other pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from loopviz.model import BoolArray
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui.components.clean import printable
from loopviz.ui.runs_facts import Facts
from loopviz.ui.runs_filters import ALWAYS, FILTERS, SMALLEST_FIRST, SORTS
from loopviz.ui.runs_judged import Judged
from loopviz.ui.runs_search import COLUMN
from loopviz.ui.runs_table import FIXED, GROUPS, Sort, columns_of

PAGE = 100
"""Rows of one page."""
MOST_OPTIONS = 1_000
"""Names offered in a list; the search finds the others."""
LABELLED = "labelled"
"""The filter that leaves the runs people said something of."""
FILTER, SORT, AT = "runs.filter", "runs.sort", "runs.at"
MODES = {"recorded": "as recorded, per run", "own": "one for all"}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """One of the further filters: a list of the values that some run has."""

    name: str
    """A column of the facts."""
    label: str


NARROWINGS = (
    Narrowing("stimuli", "Stimulus"),
    Narrowing("models", "Model"),
    Narrowing("statuses", "Status"),
    Narrowing("files", "File"),
)


def settings_switch(judged: Judged) -> None:
    """As recorded, or one grader for all."""
    st.session_state["runs.mode"] = "recorded" if choices.current().own is None else "own"
    st.segmented_control(
        "Settings",
        list(MODES),
        required=True,
        format_func=MODES.__getitem__,
        key="runs.mode",
        on_change=_switch,
        args=(judged.kept.get("commonest", lambda: commonest(judged)),),
    )


def commonest(judged: Judged) -> MaxRepeatSettings:
    """The settings that most runs are judged by: where one grader for all begins."""
    alike = Counter(map(id, judged.graders))
    graders = {id(own): own for own in judged.graders}
    counts: Counter[MaxRepeatSettings] = Counter()
    for kind, count in alike.items():
        for grader in graders[kind]:
            counts[grader.settings] += count
    return counts.most_common(1)[0][0] if counts else choices.EXAMPLE


def _switch(first: MaxRepeatSettings) -> None:
    own = first if st.session_state["runs.mode"] == "own" else None
    choices.choose(replace(choices.current(), own=own, refused=()))


def more_filters(facts: Facts) -> BoolArray:
    """A list for each name that tells runs apart; which runs they leave, shape (n_runs,)."""
    kept = np.ones(len(facts.names), dtype=np.bool_)
    telling = [one for one in NARROWINGS if len(facts.options(one.name)) > 1]
    if not telling:
        return kept
    chosen = [one for one in telling if st.session_state.get(f"runs.only.{one.name}") is not None]
    label = f"More filters · {len(chosen)}" if chosen else "More filters"
    with st.popover(label, key="runs.more"):
        for one in telling:
            only = st.selectbox(
                one.label,
                facts.options(one.name)[:MOST_OPTIONS],
                index=None,
                format_func=printable,
                placeholder="any",
                key=f"runs.only.{one.name}",
                on_change=to_first_page,
                persist_state="session",
            )
            if only is not None:
                kept &= facts.ranks(one.name) == facts.options(one.name).index(only)
    return kept


def hidden_groups(facts: Facts) -> tuple[str, ...]:
    """Groups of columns that the person does not want to see."""
    there = {column.group for column in columns_of(facts)}
    with st.popover("Columns", key="runs.columns"):
        for group in GROUPS:
            if group in there and group not in FIXED:
                st.toggle(group, value=True, key=f"runs.show.{group}", persist_state="session")
    return tuple(group for group in GROUPS if not st.session_state.get(f"runs.show.{group}", True))


def pills(judged: Judged, within: BoolArray, labelled: BoolArray) -> BoolArray:
    """The counts, each of which is a filter; which runs the chosen one leaves, shape (n_runs,).

    Args:
        judged: The runs and what is found in them.
        within: Which runs the search and the other filters leave, shape (n_runs,): only those are counted.
        labelled: Which runs people said something of, shape (n_runs,).
    """
    masks = {**{one.name: one.mask(judged.overview) for one in FILTERS}, LABELLED: labelled}
    counts = {name: int((mask & within).sum()) for name, mask in masks.items()}
    labels = {**{one.name: one.label for one in FILTERS}, LABELLED: "labelled"}
    options = [name for name, mask in masks.items() if mask.any() or name in ALWAYS]
    if st.session_state.get(FILTER) not in options:
        st.session_state[FILTER] = "all"
    chosen = st.pills(
        "Which runs",
        options,
        required=True,
        format_func=lambda name: f"{labels[name]} **{number(counts[name])}**",
        key=FILTER,
        label_visibility="collapsed",
        on_change=to_first_page,
        persist_state="session",
    )
    return masks[chosen or "all"]


def sort_in_force() -> Sort:
    """What the person sorted by."""
    sort: Sort = st.session_state.get(SORT, Sort())
    return sort


def sort_by(column: str) -> None:
    """Sort by a column; a second click turns the order round, a third goes back to failed first."""
    if column not in (*SORTS, COLUMN):
        return
    now, first = sort_in_force(), column not in SMALLEST_FIRST
    if now.column != column:
        st.session_state[SORT] = Sort(column, first)
    elif now.descending is first:
        st.session_state[SORT] = Sort(column, not first)
    else:
        st.session_state[SORT] = Sort()
    to_first_page()


def only_failing() -> None:
    """Show all failing runs, and only those."""
    st.session_state[FILTER] = "fail"
    to_first_page()


def to_first_page() -> None:
    """Begin at the first row again."""
    st.session_state[AT] = 0


def page_at(n_rows: int) -> int:
    """First row of the page in sight."""
    at = int(st.session_state.get(AT, 0))
    return at if 0 <= at < n_rows else 0


def page_buttons(at: int, n_rows: int) -> None:
    """The way to the other pages, where there are any."""
    if n_rows <= PAGE:
        return
    last = (n_rows - 1) // PAGE * PAGE
    with st.container(horizontal=True, key="runs-pages", width="content"):
        st.button("First", on_click=_go, args=(0,), disabled=at == 0)
        st.button("← Previous", on_click=_go, args=(at - PAGE,), disabled=at == 0)
        st.button("Next →", on_click=_go, args=(at + PAGE,), disabled=at == last)
        st.button("Last", on_click=_go, args=(last,), disabled=at == last)


def _go(at: int) -> None:
    st.session_state[AT] = max(0, at)

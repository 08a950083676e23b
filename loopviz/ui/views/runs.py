"""Runs: did anything loop, and what should one look at first?"""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui.components.findings import findings
from loopviz.ui.components.run_table import run_table
from loopviz.ui.controls import grader_controls, say_refusals
from loopviz.ui.first_start import PART, back_to_samples, first_start, open_your_own, part_in_sight, runs_of_part
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.reloading import offer_reload
from loopviz.ui.runs_address import follow_link, table_fields
from loopviz.ui.runs_chart import chart, is_worth_drawing
from loopviz.ui.runs_controls import (
    PAGE,
    hidden_groups,
    more_filters,
    only_failing,
    page_at,
    page_buttons,
    pills,
    settings_switch,
    sort_by,
    sort_in_force,
    to_first_page,
)
from loopviz.ui.runs_export import export_popover
from loopviz.ui.runs_facts import Facts, facts_of
from loopviz.ui.runs_filters import SORTS, order
from loopviz.ui.runs_findings import show_findings
from loopviz.ui.runs_judged import Judged, Opened, all_runs, judged_first
from loopviz.ui.runs_labels import add_boxes, add_labels, labelled, tune_buttons, turn
from loopviz.ui.runs_links import follow
from loopviz.ui.runs_open import files_in_words, list_files, say_stopped, uploaders
from loopviz.ui.runs_search import COLUMN, Search, Sought, add_hits, by_hits, search_box, seek
from loopviz.ui.runs_table import Sort, show_table
from loopviz.ui.runs_words import headline, noun, remainder, settings_in_words


def page() -> None:
    """The samples when nothing was given, else the runs that are open."""
    library = open_library()
    say_stopped(library)
    part = part_in_sight(library)
    opened = runs_of_part(library, part) if part else all_runs(library)
    if library.samples and not part:
        choices.write_link(choices.to_link(choices.current()))
        first_start(library)
    elif not library.trajectories:
        _nothing_read(library)
    else:
        follow_link()
        _write_link(opened)
        _runs(opened)
    _corner(library)


def _write_link(opened: Opened) -> None:
    """Make the address say what is on screen: the part of the samples, the table and the settings."""
    part = part_in_sight(opened.library)
    choices.write_link({**({PART: part} if part else {}), **table_fields(), **choices.to_link(choices.current())})


def _corner(library: Library) -> None:
    """How many files are open, and the way to open more, at the right of the navigation."""
    with st.container(key="runs-corner", horizontal=True, vertical_alignment="center"):
        st.caption(files_in_words(library), width="content")
        if library.trajectories and not library.samples:
            with st.popover("Open more", key="runs.open"):
                uploaders()


def _nothing_read(library: Library) -> None:
    st.title("No run could be read", anchor=False)
    list_files(library)
    open_your_own()


def _runs(opened: Opened) -> None:
    judged = judged_first(opened, choices.current())
    with st.container(key="runs-top"):
        if is_worth_drawing(judged):
            left, right = st.columns([60, 40], gap="large")
            with left:
                _finding(opened, judged)
            with right:
                chart(opened, judged)
        else:
            _finding(opened, judged)
    _table_part(opened, judged, choices.current())
    list_files(opened.library)


def _finding(opened: Opened, judged: Judged) -> None:
    if opened.library.samples:
        st.button("← All samples", on_click=back_to_samples, type="tertiary")
    with st.container(key="runs-head"):
        st.title(headline(judged), anchor=False)
        st.text(judged.kept.get("remainder", lambda: remainder(judged)))
    shown = judged.kept.get("findings", lambda: show_findings(opened, judged))
    action = findings(shown, key="findings")
    if action == "more":
        only_failing()
    elif action:
        follow(opened, judged, action)


@st.fragment
def _table_part(opened: Opened, judged: Judged, choice: choices.Choice) -> None:
    """Controls and table, which rerun alone; a change of settings draws the whole page anew."""
    offer_reload(opened.library)
    facts = facts_of(opened.runs)
    with st.container(key="runs-controls", horizontal=True, vertical_alignment="bottom"):
        settings_switch(judged)
        search = search_box(to_first_page)
        narrowed = more_filters(facts)
        hidden = hidden_groups(facts)
        beside = st.container(key="runs-hand-on", width="content")
    own = choices.current().own
    if own is not None:
        grader_controls(own)
        say_refusals(own)
    with st.container(key="runs-settings"):
        st.text(judged.kept.get("settings", lambda: settings_in_words(judged)))
    sought = seek(judged, search)
    filtered = pills(judged, narrowed & sought.mask, labelled(opened))
    if sought.refused:
        st.text(sought.refused)
    if choices.current() != choice:
        st.rerun()
    _write_link(opened)
    _rows(opened, judged, narrowed & filtered & sought.mask, hidden, search, sought, beside)


def _rows(
    opened: Opened,
    judged: Judged,
    chosen: np.ndarray,
    hidden: tuple[str, ...],
    search: Search,
    sought: Sought,
    beside: DeltaGenerator,
) -> None:
    """The table, what stands below it, and `beside` the controls the way to hand its runs on."""
    facts, sort = facts_of(opened.runs), sort_in_force()
    column = sort.column if sort.column in SORTS else None
    runs = judged.kept.get(
        ("order", column, sort.descending),
        lambda: order(facts, judged.overview, column, descending=sort.descending),
    )
    if sort.column == COLUMN and sought.hits is not None:
        runs = by_hits(runs, sought.hits, descending=sort.descending)
    runs = runs[chosen[runs]]
    if not len(runs):
        st.info(f"No {noun(judged, 1)} fits. Change the search or the filters.")
        return
    at = page_at(len(runs))
    rows = runs[at : at + PAGE].tolist()
    table = show_table(opened, judged, rows, sort, hidden)
    if sought.hits is not None:
        add_hits(table, opened, judged, rows, search, sought.hits)
    add_labels(table, opened, rows)
    add_boxes(table, opened, rows)
    action = run_table(table, key="table")
    with st.container(key="runs-below", horizontal=True, vertical_alignment="center"):
        st.caption(_caption(facts, at, len(runs), sort))
        page_buttons(at, len(runs))
        tune_buttons(opened, judged, runs.tolist())
    with beside:
        export_popover(opened, judged, runs.tolist())
    if action:
        _act(opened, judged, action)


def _act(opened: Opened, judged: Judged, action: str) -> None:
    fields = dict(parse_qsl(action))
    if "pick" in fields:
        turn(opened, int(fields["pick"]))
        st.rerun(scope="fragment")
    if "sort" in fields:
        sort_by(fields["sort"])
        st.rerun(scope="fragment")
    follow(opened, judged, action)


def _caption(facts: Facts, at: int, n_rows: int, sort: Sort) -> str:
    words = f"Rows {number(at + 1)}–{number(min(at + PAGE, n_rows))} of {number(n_rows)}"
    words += ", failed first." if sort.column is None else ", sorted as marked."
    spent = [
        name
        for name, there in (
            ("tokens", facts.has_tokens),
            ("cost (US dollars)", facts.has_cost),
            ("time (minutes)", not np.isnan(facts.duration).all()),
        )
        if there
    ]
    if spent:
        listed = " and ".join([", ".join(spent[:-1]), spent[-1]] if len(spent) > 1 else spent)
        words += f" {listed[0].upper()}{listed[1:]} as recorded."
    words += " A click on a row opens Inspect."
    if facts.graded:
        from_score = "" if facts.threshold is None else f", ✓ from {facts.threshold:.2f} on"
        words += f" Score: the trial’s own{from_score}, as recorded."
    return words


page()

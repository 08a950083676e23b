"""The box with both settings: what is in force now above the controls of the candidate, in the same columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from loopviz.timeline.words import SAME_WHEN, number
from loopviz.tuning.graders import watched_tools
from loopviz.tuning.words import counted
from loopviz.ui.choice import patterns_as_text
from loopviz.ui.controls import LABELS, TIPS, apply, grader_cells, say_refusals
from loopviz.ui.tune.judging import SOURCE, WORDS, Said, source_in_force, worth_taking
from loopviz.ui.tune.pins import pins_in_words
from loopviz.ui.tune.state import Tuned
from loopviz.ui.tune.watching import tools_in_words

WIDTHS: dict[str, int | Literal["stretch", "content"]] = {
    "max": 160,
    "max_cycle_period": 134,
    "match": 308,
    "tools": "stretch",
    "guards": 94,
    "fails": "content",
}
"""Columns beside the first; numbers are pixels."""
HEADS = {
    **LABELS,
    "max_cycle_period": "Longest pattern",
    "tools": "Watched tools",
    "guards": "Live guards",
    "fails": "Runs fail",
}
VARIES = "varies"


def settings_box(tuned: Tuned, said: Said) -> None:
    """Draw the box."""
    with st.container(key="tune-settings", border=True):
        with st.container(key="tune-columns", horizontal=True, gap="small"):
            _first_column(tuned)
            columns = {name: _column(name, width) for name, width in WIDTHS.items()}
        now = current_in_words(tuned)
        for name, column in columns.items():
            with column:
                st.text(HEADS[name], help=TIPS.get(name))
                if name in now:
                    st.text(now[name])
        grader_cells(tuned.candidate, columns)
        with columns["fails"]:
            st.text(failing(tuned, candidate=True))
        with st.container(key="tune-below", gap="xxsmall"):
            for line in _below(tuned, said):
                st.text(line)
            say_refusals(tuned.candidate)
        _offers(tuned, said)


def _column(name: str, width: int | Literal["stretch", "content"]) -> DeltaGenerator:
    return st.container(key=f"tune-column-{name}", width=width, gap=None)


def _first_column(tuned: Tuned) -> None:
    with st.container(key="tune-column-which", width=96, gap=None):
        st.text(tuned.entries[tuned.chosen].name)
        st.text("○ Current")
        st.text("● Candidate")


def current_in_words(tuned: Tuned) -> dict[str, str]:
    """What is in force now, by column; `varies` where runs have graders that differ in it."""
    graders = {grader.settings for own in tuned.graders_now for grader in own}

    def common(values: set[str]) -> str:
        return next(iter(values)) if len(values) == 1 else VARIES if values else "–"

    return {
        "max": common({str(one.max) for one in graders}),
        "max_cycle_period": common({str(one.max_cycle_period) for one in graders}),
        "match": common({SAME_WHEN[one.match] for one in graders}),
        "tools": common({patterns_as_text(one.tools) or "every tool" for one in graders}),
        "fails": failing(tuned, candidate=False),
    }


def failing(tuned: Tuned, *, candidate: bool) -> str:
    """`29 of 584 · 5.0 %`."""
    fails = tuned.candidate_fails if candidate else tuned.current_fails
    n_fail, n_runs = int(fails.sum()), int(tuned.counts.sum())
    share = f" · {100 * n_fail / n_runs:.1f} %" if n_runs else ""
    return f"{number(n_fail)} of {number(n_runs)}{share}"


def _below(tuned: Tuned, said: Said) -> Iterator[str]:
    """What the controls do, said as they move: the tools they watch, the graders together, the pins."""
    tools = sorted(tuned.opened.runs.columns.tools)
    if tuned.candidate.tools is not None:
        yield f"Watches {tools_in_words(watched_tools(tuned.candidate, tools), len(tools))}."
    if len(tuned.entries) > 1:
        n_on = len(tuned.in_force)
        yield f"“Runs fail” is of {counted(n_on, 'grader')} together; the controls are those of one of them."
    pins = pins_in_words(tuned, said)
    if pins:
        yield f"Pins: {pins}"


def _offers(tuned: Tuned, said: Said) -> None:
    suggestion = said.suggestion
    can_take = suggestion is not None and worth_taking(said) and suggestion.settings != tuned.candidate
    can_choose = said.n_labelled > 0 and said.can_stand_in
    if not (can_take or can_choose):
        return
    with st.container(key="tune-offers", horizontal=True, vertical_alignment="center"):
        if suggestion is not None and can_take:
            words = "Take the suggestion" if suggestion.enough else "Take the best so far"
            st.button(words, key="tune.take", on_click=_take, args=(tuned, suggestion.settings))
        if can_choose:
            st.session_state[SOURCE] = source_in_force(has_labels=True, can_stand_in=True)
            st.text("Judge by")
            st.segmented_control(
                "Judge by", list(WORDS), required=True, format_func=WORDS.__getitem__, key=SOURCE,
                label_visibility="collapsed",
            )  # fmt: skip


def _take(tuned: Tuned, settings: Any) -> None:
    changes = {"max": settings.max, "max_cycle_period": settings.max_cycle_period, "match": settings.match}
    apply(changes, tuned.candidate)

"""The report of the run on screen, as a download: the file that `loopviz report` writes for the same settings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import streamlit as st

from loopviz.analysis.inspection import DEFAULT_GUARDS
from loopviz.analysis.lines import Question
from loopviz.config import Config, Overrides
from loopviz.evalspec import MAX_REPEAT
from loopviz.model import Trajectory
from loopviz.report.export import Export
from loopviz.report.names import file_name
from loopviz.report.page import make_page
from loopviz.ui import choice as choices
from loopviz.ui.choice import Choice
from loopviz.ui.graders import Shown, grader_shown
from loopviz.ui.library import Library


@st.fragment(key="reporting")
def report_popover(library: Library, index: int) -> None:
    """The button, and behind it what stays out of the report and what is put on it.

    A fragment of its own, drawn anew when it is opened, so that it knows the settings that are in force by then.
    """
    with st.popover("Report", key="report", on_change="rerun") as popover:
        if not popover.open:
            return
        with st.container(key="report-options"):
            _options(library, index)


def _options(library: Library, index: int) -> None:
    st.caption("This run under the settings in force, as one HTML file that opens anywhere, without a network.")
    note = st.text_input("Note at the top", key="report.note", placeholder="none", live="250ms")
    redact = st.toggle(
        "Leave out texts (redact)",
        key="report.redact",
        help="Leaves out arguments, outputs, prompts, messages, reasoning, errors, ids, paths, names of files and of "
        "runs, which are called by their digests. Names of stimuli, models, tools and graders stay.",
    )
    masked = st.toggle(
        "Mask what looks like a secret",
        value=True,
        key="report.masked",
        help="Goes by looks alone: read what you hand on.",
    )
    export = Export(date=date.today(), redact=redact, masked=masked, note=note)
    st.download_button(
        "Download",
        data=report_maker(library, index, export),
        file_name=file_name(library.trajectories[index], export),
        mime="text/html",
        key="report.download",
        on_click="ignore",
        icon=":material/download:",
    )


def report_maker(library: Library, index: int, export: Export) -> Callable[[], str]:
    """What makes the file once it is asked for, from the settings that are in force now."""
    trajectory, runs = library.trajectories[index], library.alone(index)
    choice = choices.current()
    shown = grader_shown(trajectory, library.spec, choice)
    question = question_of(trajectory, library.spec, choice, shown)
    return lambda: make_page(trajectory, question, export, grader=shown.place, runs=runs).html


def question_of(trajectory: Trajectory, spec: Config | None, choice: Choice, shown: Shown) -> Question:
    """The settings on screen as the command line would be given them."""
    as_recorded = shown.source in ("recorded", "spec") and shown.refused is None
    as_recorded = as_recorded and all(one.type == MAX_REPEAT for one in shown.specs)
    guards = None if choice.guards == DEFAULT_GUARDS else choice.guards
    if as_recorded:
        return Question(config=spec if shown.source == "spec" else None, unknown=choice.unknown, guards=guards)
    settings = shown.settings
    overrides = Overrides(
        max=settings.max,
        max_cycle_period=settings.max_cycle_period,
        match=settings.match,
        tools=settings.tools,
    )
    return Question(overrides=overrides, unknown=choice.unknown, guards=guards)

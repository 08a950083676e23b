"""The run on screen as a file to hand on: what `loopviz report` writes for the same settings, in any of its formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from loopviz.analysis.inspection import DEFAULT_GUARDS
from loopviz.analysis.lines import Question
from loopviz.config import Config, Overrides
from loopviz.evalspec import MAX_REPEAT
from loopviz.model import Trajectory
from loopviz.report.export import Export
from loopviz.report.formats import CSV, HTML, JSON, MARKDOWN, SVG, Format
from loopviz.report.names import file_name
from loopviz.ui import choice as choices
from loopviz.ui.choice import Choice
from loopviz.ui.components.handing import copy_button, picture_button
from loopviz.ui.export_options import export_options
from loopviz.ui.graders import Shown, grader_shown
from loopviz.ui.library import Library


@dataclass(frozen=True, slots=True)
class Offer:
    """A format of the list, and what it is good for."""

    format: Format
    words: str


OFFERS: Mapping[str, Offer] = {
    "HTML": Offer(HTML, "The whole report as one file that opens anywhere, without a network."),
    "SVG": Offer(SVG, "The plain picture with its headline, sharp at any size."),
    "PNG": Offer(SVG, "The plain picture with its headline, for slides and chats."),
    "Markdown": Offer(MARKDOWN, "For an issue or a pull request: what repeated, where, at what cost, how to see it."),
    "CSV": Offer(CSV, "The findings as a table, a line for each grader."),
    "JSON": Offer(JSON, "The findings for programs, in the words of `loopviz grade --json`."),
}
"""What can be handed on, by its name on screen."""


@st.fragment(key="reporting")
def report_popover(library: Library, index: int) -> None:
    """The button, and behind it the formats, what stays out of the file and what is put on it.

    A fragment of its own, drawn anew when it is opened, so that it knows the settings that are in force by then.
    """
    with st.popover("Report", key="report", on_change="rerun") as popover:
        if not popover.open:
            return
        with st.container(key="report-options"):
            _options(library, index)


def _options(library: Library, index: int) -> None:
    name = st.segmented_control(
        "This run under the settings in force, as",
        list(OFFERS),
        required=True,
        default="HTML",
        key="report.format",
        wrap=True,
    )
    offer = OFFERS[name or "HTML"]
    st.caption(offer.words)
    export = export_options("report")
    make = report_maker(library, index, export, offer.format)
    ending = ".png" if name == "PNG" else offer.format.ending
    file = file_name(library.trajectories[index], export, ending=ending)
    with st.container(horizontal=True, vertical_alignment="center", key="report-buttons"):
        if name == "PNG":
            picture_button(make(), file, key="report.png")
            return
        st.download_button(
            "Download",
            data=make,
            file_name=file,
            mime=offer.format.mime,
            key=f"report.download.{name}",
            on_click="ignore",
            icon=":material/download:",
        )
        if name == "Markdown":
            copy_button(make(), key="report.copy")


def report_maker(library: Library, index: int, export: Export, format: Format = HTML) -> Callable[[], str]:
    """What makes the file once it is asked for, from the settings that are in force now."""
    trajectory, runs = library.trajectories[index], library.alone(index)
    choice = choices.current()
    shown = grader_shown(trajectory, library.spec, choice)
    question = question_of(trajectory, library.spec, choice, shown)
    return lambda: format.of_run(trajectory, question, export, grader=shown.place, runs=runs)


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

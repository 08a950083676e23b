"""Present: one run, or all of them, for people who never saw one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import streamlit as st

from loopviz.analysis.inspection import inspect
from loopviz.patterns import PatternError
from loopviz.report.export import Export
from loopviz.report.names import file_name
from loopviz.timeline.contract import Part
from loopviz.timeline.words import number, plain, text
from loopviz.ui import choice as choices
from loopviz.ui.components.clean import printable
from loopviz.ui.components.present import present_story
from loopviz.ui.components.print_button import print_button
from loopviz.ui.library import Library
from loopviz.ui.link_box import link_popover
from loopviz.ui.opening import open_library
from loopviz.ui.present import state
from loopviz.ui.present.judging import deciding
from loopviz.ui.present.one_file import file_of_run, file_of_runs
from loopviz.ui.present.story import set_page, story
from loopviz.ui.present.told import Told, ToldSet, name_of, tell, tell_runs
from loopviz.ui.reloading import offer_reload
from loopviz.ui.runs_judged import all_runs, judged_first
from loopviz.ui.walk import MOST_OPTIONS, go_to_run, lines_of_link

_LIST = "present.list"


def page() -> None:
    """The whole page."""
    library = open_library()
    if not library.trajectories:
        st.title("Nothing to present yet", anchor=False)
        st.page_link("views/runs.py", label="Open a run on the Runs page")
        return
    index = state.arrive(library)
    offer_reload(library, hidden=state.hidden())
    export = Export(date=date.today(), redact=state.hidden())
    with st.container(key="present"):
        if index == state.ALL:
            _runs(library, export)
        else:
            _run(library, index, export)
    choices.write_link(state.params_of(library, index))


def _run(library: Library, index: int, export: Export) -> None:
    told = _tell(library, index, export)
    name = f"present-{file_name(library.trajectories[index], export)}"
    _top(library, index, export, lambda: file_of_run(told, export), name)
    for line in lines_of_link(library.key(index)):
        st.text(plain(_unnamed(line) if export.redact else line))
    # Without its name in either case, so that the replay stays where it is when texts are hidden.
    present_story(story(told), told.replay, run=library.hidden_key(index), key="story")


def _unnamed(line: list[Part]) -> list[Part]:
    """What there is to say of a link, without the name of a run."""
    return [text("(hidden)") if part["kind"] == "code" else part for part in line]


def _runs(library: Library, export: Export) -> None:
    judged = judged_first(all_runs(library), choices.current())
    told: ToldSet = judged.kept.get(("present", export), lambda: tell_runs(judged, export))
    _top(library, state.ALL, export, lambda: file_of_runs(told, export), "present-all-runs.html")
    present_story(set_page(told), None, run="", key="story")


def _top(library: Library, index: int, export: Export, write: Callable[[], str], name: str) -> None:
    """The row above: which run, whether texts are hidden, and the ways to hand it on."""
    with st.container(horizontal=True, key="present-top", vertical_alignment="center"):
        _pick(library, index, export)
        state.hide_switch()
        link_popover(
            lambda hidden: state.params_of(library, index, nameless=hidden),
            page="present",
            texts_hidden=state.hidden(),
        )
        print_button(key="present-print")
        st.download_button(
            "One HTML file", data=write, file_name=name, mime="text/html", key="present.file", on_click="ignore"
        )


def _pick(library: Library, index: int, export: Export) -> None:
    """The list of runs around the one shown, and all of them as one."""
    n_runs = len(library.trajectories)
    first = max(0, min(index - MOST_OPTIONS // 2, n_runs - MOST_OPTIONS))
    options = [*([state.ALL] if n_runs > 1 else []), *range(first, min(n_runs, first + MOST_OPTIONS))]
    st.session_state[_LIST] = index

    def label(place: int) -> str:
        return f"All {number(n_runs)} runs" if place == state.ALL else name_of(library.trajectories[place], export)

    st.selectbox(
        "Run",
        options,
        format_func=lambda place: printable(label(place)),
        key=_LIST,
        label_visibility="collapsed",
        on_change=lambda: _go_to(library, st.session_state[_LIST]),
    )


def _go_to(library: Library, place: int) -> None:
    state.show_all(everything=place == state.ALL)
    if place != state.ALL:
        go_to_run(library, place)


def _tell(library: Library, index: int, export: Export) -> Told:
    """What is known of the run under the settings in force; the last answers are kept beside the run."""
    trajectory, runs, choice = library.trajectories[index], library.alone(index), choices.current()

    def work() -> Told:
        if trajectory.not_judged is not None:
            return tell(trajectory, None, export)
        decided = deciding(trajectory, runs, library.spec, choice, hide_texts=export.redact)
        found, refused = None, decided.refused
        try:
            found = None if refused else inspect(runs, decided.settings, choice.guards, choice.unknown)
        except PatternError as error:  # of the guards' own filter
            refused = str(error)
        return tell(trajectory, found, export, refused=refused, notes=decided.notes)

    key = ("present", choice.own, choice.guards, choice.unknown, export)
    told: Told = runs.kept.get(key, work)
    return told


page()

"""The way from a run on the page to Inspect, as a link and as a click."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from loopviz.ui import choice as choices
from loopviz.ui.finding import look_for
from loopviz.ui.library import Library
from loopviz.ui.linking import link_params, query_of
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.walk import go_to_run

INSPECT = "views/inspect.py"


def link(library: Library, index: int, *, call: int | None = None, grader: int = 0) -> str:
    """The address of a run on Inspect under the settings in force.

    Args:
        library: What is open.
        index: The run's place in it.
        call: The call to choose, from 0.
        grader: Which of the run's own graders to show, from 0.
    """
    params = link_params(library, index, call)
    params.pop("grader", None)
    params |= choices.to_link(replace(choices.current(), grader=grader))
    return "./?" + urlencode(params, doseq=True)  # Inspect has the bare address


def open_run(library: Library, index: int, *, call: int | None = None, grader: int = 0) -> NoReturn:
    """Show a run on Inspect; the arguments are those of `link`."""
    go_to_run(library, index)
    if call is not None:
        st.session_state["call"] = call
    choices.choose(replace(choices.current(), grader=grader), remember=False)
    st.switch_page(INSPECT)


def run_link(opened: Opened, judged: Judged, run: int, call: int | None = None) -> str:
    """The address of a run of the page, showing the grader that decides on it."""
    return link(opened.library, opened.members[run], call=call, grader=judged.place(run))


def opening(run: int, call: int | None = None) -> str:
    """What a component answers when a run is clicked: `run=3&call=18`, both from 0."""
    return urlencode({"run": run} if call is None else {"run": run, "call": call})


def follow(opened: Opened, judged: Judged, action: str) -> None:
    """Go to the run that was clicked; anything else stays here."""
    fields = dict(parse_qsl(action))
    if "run" in fields:
        run, call = int(fields["run"]), int(fields["call"]) if "call" in fields else None
        query = query_of(fields)
        if query is not None:
            look_for(query)
        open_run(opened.library, opened.members[run], call=call, grader=judged.place(run))

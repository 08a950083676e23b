"""The way from a run on the page to Inspect, as a link and as a click."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from loopviz.ui.library import Library
from loopviz.ui.runs_judged import Opened
from loopviz.ui.walk import go_to_run, link_params

INSPECT = "views/inspect.py"


def link(opened: Opened, run: int, call: int | None = None) -> str:
    """The address of a run on Inspect, with a call chosen (from 0), under the settings in force."""
    return "./?" + urlencode(link_params(opened.library, opened.members[run], call), doseq=True)


def opening(run: int, call: int | None = None) -> str:
    """What a component answers when a run is clicked: `run=3&call=18`, both from 0."""
    return urlencode({"run": run} if call is None else {"run": run, "call": call})


def follow(opened: Opened, action: str) -> None:
    """Go to the run that was clicked; anything else stays here."""
    fields = dict(parse_qsl(action))
    if "run" in fields:
        open_run(opened.library, opened.members[int(fields["run"])], int(fields["call"]) if "call" in fields else None)


def open_run(library: Library, index: int, call: int | None = None) -> NoReturn:
    """Show a run of the library on Inspect."""
    go_to_run(library, index)
    if call is not None:
        st.session_state["call"] = call
    st.switch_page(INSPECT)

"""A call's record as a file: the whole of it, as its own file spells it, handed to the browser when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from loopviz.ui.library import Library

LONGEST_NAME = 60


def save_act(fields: Mapping[str, list[str]]) -> None:
    """`save=call` hands over the record of the chosen call, `save=result` that of its result."""
    st.session_state["save"] = (fields["save"][0], st.session_state.get("call"))


def record_to_save(library: Library, index: int, call: int | None) -> dict[str, Any]:
    """The file that was asked for since the page was last drawn, once."""
    what, asked = st.session_state.pop("save", (None, None))
    if call is None or what is None or asked != call:
        return {}
    text = library.raw_result(index, call) if what == "result" else library.raw_record(index, call)
    if text is None:
        return {}
    st.session_state["save.seq"] = st.session_state.get("save.seq", 0) + 1
    name = file_name(library.trajectories[index].run, call, what)
    return {"save": {"seq": st.session_state["save.seq"], "name": name, "text": text}}


def file_name(run: str, call: int, what: str) -> str:
    """`fix-nested-quotes-call-12-result.json`: letters, digits and signs that every system takes in a file's name."""
    plain = re.sub(r"[^\w.-]+", "_", run, flags=re.ASCII).strip("._")[:LONGEST_NAME] or "run"
    return f"{plain}-call-{call + 1}{'-result' if what == 'result' else ''}.json"

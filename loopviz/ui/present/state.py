"""What Present shows and whether texts are hidden: kept while other pages are open, and in the address."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from loopviz.ui import choice as choices
from loopviz.ui.library import Library
from loopviz.ui.linking import HIDE
from loopviz.ui.walk import choose_run

_KEY = "run"
"""Where the session keeps the key of the run at hand, for all pages."""
_NONE = ""
"""Stands for it before a run was chosen."""
ALL = -1
"""Stands for all runs in the list."""
_ALL, _HIDDEN, _TOGGLE, _ARRIVED = "present.all", "present.hidden", "present.toggle", "present.arrived"

Params = dict[str, str | list[str]]


def arrive(library: Library) -> int:
    """What is to be shown: the place of a run, or ALL. A link is followed once, when the session comes to the page."""
    if _ARRIVED not in st.session_state:
        st.session_state[_ARRIVED] = True
        _follow(st.query_params)
    if st.session_state.get(_ALL) == st.session_state.get(_KEY, _NONE):
        return ALL
    return choose_run(library)


def _follow(params: Mapping[str, str]) -> None:
    if params.get(HIDE) == "1":
        st.session_state[_HIDDEN] = True
    if params.get("runs") == "all":
        show_all(everything=True)


def show_all(*, everything: bool) -> None:
    """Show all runs until another one is chosen, here or on another page, or the run at hand."""
    st.session_state[_ALL] = st.session_state.get(_KEY, _NONE) if everything else None


def hidden() -> bool:
    """Whether texts are hidden."""
    return bool(st.session_state.get(_HIDDEN))


def hide_switch() -> None:
    """The switch; its state outlives the page, which a widget's own does not."""
    st.session_state[_TOGGLE] = hidden()
    st.toggle(
        "hide texts",
        key=_TOGGLE,
        on_change=lambda: st.session_state.update({_HIDDEN: st.session_state[_TOGGLE]}),
        help="Hides arguments, outputs, prompts and the names of runs and files, here and in what is saved or linked. "
        "Names of stimuli, models, tools and graders stay.",
    )


def params_of(library: Library, index: int, *, nameless: bool | None = None) -> Params:
    """What the address says: the run, by its digest where its name is hidden, and the settings in force.

    Args:
        library: What is open.
        index: The run's place in it, or ALL.
        nameless: Whether texts and names are hidden; None for what the page does.
    """
    hides = hidden() if nameless is None else nameless
    if index == ALL:
        params: Params = {"runs": "all"}
    else:
        params = {"run": library.hidden_key(index) if hides else library.key(index)}
    if hides:
        params[HIDE] = "1"
    return {**params, **choices.to_link(choices.current())}

"""The button "Link": the address of what is on screen, with a note for whoever opens it, without names if wanted."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from loopviz.ui.components.handing import link_button
from loopviz.ui.link_notes import LONGEST, NOTE, short_note
from loopviz.ui.linking import PAGE, Params, address, without_names
from loopviz.ui.opening import open_library

_SHOWN, _PAGE = "run, settings, call and zoom", "this page and what it shows"
_HIDE = (
    "The link names runs by their digests alone, and holds no call id and nothing that is looked for. "
    "Pages that can hide texts open with them hidden."
)


@st.fragment(key="linking")
def link_popover(params: Callable[[bool], Params], *, page: str = "", picture: str = "") -> None:
    """Draw it; a fragment of its own, drawn anew when it is opened, so that it knows what is on screen by then.

    Args:
        params: Gives the fields of the address, those without names where it is told to.
        page: Where the link leads; nothing for Inspect.
        picture: What the timeline on this page calls its run, so that the link gets its zoom.
    """
    with st.popover("Link", key="link-box", on_change="rerun") as popover:
        if not popover.open:
            return
        with st.container(key="link-options"):
            st.caption(f"For anyone who can open this app on the same data: {_SHOWN if not page else _PAGE}.")
            note = st.text_input(
                "Note for whoever opens it",
                key="link.words",
                placeholder="none",
                live="250ms",
            )
            if len(note.strip()) > LONGEST:
                st.caption(f"The link holds the first {LONGEST - 1} characters.")
            hidden = st.toggle("Leave out names", key="link.hidden", help=_HIDE)
            fields = {**({PAGE: page} if page else {}), **params(hidden)}
            fields |= {NOTE: short_note(note)} if note.strip() else {}
            link_button(address(fields), picture, key="link.copy")


def link_corner(page: str) -> None:
    """The same for a page whose address says what it shows, at the right of the navigation."""
    with st.container(key="link-corner"):
        link_popover(_in_address, page=page)


def _in_address(hidden: bool) -> Params:
    params = {name: st.query_params.get_all(name) for name in st.query_params if name not in (NOTE, PAGE)}
    return without_names(open_library(), params) if hidden else {**params}

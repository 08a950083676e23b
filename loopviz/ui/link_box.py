"""The button "Link": the address of what is on screen, with a note for whoever opens it, without names if wanted."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from loopviz.timeline.finding import LONGEST_WORDS
from loopviz.ui import choice as choices
from loopviz.ui.components.handing import link_button
from loopviz.ui.guard_links import left_out
from loopviz.ui.launch import serves_this_computer_alone
from loopviz.ui.link_notes import LONGEST, NOTE, short_note
from loopviz.ui.linking import PAGE, Params, address, without_names
from loopviz.ui.opening import open_library

_HOLDS = {
    "": "run, settings, call and zoom",
    "runs": f"settings, a search of up to {LONGEST_WORDS} characters, the chosen count above the table and the order; "
    "not further filters, columns and picked runs",
    "tune": "settings; not labels, other graders beside them and which runs were picked",
    "compare": "what is compared and settings",
    "present": "the run or all runs, settings and whether texts are hidden",
}
"""What is in a link to each page; Inspect has the bare address."""
_HIDE = (
    "The link names runs by their digests alone, and holds no call id and nothing that is looked for. "
    "Pages that can hide texts open with them hidden."
)


@st.fragment(key="linking")
def link_popover(
    params: Callable[[bool], Params], *, page: str = "", picture: str = "", texts_hidden: bool = False
) -> None:
    """Draw it; a fragment of its own, drawn anew when it is opened, so that it knows what is on screen by then.

    Args:
        params: Gives the fields of the address, those without names where it is told to.
        page: Where the link leads; nothing for Inspect.
        picture: What the timeline on this page calls its run, so that the link gets its zoom.
        texts_hidden: The page hides texts: then names stay out in any case.
    """
    with st.popover("Link", key="link-box", on_change="rerun") as popover:
        if not popover.open:
            return
        with st.container(key="link-options"):
            st.caption(f"For anyone who can open this app on the same data: {_HOLDS[page]}.")
            if serves_this_computer_alone():
                st.caption("This address opens on this computer alone. To others hand a file, or start with --host.")
            if too_long := left_out(choices.current().guards):
                st.caption(f"Too long for a link, so left out: {' and '.join(too_long)} of the guards.")
            note = st.text_input(
                "Note for whoever opens it",
                key="link.words",
                placeholder="none",
                live="250ms",
            )
            if len(note.strip()) > LONGEST:
                st.caption(f"The link holds the first {LONGEST - 1} characters.")
            hidden = _hidden(texts_hidden=texts_hidden)
            fields = {**({PAGE: page} if page else {}), **params(hidden)}
            fields |= {NOTE: short_note(note)} if note.strip() else {}
            link_button(address(fields), picture, key="link.copy")


def _hidden(*, texts_hidden: bool) -> bool:
    """Whether names stay out."""
    if texts_hidden:
        st.caption("Texts are hidden, so the link names no run.")
        return True
    return st.toggle("Leave out names", key="link.hidden", help=_HIDE)


def link_corner(page: str) -> None:
    """The same for a page whose address says what it shows, at the right of the navigation."""
    with st.container(key="link-corner"):
        link_popover(_in_address, page=page)


def _in_address(hidden: bool) -> Params:
    params = {name: st.query_params.get_all(name) for name in st.query_params if name not in (NOTE, PAGE)}
    return without_names(open_library(), params) if hidden else {**params}

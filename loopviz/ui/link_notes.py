"""The words that somebody put into a link, and what is not used of it: plain text above the page that it leads to."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from loopviz.report.markup import readable
from loopviz.timeline.words import muted, text
from loopviz.ui.components.notices import notices

NOTE = "note"
"""Field of the address."""
LONGEST = 300
"""Characters of a note; a longer one is cut where it is shown, and stays out of links made here."""
_KEPT = "link.note"


@dataclass(frozen=True, slots=True)
class _Kept:
    page: str
    """Where the page of the link has its address."""
    words: str
    faults: str = ""
    """What is not used of the link."""


def take_note(page: str, faults: str = "") -> None:
    """Keep the note of the link that opened this session, and what is not used of it, for the page it leads to."""
    words = short_note(st.query_params.get(NOTE, ""))
    if words or faults:
        st.session_state[_KEPT] = _Kept(page, words, faults)


def show_note(page: str) -> None:
    """Draw both at the top of their page, until they are put away or another run is shown."""
    kept: _Kept | None = st.session_state.get(_KEPT)
    if kept is not None and kept.page != page:
        drop_note()
        kept = None
    with st.container(key="link-note" if kept else "notices-none-of-link"):
        lines = [[muted("Note in this link: "), text(readable(kept.words))]] if kept and kept.words else []
        lines += [[text(kept.faults)]] if kept and kept.faults else []
        notices(lines, key="link-note-said", on_action=lambda _: drop_note())


def drop_note() -> None:
    """Show them no more."""
    st.session_state.pop(_KEPT, None)


def note_field() -> dict[str, str]:
    """The note as a field of the address, as long as it is shown."""
    kept: _Kept | None = st.session_state.get(_KEPT)
    return {NOTE: kept.words} if kept and kept.words else {}


def short_note(words: str) -> str:
    """The beginning of a note, marked where it is cut."""
    flat = words.strip()
    return flat if len(flat) <= LONGEST else f"{flat[: LONGEST - 1]}…"

"""Says that open files have changed on disk, and reads them again when it is asked to.

That is looked at whenever a page answers to something. A timer of the page's own would ask Streamlit to draw a part of
it, and where a person goes to another page in that moment, the other page stays blank.
"""

from __future__ import annotations

import os
from datetime import datetime
from urllib.parse import parse_qsl

import streamlit as st

from loopviz.timeline.contract import Part
from loopviz.timeline.words import code, number, text
from loopviz.ui.components.notices import notices
from loopviz.ui.disk_watch import Changes
from loopviz.ui.library import Library
from loopviz.ui.opening import changes_on_disk, is_watched, read_again
from loopviz.ui.walk import keep_place

_PUT_AWAY, _ASKED = "reload.put_away", "reload.asked"


def offer_reload(library: Library, *, hidden: bool = False) -> None:
    """Where an open file has changed, say so and offer to read it again.

    Args:
        library: What is open.
        hidden: Leave out the name of the file.
    """
    if not is_watched():
        return
    if st.session_state.pop(_ASKED, False):
        st.rerun()
    changes = changes_on_disk()
    if not changes or changes == st.session_state.get(_PUT_AWAY):
        return
    line = in_words(changes, datetime.now(), hidden=hidden)
    with st.container(key="reload"):
        notices([line], key="reload.line", on_action=lambda act: _act(library, act, changes), floats=True)


def _act(library: Library, action: str | None, changes: Changes) -> None:
    if "reload" in dict(parse_qsl(action or "", keep_blank_values=True)):
        keep_place(library)
        read_again()
        st.session_state[_ASKED] = True
    elif action:
        st.session_state[_PUT_AWAY] = changes


def in_words(changes: Changes, now: datetime, *, hidden: bool = False) -> list[Part]:
    """`results.jsonl changed on disk at 14:02 · Reload`; a file whose name is hidden is `A file`."""
    kinds = [(changes.changed, "changed"), (changes.new, "new"), (changes.gone, "gone")]
    some = [(paths, kind) for paths, kind in kinds if paths]
    at = _at(changes.last_s, now)
    if len(some) == 1 and len(some[0][0]) == 1:
        (((path,), kind),) = some
        verb = {"changed": f"changed on disk{at}", "new": f"is new on disk{at}", "gone": "is gone from disk"}[kind]
        sentence = [text("A file") if hidden else code(os.path.basename(path) or path), text(f" {verb}")]
    else:
        counted = [f"{number(len(paths))} {kind}" for paths, kind in some]
        listed = " and ".join([", ".join(counted[:-1]), counted[-1]] if len(counted) > 1 else counted)
        sentence = [text(f"Files on disk: {listed}{f', the last{at}' if at else ''}")]
    return [*sentence, text(" · "), {**text("Reload"), "action": "reload="}]


def _at(seconds: float | None, now: datetime) -> str:
    """` at 14:02`, with its day where that is another; nothing for a time that cannot be."""
    if seconds is None or seconds > now.timestamp() + 60:
        return ""
    then = datetime.fromtimestamp(seconds)
    day = "" if then.date() == now.date() else f" on {then:%Y-%m-%d}"
    return f"{day} at {then:%H:%M}"

"""The line beside the switch *Follow*: what happens in the file, and the beat by which it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

from loopviz.timeline.contract import Part
from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def following_line(
    line: list[Part], said: Sequence[list[Part]], *, answered: int, key: str, on_beat: Callable[[], None]
) -> None:
    """Draw the line, and ask for a look at the file about once a second for as long as it is drawn.

    The browser asks, not a timer of Streamlit's: it holds still while a person clicks or types, so that no look meets
    the way to another page, and it asks again only when the last look was answered.

    Args:
        line: What is followed and how far it is.
        said: What happened, the last first; a screen reader is told of what is new.
        answered: How many looks were answered, which has to change with each.
        key: Names the component on the page.
        on_beat: Called to take a look.
    """
    data = {"line": printable(line), "said": printable(list(said)), "answered": answered}

    def answer() -> None:
        if st.session_state[key].action:
            on_beat()

    _component()(key=key, data=data, on_action_change=answer)


@cache
def _component() -> ComponentRenderer:
    return register("following")

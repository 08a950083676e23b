"""Lines that say something of the page, drawn as plain DOM: what was typed, linked or opened may hold anything."""

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


def notices(
    lines: Sequence[list[Part]], *, key: str, on_action: Callable[[str | None], None], floats: bool = False
) -> None:
    """Draw the lines, and a way to put them away.

    Args:
        lines: Each as the pieces of a sentence.
        key: Names the component on the page.
        on_action: Told the `action` of the piece that was clicked, or `dismiss=`.
        floats: Whether they stand over the page and not in it.
    """
    data = {"lines": printable(list(lines)), "floats": floats}
    _component()(key=key, data=data, on_action_change=lambda: on_action(st.session_state[key].action))


@cache
def _component() -> ComponentRenderer:
    return register("notices")

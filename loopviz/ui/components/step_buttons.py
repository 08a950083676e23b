"""Undo and redo as buttons and keys, drawn as plain DOM: they count every press, however quick."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def step_buttons(data: dict[str, Any], *, key: str, on_pressed: Callable[[], None]) -> None:
    """Draw the two buttons; Alt+Z and Alt+Shift+Z press them from anywhere on the page.

    A press that Streamlit merges with the next would be lost as an event, so the presses of a session are counted.

    Args:
        data: Whether there is something to `undo` and to `redo`, and `n`, the presses that were answered.
        key: Names the component on the page; its value `pressed` holds how many presses there were in all, `n`, and the
            last of them as `steps`, a letter `u` or `r` each.
        on_pressed: Called when something was pressed.
    """
    _component()(key=key, data=data, on_pressed_change=on_pressed)


@cache
def _component() -> ComponentRenderer:
    return register("step_buttons")

"""Print, which only the browser can do."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def print_button(*, key: str) -> None:
    """Draw the button."""
    _component()(key=key, data={}, width="content")


@cache
def _component() -> ComponentRenderer:
    return register("print_button")

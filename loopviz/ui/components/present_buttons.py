"""Copy link and Print, which only the browser can do."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def present_buttons(link: str, *, key: str) -> None:
    """Draw the two buttons; `link` is an address that the page's own completes."""
    _component()(key=key, data={"link": link}, width="content")


@cache
def _component() -> ComponentRenderer:
    return register("present_buttons")

"""Buttons that hand something over in the browser itself: a text to the clipboard, a picture as pixels."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def copy_button(text: str, *, key: str, label: str = "Copy") -> None:
    """A button that copies a text."""
    _component()(key=key, data=printable({"label": label, "copy": text}), width="content")


def picture_button(svg: str, name: str, *, key: str) -> None:
    """A button that draws an SVG twice as sharp as it is large, and saves it as a PNG of that name."""
    data = {"label": "Download", "picture": svg, "name": name}
    _component()(key=key, data=printable(data), width="content")


def link_button(address: str, picture: str, *, key: str) -> None:
    """A button that copies an address of this app, with the zoom of a timeline.

    Args:
        address: Relative to the app's own.
        picture: What the timeline calls its run; the zoom is read when the button is pressed.
        key: Names the component on the page.
    """
    _component()(key=key, data=printable({"label": "Copy link", "link": address, "of": picture}), width="content")


@cache
def _component() -> ComponentRenderer:
    return register("handing")

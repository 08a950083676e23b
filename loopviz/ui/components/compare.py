"""Both runs of the Compare page, drawn by one script: the picture on a canvas, all around it as plain DOM."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import streamlit as st

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import palette_css

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_ASSETS = files("loopviz.ui.components") / "assets"
_SHARED = files("loopviz.timeline") / "assets"
SHARED = ("palette.js", "columns.js")
"""What the canvas of the timeline draws with as well: its colours, and the way columns are read."""
PARTS = ("model", "lanes", "canvas", "marks", "input", "stage", "sections", "sets", "compare")
"""Parts of the script, without imports of their own; the last one names the sections in their order."""


def compare_sections(data: dict[str, Any], *, key: str) -> str | None:
    """Draw the sections.

    Args:
        data: A section's content by its name.
        key: Names the component on the page.
    Returns:
        What was clicked, once: `at=12`, `unlike=20`, `inspect=A&call=13` or `pair=3.7`; else None.
    """
    action: str | None = _component()(key=key, data=printable(data), on_action_change=lambda: None).action
    return action


@cache
def _component() -> ComponentRenderer:
    scripts = [_ASSETS / "dom.js", *(_SHARED / name for name in SHARED)]
    scripts += [_ASSETS / "compare" / f"{part}.js" for part in PARTS]
    style = [_ASSETS / "dom.css", _ASSETS / "compare" / "compare.css"]
    return st.components.v2.component(
        "loopviz_compare",
        js="\n".join(path.read_text("utf-8") for path in scripts),
        css="\n".join([palette_css(), *(path.read_text("utf-8") for path in style)]),
    )

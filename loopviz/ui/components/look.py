"""What the small DOM components of the pages share: colours, building blocks, and how they are registered."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

import streamlit as st

from loopviz.timeline.palette import PALETTES, properties

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_ASSETS = files("loopviz.ui.components") / "assets"


def register(name: str, *, parts: Sequence[str] = ()) -> ComponentRenderer:
    """Register the component whose script and style sheet are `assets/<name>.js` and `.css`.

    Its script finds the helpers of `assets/dom.js`, its style sheet the custom properties of the palette: both are put
    in front, so that a component needs no server and no build step. One of several parts has a folder of that name.
    """
    folder = _ASSETS / name if parts else _ASSETS
    script = "\n".join((folder / f"{part}.js").read_text("utf-8") for part in parts or (name,))
    style = (folder / f"{name}.css").read_text("utf-8")
    helpers, base = (_ASSETS / "dom.js").read_text("utf-8"), (_ASSETS / "dom.css").read_text("utf-8")
    return st.components.v2.component(
        f"loopviz_{name}", js=f"{helpers}\n{script}", css=f"{palette_css()}\n{base}\n{style}"
    )


def palette_css() -> str:
    """The colours of both themes as custom properties of `.look`; `.look.dark` has the dark ones, save on paper."""
    light, dark = properties(PALETTES["light"]), properties(PALETTES["dark"])
    return f".look {{ {light} }}\n@media not print {{ .look.dark {{ {dark} }} }}"

"""The canvas script and its style sheet, as one text each: for the Streamlit component and for the exported report.

The files in `assets/` are plain parts of one script, in the order below, without imports of their own: joined, they
need no server, no build step and no network.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

PARTS = (
    "palette.js",
    "columns.js",
    "scale.js",
    "lanes.js",
    "cells.js",
    "pixels.js",
    "cycles.js",
    "labels.js",
    "guards.js",
    "events.js",
    "picture.js",
    "words.js",
    "page.js",
    "input.js",
    "telling.js",
    "mount.js",
)


def module() -> str:
    """An ES module that exports `mount(root, payload, options)`."""
    return f"{_parts(*PARTS)}\nexport {{ mount }};\n"


def renderer() -> str:
    """A script that defines `streamlitTimeline`, the renderer that Streamlit's components v2 call."""
    return _parts(*PARTS, "streamlit.js")


def css() -> str:
    """The style sheet; every class begins with `lv-` or stands inside `.loopviz`."""
    return _parts("timeline.css")


@cache
def _parts(*names: str) -> str:
    folder = files("loopviz.timeline") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)

"""What every page wears: the style that Streamlit's theme options do not reach."""

from __future__ import annotations

from importlib.resources import files

import streamlit as st

from loopviz.ui.components.one_entry import keep_one_entry

STYLES = ("page.css", "runs.css", "tune.css", "compare.css", "present.css", "help.css")


def dress() -> None:
    """Put the shared style on the page; it holds no text from any run."""
    folder = files("loopviz.ui") / "assets"
    style = "\n".join((folder / name).read_text("utf-8") for name in STYLES)
    st.html(f"<style>{style}</style>")
    keep_one_entry()

"""What every page wears: the style that Streamlit's theme options do not reach."""

from __future__ import annotations

from importlib.resources import files

import streamlit as st


def dress() -> None:
    """Put the shared style on the page; it holds no text from any run."""
    st.html(f"<style>{(files('loopviz.ui') / 'assets' / 'page.css').read_text('utf-8')}</style>")

"""An almost empty app, served as loopviz serves its own: what a key press costs before anything is drawn.

`python -m benchmarks.empty_app` serves it at any free port and prints the address.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

LABEL = "Allowed in a row (max)"


def draw() -> None:
    """One number, and a text that names it."""
    limit = st.number_input(LABEL, min_value=1, max_value=1_000_000, value=3, step=1)
    st.text(f"{limit} are allowed.")


def serve() -> None:
    """Serve this file as the app."""
    from loopviz.ui import launch

    st.App(Path(__file__), lifespan=launch.announce).run(config=launch.options(port=0))


if __name__ == "__main__":
    if st.runtime.exists():
        draw()
    else:
        serve()

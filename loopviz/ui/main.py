"""The script that Streamlit runs: the pages and what they share."""

from pathlib import Path

import streamlit as st

from loopviz.ui import choice as choices
from loopviz.ui.page import dress

HERE = Path(__file__).resolve().parent

st.set_page_config(page_title="loopviz", page_icon=str(HERE / "assets" / "icon.png"), layout="wide")
dress()
runs = st.Page(HERE / "views" / "runs.py", title="Runs")
# A link to a run has the bare address: Streamlit looks for its server below that of any other page first, and the
# browser would report what it does not find there.
inspect = st.Page(HERE / "views" / "inspect.py", title="Inspect", default=True)
tune = st.Page(HERE / "views" / "tune.py", title="Tune")
help_page = st.Page(HERE / "views" / "help.py", title="Help")
page = st.navigation([runs, inspect, tune, help_page], position="top")
if "visited" not in st.session_state:
    st.session_state["visited"] = True
    if page == inspect and not st.query_params.get("run"):
        choices.current()  # Settings in the link hold for all runs; going to another page clears the address.
        st.switch_page(runs)
page.run()

"""`streamlit run app.py [-- PATH...]`: the app straight from the checkout, for those who work on it."""

import sys

import streamlit as st

from loopviz.ui import launch

launch.give_paths(sys.argv[1:])
app = st.App(launch.SCRIPT, lifespan=launch.announce, on_script_error=launch.explain)

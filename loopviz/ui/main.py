"""The script that Streamlit runs: the pages and what they share."""

from pathlib import Path

import streamlit as st

from loopviz.ui import choice as choices
from loopviz.ui.link_box import link_corner
from loopviz.ui.link_faults import faults
from loopviz.ui.link_notes import show_note, take_note
from loopviz.ui.link_pages import linked_fields, linked_page
from loopviz.ui.page import dress

HERE = Path(__file__).resolve().parent

st.set_page_config(page_title="loopviz", page_icon=str(HERE / "assets" / "icon.png"), layout="wide")
dress()
runs = st.Page(HERE / "views" / "runs.py", title="Runs")
# A link to a run has the bare address: Streamlit looks for its server below that of any other page first, and the
# browser would report what it does not find there.
inspect = st.Page(HERE / "views" / "inspect.py", title="Inspect", default=True)
tune = st.Page(HERE / "views" / "tune.py", title="Tune")
compare = st.Page(HERE / "views" / "compare.py", title="Compare")
present = st.Page(HERE / "views" / "present.py", title="Present")
help_page = st.Page(HERE / "views" / "help.py", title="Help")
pages = [runs, inspect, tune, compare, present, help_page]
page = st.navigation(pages, position="top")
if "visited" not in st.session_state:
    st.session_state["visited"] = True
    target = linked_page(page, inspect, runs, [tune, compare, present, help_page])
    take_note(target.url_path, faults(st.query_params.to_dict(), [one.title.lower() for one in pages]))
    if target != page:
        choices.current()  # Settings in the link hold for all runs; going to another page clears the address.
        st.switch_page(target, query_params=linked_fields())
show_note(page.url_path)
page.run()
if page in (runs, tune, compare):  # the others have a place of their own for it
    link_corner(page.title.lower())

"""Links to other pages than Inspect: the bare address with `page=`, which all of them go through.

A page has an address of its own, but a link with that one would report an error in the browser: see `main.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from loopviz.ui.linking import PAGE


def linked_page(opened: st.Page, inspect: st.Page, runs: st.Page, others: Iterable[st.Page]) -> st.Page:
    """The page that a session begins with.

    Args:
        opened: The page that the address itself leads to.
        inspect: The page of the bare address.
        runs: The page that stands in for it where no run is named.
        others: The other pages that a link may name.
    """
    if opened != inspect:
        return opened
    named = st.query_params.get(PAGE, "")
    usual = inspect if st.query_params.get("run") else runs
    return next((page for page in (runs, *others) if page.title.lower() == named), usual)


def linked_fields() -> dict[str, list[str]]:
    """All other fields of the address, for the page that is gone to."""
    return {name: st.query_params.get_all(name) for name in st.query_params if name != PAGE}

"""What the address of Runs says of its table: the search, the chosen count and the order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import streamlit as st

from loopviz.timeline.finding import LONGEST_WORDS
from loopviz.ui.guard_links import RefusedField
from loopviz.ui.runs_controls import FILTER, LABELLED, SORT, sort_in_force
from loopviz.ui.runs_filters import FILTERS, SORTS
from loopviz.ui.runs_search import COLUMN, INSIDE, PATTERN, WORDS
from loopviz.ui.runs_table import Sort

SEARCH, AS, WITHIN, ONLY, ORDER = "search", "search_as", "inside", "only", "sort"
"""Fields of the address: `search=bash&search_as=pattern&inside=1&only=fail&sort=-calls`."""
_ARRIVED = "runs.arrived"
_FILTERS = (*(one.name for one in FILTERS), LABELLED)


def follow_link() -> None:
    """Take what the link says that this session was opened by; once, when it comes to the page."""
    if _ARRIVED in st.session_state:
        return
    st.session_state[_ARRIVED] = True
    params = st.query_params.to_dict()
    words = params.get(SEARCH, "").strip()
    if words and len(words) <= LONGEST_WORDS:
        st.session_state[WORDS] = words
        st.session_state[INSIDE] = params.get(WITHIN) == "1"
        st.session_state[PATTERN] = params.get(AS) == "pattern"
    if params.get(ONLY) in _FILTERS:
        st.session_state[FILTER] = params[ONLY]
    column = params.get(ORDER, "").removeprefix("-")
    if column in (*SORTS, COLUMN):
        st.session_state[SORT] = Sort(column, params[ORDER].startswith("-"))


def table_fields() -> dict[str, str]:
    """What is on screen, as fields of the address; a long search stays out of it."""
    fields = {}
    words = (st.session_state.get(WORDS) or "").strip()
    if words and len(words) <= LONGEST_WORDS:
        fields[SEARCH] = words
        fields |= {AS: "pattern"} if st.session_state.get(PATTERN) else {}
        fields |= {WITHIN: "1"} if st.session_state.get(INSIDE) else {}
    if (only := st.session_state.get(FILTER) or "all") != "all":
        fields[ONLY] = only
    if (sort := sort_in_force()).column is not None:
        fields[ORDER] = f"{'-' if sort.descending else ''}{sort.column}"
    return fields


def refused_fields(params: Mapping[str, str]) -> Iterator[RefusedField]:
    """Fields that are not understood."""
    if len(params.get(SEARCH, "").strip()) > LONGEST_WORDS:
        yield RefusedField(SEARCH, params[SEARCH], f"it can have {LONGEST_WORDS} characters at most")
    if ONLY in params and params[ONLY] not in _FILTERS:
        yield RefusedField(ONLY, params[ONLY], f"it must be one of {', '.join(_FILTERS)}")
    if ORDER in params and params[ORDER].removeprefix("-") not in (*SORTS, COLUMN):
        yield RefusedField(ORDER, params[ORDER], "there is no such column")

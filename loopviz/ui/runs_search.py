"""The search of the Runs page: by names, and on demand in the texts inside, where each run then says how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from loopviz.analysis.matching import Query
from loopviz.analysis.searching import RunHits, search_names, search_runs
from loopviz.model import BoolArray, IntArray
from loopviz.patterns import PatternError
from loopviz.timeline.finding import LONGEST_WORDS
from loopviz.timeline.words import number
from loopviz.ui.finding import RUNS_SEARCH
from loopviz.ui.linking import query_fields
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_links import opening, run_link

COLUMN = "hits"
WORDS, INSIDE, PATTERN = RUNS_SEARCH
_GROUP = "Search"

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and where."""

    query: Query | None = None
    inside: bool = False
    """In the texts of each run too."""


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """What the search leaves, over all runs."""

    mask: BoolArray
    """Shape (n_runs,)."""
    hits: RunHits | None = None
    """Where the texts were searched: how many hold it in each run."""
    refused: str = ""
    """Why the pattern was not searched for; then no run is left out."""


def search_box(on_change: Any) -> Search:
    """The words, whether they are a pattern, and whether to look inside texts too."""
    words = st.text_input(
        "Search",
        placeholder="stimulus, model, tool, call id",
        key=WORDS,
        live="300ms",
        on_change=on_change,
        persist_state="session",
    )
    inside = st.toggle("and inside texts", key=INSIDE, on_change=on_change, persist_state="session")
    pattern = st.toggle(
        "as a pattern",
        key=PATTERN,
        on_change=on_change,
        persist_state="session",
        help="An ECMAScript pattern, found anywhere; (?i) at its beginning leaves case aside.",
    )
    words = words.strip()
    return Search(Query(words, "pattern" if pattern else "text") if words else None, inside)


def seek(judged: Judged, search: Search) -> Sought:
    """Look for it in all runs."""
    everything = np.ones(len(judged.runs), dtype=np.bool_)
    if search.query is None:
        return Sought(everything)
    try:
        if not search.inside:
            return Sought(search_names(judged.runs, search.query))
        with st.spinner("Searching the texts…"):
            hits = search_runs(judged.runs, search.query)
            return Sought(search_names(judged.runs, search.query) | (hits.count > 0), hits)
    except PatternError as error:
        return Sought(everything, refused=f"Not searched: {error}.")


def by_hits(runs: IntArray, hits: RunHits, *, descending: bool) -> IntArray:
    """The runs in the order of their hits, those of equally many as they stood."""
    counts = hits.count[runs]
    return runs[np.argsort(-counts if descending else counts, kind="stable")]


def add_hits(table: Data, opened: Opened, judged: Judged, runs: list[int], search: Search, hits: RunHits) -> None:
    """Put a column into a table that `show_table` gave: how many texts of each run hold it, and the way to the first.

    Args:
        table: The table; it is changed.
        opened: The runs.
        judged: What is found in them.
        runs: Those in the rows, in order.
        search: What was looked for.
        hits: Where it is.
    """
    assert search.query is not None
    group = table["columns"][0]["group"]
    at = sum(column["group"] == group for column in table["columns"])
    tip = "Texts of the run that hold what is looked for; a click opens the first."
    table["columns"].insert(at, {"name": COLUMN, "title": "Hits", "group": _GROUP, "kind": "hits", "tip": tip})
    for run, row in zip(runs, table["rows"], strict=True):
        row["cells"].insert(at, _cell(opened, judged, run, search.query, hits))


def _cell(opened: Opened, judged: Judged, run: int, query: Query, hits: RunHits) -> str | Data:
    count, call = int(hits.count[run]), int(hits.first_call[run])
    if not count:
        return "–"
    first = call if call >= 0 else None
    asked = urlencode(query_fields(query))
    short = f"&{asked}" if len(query.words) <= LONGEST_WORDS else ""
    return {
        "text": number(count),
        "href": run_link(opened, judged, run, first) + short,
        "action": f"{opening(run, first)}&{asked}",
    }

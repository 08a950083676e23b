"""The search of the Runs page: which runs it leaves, and how often each says it was found."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from loopviz.analysis.matching import Query
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_search import COLUMN, Search, add_hits, by_hits, seek
from loopviz.ui.runs_table import Sort, show_table
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial, without_trajectory

pytestmark = pytest.mark.usefixtures("as_recorded")


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Opened, Judged]:
    return judged_runs(
        tmp_path,
        [
            trial("ab", stimulus="first", text="hay", tools="read edit"),
            trial("_ab", stimulus="second", text="a needle"),
            trial("abc", stimulus="needle-work", text="hay"),
            without_trajectory(graders=({"max": 3},)),
        ],
    )


@pytest.mark.parametrize(
    ("search", "found", "counts"),
    [
        pytest.param(Search(), [0, 1, 2, 3], None, id="nothing asked for"),
        pytest.param(Search(Query("needle")), [2], None, id="names"),
        pytest.param(Search(Query("needle"), inside=True), [1, 2], [0, 2, 1, 0], id="texts, the prompt among them"),
        pytest.param(Search(Query("^first$", "pattern")), [0], None, id="a pattern in names"),
        pytest.param(Search(Query("of [ab] hay$", "pattern"), inside=True), [0, 2], [2, 0, 2, 0], id="and in texts"),
    ],
)
def test_what_the_search_leaves(
    runs: tuple[Opened, Judged], search: Search, found: list[int], counts: list[int] | None
) -> None:
    sought = seek(runs[1], search)
    assert np.flatnonzero(sought.mask).tolist() == found
    assert (None if sought.hits is None else sought.hits.count.tolist()) == counts


@pytest.mark.parametrize("inside", [False, True])
def test_a_refused_pattern_leaves_every_run_and_says_why(runs: tuple[Opened, Judged], inside: bool) -> None:
    sought = seek(runs[1], Search(Query("(", "pattern"), inside))
    assert sought.mask.all() and sought.hits is None
    assert sought.refused.startswith("Not searched: the pattern '(' is refused")


def test_each_run_leads_to_its_first_hit(runs: tuple[Opened, Judged]) -> None:
    opened, judged = runs
    search = Search(Query("needle"), inside=True)
    hits = seek(judged, search).hits
    assert hits is not None
    table = show_table(opened, judged, [1, 2, 0], Sort())
    add_hits(table, opened, judged, [1, 2, 0], search, hits)
    at = [column["name"] for column in table["columns"]].index(COLUMN)
    second, work, first = (row["cells"][at] for row in table["rows"])
    assert (second["text"], work["text"], first) == ("2", "1", "–")
    assert parse_qs(second["action"]) == {"run": ["1"], "call": ["1"], "find": ["needle"]}
    link = parse_qs(urlsplit(second["href"]).query)
    assert (link["call"], link["find"]) == (["2"], ["needle"])
    assert "call" not in parse_qs(urlsplit(work["href"]).query)


def test_long_words_stay_out_of_the_address(runs: tuple[Opened, Judged]) -> None:
    opened, judged = runs
    words = "(a )?needle" + "|x" * 40
    search = Search(Query(words, "pattern"), inside=True)
    hits = seek(judged, search).hits
    assert hits is not None
    table = show_table(opened, judged, [1], Sort())
    add_hits(table, opened, judged, [1], search, hits)
    cell = next(cell for cell in table["rows"][0]["cells"] if isinstance(cell, dict) and "href" in cell)
    assert "find" not in parse_qs(urlsplit(cell["href"]).query)
    assert parse_qs(cell["action"])["find"] == [words]


def test_runs_are_sorted_by_their_hits(runs: tuple[Opened, Judged]) -> None:
    hits = seek(runs[1], Search(Query("needle"), inside=True)).hits
    assert hits is not None
    order = np.array([3, 0, 2, 1])
    assert by_hits(order, hits, descending=True).tolist() == [1, 2, 3, 0]
    assert by_hits(order, hits, descending=False).tolist() == [3, 0, 2, 1]

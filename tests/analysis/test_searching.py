"""Finding words in runs: by names, and in every text as a person reads it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from loopviz import patterns
from loopviz.analysis.matching import Query
from loopviz.analysis.runset import RunSet
from loopviz.analysis.searching import (
    ANSWER,
    ARGUMENTS,
    CALL_ID,
    ERROR,
    OF_THE_RUN,
    OUTPUT,
    PROMPT,
    TOOL,
    Hits,
    excerpts,
    search_names,
    search_run,
    search_runs,
)
from loopviz.model import Event, Trajectory
from loopviz.patterns import PatternError
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of
from tests.ui.libraries import library_of
from tests.ui.vally_trials import trial


def event(text: str, at: int, kind: str = "assistant") -> Event:
    return Event(kind=kind, text=text, call=at, turn=0)


RUNS = RunSet(
    [
        trajectory_of(
            [call("read", {"path": "Über.txt"}, 'said "yes"')], run="one", stimulus="Fix Test", model="large"
        ),
        trajectory_of([call("bash", {"n": 1}, "line\nbreak")], run="two", prompt="Please DEPLOY it", output="Done ✓"),
        trajectory_of([call("bash", None, None)], run="three"),
    ]
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param(Query("nowhere"), [], id="nowhere"),
        pytest.param(Query("yes"), [], id="an output is not looked into"),
        pytest.param(Query("deploy"), [], id="nor is a prompt"),
        pytest.param(Query("fix t"), [0], id="a stimulus, case aside"),
        pytest.param(Query("two"), [1], id="a run's name"),
        pytest.param(Query("LARGE"), [0], id="a model"),
        pytest.param(Query("bas"), [1, 2], id="a tool"),
        pytest.param(Query("call_0"), [0, 1, 2], id="a call id"),
        pytest.param(Query("by-hand.json"), [0, 1, 2], id="a file"),
        pytest.param(Query("^t", "pattern"), [1, 2], id="a pattern, in each name alone"),
        pytest.param(Query("^r.*d$", "pattern"), [0], id="a pattern, in a tool"),
        pytest.param(Query("FIX", "pattern"), [], id="a pattern minds case"),
    ],
)
def test_runs_are_found_by_their_names(query: Query, found: list[int]) -> None:
    assert np.flatnonzero(search_names(RUNS, query)).tolist() == found


@pytest.mark.parametrize(
    ("query", "counts", "first"),
    [
        pytest.param(Query("nowhere"), [0, 0, 0], [-1, -1, -1], id="nowhere"),
        pytest.param(Query('"yes"'), [1, 0, 0], [0, -1, -1], id="quotes, which JSON escapes"),
        pytest.param(Query("über.TXT"), [1, 0, 0], [0, -1, -1], id="beyond ASCII, case aside"),
        pytest.param(Query("deploy"), [0, 1, 0], [-1, -1, -1], id="a prompt belongs to no call"),
        pytest.param(Query("done ✓"), [0, 1, 0], [-1, -1, -1], id="a final answer"),
        pytest.param(Query("bash"), [0, 1, 1], [-1, 0, 0], id="a tool"),
        pytest.param(Query("break$", "pattern"), [0, 1, 0], [-1, 0, -1], id="a pattern"),
        pytest.param(Query("^$", "pattern"), [0, 0, 0], [-1, -1, -1], id="what is missing is no empty text"),
    ],
)
def test_every_run_says_how_often_and_where_first(query: Query, counts: list[int], first: list[int]) -> None:
    found = search_runs(RUNS, query)
    assert (found.count.tolist(), found.first_call.tolist()) == (counts, first)


STORY = trajectory_of(
    [
        call("grep", {"pattern": "needle", "path": "a"}, None),
        call("read", {"path": "b"}, {"content": "a needle", "n": 1.50, "ok": True}),
        call("read", {"needle": None}, "hay\nNeedle in\tit"),
    ],
    prompt="find the needle",
    output="no needle",
    error="needle lost",
    events=(
        event("the needle again?", 2, "reasoning"),
        event("hay", 2),
        event("Needle, once more", 2),
        event("last needle", 3),
    ),
)


def places(hits: Hits) -> list[tuple[int, int]]:
    return list(zip(hits.call.tolist(), hits.source.tolist(), strict=True))


def test_hits_stand_in_the_order_of_the_story() -> None:
    hits = search_run(STORY, Query("needle"))
    assert places(hits) == [
        (OF_THE_RUN, PROMPT),
        (0, ARGUMENTS),
        (1, OUTPUT),
        (2, 0),
        (2, 2),
        (2, ARGUMENTS),
        (2, OUTPUT),
        (OF_THE_RUN, 3),
        (OF_THE_RUN, ANSWER),
        (OF_THE_RUN, ERROR),
    ]
    assert hits.calls.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("1.50", [(1, OUTPUT)], id="a number as it is spelled"),
        pytest.param("true", [(1, OUTPUT)], id="a literal"),
        pytest.param("content", [(1, OUTPUT)], id="the name of a field"),
        pytest.param('":', [], id="JSON's own signs are no text"),
        pytest.param("hay\nneedle", [(2, OUTPUT)], id="across a line"),
        pytest.param("eedle in\tIT", [(2, OUTPUT)], id="a tab"),
        pytest.param("tneedle", [], id="the letter of an escape is no letter"),
        pytest.param("call_1", [(1, CALL_ID)], id="a call id"),
        pytest.param("GREP", [(0, TOOL)], id="a tool"),
    ],
)
def test_texts_are_matched_as_a_person_reads_them(words: str, expected: list[tuple[int, int]]) -> None:
    story = STORY if "1.50" not in words else _respelled(STORY, b"1.5", b"1.50")
    assert places(search_run(story, Query(words))) == expected


def _respelled(trajectory: Trajectory, old: bytes, new: bytes) -> Trajectory:
    book = trajectory.codebook
    return replace(trajectory, codebook=replace(book, values=tuple(v.replace(old, new) for v in book.values)))


def test_an_excerpt_shows_the_hit_with_what_stands_around_it() -> None:
    hits = search_run(STORY, Query("needle"))
    shown = excerpts(hits, range(len(hits)))
    assert [(one.field, one.before, one.hit, one.after) for one in shown[:4]] == [
        ("", "find the ", "needle", ""),
        ("pattern", "", "needle", ""),
        ("content", "a ", "needle", ""),
        ("", "the ", "needle", " again?"),
    ]
    assert (shown[6].before, shown[6].hit, shown[6].after) == ("hay ", "Needle", " in it")


def test_a_long_text_is_cut_on_both_sides_of_the_hit() -> None:
    run = trajectory_of([call(out="x" * 500 + "needle" + "y" * 500)])
    (shown,) = excerpts(search_run(run, Query("needle")), [0])
    assert (shown.before, shown.hit, shown.after) == ("…" + "x" * 48, "needle", "y" * 120 + "…")


def test_a_pattern_says_where_it_was_found() -> None:
    run = trajectory_of([call(out="😀 exit code 7, then exit code 12")])
    (shown,) = excerpts(search_run(run, Query(r"code \d+", "pattern")), [0])
    assert (shown.before, shown.hit, shown.after) == ("😀 exit ", "code 7", ", then exit code 12")


@pytest.mark.parametrize(("pattern", "why"), [("(", "must compile"), ("(a+)+$", "within 1 second")])
def test_a_pattern_that_cannot_be_used_is_refused(pattern: str, why: str) -> None:
    run = trajectory_of([call(out="a" * 40 + "!")])
    with pytest.raises(PatternError, match=why):
        search_run(run, Query(pattern, "pattern"))


def test_a_pattern_that_is_only_slow_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SEARCH_LIMIT_S", -1.0)
    with pytest.raises(PatternError, match="must finish within -1 seconds"):
        search_run(STORY, Query("needle", "pattern"))


@pytest.mark.parametrize("words", ["naïve/path", "NAÏVE", "/path"])
def test_signs_that_a_file_spells_with_a_backslash_are_found(words: str, tmp_path: Path) -> None:
    library = library_of(tmp_path, [trial("ab", text="naïve/path"), trial("ab", number=1)])
    assert "na\\u00efve" in (tmp_path / "results.jsonl").read_text("utf-8")
    assert (search_runs(library.runs, Query(words)).count > 0).tolist() == [True, False]


def run_of_outputs(values: list[bytes]) -> Trajectory:
    """A run with one call for each of some JSON texts, which is its output."""
    run = trajectory_of([call(args=None, out=number) for number in range(len(values))])
    return replace(run, codebook=replace(run.codebook, values=(b"null", *values)))


@pytest.mark.slow
def test_a_hundred_thousand_calls_are_searched_in_well_under_a_second() -> None:
    values = [
        json.dumps({"path": f"src/file_{number}.py", "text": "one\ntwo " * 40}).encode() for number in range(10**5)
    ]
    run = run_of_outputs(values)
    before_s = time.process_time()
    hits = search_run(run, Query("FILE_77"))
    assert time.process_time() - before_s < 1
    assert len(hits.calls) == 1 + 10 + 100 + 1000

"""What is said of the files themselves."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.model import Loaded, Problem, Source
from loopviz.readers.loading import Unread
from loopviz.ui.library import Library
from loopviz.ui.runs_open import MOST_ROWS, files_in_words, show_files
from loopviz.ui.shelf import Upload, as_spec
from tests.detectors.trajectories_by_hand import trajectory_of

SOURCE = Source(name="a.jsonl", format="test", digest="0", size=1)


def library(
    *, problems: int = 0, in_runs: int = 0, notes: tuple[str, ...] = (), unread: tuple[Unread, ...] = (), **fields: Any
) -> Library:
    listed = tuple(Problem(where=f"line {line + 1}", message="This is no JSON.") for line in range(problems))
    inside = tuple(Problem(where=f"event {event + 1}", message="Unknown.") for event in range(in_runs))
    loaded = Loaded(source=SOURCE, trajectories=(trajectory_of([], problems=inside),), problems=listed, notes=notes)
    return Library([loaded], unread, [], {}, samples=fields.get("samples", False))


NAMED = Unread(path="x.zip", reason="A zip archive.", named=True)
MET = Unread(path="b/readme.md", reason="No run.", named=False)


@pytest.mark.parametrize(
    ("opened", "words"),
    [
        pytest.param(library(samples=True), "no files open", id="the samples"),
        pytest.param(library(), "1 file", id="one file"),
        pytest.param(library(unread=(MET,)), "1 file", id="one, and a stranger in its folder"),
        pytest.param(library(unread=(NAMED,)), "2 files · 1 read, 1 not", id="one, and one that could not be read"),
    ],
)
def test_how_many_files_are_open(opened: Library, words: str) -> None:
    assert files_in_words(opened) == words


@pytest.mark.parametrize(
    ("opened", "titles"),
    [
        pytest.param(library(), [], id="nothing to say"),
        pytest.param(library(unread=(NAMED, NAMED)), ["2 files could not be read"], id="two named files"),
        pytest.param(library(unread=(MET,)), ["1 other file in the folders"], id="a stranger in a folder"),
        pytest.param(
            library(problems=2, in_runs=1), ["3 places in the files could not be used"], id="problems of file and run"
        ),
        pytest.param(library(notes=("1 summary left out.",)), ["1 note on the files"], id="a note"),
    ],
)
def test_what_became_of_them(opened: Library, titles: list[str]) -> None:
    assert [one["title"] for one in show_files(opened)] == titles


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        pytest.param(("This is no recorded run: it is XML.",), "passed over: no reader knows it", id="a stranger"),
        pytest.param(("This is no recorded run.",) * 2, "passed over: no reader knows them", id="strangers"),
        pytest.param(("This is no recorded run.", "A pipe."), "passed over, for the reason given", id="other things"),
    ],
)
def test_why_files_in_folders_are_passed_over(reasons: tuple[str, ...], expected: str) -> None:
    unread = tuple(Unread(path="b/c", reason=reason, named=False) for reason in reasons)
    assert show_files(library(unread=unread))[0]["note"] == expected


def test_each_has_its_place_and_reason() -> None:
    lists = show_files(library(problems=1, in_runs=1, unread=(NAMED,)))
    assert lists[0]["rows"] == [("x.zip", "the whole file", "A zip archive.", "")]
    assert lists[0]["open"] is True
    assert lists[1]["rows"] == [("a.jsonl", "line 1", "This is no JSON."), ("by-hand.json", "event 1", "Unknown.")]


def test_a_long_list_is_cut_and_says_so() -> None:
    (found,) = show_files(library(problems=MOST_ROWS + 1_000))
    assert len(found["rows"]) == MOST_ROWS
    assert found["more"] == "and 1,000 more"


def test_an_eval_spec_that_is_open_is_named() -> None:
    content = b"stimuli:\n  - name: s\n    graders: [{type: max-repeat, config: {max: 3}}]\n  - name: t\n"
    spec = as_spec(Upload("eval.yaml", "d", content))
    assert spec is not None
    (found,) = [one for one in show_files(Library([], [], [spec], {}, samples=False)) if one["name"] == "spec"]
    assert found["title"] == "eval.yaml is open as the eval spec"
    assert found["rows"] == [("eval.yaml", "2 stimuli", "1 max-repeat grader; Tune shows what would change in it")]

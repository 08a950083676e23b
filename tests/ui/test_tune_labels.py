"""Where a page may keep labels, and what of them it tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from loopviz.model import Trajectory
from loopviz.tuning.applying import apply
from loopviz.tuning.labels import LOOP, Book, Label, label_of, read
from loopviz.ui.tune.places import folders, refusal
from loopviz.ui.tune.telling import find, kept_words, key_of, named, show_said
from tests.tuning.sets_by_hand import run_of

ALLOWED = ["labels.jsonl", "my labels 2.jsonl", "old.labels.jsonl"]
REFUSED = [
    pytest.param("", id="none"),
    pytest.param("../labels.jsonl", id="a way out"),
    pytest.param("/etc/labels.jsonl", id="a path"),
    pytest.param("a\\labels.jsonl", id="a path of Windows"),
    pytest.param(".labels.jsonl", id="a hidden one"),
    pytest.param("eval.yaml", id="another kind"),
    pytest.param("labels.jsonl\n", id="a line break"),
    pytest.param(f"{'a' * 90}.jsonl", id="a long one"),
]


class TestPlaces:
    def test_a_folder_is_itself_and_a_file_stands_for_its_own(self, tmp_path: Path) -> None:
        (tmp_path / "runs").mkdir()
        (tmp_path / "a.jsonl").touch()
        (tmp_path / "b.jsonl").touch()
        paths = [str(tmp_path / name) for name in ("runs", "a.jsonl", "b.jsonl")]
        assert folders(paths) == (tmp_path / "runs", tmp_path)

    def test_standard_input_has_none(self) -> None:
        assert folders(["-"]) == ()

    @pytest.mark.parametrize("name", ALLOWED)
    def test_names_that_may_be_chosen(self, name: str, tmp_path: Path) -> None:
        assert refusal(tmp_path, name) is None

    @pytest.mark.parametrize("name", REFUSED)
    def test_names_that_may_not(self, name: str, tmp_path: Path) -> None:
        assert (refusal(tmp_path, name) or "").startswith("A file name is needed")

    def test_a_file_of_labels_may_be_written_on(self, tmp_path: Path) -> None:
        label = label_of(run_of("aa"), LOOP)
        (tmp_path / "labels.jsonl").write_text(f"{label.line()}\n")
        assert refusal(tmp_path, "labels.jsonl") is None

    @pytest.mark.parametrize(
        "content", ['{"type": "trial-result"}\n', "no JSON\n", "\xff"], ids=["runs", "text", "bytes"]
    )
    def test_a_file_of_anything_else_may_not(self, content: str, tmp_path: Path) -> None:
        (tmp_path / "results.jsonl").write_bytes(content.encode("latin-1"))
        assert refusal(tmp_path, "results.jsonl") is not None

    def test_neither_a_link_nor_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "folder.jsonl").mkdir()
        (tmp_path / "link.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
        told = [refusal(tmp_path, name) for name in ("folder.jsonl", "link.jsonl")]
        assert told == [f"{name}.jsonl is no plain file. Choose another name." for name in ("folder", "link")]

    def test_a_torn_one_is_settled_first(self, tmp_path: Path) -> None:
        (tmp_path / "labels.jsonl").write_text("<<<<<<< ours\n")
        assert refusal(tmp_path, "labels.jsonl") == "labels.jsonl has the marks of a merge in it; settle that first."


def book(*labels: Label) -> Book:
    return read(label.line() for label in labels)


def told(labels: Book, *runs: Trajectory, fault: str | None = None) -> dict[str, Any]:
    return show_said(labels, apply(labels, runs), runs, fault)


RUN = run_of("aaaa", run="t1")
CHANGED = run_of("aaab", run="t1")


class TestTelling:
    def test_nothing_to_tell(self) -> None:
        assert told(book(label_of(RUN, LOOP)), RUN) == {"faults": [], "stale": None, "notes": []}

    @pytest.mark.parametrize(("n", "words"), [(0, "0 labels"), (1, "1 label"), (2, "2 labels, 1 of them a pin")])
    def test_how_many(self, n: int, words: str) -> None:
        both = [label_of(RUN, LOOP), label_of(RUN, LOOP, calls=(1, 2), pin=True)]
        assert kept_words(book(*both[:n])) == words

    def test_a_run_that_changed_is_offered_again(self) -> None:
        label = label_of(RUN, LOOP, calls=(1, 3), pin=True)
        (row,) = told(book(label), CHANGED)["stale"]["rows"]
        assert (row["said"], row["now"]) == ("pinned: loop at 1–3", "has changed; 4 calls now, these as they were")
        assert row["again"] == f"{urlencode({'renew': label.digest})}&name=t1&calls=1-3"

    def test_the_title_counts_labels_and_runs(self) -> None:
        both = [label_of(RUN, LOOP), label_of(RUN, LOOP, calls=(1, 2))]
        one, two = (
            told(book(both[0]), CHANGED),
            told(book(*both, label_of(run_of("bb", run="t2"), LOOP)), CHANGED, run_of("b", run="t2")),
        )
        assert one["stale"]["title"] == "1 label of a run that has changed since, not used until said again"
        assert two["stale"]["title"] == "3 labels of runs that have changed since, not used until said again"

    def test_other_calls_in_the_same_place_are_told(self) -> None:
        (row,) = told(book(label_of(RUN, LOOP, calls=(3, 4))), CHANGED)["stale"]["rows"]
        assert row["now"] == "has changed; 4 calls now, these too are others"

    def test_a_label_of_an_older_version_may_only_have_a_new_grade(self) -> None:
        old = replace(label_of(RUN, LOOP), digest="5f3a")
        (row,) = told(book(old), RUN)["stale"]["rows"]
        assert row["now"] == "has changed, or was graded anew; 4 calls now"
        assert find(key_of("", "5f3a", None), [old]) == old

    def test_but_not_where_the_stretch_is_gone(self) -> None:
        shorter = run_of("aa", run="t1")
        (row,) = told(book(label_of(RUN, LOOP, calls=(1, 3))), shorter)["stale"]["rows"]
        assert (row["now"], row["again"]) == ("has 2 calls now", "")

    def test_nor_where_several_have_the_name(self) -> None:
        (row,) = told(book(label_of(RUN, LOOP)), CHANGED, CHANGED)["stale"]["rows"]
        assert (row["now"], row["again"]) == ("2 runs have this name", "")

    def test_an_action_names_the_label(self) -> None:
        label = label_of(RUN, LOOP, calls=(1, 3))
        assert find(key_of("t1", label.digest, "1-3"), [label]) == label
        assert find(key_of("t1", label.digest, None), [label]) is None
        assert named(label, [CHANGED]) == [CHANGED]

    def test_runs_that_are_not_open_are_counted(self) -> None:
        others = [label_of(run_of(steps, run=steps), LOOP) for steps in ("ab", "ba")]
        assert told(book(*others), RUN)["notes"] == ["2 labels of 2 runs that are not open."]

    def test_faults_and_lines_that_are_no_label(self) -> None:
        shown = told(read(["no label"]), RUN, fault="The file cannot be read.")
        assert shown["faults"] == [
            "The file cannot be read.",
            "Label file, line 1: This is no JSON. The line is kept and not used.",
        ]

"""The switch *Follow*: where it stands, and what is said when something fires."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.readers import read_path
from loopviz.readers.loading import stamp
from loopviz.timeline.words import plain, text
from loopviz.ui import following, launch
from loopviz.ui.choice import Choice
from loopviz.ui.disk_watch import Changes
from loopviz.ui.graders import grader_shown
from loopviz.ui.library import Library
from loopviz.ui.shelf import OnDisk, Upload
from tests.readers import claude_by_hand as claude
from tests.readers import vally_by_hand as vally

MAIN = launch.SCRIPT


def session(n_calls: int) -> bytes:
    lines = [
        line
        for number in range(n_calls)
        for line in (claude.said(f"m{number}", claude.use(f"c{number}")), claude.answered(f"c{number}", "1 failed"))
    ]
    return claude.lines(*lines)


def library_of(path: Path) -> Library:
    loaded = read_path(path)
    file = OnDisk(str(path), stamp(str(path)), True)
    return Library([loaded], [], [], {(loaded.source.name, loaded.source.digest): file}, samples=False, files=(file,))


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], AppTest]:
    """Inspect on a file that holds these bytes."""

    def start(data: bytes) -> AppTest:
        path = tmp_path / "run.jsonl"
        path.write_bytes(data)
        monkeypatch.setenv(launch.PATHS_VARIABLE, f'["{path}"]')
        page = AppTest.from_file(str(MAIN), default_timeout=60).run()
        page.switch_page("views/inspect.py").run()
        assert not page.exception
        return page

    return start


def test_a_session_has_a_switch_and_is_read_as_far_as_it_is_written(
    opened: Callable[[bytes], AppTest], tmp_path: Path
) -> None:
    page = opened(session(2))
    (switch,) = page.toggle
    assert (switch.label, switch.value) == ("Follow", False)
    (tmp_path / "run.jsonl").write_bytes(session(5))
    switch.set_value(True).run()
    assert not page.exception
    assert page.session_state["follow"].follower.bytes_read == len(session(5))
    assert any("5 calls" in caption.value for caption in page.caption)
    page.toggle[0].set_value(False).run()
    assert "follow" not in page.session_state
    assert any("5 calls" in caption.value for caption in page.caption)


def test_a_document_has_no_switch(opened: Callable[[bytes], AppTest]) -> None:
    assert not opened(vally.document(vally.call("bash", "a"))).toggle


def test_what_cannot_be_followed_says_why(opened: Callable[[bytes], AppTest], tmp_path: Path) -> None:
    page = opened(session(2))
    (tmp_path / "run.jsonl").write_bytes(b"\xff\xfe" + "{}".encode("utf-16-le"))
    page.toggle[0].set_value(True).run()
    assert not page.exception
    assert not page.toggle[0].value
    assert any("UTF-16, cannot be followed" in text.value for text in page.text)


def test_what_was_dropped_has_no_file_that_grows(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(session(1))
    library = library_of(path)
    assert following._file(library, 0) == library.files[0]
    library._places = {next(iter(library._places)): Upload(str(path), "", b"")}
    assert following._file(library, 0) is None


def test_a_library_with_a_file_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(session(1))
    library = library_of(path)
    path.write_bytes(session(3))
    file = OnDisk(str(path), stamp(str(path)), True)
    now = library.with_file(file, read_path(path))
    assert [len(run.calls) for run in now.trajectories] == [3]
    assert now.file_of(now.trajectories[0].source) is now.files[0] is file
    assert "tool_use" in (now.raw_record(0, 2) or "")
    assert len(library.trajectories[0].calls) == 1


@pytest.mark.parametrize(
    ("changes", "rest"),
    [
        pytest.param(Changes(changed=("a", "b"), last_s=1.0), Changes(changed=("b",)), id="one of two"),
        pytest.param(Changes(changed=("a",), last_s=1.0), Changes(), id="the only one"),
        pytest.param(Changes(new=("b",), last_s=1.0), Changes(new=("b",), last_s=1.0), id="another one"),
    ],
)
def test_what_is_followed_is_no_change(changes: Changes, rest: Changes) -> None:
    assert changes.without("a") == rest


def said(told: following._Followed, path: Path, n_calls: int) -> list[str]:
    """Everything said so far, once the file holds so many calls."""
    path.write_bytes(session(n_calls))
    following._look(told, library_of(path), 0)
    return [plain(parts) for parts in told.said]


@pytest.fixture
def told(as_recorded: Choice) -> following._Followed:
    follower = SimpleNamespace(ended=False, is_gone=False)
    return following._Followed(None, follower, None, {})  # type: ignore[arg-type]


def test_what_had_happened_before_is_not_told(told: following._Followed, tmp_path: Path) -> None:
    assert said(told, tmp_path / "run.jsonl", 4) == []


def test_each_thing_is_told_once_the_last_first(told: following._Followed, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    said(told, path, 2)
    ladder, thrash = "Ladder: level 1 (replan) fired at turn 3 (call 3)", "Thrash: would stop at turn 3 (call 3)"
    assert set(said(told, path, 3)) == {ladder, thrash}
    assert said(told, path, 4)[0] == "FAIL over the limit at turn 4 (call 4)"
    assert said(told, path, 5)[0] == "Ladder: level 2 (explore) fired at turn 5 (call 5)"
    assert len(said(told, path, 6)) == 4


def test_another_run_on_screen_begins_anew(told: following._Followed, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    said(told, path, 2)
    assert said(told, path, 3)
    path.write_bytes(session(4).replace(b"s1", b"s2"))
    following._look(told, library_of(path), 0)
    assert (told.said, told.n_before) == ([], 4)


def test_all_that_a_file_holds_that_was_begun_anew_is_told(told: following._Followed, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    assert len(said(told, path, 4)) == 0
    told.is_anew = True
    told.said.append([text("The file was replaced.")])
    following._look(told, SimpleNamespace(trajectories=[told.seen], spec=None), 0)  # type: ignore[arg-type]
    assert len(told.said) == 1  # what was there before it is shown until something else is
    words = said(told, path, 3)
    assert set(words[:-1]) == {
        "Ladder: level 1 (replan) fired at turn 3 (call 3)", "Thrash: would stop at turn 3 (call 3)",
    }  # fmt: skip
    assert words[-1] == "The file was replaced."
    assert said(told, path, 4)[0] == "FAIL over the limit at turn 4 (call 4)"


def test_what_is_said_holds_by_the_settings_in_force(
    told: following._Followed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    said(told, path, 2)
    failed = "FAIL over the limit at turn {0} (call {0})".format
    assert failed(4) in said(told, path, 6)
    shown = grader_shown

    def with_max(max: int) -> list[str]:
        def grader(*given: Any) -> Any:
            found = shown(*given)
            return replace(found, settings=found.settings.model_copy(update={"max": max}))

        monkeypatch.setattr(following, "grader_shown", grader)
        following._look(told, library_of(path), 0)
        return [plain(parts) for parts in told.said]

    words = with_max(9)
    assert (failed(4) in words, len(words)) == (False, 3)
    assert failed(5) in with_max(4)


def test_a_stop_by_results_that_may_still_come_is_not_told(told: following._Followed, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    calls = [claude.use(f"c{number}", "Bash", {"command": "ab"[number % 2]}) for number in range(4)]
    lines = claude.lines(*(claude.said("m0", call) for call in calls))
    stop = [[text("Thrash: would stop at turn 1 (call 4)")]]

    def look(data: bytes) -> list[list[Any]]:
        path.write_bytes(data)
        following._look(told, library_of(path), 0)
        return told.said

    look(claude.lines(claude.line("user", "Go.")))
    assert look(lines) == []
    results = claude.lines(*(claude.answered(f"c{number}", "same") for number in range(4)))
    assert look(lines + results) == stop
    told.said.clear()
    told.known = (told.known[0], frozenset())
    told.follower.ended = True  # type: ignore[misc]
    assert look(lines) == stop


@pytest.mark.parametrize(
    ("n_calls", "n_runs", "how", "words"),
    [
        pytest.param(3, 1, "", " 3 calls", id="nothing new"),
        pytest.param(3, 1, "is_gone", " 3 calls; the file is gone", id="gone"),
        pytest.param(1, 1, "ended", " 1 call; the file says that the run has ended", id="ended"),
        pytest.param(5, 1, "", " 5 calls, 2 new", id="new calls"),
        pytest.param(3, 3, "", " 3 calls; 2 new runs in the file", id="new runs"),
    ],
)
def test_how_far_it_is(n_calls: int, n_runs: int, how: str, words: str, told: following._Followed) -> None:
    told.file, told.n_before, told.n_runs = OnDisk("a/run.jsonl", None, True), 3, 1
    told.follower = SimpleNamespace(ended=how == "ended", is_gone=how == "is_gone")  # type: ignore[assignment]
    assert plain(following._progress(told, n_calls, n_runs)) == f"`run.jsonl`{words}"

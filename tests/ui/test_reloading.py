"""What is said of files that changed on disk."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.timeline.words import plain
from loopviz.ui import disk_watch, launch
from loopviz.ui.disk_watch import Changes
from loopviz.ui.opening import DiskWatch
from loopviz.ui.reloading import in_words
from tests.ui.test_runs_view import drawn
from tests.ui.vally_trials import trial, write

NOON = datetime(2026, 11, 30, 12, 0)
AT = datetime(2026, 11, 30, 11, 2).timestamp()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        pytest.param(Changes(changed=("runs/a.json",), last_s=AT), "`a.json` changed on disk at 11:02", id="changed"),
        pytest.param(Changes(changed=("a.json",)), "`a.json` changed on disk", id="an older one was put back"),
        pytest.param(
            Changes(changed=("a.json",), last_s=AT - 86_400),
            "`a.json` changed on disk on 2026-11-29 at 11:02",
            id="the day before",
        ),
        pytest.param(
            Changes(changed=("a.json",), last_s=AT + 86_400), "`a.json` changed on disk", id="a time yet to come"
        ),
        pytest.param(Changes(new=("a.json",), last_s=AT), "`a.json` is new on disk at 11:02", id="new"),
        pytest.param(Changes(gone=("a.json",)), "`a.json` is gone from disk", id="gone"),
        pytest.param(Changes(gone=("a", "b")), "Files on disk: 2 gone", id="two gone"),
        pytest.param(
            Changes(changed=("a", "b"), new=("c",), last_s=AT),
            "Files on disk: 2 changed and 1 new, the last at 11:02",
            id="several kinds",
        ),
        pytest.param(
            Changes(changed=("a",) * 1_200, new=("c",), gone=("d",)),
            "Files on disk: 1,200 changed, 1 new and 1 gone",
            id="many",
        ),
    ],
)
def test_changes_in_words(changes: Changes, words: str) -> None:
    parts = in_words(changes, NOON)
    assert plain(parts) == f"{words} · Reload"
    assert parts[-1]["action"] == "reload="


def test_the_name_of_a_file_can_be_hidden() -> None:
    parts = in_words(Changes(changed=("runs/secret.json",), last_s=AT), NOON, hidden=True)
    assert plain(parts) == "A file changed on disk at 11:02 · Reload"


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The app on a file that has just changed."""
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    monkeypatch.setattr(disk_watch, "EVERY_S", 0.0)
    monkeypatch.setattr(disk_watch, "REST", 0)
    path = write(tmp_path / "results.jsonl", [trial("aaaab")])
    launch.give_paths([str(path)])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=60).run()
    assert drawn(app, "reload.line") is None
    write(path, [trial("aaaaaab"), trial("b", number=1)])
    return app


def look(app: AppTest) -> AppTest:
    """Let the watch look, and draw the page again."""
    watch: DiskWatch = app.session_state["opened"].watch
    watch.changes()
    assert watch._thread is not None
    watch._thread.join(10)
    return app.run()


@pytest.mark.parametrize("page", ["views/runs.py", "views/inspect.py"])
def test_the_page_offers_it_and_shows_what_was_read(page: str, opened: AppTest) -> None:
    app = look(opened.switch_page(page).run())
    (line,) = drawn(app, "reload.line")["lines"]
    assert plain(line).startswith("`results.jsonl` changed on disk")
    assert len(app.session_state["opened"].loading.result().trajectories) == 1


def test_what_was_put_away_stays_away_until_more_changes(opened: AppTest, tmp_path: Path) -> None:
    app = look(opened)
    app.session_state["reload.put_away"] = app.session_state["opened"].watch._changes
    assert drawn(app.run(), "reload.line") is None
    (tmp_path / "results.jsonl").write_text("gone on")
    assert drawn(look(app), "reload.line") is not None


def test_the_samples_are_not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=60).run()
    assert app.session_state["opened"].watch is None

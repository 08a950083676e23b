"""Reading in the background: how far it is, and what a stop leaves."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.readers import watching
from loopviz.readers.base import Stopped
from loopviz.ui import launch, loading, shelf
from loopviz.ui.loading import Loading, Meter, progress_in_words
from loopviz.ui.shelf import NOT_READ, LastUsed, Reads, Upload, results_of
from tests.readers.vally_by_hand import lines as written
from tests.ui.test_runs_view import drawn
from tests.ui.vally_trials import trial, write

MB = 1_000_000


def test_a_meter_counts_bytes_over_files() -> None:
    meter = Meter([2 * MB, 3 * MB])
    assert (meter.done, progress_in_words(meter)) == (0, "0 of 5 MB, file 1 of 2")
    meter.begin("a")
    meter.tell("a", MB, 2 * MB)
    assert progress_in_words(meter) == "1 of 5 MB, file 1 of 2"
    meter.end()
    meter.begin("b")
    meter.tell("b", MB, 3 * MB)
    assert (meter.name, progress_in_words(meter)) == ("b", "3 of 5 MB, file 2 of 2")
    meter.end()
    assert (meter.done, progress_in_words(meter)) == (5 * MB, "5 of 5 MB, file 2 of 2")


def test_a_meter_that_was_stopped_ends_the_reading_at_its_next_word() -> None:
    meter = Meter([10])
    meter.tell("a", 1, 10)
    meter.stop()
    assert not meter.is_cut
    with pytest.raises(Stopped):
        meter.tell("a", 2, 10)
    assert meter.is_cut


def test_reading_goes_on_in_the_background() -> None:
    gate = threading.Event()
    work = Loading(lambda meter: (gate.wait(10), meter.done), Meter([]))
    assert not work.is_done()
    gate.set()
    assert work.is_done(10)
    assert work.result() == (True, 0)


def test_what_ends_the_reading_is_told_to_whoever_wants_the_result() -> None:
    def fail(_meter: Meter) -> None:
        raise OSError("gone")

    work = Loading(fail, Meter([]))
    assert work.is_done(10)
    assert work.failed
    with pytest.raises(OSError, match="gone"):
        work.result()


def test_what_was_stopped_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "STRIDE", 1)
    kept = Reads(LastUsed(5), {})
    data = written(*[trial("aab", number=number) for number in range(20)])
    first, second = Upload("a", "1", data), Upload("b", "2", data)
    meter = Meter([len(data)] * 2)
    meter.stop()
    (unread,) = results_of(first, meter, kept)
    assert unread.reason == NOT_READ  # type: ignore[union-attr]
    whole = results_of(first, Meter([len(data)]), kept)
    assert results_of(first, meter, kept) == whole
    assert results_of(second, meter, kept) != whole


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of which the second takes until it is stopped."""
    monkeypatch.setenv(launch.PATHS_VARIABLE, "[]")
    monkeypatch.setattr(watching, "STRIDE", 1)
    tell = Meter.tell

    def wait(meter: Meter, name: str, done: int, total: int) -> None:
        if name.endswith("b.jsonl") and done > total / 2:
            meter._stop.wait(60)
        tell(meter, name, done, total)

    monkeypatch.setattr(Meter, "tell", wait)
    for file in "abc":
        write(tmp_path / f"{file}.jsonl", [trial("aaab", stimulus=file, number=number) for number in range(4)])
    return tmp_path


def test_the_page_says_how_far_it_is_and_a_stop_keeps_what_was_read(
    slow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "PATIENCE_S", 0.5)
    launch.give_paths([str(slow / f"{file}.jsonl") for file in "abc"])
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=60).run()
    assert [title.value for title in app.title] == ["Reading the runs…"]
    assert str(slow / "b.jsonl") in [text.value for text in app.text]

    monkeypatch.setattr(loading, "PATIENCE_S", 60.0)
    app.button(key="loading.stop").click().run()
    assert not app.exception
    assert "Reading was stopped" in said(app)
    missing, places = drawn(app, "files")["lists"][:2]
    assert [row[0] for row in missing["rows"]] == [str(slow / "c.jsonl")]
    assert "Reading was stopped here" in places["rows"][0][2]
    runs = len(drawn(app, "table")["rows"])
    assert 4 < runs < 8

    monkeypatch.setattr(Meter, "tell", lambda *_: None)
    read: list[str] = []
    begin = shelf._read
    monkeypatch.setattr(shelf, "_read", lambda file, *rest: read.append(file.path) or begin(file, *rest))
    app.button(key="runs.rest").click().run()
    assert "Reading was stopped" not in said(app)
    assert len(drawn(app, "table")["rows"]) == 12
    assert read == [str(slow / "b.jsonl"), str(slow / "c.jsonl")]


def said(app: Any) -> str:
    return "\n".join(text.value for text in app.text)

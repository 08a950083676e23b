"""How often the Tune page looks into the label file, and what it sees that others wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from loopviz.readers import read_path
from loopviz.tuning import files
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Book, Label, label_of
from loopviz.ui import launch
from loopviz.ui.tune import keeping
from tests.ui.vally_trials import trial, write

PATIENCE_S = 60


@pytest.fixture(autouse=True)
def _no_paths_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (launch.PATHS_VARIABLE, launch.LABELS_VARIABLE):
        monkeypatch.setenv(variable, "[]" if variable == launch.PATHS_VARIABLE else "")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write(tmp_path / "results.jsonl", [trial("caaaaad", stimulus="s"), trial("abc", stimulus="t")])


@pytest.fixture
def labels(tmp_path: Path, results: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    put(path, label_of(read_path(results).trajectories[0], LOOP))
    return path


def put(path: Path, label: Label) -> None:
    files.change(path, lambda book: book.put(label))


def on_tune(results: Path, labels: Path) -> AppTest:
    launch.give_paths([str(results)], labels=str(labels))
    app = AppTest.from_file(str(launch.SCRIPT), default_timeout=PATIENCE_S).run()
    return app.switch_page("views/tune.py").run()


def kept(app: AppTest) -> list[str]:
    return [each.value for each in app.text if "kept in" in each.value]


def test_the_page_looks_into_the_label_file_once_each_time_it_is_drawn(
    results: Path, labels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = on_tune(results, labels)
    assert not app.exception and kept(app) == [f"1 label, kept in {labels}, one line a label."]
    looked, opened = list[Path](), list[Path]()
    look, load = keeping._load, files.load

    def looking(path: Path) -> Book:
        looked.append(path)
        return look(path)

    def opening(path: Path) -> Book:
        opened.append(path)
        return load(path)

    monkeypatch.setattr(keeping, "_load", looking)
    monkeypatch.setattr(keeping, "load", opening)
    app.run()
    assert (looked, opened) == ([labels], [])
    put(labels, label_of(read_path(results).trajectories[1], NOT_A_LOOP))
    app.run()
    assert (looked, opened) == ([labels, labels], [labels])
    assert kept(app) == [f"2 labels, kept in {labels}, one line a label."]

"""How each open file is read, and the choice of another reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loopviz.readers import READERS
from loopviz.readers.loading import stamp
from loopviz.ui import runs_formats
from loopviz.ui.library import Library, read_library
from loopviz.ui.loading import Meter
from loopviz.ui.runs_formats import FORMATS, choose_format
from loopviz.ui.runs_open import show_files
from loopviz.ui.shelf import LastUsed, OnDisk, Reads, Upload
from tests.readers.packing import ARCHIVES
from tests.readers.vally_by_hand import call, document

RUN = document(call("x", "1"))
STRANGE = b"hello"


def library(*files: OnDisk | Upload, samples: bool = False) -> Library:
    return read_library(files, (), Meter([file.size for file in files]), Reads(LastUsed(9), {}), samples=samples)


def upload(name: str, data: bytes, format: str | None = None) -> Upload:
    return Upload(name, name, data, format=format)


def found(opened: Library) -> dict[str, list[Any]]:
    """The rows of each list that is shown, by its title."""
    return {one["title"]: one["rows"] for one in show_files(opened)}


def test_every_reader_can_be_chosen() -> None:
    assert {name for name, _ in FORMATS} == {reader.name for reader in READERS}
    assert all(label.startswith(f"{name} · ") for name, label in FORMATS)


def test_a_file_that_was_read_says_how() -> None:
    rows = found(library(upload("a.json", RUN)))
    cell = {"file": 0, "chosen": "", "automatic": "automatic: vally.trajectory", "label": "Read a.json as"}
    assert rows == {"1 file was read": [("a.json", "1 run", cell)]}


def test_a_packed_file_is_one_of_which_all_parts_are_read_alike() -> None:
    opened = library(upload("a.zip", ARCHIVES["zip"]({"a.json": RUN, "b.json": RUN})))
    ((name, holds, cell),) = found(opened)["1 file was read"]
    assert (name, holds, cell["file"]) == ("a.zip", "2 runs in 2 files", 0)


def test_a_file_that_no_reader_knows_has_the_choice(tmp_path: Path) -> None:
    met = tmp_path / "readme.md"
    met.write_bytes(STRANGE)
    opened = library(upload("a.txt", STRANGE), OnDisk(str(met), stamp(str(met)), named=False))
    rows = found(opened)
    assert rows["1 file could not be read"][0][3]["automatic"] == "automatic"
    assert rows["1 other file in the folders"][0][3]["file"] == 1


def test_a_part_of_a_packed_file_has_none_of_its_own() -> None:
    opened = library(upload("a.zip", ARCHIVES["zip"]({"a.json": RUN, "b.txt": STRANGE})))
    (row,) = found(opened)["1 other file in the folders"]
    assert row[3] == ""


def test_what_was_chosen_stands_there_first_and_is_counted() -> None:
    opened = library(upload("a.json", RUN), upload("b.json", RUN, "vally.trajectory"), upload("c.json", RUN, "atif"))
    rows = found(opened)
    assert [(row[0], row[2]["chosen"]) for row in rows["2 files were read"]] == [
        ("b.json", "vally.trajectory"),
        ("a.json", ""),
    ]
    assert rows["1 file could not be read"][0][3]["chosen"] == "atif"
    assert "1 by the reader that you chose" in [one["note"] for one in show_files(opened)]


def test_the_samples_are_not_listed() -> None:
    assert show_files(library(upload("a.json", RUN), samples=True)) == []


@pytest.mark.parametrize(
    ("action", "chosen"),
    [
        pytest.param(None, None, id="nothing"),
        pytest.param("file=1&format=atif", (("b", "b"), "atif"), id="a reader"),
        pytest.param("file=0&format=", (("a", "a"), ""), id="the one that knows it best"),
    ],
)
def test_a_choice_is_acted_on(action: str | None, chosen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []
    monkeypatch.setattr(runs_formats, "read_as", lambda *words: done.append(words))
    assert choose_format(library(upload("a", RUN), upload("b", RUN)), action) is bool(chosen)
    assert done == ([chosen] if chosen else [])

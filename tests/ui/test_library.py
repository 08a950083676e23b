"""What is open: files and uploads, packed ones among them, and the records that are read again from them."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from loopviz.readers.loading import Unread, stamp
from loopviz.ui.library import Library, read_library
from loopviz.ui.loading import Meter
from loopviz.ui.shelf import LastUsed, OnDisk, Reads, Upload, dropped
from tests.readers import atif_by_hand as atif
from tests.readers.packing import ARCHIVES, Files
from tests.readers.vally_by_hand import call, document, result

FILES: Files = {
    "in/a.json": document(call("x", "1")),
    "b.json": document(call("y", "2"), call("z", "3"), result("done", "3")),
}
PACKS = [
    pytest.param(lambda files: files["b.json"], 1, id="plain"),
    pytest.param(lambda files: gzip.compress(files["b.json"]), 1, id="compressed"),
    pytest.param(ARCHIVES["zip"], 2, id="zip"),
    pytest.param(ARCHIVES["tar.gz"], 2, id="tar.gz"),
]


def library(*files: OnDisk | Upload, samples: bool = False) -> Library:
    return read_library(files, (), Meter([file.size for file in files]), Reads(LastUsed(9), {}), samples=samples)


def on_disk(path: Path) -> OnDisk:
    return OnDisk(str(path), stamp(str(path)), named=True)


@pytest.mark.parametrize(("pack", "n_runs"), PACKS)
def test_records_are_read_again(pack: Callable[[Files], bytes], n_runs: int, tmp_path: Path) -> None:
    data = pack(FILES)
    (tmp_path / "p").write_bytes(data)
    for opened in (library(on_disk(tmp_path / "p")), library(Upload("p", "1", data))):
        assert len(opened.trajectories) == n_runs
        record = opened.raw_record(0, 1)
        assert record is not None
        assert json.loads(record)["data"]["toolName"] == "z"
        assert json.loads(opened.raw_result(0, 1) or "{}")["type"] == "tool_result"


def test_a_record_of_a_changed_archive_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(ARCHIVES["zip"](FILES))
    opened = library(on_disk(path))
    os.utime(path, ns=(1, 1))
    assert opened.raw_record(0, 1) is None


def test_strange_files_are_named_unless_they_lie_beside_the_samples() -> None:
    files = (Upload("a", "1", FILES["b.json"]), Upload("readme", "2", b"hello"))
    (unread,) = library(*files).unread
    assert isinstance(unread, Unread)
    assert (unread.path, unread.named) == ("readme", True)
    assert library(*files, samples=True).unread == ()


def test_an_archive_without_runs_is_named_once() -> None:
    opened = library(Upload("x.zip", "1", ARCHIVES["zip"]({"a.txt": b"a", "b.txt": b"b"})))
    assert [unread.path for unread in opened.unread] == ["x.zip"]


def test_records_of_two_uploads_of_one_name_are_told_apart() -> None:
    one, other = document(call("x", "1")), document(call("y", "2"))
    opened = library(*dropped([("a.json", other)], dropped([("a.json", one)], ())))
    tools = [json.loads(opened.raw_record(index, 0) or "{}")["data"]["toolName"] for index in range(2)]
    assert tools == ["x", "y"]


def test_a_file_dropped_beside_a_run_is_no_mistake() -> None:
    run = json.dumps(atif.document(atif.agent(atif.call("x", {})))).encode()
    outcome = b'{"verifier_result": {"rewards": {"reward": 1}}}'
    opened = library(*dropped([("result.json", outcome), ("run.json", run), ("notes.txt", b"hello")], ()))
    assert opened.trajectories[0].outcome is True
    assert {unread.path: unread.named for unread in opened.unread} == {"result.json": False, "notes.txt": True}

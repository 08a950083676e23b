"""Label files on disk."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from loopviz.tuning import files
from loopviz.tuning.files import LabelsError, change, load
from loopviz.tuning.labels import LOOP, label_of
from tests.tuning.sets_by_hand import run_of


def test_a_file_that_is_not_there_is_empty_until_a_label_is_put(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    assert load(path).labels == ()
    label = label_of(run_of("aa", run="é"), LOOP, note="x\u2028y")
    assert change(path, lambda book: book.put(label)).labels == (label,)
    assert load(path).labels == (label,)
    assert path.read_bytes().endswith(b"}\n")


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = [label_of(run_of("aa", run=f"t{number}"), LOOP) for number in range(20)]
    threads = [threading.Thread(target=change, args=(path, lambda book, own=own: book.put(own))) for own in labels]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {label.run for label in load(path).labels} == {label.run for label in labels}


def test_what_stands_there_keeps_its_bytes_and_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(b"# ours\r\n\n")
    path.chmod(0o640)
    change(path, lambda book: book.put(label_of(run_of("aa"), LOOP)))
    assert path.read_bytes().startswith(b"# ours\r\n\n")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "labels.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(target)
    change(link, lambda book: book.put(label_of(run_of("aa"), LOOP)))
    assert link.is_symlink() and load(target).labels


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    change(path, lambda book: book)
    assert not path.exists()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"\xff\xfe", "not text in UTF-8", id="bytes"),
        pytest.param(b"<<<<<<< HEAD\n", "marks of a merge", id="half a merge"),
    ],
)
def test_a_file_that_must_not_be_written_is_left_alone(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(data)
    with pytest.raises(LabelsError, match=reason):
        change(path, lambda book: book.put(label_of(run_of("aa"), LOOP)))
    assert path.read_bytes() == data


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LabelsError, match="cannot be written: No such file"):
        change(tmp_path / "no" / "labels.jsonl", lambda book: book.put(label_of(run_of("aa"), LOOP)))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_a_pipe_in_its_place_is_refused_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    os.mkfifo(path)
    with pytest.raises(LabelsError, match="it is no plain file"):
        change(path, lambda book: book)


def test_a_folder_that_another_program_keeps_locked_is_waited_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(files, "PATIENCE_S", 0.1)
    handle = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(LabelsError, match="another program keeps the folder locked"):
            change(tmp_path / "labels.jsonl", lambda book: book)
    finally:
        os.close(handle)
    assert change(tmp_path / "labels.jsonl", lambda book: book).labels == ()

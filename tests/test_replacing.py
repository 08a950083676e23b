"""A file put in the place of another: as a whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

import pytest

from loopviz.replacing import PRIVATE, replace_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    return file


def new(file: BinaryIO) -> None:
    file.write(b"new")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def alone(path: Path) -> bool:
    return [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("durable", [True, False])
def test_it_is_there_as_a_whole(path: Path, durable: bool) -> None:
    replace_file(path, new, durable=durable)
    assert path.read_bytes() == b"new" and alone(path)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_that_is_there_keeps_its_mode(path: Path, mode: int) -> None:
    path.chmod(mode)
    replace_file(path, new, mode=0o666)
    assert mode_of(path) == mode


def test_nobody_else_may_read_it_while_it_is_made(path: Path) -> None:
    path.chmod(0o600)

    def looking(file: BinaryIO) -> None:
        assert os.fstat(file.fileno()).st_mode & 0o077 == 0

    replace_file(path, looking)


def test_a_new_file_has_the_mode_that_the_system_gives(path: Path) -> None:
    path.unlink()
    before = os.umask(0o027)
    try:
        replace_file(path, new)
    finally:
        os.umask(before)
    assert mode_of(path) == 0o640


def test_a_new_file_may_be_private(path: Path) -> None:
    path.unlink()
    replace_file(path, new, mode=PRIVATE)
    assert mode_of(path) == 0o600


@pytest.mark.parametrize("there", [True, False], ids=["to a file", "to nothing yet"])
def test_a_link_stays_one(path: Path, there: bool) -> None:
    folder = path.parent / "elsewhere"
    folder.mkdir()
    (folder / "target").write_bytes(b"old") if there else None
    path.unlink()
    path.symlink_to(folder / "target")
    replace_file(path, new)
    assert path.is_symlink() and (folder / "target").read_bytes() == b"new"


def test_a_file_to_be_read_only_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs the tests may be allowed everything
    with pytest.raises(PermissionError, match="it is there to be read only"):
        replace_file(path, new)
    assert path.read_bytes() == b"old" and alone(path)


def test_the_check_comes_last_and_stops_it(path: Path) -> None:
    def changed() -> None:
        path.write_bytes(b"by somebody else")
        raise ValueError("changed meanwhile")

    with pytest.raises(ValueError, match="changed meanwhile"):
        replace_file(path, new, check=changed)
    assert path.read_bytes() == b"by somebody else" and alone(path)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_one(path: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, new)
    assert path.read_bytes() == b"old" and alone(path)


def test_a_failure_while_it_is_filled_leaves_the_old_one(path: Path) -> None:
    def half(file: BinaryIO) -> None:
        file.write(b"ne")
        raise MemoryError

    with pytest.raises(MemoryError):
        replace_file(path, half)
    assert path.read_bytes() == b"old" and alone(path)


def test_the_longest_name_that_a_file_may_have(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    replace_file(path, new)
    assert path.read_bytes() == b"new"

"""Files beside one that is read: which of them a reader may have, on disk and in memory, and if they changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from loopviz.readers.base import NOTHING, Beside
from loopviz.readers.beside import Asked, Disk, Tree, is_as_found
from tests.readers.packing import Files

FILES: Files = {
    "top.txt": b"top",
    "trial/result.txt": b"result",
    "trial/both.txt": b"outer",
    "trial/agent/run.json": b"{}",
    "trial/agent/both.txt": b"inner",
    "trial/agent/deep/far.txt": b"far",
    "trial/agent/.hidden": b"hidden",
    "trial/agents/other.txt": b"other",
}
ASKED = "trial/agent/run.json"


def on_disk(folder: Path, path: str = ASKED) -> Beside:
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return Disk().beside(str(folder / path))


def in_tree(_folder: Path, path: str = ASKED) -> Beside:
    return tree().beside(path)


def tree(*, has_root: bool = True) -> Tree:
    return Tree({name: partial(bytes, data) for name, data in FILES.items()}, has_root=has_root)


each_place = pytest.mark.parametrize("place", [on_disk, in_tree])
NAMES = [
    ("result.txt", b"result"),
    ("both.txt", b"inner"),
    ("deep/far.txt", b"far"),
    ("agents/other.txt", b"other"),
    ("./both.txt", b"inner"),
    ("run.json", b"{}"),
    ("top.txt", None),
    ("none.txt", None),
    ("../result.txt", None),
    ("../../top.txt", None),
    ("/etc/passwd", None),
    ("", None),
    (".", None),
    ("deep", None),
    ("a\0b", None),
]


@each_place
@pytest.mark.parametrize(("name", "expected"), NAMES)
def test_the_own_folder_goes_first_and_then_the_one_above(
    place: Callable[[Path], Beside], name: str, expected: bytes | None, tmp_path: Path
) -> None:
    assert place(tmp_path).find(name) == expected


@each_place
def test_the_names_are_those_of_the_own_folder(place: Callable[[Path], Beside], tmp_path: Path) -> None:
    assert place(tmp_path).names() == ("both.txt", "run.json")


@each_place
def test_in_the_outermost_folder(place: Callable[[Path, str], Beside], tmp_path: Path) -> None:
    beside = place(tmp_path, "top.txt")
    assert beside.names() == ("top.txt",)
    assert beside.find("trial/result.txt") == b"result"
    assert beside.find("result.txt") is None
    assert place(tmp_path, "trial/x").find("top.txt") == b"top"


def test_what_was_dropped_loosely_is_no_folder_around_one_that_was_dropped() -> None:
    apart = tree(has_root=False)
    assert apart.beside("trial/x").find("top.txt") is None
    assert apart.beside("trial/x").find("result.txt") == b"result"
    assert apart.beside("x").find("top.txt") == b"top"
    assert apart.beside("trial/agent/x").find("result.txt") == b"result"


def test_a_pipe_is_never_opened_and_a_link_in_a_circle_never_followed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "x").write_bytes(b"")
    beside = Disk().beside(str(tmp_path / "x"))
    assert (beside.find("pipe"), beside.find("circle")) == (None, None)
    assert beside.names() == ("x",)


def test_a_folder_that_cannot_be_listed_has_no_names(tmp_path: Path) -> None:
    assert Disk().beside(str(tmp_path / "none" / "x")).names() == ()


def test_a_folder_is_listed_once_for_all_its_files(tmp_path: Path) -> None:
    on_disk(tmp_path)
    disk = Disk()
    first, second = (disk.beside(str(tmp_path / "trial/agent" / name)).names() for name in ("run.json", "both.txt"))
    assert first is second


def change(files: dict[str, bytes], **changes: bytes | None) -> dict[str, bytes]:
    changed = {**files, **{name: data for name, data in changes.items() if data is not None}}
    return {name: data for name, data in changed.items() if name not in changes or changes[name] is not None}


BEFORE = {"a": b"1", "b": b"2", "c": b"3"}
CHANGES = [
    pytest.param({}, True, id="nothing"),
    pytest.param({"b": b"9"}, True, id="one that nobody asked for"),
    pytest.param({"a": b"9"}, False, id="another content"),
    pytest.param({"a": None}, False, id="it is gone"),
    pytest.param({"none": b""}, False, id="one that was not there"),
    pytest.param({"b": None}, True, id="one gone that nobody asked for"),
]


def beside(files: Files) -> Beside:
    return Tree({name: partial(bytes, data) for name, data in files.items()}).beside("x")


@pytest.mark.parametrize(("changes", "same"), CHANGES)
def test_what_was_asked_for_is_compared(changes: dict[str, bytes | None], same: bool) -> None:
    asked = Asked(beside(BEFORE))
    assert (asked.find("a"), asked.find("none")) == (b"1", None)
    assert is_as_found(asked.found(), beside(change(BEFORE, **changes))) is same
    names = Asked(beside(BEFORE))
    assert names.names() == ("a", "b", "c")
    changed = change(BEFORE, **changes)
    assert is_as_found(names.found(), beside(changed)) is (changed.keys() == BEFORE.keys())


def test_where_nobody_asked_everything_is_as_it_was() -> None:
    assert is_as_found(Asked(beside(BEFORE)).found(), NOTHING)

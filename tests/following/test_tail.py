"""The end of a file that grows: which lines are new, and when it is not the file any more that it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from loopviz.following import tail as tail_module
from loopviz.following.tail import MEMORY, Changed, Tail

A, B, C = b'{"a": 1}\n', '{"b": "ü"}\n'.encode(), b'{"c": 3}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


def add(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def read(tail: Tail) -> list[tuple[int, int, bytes]]:
    return [(line.number, line.start, line.raw) for line in tail.read()]


def test_a_file_that_is_not_there_has_no_lines_and_may_come(path: Path) -> None:
    tail = Tail(str(path))
    assert (read(tail), tail.is_there) == ([], False)
    path.write_bytes(A)
    assert (read(tail), tail.is_there) == ([(1, 0, A.strip())], True)


def test_nothing_new_is_nothing(path: Path) -> None:
    path.write_bytes(A)
    tail = Tail(str(path))
    read(tail)
    assert read(tail) == []


def test_only_what_is_new_is_given(path: Path) -> None:
    path.write_bytes(A + B)
    tail = Tail(str(path))
    read(tail)
    add(path, C)
    assert read(tail) == [(3, len(A + B), C.strip())]


@pytest.mark.parametrize("cut", range(1, len(B) - 2), ids=lambda cut: f"after byte {cut}")
def test_half_a_line_waits_for_its_other_half(path: Path, cut: int) -> None:
    path.write_bytes(A + B[:cut])
    tail = Tail(str(path))
    assert read(tail) == [(1, 0, A.strip())]
    add(path, B[cut:])
    assert read(tail) == [(2, len(A), B.strip())]


def test_a_whole_object_need_not_wait_for_the_end_of_its_line(path: Path) -> None:
    path.write_bytes(A.strip())
    tail = Tail(str(path))
    assert read(tail) == [(1, 0, A.strip())]
    add(path, b" \r\n" + B)
    assert read(tail) == [(2, len(A) + 2, B.strip())]


def test_a_line_that_goes_on_behind_its_object_is_read_again(path: Path) -> None:
    path.write_bytes(A.strip())
    tail = Tail(str(path))
    read(tail)
    add(path, b" and more\n")
    with pytest.raises(Changed, match="rewritten"):
        read(tail)


def test_lines_are_numbered_with_the_blank_ones_and_ends_of_any_system(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + A.replace(b"\n", b"\r\n") + b"\n  \n" + B)
    assert [(number, raw) for number, _, raw in read(Tail(str(path)))] == [(1, A.strip()), (4, B.strip())]


def cut(path: Path) -> None:
    path.write_bytes(A)


def grow_anew(path: Path) -> None:
    path.write_bytes(B + B + B + A)


def same_size(path: Path) -> None:
    path.write_bytes(C + A + C)
    os.utime(path, ns=(1, 1))


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(A + B + C)
    os.replace(other, path)


def rotate(path: Path) -> None:
    os.replace(path, path.with_name("run.jsonl.1"))
    path.write_bytes(A)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(cut, "cut", id="cut"),
        pytest.param(grow_anew, "rewritten", id="written anew and longer"),
        pytest.param(same_size, "rewritten", id="written anew and as long"),
        pytest.param(replace, "replaced", id="another file took its place"),
        pytest.param(rotate, "replaced", id="rotated"),
    ],
)
def test_another_file_is_noticed(path: Path, change: Callable[[Path], None], reason: str) -> None:
    path.write_bytes(A + A + C)
    tail = Tail(str(path))
    read(tail)
    change(path)
    with pytest.raises(Changed, match=reason):
        read(tail)
    tail.begin()
    assert b"".join(raw + b"\n" for _, _, raw in read(tail)) == path.read_bytes()


def test_a_file_that_goes_away_and_comes_back_the_same_goes_on(path: Path) -> None:
    path.write_bytes(A)
    tail = Tail(str(path))
    read(tail)
    kept = path.rename(path.with_name("kept"))
    assert (read(tail), tail.is_there) == ([], False)
    kept.rename(path)
    add(path, B)
    assert [number for number, _, _ in read(tail)] == [2]


def test_a_file_that_goes_between_a_look_and_its_opening_is_not_there_now(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(A)
    tail = Tail(str(path))
    look = tail_module._look

    def look_and_rotate(name: str) -> object:
        state = look(name)
        path.rename(path.with_name("old"))
        return state

    with monkeypatch.context() as patched:
        patched.setattr(tail_module, "_look", look_and_rotate)
        assert (read(tail), tail.is_gone) == ([], True)
        path.with_name("old").rename(path)
        tail.check()
        path.with_name("old").rename(path)
    assert (read(tail), tail.is_gone) == ([(1, 0, A.strip())], False)


def test_a_check_reads_nothing_and_notices_another_file(path: Path) -> None:
    path.write_bytes(A + B)
    tail = Tail(str(path))
    tail.check()
    read(tail)
    add(path, C)
    tail.check()
    assert [raw for _, _, raw in read(tail)] == [C.strip()]
    path.write_bytes(C + C + C + C)
    with pytest.raises(Changed, match="rewritten"):
        tail.check()


def test_what_it_remembers_of_a_long_file_is_bounded(path: Path) -> None:
    path.write_bytes(A * MEMORY)
    tail = Tail(str(path))
    read(tail)
    assert len(tail._memory) == MEMORY
    assert tail.piece(0, len(A)) == A


def test_the_digest_is_that_of_the_file(path: Path) -> None:
    from loopviz.readers import digest

    path.write_bytes(A + B[:4])
    tail = Tail(str(path))
    read(tail)
    assert (tail.digest.hex(), tail.size) == (digest(A + B[:4]), len(A) + 4)

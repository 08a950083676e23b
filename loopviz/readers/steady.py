"""The bytes of a file, within a limit, and whether it held still while they were read: it may grow, or be replaced."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

CHANGED = "The file changed while it was read ({how}), so it was read again."
CHANGES = (
    "The file changes while it is read, twice now ({how}), so its parts may be of different age. Open it again later."
)
_WRITTEN_ANEW = "its content was written anew"
_PIECE = 1 << 20


class TooLarge(Exception):
    """There are more bytes than are read."""


def read_steady(path: str, head: int, most: int, is_enough: Callable[[bytes], bool]) -> tuple[bytes, str]:
    """A file's bytes, read again once where it changed meanwhile, and what to say of that.

    Args:
        head: How many bytes are looked at first.
        most: How many are read.
        is_enough: Whether nobody wants more than these first bytes.
    Raises:
        TooLarge: if there are more.
        OSError: if the file cannot be read.
    """
    fault = ""
    for said in (CHANGED, CHANGES):
        data, how = _read(path, head, most, is_enough)
        if not how:
            break
        fault = said.format(how=how)
    return data, fault


def read_stream(stream: BinaryIO, most: int) -> bytes:
    """All bytes of what may have no end.

    Raises:
        TooLarge: if there are more than `most`.
    """
    pieces = []
    while piece := stream.read(_PIECE):
        pieces.append(piece)
        most -= len(piece)
        if most < 0:
            raise TooLarge
    return b"".join(pieces)


def _read(path: str, head: int, most: int, is_enough: Callable[[bytes], bool]) -> tuple[bytes, str]:
    """A file's bytes, and how it changed while they were read; nothing where it did not."""
    with open(path, "rb") as file:
        before = _state(os.fstat(file.fileno()))
        data = file.read(head)
        if is_enough(data):
            return data, ""
        if before.size > most:
            raise TooLarge
        file.seek(0)
        data = file.read(max(before.size, head) + 1)
        how = _change(before, _state(os.fstat(file.fileno())))
    return data, how or _replaced(before, path) or ("" if len(data) == before.size else _WRITTEN_ANEW)


@dataclass(frozen=True, slots=True)
class _State:
    """What tells that a file is another one, or has changed."""

    identity: tuple[int, int]
    time_ns: int
    size: int


def _state(status: os.stat_result) -> _State:
    return _State((status.st_dev, status.st_ino), status.st_mtime_ns, status.st_size)


def _replaced(before: _State, path: str) -> str:
    """Whether a path leads to another file now, in a few words; one that is gone was read before."""
    try:
        after = _state(os.stat(path))
    except OSError:
        return ""
    return "" if after.identity == before.identity else "another file took its place"


def _change(before: _State, after: _State) -> str:
    """What happened to a file, in a few words; nothing where it is as it was."""
    if after == before:
        return ""
    if after.size == before.size:
        return _WRITTEN_ANEW
    verb = "grew" if after.size > before.size else "was cut"
    return f"it {verb} from {before.size:,} to {after.size:,} bytes"

"""The end of a file that grows: its new lines, and whether it is still the file that it was.

The file is looked at when somebody asks, which is twice a second: a look at its size and time costs some microseconds,
needs no package, and works on every disk, those in a network and in a container included, where the notices of an
operating system do not.

What is noticed: a file that got shorter (`cut`), that another one took the place of (`replaced`), or that was written
anew from before its end (`rewritten`). The last is seen by the bytes before the end, up to `MEMORY` of them; one that
keeps them, and its size or more, goes unnoticed.
"""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal, NamedTuple

from loopviz.readers.decoding import decode
from loopviz.readers.digesting import Digest
from loopviz.readers.jsontext import lines
from loopviz.readers.scanning import BLANK

Reason = Literal["cut", "replaced", "rewritten"]

MEMORY = 1 << 12
"""Bytes before the end that are held against those on disk."""
PORTION = 1 << 20
"""Bytes that are read at a time."""


class Line(NamedTuple):
    """A line of a file."""

    number: int
    """From 1, blank lines counted."""
    start: int
    """Byte of the file at which its text begins, blanks left out."""
    raw: bytes

    @property
    def stop(self) -> int:
        """Byte behind its text."""
        return self.start + len(self.raw)


class Changed(Exception):
    """The file is not what it was: everything told of it is void, and it is read from its beginning."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@dataclass(frozen=True, slots=True)
class _State:
    identity: tuple[int, int]
    size: int
    time_ns: int


class Tail:
    """The lines of a file as they come.

    A line counts once it ends, or once it holds a whole object: a last line need not end.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._seen: _State | None = None
        self.begin()

    def begin(self) -> None:
        """Go back to the beginning of the file."""
        self.digest = Digest()
        """Of the bytes that `size` counts."""
        self.size = 0
        """Bytes that were read, those of a line that has not ended included."""
        self._rest = bytearray()
        """What stands behind the last line that was given."""
        self._n_ended = 0
        """Lines that have ended."""
        self._is_given = False
        """Whether the line that has not ended was given: nothing but blanks may follow in it."""
        self._memory = b""
        self._identity: tuple[int, int] | None = None
        self._seen = None
        self.is_gone = False
        """Whether there was no file when it was last looked at."""

    @property
    def is_there(self) -> bool:
        """Whether the file was there when it was last looked at."""
        return self._seen is not None

    def check(self) -> None:
        """Look whether the file still is what it was, as far as it was read.

        Raises:
            Changed: where it is not.
            OSError: if it is there and cannot be read.
        """
        try:
            state = _look(self.path)
            if self._identity is None or state == self._seen:
                return
            self._check(state)
            with open(self.path, "rb") as file:
                self._compare(file, state)
        except FileNotFoundError:  # it may come back
            return

    def read(self) -> Iterator[Line]:
        """The lines that are new.

        Raises:
            Changed: where the file is not what it was; `begin` again then.
            OSError: if it is there and cannot be read.
        """
        try:
            state = _look(self.path)
            self.is_gone = False
            if state == self._seen:
                return
            self._check(state)
            opened = _opened(self.path)
        except FileNotFoundError:  # it may have gone since it was looked at
            self._seen, self.is_gone = None, True
            return
        with opened as file:
            self._compare(file, state)
            while self.size < state.size and (piece := file.read(min(PORTION, state.size - self.size))):
                yield from self._take(piece)
        self._seen, self._identity = state, state.identity

    def piece(self, start: int, stop: int) -> bytes:
        """Bytes of the file that were read before; fewer where it has changed meanwhile."""
        try:
            with open(self.path, "rb") as file:
                if self._identity not in (None, _state(os.fstat(file.fileno())).identity):
                    return b""
                file.seek(start)
                return file.read(stop - start)
        except OSError:
            return b""

    def _check(self, state: _State) -> None:
        if self._identity is not None and state.identity != self._identity:
            raise Changed("replaced")
        if state.size < self.size:
            raise Changed("cut")

    def _compare(self, file: BinaryIO, state: _State) -> None:
        """Hold the file against what was read of it, and go to the end of that."""
        if _state(os.fstat(file.fileno())).identity != state.identity:
            raise Changed("replaced")
        file.seek(self.size - len(self._memory))
        if file.read(len(self._memory)) != self._memory:
            raise Changed("rewritten")

    def _take(self, piece: bytes) -> Iterator[Line]:
        self.digest.update(piece)
        self.size += len(piece)
        self._memory = (self._memory + piece)[-MEMORY:]
        end = piece.rfind(b"\n") + 1
        if end:
            block = bytes(self._rest) + piece[:end]
            self._rest = bytearray()
            yield from self._ended(block, self.size - len(piece) + end - len(block))
        self._rest += piece[end:]
        yield from self._whole()

    def _ended(self, block: bytes, base: int) -> Iterator[Line]:
        """The lines of a block that ends one, and begins at byte `base` of the file."""
        if self._is_given and block[: block.index(b"\n")].strip(BLANK):
            raise Changed("rewritten")
        self._is_given = False
        before = self._n_ended
        self._n_ended += block.count(b"\n")
        mark = len(BOM_UTF8) if not base and block.startswith(BOM_UTF8) else 0
        for number, start, stop in lines(block, mark):
            yield Line(before + number, base + start, block[start:stop])

    def _whole(self) -> Iterator[Line]:
        """The last line, where it has not ended and yet holds a whole object."""
        if self._is_given:
            if self._rest.strip(BLANK):
                raise Changed("rewritten")
            return
        raw = bytes(self._rest.strip(BLANK)) if self._rest.endswith((b"}", b" ", b"\r")) else b""
        if not is_object(raw):
            return
        start = self.size - len(self._rest) + self._rest.index(raw[:1])
        self._rest = bytearray()
        self._is_given = True
        yield Line(self._n_ended + 1, start, raw)


def is_object(raw: bytes) -> bool:
    """Whether a line holds a whole object and nothing else."""
    if raw[:1] != b"{" or raw[-1:] != b"}":
        return False
    try:
        return isinstance(decode(raw), dict)
    except ValueError:
        return False


def _look(path: str) -> _State:
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "This is no ordinary file")
    return _state(status)


def _opened(path: str) -> BinaryIO:
    return open(path, "rb")


def _state(status: os.stat_result) -> _State:
    return _State((status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns)

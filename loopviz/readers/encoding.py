"""A file's bytes as UTF-8, whatever they were, without losing where each record stands in the file itself.

Readers look at `Text.data` alone. Places that people see go through `Text.offset`, since a file in UTF-16 has other
byte numbers than its text in UTF-8.
"""

from __future__ import annotations

import codecs
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from loopviz.model import IntArray

MOST_INVALID = 100
"""How many bytes that are not UTF-8 are looked for; a file with more is told apart by its first ones."""
_CHUNK = 1 << 16
_BLOCK = 1 << 12


@dataclass(frozen=True, eq=False, kw_only=True)
class Text:
    """UTF-8 with its place in the file."""

    data: bytes
    start: int = 0
    """Where the text begins in `data`: behind a byte order mark."""
    utf16: bool = False
    invalid: Sequence[int] = field(default=())
    """Offsets in `data` of bytes that are not UTF-8, ascending, at most `MOST_INVALID`."""
    base: int = 0
    """Byte of the file at which `data` begins, where that is a piece of one in UTF-8."""

    @property
    def is_moved(self) -> bool:
        """Whether bytes of `data` have other numbers in the file."""
        return self.utf16 or self.base > 0

    def offset(self, position: int) -> int:
        """Byte of the file that stands for byte `position` of `data`."""
        if not self.utf16:
            return position + self.base
        block = position // _BLOCK
        return int(self._units[block] + _utf16_bytes(self.data[block * _BLOCK : position]))

    def offsets(self, positions: IntArray) -> IntArray:
        """The same for an array of positions."""
        if not self.utf16:
            return positions + self.base if self.base else positions
        return np.array([self.offset(int(position)) for position in positions], dtype=np.int64)

    def n_invalid(self, start: int, stop: int) -> int:
        """How many bytes of data[start:stop] are known not to be UTF-8."""
        return bisect_left(self.invalid, stop) - bisect_left(self.invalid, start)

    @cached_property
    def _units(self) -> IntArray:
        """Byte of the file at which each block of `data` begins, shape (n_blocks + 1,)."""
        sizes = [_utf16_bytes(self.data[at : at + _BLOCK]) for at in range(0, len(self.data), _BLOCK)]
        return np.cumsum([len(codecs.BOM_UTF16), *sizes])


def as_text(data: bytes) -> Text:
    """Take a file's bytes as text: UTF-8 with or without a byte order mark, or UTF-16 with one."""
    if data.startswith(codecs.BOM_UTF8):
        return Text(data=data, start=len(codecs.BOM_UTF8), invalid=_invalid(data))
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = _from_utf16(data)
        return Text(data=data, utf16=True, invalid=_invalid(data))
    return Text(data=data, invalid=_invalid(data))


def piece_of(data: bytes, base: int) -> Text:
    """A piece of a file in UTF-8 that begins at byte `base` of it."""
    return Text(data=data, base=base, invalid=_invalid(data))


def display(data: bytes, *, like: bytes) -> str:
    """Decode a piece of a file for a person, whatever is in it; `like` is the beginning of the file."""
    if like.startswith(codecs.BOM_UTF16_LE):
        return data.decode("utf-16-le", "replace")
    if like.startswith(codecs.BOM_UTF16_BE):
        return data.decode("utf-16-be", "replace")
    return data.decode("utf-8", "replace")


def _from_utf16(data: bytes) -> bytes:
    whole = data[: len(data) // 2 * 2]
    # Half of a pair stays what it is, three bytes that are not UTF-8, so that it is noticed and places still agree.
    return whole.decode("utf-16", "surrogatepass").encode("utf-8", "surrogatepass")


def _utf16_bytes(data: bytes) -> int:
    """Bytes in UTF-16 of a piece of UTF-8 that begins anywhere; a character counts where it begins."""
    octets = np.frombuffer(data, dtype=np.uint8)
    return 2 * int(np.count_nonzero((octets & 0xC0) != 0x80) + np.count_nonzero(octets >= 0xF0))


def _invalid(data: bytes) -> list[int]:
    """Offsets of the first bytes that are not UTF-8, found piece by piece so that no second copy is held."""
    if data.isascii():
        return []
    found: list[int] = []
    position = 0
    while position < len(data) and len(found) < MOST_INVALID:
        piece = data[position : position + _CHUNK]
        try:
            piece.decode()
        except UnicodeDecodeError as error:
            if error.end == len(piece) and position + len(piece) < len(data) and error.start > 0:
                position += error.start  # A character cut by the end of the piece, perhaps.
                continue
            found.append(position + error.start)
            position += error.end
        else:
            position += len(piece)
    return found

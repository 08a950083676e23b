"""Unpacking compressed bytes a piece at a time: deflate, gzip, Zstandard.

Each function yields pieces of at most `PIECE` bytes and holds no more than one, so that whoever takes them can stop.
They raise `Damaged` where the bytes are spoilt and `EOFError` where the end is missing, after all that came before.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Generator, Iterator

from loopviz.readers.limits import Room

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GZIP = b"\x1f\x8b\x08"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
PIECE = 1 << 20
_INPUT = 1 << 16
"""Bytes that are fed at once."""
_RAW, _WITH_HEADER = -zlib.MAX_WBITS, zlib.MAX_WBITS + 16
_SKIPPED = tuple(bytes((0x50 + kind, 0x2A, 0x4D, 0x18)) for kind in range(16))
"""How frames begin that hold no content; some programs write one at the beginning."""

Bytes = bytes | memoryview


class Damaged(ValueError):
    """Compressed bytes that cannot be unpacked further."""


def is_compressed(data: bytes) -> bool:
    """Whether bytes begin as one compressed file does."""
    return data.startswith((GZIP, ZSTANDARD, *_SKIPPED))


def uncompressed(data: bytes) -> Iterator[bytes]:
    """The content of a compressed file, whichever way it is compressed."""
    return gunzipped(memoryview(data)) if data.startswith(GZIP) else from_zstandard(memoryview(data))


def beginning(data: bytes, size: int) -> bytes:
    """The first bytes of a compressed file's content, or as many as can be had."""
    pieces: list[bytes] = []
    try:
        for piece in uncompressed(data):
            pieces.append(piece)
            size -= len(piece)
            if size <= 0:
                break
    except (Damaged, EOFError):
        pass
    return b"".join(pieces)


def unpack_one(data: bytes, room: Room) -> tuple[bytes, str]:
    """The content of a compressed file as far as there is room for it, and what is wrong with it, or nothing."""
    pieces: list[bytes] = []
    fault = ""
    try:
        for piece in uncompressed(data):
            pieces.append(piece[: max(0, room.left)])
            room.take(len(piece))
            if room.left < 0:
                fault = room.beyond
                break
    except Damaged:
        fault = "The compressed file is damaged; what stands before is kept."
    except EOFError:
        fault = "The compressed file is cut off; what stands before is kept."
    return b"".join(pieces), fault


def inflated(packed: memoryview) -> Iterator[bytes]:
    """Deflate without a header, as in a zip archive; bytes behind its end are ignored."""
    yield from _stream(packed, _RAW)


def gunzipped(packed: memoryview) -> Iterator[bytes]:
    """A gzip file of one member or more; what is no member behind them is ignored, as gzip does."""
    while packed[: len(GZIP)] == GZIP:
        rest = yield from _stream(packed, _WITH_HEADER)
        packed = packed[len(packed) - rest :]


def from_zstandard(packed: memoryview) -> Iterator[bytes]:
    """Zstandard of one frame or more."""
    while packed:
        decoder = zstd.ZstdDecompressor()
        taken = 0
        while not decoder.eof:
            if decoder.needs_input and taken >= len(packed):
                raise EOFError
            chunk: Bytes = packed[taken : taken + _INPUT] if decoder.needs_input else b""
            taken += len(chunk)
            try:
                piece = decoder.decompress(chunk, PIECE)
            except zstd.ZstdError as error:
                raise Damaged(str(error)) from error
            if piece:
                yield piece
        packed = packed[taken - len(decoder.unused_data) :]


def _stream(packed: memoryview, kind: int) -> Generator[bytes, None, int]:
    """One stream of zlib's; the result is how many bytes stand behind it."""
    decoder = zlib.decompressobj(kind)
    taken = 0
    while not decoder.eof:
        chunk: Bytes = decoder.unconsumed_tail
        if not chunk:
            chunk = packed[taken : taken + _INPUT]
            taken += len(chunk)
        before = decoder.copy()
        try:
            piece = decoder.decompress(chunk, PIECE)
        except zlib.error as error:
            yield from _before_damage(before, chunk)
            raise Damaged(str(error)) from error
        if piece:
            yield piece
        elif not chunk and not decoder.eof:
            raise EOFError
    return len(packed) - taken + len(decoder.unused_data)


def _before_damage(decoder: zlib._Decompress, chunk: Bytes) -> Iterator[bytes]:
    """What can be had of a chunk that is damaged somewhere, if only in the check sum behind it."""
    for place in range(len(chunk)):
        try:
            piece = decoder.decompress(chunk[place : place + 1])
        except zlib.error:
            return
        if piece:
            yield piece

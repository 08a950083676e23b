"""The members of a zip archive, read in memory from its beginning to its end, within limits.

Each member is found by its own header, not by the directory at the end, so that an archive which was cut off, or which
is being written, gives all that it holds. Nothing is ever written to a disk, so a name that leads out of a folder, or
a link, can do no harm; names are only compared.

Zstandard, method 93, is read with what came to Python in 3.14.

Source: APPNOTE.TXT, the description of the zip format by PKWARE.
"""

from __future__ import annotations

import re
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SIGNATURE = b"PK\x03\x04"

_HEADER = struct.Struct("<4sHHHHHLLLHH")
_ENCRYPTED, _SIZES_FOLLOW = 0x1, 0x8
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_LARGE = 0xFFFF_FFFF
"""Stands where a size is said in 64 bits among the extra fields."""
_ZIP64 = 1
_INPUT, _OUTPUT = 1 << 16, 1 << 20
"""Bytes that are fed at once, and that come back at most."""
_NEXT = re.compile(rb"PK(?:\x03\x04|\x01\x02|\x05\x06)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is taken out of an archive."""

    members: int = 100_000
    size: int = 1 << 30
    """Bytes of all members together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A file in an archive."""

    name: str
    data: bytes
    """All of it, or what could be read."""
    fault: str = ""
    """What is wrong with it, as a sentence."""
    is_cut: bool = False
    """The archive ends within it."""


def is_archive(data: bytes) -> bool:
    """Whether bytes begin as a zip archive does."""
    return data.startswith(SIGNATURE)


def names(data: bytes) -> frozenset[str]:
    """Names of the members of an archive, or of those at its beginning."""
    return frozenset(header.name for header in _headers(data, Limits().members))


def members(data: bytes, wanted: Callable[[str], bool], limits: Limits) -> Iterator[Member]:
    """Unpack some members of an archive.

    Args:
        wanted: Which, by their names.
        limits: Beyond them, what is left is passed over, and one last member of no name says so.
    """
    room = limits.size
    view = memoryview(data)
    for number, header in enumerate(_headers(data, limits.members + 1)):
        if number == limits.members:
            yield Member(
                name="", data=b"", fault=f"The archive has more than {number:,} members; the rest is left out."
            )
        elif wanted(header.name):
            member = _unpack(header, view, room)
            room -= len(member.data)
            if room < 0:
                message = f"The archive unpacks to more than {limits.size:,} bytes; the rest is left out."
                yield Member(name="", data=b"", fault=message)
                return
            yield member


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    name: str
    flags: int
    method: int
    crc: int
    start: int
    """Where the packed bytes begin."""
    stop: int
    """Where they end; the end of the archive where the header does not say."""


def _headers(data: bytes, most: int) -> Iterator[_Header]:
    position = data.find(SIGNATURE)
    while 0 <= position <= len(data) - _HEADER.size and most:
        _, _, flags, method, _, _, crc, packed, unpacked, n_name, n_extra = _HEADER.unpack_from(data, position)
        begin = position + _HEADER.size
        start = begin + n_name + n_extra
        if start > len(data):
            return
        name = data[begin : begin + n_name].decode("utf-8", "replace")
        if packed == _LARGE:
            packed = _long_size(data[begin + n_name : start], unpacked == _LARGE)
        stop = start + packed
        if flags & _SIZES_FOLLOW and not packed:
            following = _NEXT.search(data, start)
            stop = following.start() if following else len(data)
        yield _Header(name=name, flags=flags, method=method, crc=crc, start=start, stop=stop)
        position = data.find(SIGNATURE, stop)
        most -= 1


def _long_size(extra: bytes, is_second: bool) -> int:
    """The packed size among extra fields, behind the unpacked one where that is long too; 0 where it is not there."""
    position = 0
    while position + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, position)
        value = position + 4 + (8 if is_second else 0)
        if kind == _ZIP64 and value + 8 <= len(extra):
            return int(struct.unpack_from("<Q", extra, value)[0])
        position += 4 + length
    return 0


def _unpack(header: _Header, view: memoryview, room: int) -> Member:
    """Unpack a member, or as much of it as there is room for and a little more."""
    packed = view[header.start : header.stop]
    is_cut = header.stop > len(view)
    said = f"The member {header.name!r} of the archive"
    pieces: list[bytes] = []
    fault = ""
    try:
        for piece in _pieces(header, packed):
            pieces.append(piece)
            room -= len(piece)
            if room < 0:
                break
    except (zlib.error, zstd.ZstdError, EOFError):
        fault = f"{said} is damaged; what can be unpacked is kept."
    except ValueError as error:
        fault = f"{said} {error}; it is left out."
    data = b"".join(pieces)
    if is_cut:
        fault = f"{said} is cut off; what stands before is kept."
    elif room >= 0 and not fault and header.crc and zlib.crc32(data) != header.crc:
        fault = f"{said} is damaged: its check sum differs."
    return Member(name=header.name, data=data, fault=fault, is_cut=is_cut)


def _pieces(header: _Header, packed: memoryview) -> Iterator[bytes]:
    """The unpacked bytes, a piece at a time.

    Raises:
        ValueError: if it is packed in a way that is not read here.
        EOFError: if the end is missing.
    """
    if header.flags & _ENCRYPTED:
        raise ValueError("is encrypted")
    if header.method == _STORED:
        yield from (bytes(packed[at : at + _OUTPUT]) for at in range(0, len(packed), _OUTPUT))
    elif header.method == _DEFLATED:
        yield from _inflated(packed)
    elif header.method == _ZSTANDARD:
        yield from _from_zstandard(packed)
    else:
        raise ValueError(f"is packed by method {header.method}, which is not read here")


def _inflated(packed: memoryview) -> Iterator[bytes]:
    decoder = zlib.decompressobj(-zlib.MAX_WBITS)
    for at in range(0, len(packed), _INPUT):
        chunk: bytes | memoryview = packed[at : at + _INPUT]
        while chunk and not decoder.eof:
            yield decoder.decompress(chunk, _OUTPUT)
            chunk = decoder.unconsumed_tail
        if decoder.eof:
            return
    raise EOFError


def _from_zstandard(packed: memoryview) -> Iterator[bytes]:
    decoder = zstd.ZstdDecompressor()
    for at in range(0, len(packed), _INPUT):
        chunk: bytes | memoryview = packed[at : at + _INPUT]
        while not decoder.eof:
            yield decoder.decompress(chunk, _OUTPUT)
            chunk = b""
            if decoder.needs_input:
                break
        if decoder.eof:
            return
    raise EOFError

"""The members of a zip archive, read in memory from its beginning to its end, within limits.

Each member is found by its own header, not by the directory at the end, so that an archive which was cut off, or which
is being written, gives all that it holds, and members that overlap are unpacked once. The directory, where there is
one, adds what a header may lack: sizes, and whether a member is a link.

Nothing is ever written to a disk, so a name that leads out of a folder, or a link, can do no harm; names are only
compared. Zstandard, method 93, is read with what came to Python in 3.14.

Source: APPNOTE.TXT, the description of the zip format by PKWARE.
"""

from __future__ import annotations

import re
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from loopviz.readers.base import Advance, ignore
from loopviz.readers.compressed import PIECE, Damaged, from_zstandard, inflated
from loopviz.readers.limits import LIMITS, Limits, Room, raised_by

SIGNATURE = b"PK\x03\x04"

_HEADER = struct.Struct("<4sHHHHHLLLHH")
_ENTRY = struct.Struct("<4sHHHHHHLLLHHHHHLL")
_END, _END_64 = struct.Struct("<4sHHHHLLH"), struct.Struct("<4sQHHLLQQQQ")
_DIRECTORY_ENTRY, _DIRECTORY_END = b"PK\x01\x02", b"PK\x05\x06"
_LOCATOR_64 = struct.Struct("<4sLQL")
_LONGEST_END = _END.size + 0xFFFF
_ENCRYPTED, _SIZES_FOLLOW = 0x1, 0x8
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_UNIX = 3
_LARGE = 0xFFFF_FFFF
"""Stands where a size is said in 64 bits among the extra fields."""
_ZIP64 = 1
_NEXT = re.compile(rb"PK(?:\x03\x04|\x01\x02|\x05\x06)")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Where a member stands, and how it is packed."""

    name: str
    flags: int
    method: int
    crc: int
    start: int
    """Where the packed bytes begin."""
    stop: int
    """Where they end; the end of the archive where nothing says it."""
    size: int = 0
    """Unpacked bytes, as it is said; 0 where it is not."""
    mode: int = 0
    """What sort of file it is, as Unix counts; 0 where that is not said."""

    @property
    def is_stored(self) -> bool:
        """Whether it stands in the archive as it is."""
        return self.method == _STORED

    @property
    def is_special(self) -> bool:
        """Whether it is a link, a pipe or a device."""
        return stat.S_IFMT(self.mode) not in (0, stat.S_IFREG, stat.S_IFDIR)


def is_archive(data: bytes) -> bool:
    """Whether bytes begin as a zip archive does."""
    return data.startswith(SIGNATURE)


def has_end(data: bytes) -> bool:
    """Whether an archive is whole as far as its end goes."""
    return data.rfind(_DIRECTORY_END, max(0, len(data) - _LONGEST_END)) >= 0


def names(data: bytes) -> frozenset[str]:
    """Names of the members of an archive, or of those at its beginning."""
    return frozenset(header.name for header in headers(data, LIMITS.members))


def members(data: bytes, wanted: Callable[[str], bool], limits: Limits, advance: Advance = ignore) -> Iterator[Member]:
    """Unpack some members of an archive.

    Args:
        wanted: Which, by their names.
        limits: Beyond them, what is left is passed over, and one last member of no name says so.
        advance: Told now and then how many bytes of the archive are done; what it raises ends the unpacking.
    """
    progress = _Progress(advance)
    room = Room(limits, len(data), progress.work)
    view = memoryview(data)
    for number, header in enumerate(headers(data, limits.members + 1)):
        if number == limits.members:
            yield Member(name="", data=b"", fault=too_many(limits))
        elif wanted(header.name):
            progress.begin(header)
            member = unpack(header, view, room)
            if room.left < 0:
                yield Member(name="", data=b"", fault=room.beyond)
                return
            yield member


class _Progress:
    """How far the unpacking is, in bytes of the archive, told at every piece."""

    def __init__(self, advance: Advance) -> None:
        self._advance = advance
        self._done = 0

    def begin(self, header: Header) -> None:
        self._header, self._done = header, 0

    def work(self, size: int) -> None:
        header = self._header
        self._done += size
        share = min(1.0, self._done / header.size) if header.size else 0.0
        self._advance(header.start + int(share * (header.stop - header.start)))


def too_many(limits: Limits) -> str:
    """What to say of an archive that holds more members than are read."""
    return f"The archive has more than {limits.members:,} members; the rest is left out. {raised_by('members')}"


def headers(data: bytes, most: int) -> Iterator[Header]:
    """The members of an archive in the order in which they stand there, at most so many."""
    directory = _directory(data, most)
    position = data.find(SIGNATURE)
    while 0 <= position <= len(data) - _HEADER.size and most:
        _, _, flags, method, _, _, crc, packed, unpacked, n_name, n_extra = _HEADER.unpack_from(data, position)
        begin = position + _HEADER.size
        start = begin + n_name + n_extra
        if start > len(data):
            return
        if packed == _LARGE:
            packed = _long(data[begin + n_name : start], int(unpacked == _LARGE))
        entry = directory.get(position)
        if flags & _SIZES_FOLLOW and not packed:
            packed, crc = (entry.packed, entry.crc) if entry else (0, crc)
        stop = start + packed
        if flags & _SIZES_FOLLOW and not packed:
            following = _NEXT.search(data, start)
            stop = following.start() if following else len(data)
        name = data[begin : begin + n_name].decode("utf-8", "replace")
        mode = entry.mode if entry else 0
        size = unpacked or (entry.unpacked if entry else 0)
        yield Header(name=name, flags=flags, method=method, crc=crc, start=start, stop=stop, size=size, mode=mode)
        position = data.find(SIGNATURE, stop)
        most -= 1


@dataclass(frozen=True, slots=True)
class _Entry:
    packed: int
    unpacked: int
    crc: int
    mode: int


def _directory(data: bytes, most: int) -> dict[int, _Entry]:
    """What the directory at the end says of the members, by where each begins; nothing where there is none."""
    entries: dict[int, _Entry] = {}
    position = _directory_start(data)
    while data[position : position + 4] == _DIRECTORY_ENTRY and position + _ENTRY.size <= len(data) and most:
        fields = _ENTRY.unpack_from(data, position)
        made, crc, packed, unpacked, n_name, n_extra, n_comment = fields[1], *fields[7:13]
        attributes, local = fields[15:]
        extra = data[position + _ENTRY.size + n_name :][:n_extra] if _LARGE in (packed, local) else b""
        before = int(unpacked == _LARGE)
        if local == _LARGE:
            local = _long(extra, before + int(packed == _LARGE))
        if packed == _LARGE:
            packed = _long(extra, before)
        entries[local] = _Entry(packed, unpacked, crc, attributes >> 16 if made >> 8 == _UNIX else 0)
        position += _ENTRY.size + n_name + n_extra + n_comment
        most -= 1
    return entries


def _directory_start(data: bytes) -> int:
    end = data.rfind(_DIRECTORY_END, max(0, len(data) - _LONGEST_END))
    if end < 0 or end + _END.size > len(data):
        return len(data)
    start = int(_END.unpack_from(data, end)[6])
    if start != _LARGE or end < _LOCATOR_64.size:
        return start
    end = int(_LOCATOR_64.unpack_from(data, end - _LOCATOR_64.size)[2])
    return int(_END_64.unpack_from(data, end)[9]) if end + _END_64.size <= len(data) else len(data)


def _long(extra: bytes, before: int) -> int:
    """A number in 64 bits among extra fields, behind so many others of its kind; 0 where it is not there."""
    position = 0
    while position + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, position)
        value = position + 4 + 8 * before
        if kind == _ZIP64 and value + 8 <= len(extra):
            return int(struct.unpack_from("<Q", extra, value)[0])
        position += 4 + length
    return 0


def unpack(header: Header, view: memoryview, room: Room) -> Member:
    """Unpack a member, or as much of it as there is room for; then less than none is left."""
    packed = view[header.start : header.stop]
    is_cut = header.stop > len(view)
    said = f"The member {header.name!r} of the archive"
    pieces: list[bytes] = []
    fault = ""
    try:
        for piece in _pieces(header, packed):
            pieces.append(piece[: max(0, room.left)])
            room.take(len(piece))
            if room.left < 0:
                break
    except (Damaged, EOFError):
        fault = f"{said} is damaged; what can be unpacked is kept."
    except ValueError as error:
        fault = f"{said} {error}; it is left out."
    data = b"".join(pieces)
    if room.left < 0:
        fault = room.beyond
    elif is_cut:
        fault = f"{said} is cut off; what stands before is kept."
    elif not fault and header.crc and zlib.crc32(data) != header.crc:
        fault = f"{said} is damaged: its check sum differs."
    return Member(name=header.name, data=data, fault=fault, is_cut=is_cut)


def _pieces(header: Header, packed: memoryview) -> Iterator[bytes]:
    """The unpacked bytes, a piece at a time.

    Raises:
        ValueError: if it is packed in a way that is not read here.
        EOFError: if the end is missing.
    """
    if header.flags & _ENCRYPTED:
        raise ValueError("is encrypted")
    if header.method == _STORED:
        return (bytes(packed[at : at + PIECE]) for at in range(0, len(packed), PIECE))
    if header.method == _DEFLATED:
        return inflated(packed)
    if header.method == _ZSTANDARD:
        return from_zstandard(packed)
    raise ValueError(f"is packed by method {header.method}, which is not read here")

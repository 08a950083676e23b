"""The members of a tar archive that is in memory.

Names may be longer than a header holds, in GNU's way and in that of pax. A spoilt header is passed over to the next
sound one. What only stands for something else, a link or a device, is told and never followed.

Source: POSIX.1-2017, pax, "ustar Interchange Format" and "pax Extended Header"; GNU tar, "Basic Tar Format".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = 512

_MAGIC = b"ustar"
_MAGIC_AT = 257
_CHECKSUM = slice(148, 156)
_FILES, _FOLDER = b"0\x007", b"5"
_LONG_NAME, _LONG_LINK, _PAX, _PAX_FOR_ALL = b"L", b"K", b"x", b"g"
_KINDS = {b"1": "a link", b"2": "a link", b"3": "a device", b"4": "a device", b"6": "a pipe", b"S": "a file with holes"}
_LONGEST_NAME = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class TarMember:
    """Where a member stands."""

    name: str
    start: int
    stop: int
    """Behind the end of the archive where that is cut off."""
    kind: str = ""
    """What it is, where it is neither a file nor a folder."""
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class TarFault:
    """Something that is wrong with the archive itself, as a sentence."""

    message: str


def is_tar(data: bytes) -> bool:
    """Whether bytes begin as a tar archive does."""
    return _is_header(data, 0)


def tar_members(data: bytes) -> Iterator[TarMember | TarFault]:
    """The members of an archive in the order in which they stand there."""
    position, long_name, long_size = 0, "", -1
    while position + BLOCK <= len(data):
        if not _is_header(data, position):
            if not any(data[position : position + BLOCK]):
                return
            yield TarFault(f"The archive is damaged at byte {position:,}; what stands there is left out.")
            position = _next_header(data, position)
            continue
        kind = data[position + 156 : position + 157]
        start = position + BLOCK
        size = _number(data[position + 124 : position + 136]) if long_size < 0 else long_size
        if kind in (_LONG_NAME, _PAX):
            said = data[start : start + min(size, _LONGEST_NAME)]
            if kind == _LONG_NAME:
                long_name = _text(said)
            else:
                long_name, long_size = _of_pax(said, long_name)
        elif kind not in (_LONG_LINK, _PAX_FOR_ALL):
            yield _member(data, position, kind, long_name, start, size)
            long_name, long_size = "", -1
        if kind in b"12346" and kind:
            size = 0  # some programs state the size of what a link leads to
        position = start + -(-size // BLOCK) * BLOCK
    yield TarFault("The archive is cut off, or still being written; what stands before is read.")


def _member(data: bytes, position: int, kind: bytes, long_name: str, start: int, size: int) -> TarMember:
    name = long_name or _text(data[position : position + 100])
    if not long_name and data[position + _MAGIC_AT : position + _MAGIC_AT + 6] == b"ustar\x00":
        prefix = _text(data[position + 345 : position + 500])
        name = f"{prefix}/{name}" if prefix else name
    if kind in _FILES:  # an old program marks a folder by its name alone
        return TarMember(name=name, start=start, stop=start + size, is_folder=name.endswith("/"))
    if kind == _FOLDER:
        return TarMember(name=name, start=start, stop=start, is_folder=True)
    return TarMember(name=name, start=start, stop=start + size, kind=_KINDS.get(kind, "of an unknown kind"))


def _is_header(data: bytes, position: int) -> bool:
    block = data[position : position + BLOCK]
    if len(block) < BLOCK or not block[0]:
        return False
    said = block[_CHECKSUM].strip(b" \x00")
    if not said.isdigit() or b"8" in said or b"9" in said:
        return False
    return int(said, 8) == sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def _next_header(data: bytes, position: int) -> int:
    """Where the next sound header begins; the end of the archive where there is none."""
    found = data.find(_MAGIC, position + BLOCK + _MAGIC_AT)
    while found >= 0:
        at = found - _MAGIC_AT
        if not (at - position) % BLOCK and _is_header(data, at):
            return at
        found = data.find(_MAGIC, found + 1)
    return len(data)


def _number(field: bytes) -> int:
    """A size: in octal, or in base 256 where the first bit is set; 0 for anything else."""
    if field[:1] >= b"\x80":
        return max(0, int.from_bytes(field[1:], "big")) if field[:1] == b"\x80" else 0
    said = field.strip(b" \x00")
    return int(said, 8) if said.isdigit() and not set(said) & set(b"89") else 0


def _text(field: bytes) -> str:
    return field.split(b"\x00", 1)[0].decode("utf-8", "replace")


def _of_pax(said: bytes, name: str) -> tuple[str, int]:
    """The name and the size that an extended header gives; the name so far and -1 where it gives none."""
    size, position = -1, 0
    while position < len(said):
        length, blank, _ = said[position : position + 20].partition(b" ")
        if not blank or not length.isdigit() or not 0 < int(length) <= len(said) - position:
            break
        key, _, value = said[position + len(length) + 1 : position + int(length) - 1].partition(b"=")
        if key == b"path":
            name = _text(value)
        elif key == b"size" and value.isdigit():
            size = int(value[:20])
        position += int(length)
    return name, size

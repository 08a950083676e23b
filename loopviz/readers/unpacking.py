"""From a packed file to the files in it: `.gz` and `.zst`, `.zip`, `.tar`, and a `.tar` in one of the former.

A packed file is told by its content, never by its name. Everything is unpacked in memory, a member at a time and in
the order in which a folder of the unpacked files would be searched. What is left out, and why, is said for each place:
names that lead out of the archive, links, devices, encrypted members, archives inside the archive, and what lies
beyond the limits.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from loopviz.readers import archives, tars
from loopviz.readers.archives import Member
from loopviz.readers.base import NOTHING, Beside
from loopviz.readers.beside import LARGEST, Tree
from loopviz.readers.compressed import beginning, is_compressed, unpack_one
from loopviz.readers.limits import LIMITS, Limits, Room, raised_by

_ABSOLUTE = re.compile(r"/|[A-Za-z]:")

IsOneFile = Callable[[bytes], bool]
"""Whether an archive is a file of some format that packs its parts, and not a folder of files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A file inside a packed one, or what is wrong there."""

    name: str
    """Where it stands: `inner/run.json`; empty for the packed file itself."""
    data: bytes | None
    """None where nothing can be read."""
    fault: str = ""
    """What is wrong, as a sentence."""
    begin: float = 0.0
    end: float = 1.0
    """Which part of the packed file it is, for telling how far the reading is: 0 to 1."""
    beside: Beside = NOTHING
    """The files beside it in the archive."""


def is_packed(data: bytes) -> bool:
    """Whether a file, or its beginning, is packed."""
    return is_compressed(data) or archives.is_archive(data) or tars.is_tar(data)


def is_archive(data: bytes) -> bool:
    """Whether a packed file, or its beginning, can hold several files."""
    if is_compressed(data):
        data = beginning(data, tars.BLOCK)
    return archives.is_archive(data) or tars.is_tar(data)


def unpack(
    data: bytes,
    is_one_file: IsOneFile,
    *,
    limits: Limits = LIMITS,
    beside: Beside = NOTHING,
    only: str | None = None,
    work: Callable[[int], None] | None = None,
) -> Iterator[Packed]:
    """The files in a packed file, each in turn, in the order of a folder that is searched.

    Args:
        beside: The files beside a file that is packed by itself.
        only: The name of the one file that is wanted.
        work: Told of bytes that were unpacked; what it raises ends the unpacking.
    """
    room = Room(limits, len(data), work) if work else Room(limits, len(data))
    found = Packed(name="", data=data, beside=beside)
    del data  # Whoever holds an archive while its members are read holds them twice.
    inside = _unpack(found, _Work(room, is_one_file, only))
    del found
    yield from inside


@dataclass(frozen=True, slots=True)
class _Work:
    room: Room
    is_one_file: IsOneFile
    only: str | None

    def wants(self, name: str) -> bool:
        return self.only is None or self.only == name or self.only.startswith(f"{name}/")


def _unpack(found: Packed, work: _Work, level: int = 0) -> Iterator[Packed]:
    data, fault = found.data or b"", found.fault
    if is_compressed(data):
        data, fault = unpack_one(data, work.room)
        if is_compressed(data):
            yield replace(found, data=None, fault="It is compressed more than once; unpack it and open what comes out.")
            return
    folder = None if work.is_one_file(data) else _open(data, work.room.limits)
    if folder is None:
        yield replace(found, data=data, fault=fault)
    elif level >= work.room.limits.depth:
        message = f"An archive inside an archive is not opened; unpack it and open it by itself. {raised_by('depth')}"
        yield replace(found, data=None, fault=message)
    else:
        found = replace(found, data=None)
        del data
        for message in (fault, *folder.faults):
            if message:
                yield replace(found, fault=message)
        yield from _members(found, folder, work, level)


def _members(found: Packed, folder: _Folder, work: _Work, level: int) -> Iterator[Packed]:
    whole = sum(part.size for part in folder.parts.values()) or 1
    beside = folder.tree(Room(work.room.limits, whole))
    done = 0
    for part in folder.in_order():
        begin, end = (found.begin + (found.end - found.begin) * at / whole for at in (done, done + part.size))
        done += part.size
        name = f"{found.name}/{part.name}" if found.name else part.name
        if not work.wants(name):
            continue
        inside = Packed(name=name, data=None, fault=part.refused, begin=begin, end=end)
        if part.refused:
            yield inside
            continue
        member = part.unpack(work.room)
        inside = replace(inside, data=member.data, fault=member.fault, beside=beside.beside(part.name))
        yield from _unpack(inside, work, level + 1)
        if work.room.left < 0:
            return


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A member of an archive, still packed."""

    name: str
    size: int
    """Bytes of the archive that it takes."""
    refused: str
    """Why it is left out; empty where it is not."""
    unpack: Callable[[Room], Member]


@dataclass(frozen=True, slots=True)
class _Folder:
    """An archive as a folder of files."""

    parts: dict[str, _Part] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    """What is wrong with the archive as a whole, as sentences."""

    def in_order(self) -> list[_Part]:
        """The members as a folder is searched: hidden ones passed over, files before folders, each by name."""
        seen = [part for part in self.parts.values() if part.refused or not _is_hidden(part.name)]
        return sorted(seen, key=lambda part: in_folder_order(part.name))

    def tree(self, room: Room) -> Tree:
        """The members as files that lie beside each other, which are unpacked when somebody asks for them."""

        def unpack(part: _Part) -> bytes | None:
            found = part.unpack(room)
            return None if found.fault else found.data

        sound = (part for part in self.parts.values() if not part.refused and part.size <= LARGEST)
        return Tree({part.name: partial(unpack, part) for part in sound})


def _open(data: bytes, limits: Limits) -> _Folder | None:
    """An archive as a folder; None for bytes that are none."""
    if archives.is_archive(data):
        return _open_zip(data, limits)
    return _open_tar(data, limits) if tars.is_tar(data) else None


def _open_zip(data: bytes, limits: Limits) -> _Folder:
    view = memoryview(data)
    found = []
    cut = not archives.has_end(data)
    headers = [each for each in archives.headers(data, limits.members + 1) if not each.name.endswith(("/", "\\"))]
    is_plain, room = all(header.is_stored for header in headers), Room(limits, len(data))
    for header in headers:
        refused = _leads_out(header.name) or ("It is a link or a device; it is left out." if header.is_special else "")
        cut = cut and header.stop <= len(data)  # A member that is cut says so itself.
        size = min(header.stop, len(data)) - header.start
        unpack = partial(archives.unpack, header, view)
        if is_plain and not refused:  # Taken out now, as from a tar archive.
            unpack = partial(_kept, unpack(room))
        found.append(_Part(name=_clean(header.name), size=size, refused=refused, unpack=unpack))
    folder = _folder(found, limits)
    if cut:
        folder.faults.append("The archive is cut off, or still being written; what stands before is read.")
    return folder


def _kept(member: Member, room: Room) -> Member:
    room.take(len(member.data))
    return member if room.left >= 0 else replace(member, data=member.data[: room.left], fault=room.beyond)


def _open_tar(data: bytes, limits: Limits) -> _Folder:
    view = memoryview(data)
    found, faults = [], []
    for member in tars.tar_members(data):
        if isinstance(member, tars.TarFault):
            faults.append(member.message)
        elif not member.is_folder:
            refused = _leads_out(member.name) or (f"It is {member.kind}; it is left out." if member.kind else "")
            # Taken out now, so that the archive itself need not be held while a large member is read.
            own = b"" if refused else bytes(view[member.start : member.stop])
            unpack = partial(_from_tar, member, own)
            found.append(_Part(name=_clean(member.name), size=len(own), refused=refused, unpack=unpack))
        if len(found) > limits.members:
            break
    folder = _folder(found, limits)
    folder.faults.extend(faults)
    return folder


def _folder(found: list[_Part], limits: Limits) -> _Folder:
    folder = _Folder()
    if len(found) > limits.members:
        folder.faults.append(archives.too_many(limits))
    kept = found[: limits.members]
    folder.parts.update((part.name, part) for part in kept)
    for name, times in Counter(part.name for part in kept).items():
        if times > 1:
            folder.faults.append(f"The archive holds {name!r} {times:,} times; the last one is read.")
    return folder


def _from_tar(member: tars.TarMember, data: bytes, room: Room) -> Member:
    room.work(len(data))
    is_cut = len(data) < member.stop - member.start
    fault = f"The member {member.name!r} of the archive is cut off; what stands before is kept." if is_cut else ""
    return Member(name=member.name, data=data, fault=fault, is_cut=is_cut)


def _clean(name: str) -> str:
    """A name as the path that it stands for inside the archive; one that leads out as it is."""
    return name if _leads_out(name) else posixpath.normpath(name.replace("\\", "/"))


def _leads_out(name: str) -> str:
    parts = name.replace("\\", "/").split("/")
    if _ABSOLUTE.match(name.replace("\\", "/")) or ".." in parts:
        return "Its name leads out of the archive; it is left out."
    return ""


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def in_folder_order(name: str) -> tuple[tuple[bool, str], ...]:
    """What sorts paths as a folder's search meets them: at each level files before folders, each by name."""
    *folders, last = name.split("/")
    return (*((True, folder) for folder in folders), (False, last))

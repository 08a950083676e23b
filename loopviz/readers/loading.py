"""From paths to loaded files: files, folders that are searched, packed files, and standard input.

A path that a person named must be readable; a strange file met inside a folder is only worth a note. A packed file is
a folder of the files in it: `runs.zip/inner/run.json`.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from loopviz.model import Loaded, Problem
from loopviz.readers import HEAD, UnknownFormat, as_read, is_hopeless, is_of_format, read_bytes
from loopviz.readers.base import Sibling, Stopped, ignore, no_sibling
from loopviz.readers.cache import Cache
from loopviz.readers.compressed import beginning, is_compressed
from loopviz.readers.encoding import display
from loopviz.readers.folders import STANDARD_INPUT, Found, Stamp, Unread, find_files, stamp, unreadable
from loopviz.readers.limits import LIMITS, Limits
from loopviz.readers.unpacking import LARGEST_SIBLING, Packed, is_archive, is_packed, unpack

__all__ = [
    "Found",
    "Progress",
    "Stamp",
    "Stopped",
    "Unread",
    "beside",
    "find_and_read",
    "find_files",
    "piece",
    "read_data",
    "read_file",
    "read_record",
    "stamp",
]

STANDARD_INPUT_NAME = "<stdin>"
STOPPED = "Not read, or not to its end: reading was stopped."
CHANGED = "The file changed while it was read, so it was read again."
CHANGES = "The file changes while it is read, twice now, so its parts may be of different age. Open it again later."

Progress = Callable[[str, int, int], None]
"""Told the file's name, how many of its bytes are done, and how many it has; it may raise `Stopped`."""


def find_and_read(
    paths: Sequence[str], *, progress: Progress | None = None, limits: Limits = LIMITS
) -> Iterator[Loaded | Unread]:
    """Read every file named, and every file of a folder that a reader knows, folders in sorted order.

    Args:
        paths: Files and folders; `-` is standard input.
        progress: Told how far each file is.
        limits: How much is taken out of packed files.
    """
    for path in paths:
        some = False
        for found in find_files([path]):
            for result in _read(found, progress, limits):
                some = some or isinstance(result, Loaded) or result.named
                yield result
        if not some:
            yield Unread(path=path, reason="No file in this folder holds a recorded run.", named=True)


def _read(found: Found | Unread, progress: Progress | None, limits: Limits) -> Iterator[Loaded | Unread]:
    if isinstance(found, Unread):
        yield found
    elif found.path == STANDARD_INPUT:
        data = sys.stdin.buffer.read()
        yield from read_data(data, STANDARD_INPUT_NAME, named=True, progress=progress, limits=limits)
    else:
        yield from read_file(found.path, named=found.named, progress=progress, limits=limits)


def read_file(
    path: str,
    *,
    named: bool,
    progress: Progress | None = None,
    limits: Limits = LIMITS,
    cache: Cache | None = None,
) -> Iterator[Loaded | Unread]:
    """Read one file, whatever it turns out to be; a packed one gives several.

    Args:
        cache: Where to look before a file is read, and to keep what it gives.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            yield Unread(path=path, reason="This is no ordinary file.", named=named)
            return
        data, fault = _steady(path)
    except OSError as error:
        yield Unread(path=path, reason=unreadable(error), named=named)
        return
    results = read_data(data, path, named=named, progress=progress, sibling=beside(path), limits=limits, cache=cache)
    if not fault:
        yield from results
        return
    del data
    for number, result in enumerate(results):
        yield _with_problem(result, fault) if not number else result


def _steady(path: str) -> tuple[bytes, str]:
    """A file's bytes, read again once where it changed meanwhile, and what to say of that."""
    fault = ""
    for said in (CHANGED, CHANGES):
        data, is_steady = _bytes(path)
        if is_steady:
            break
        fault = said
    return data, fault


def _bytes(path: str) -> tuple[bytes, bool]:
    """A file's bytes, or only the first where they show that no reader knows it; whether it stayed as it was."""
    before = stamp(path)
    with open(path, "rb") as file:
        data = file.read(HEAD)
        if not _is_hopeless(data):  # A folder may hold films.
            file.seek(0)
            data = file.read()
    return data, stamp(path) == before


def _is_hopeless(head: bytes) -> bool:
    if is_packed(head) and is_archive(head):
        return False
    return is_hopeless(beginning(head, HEAD) if is_compressed(head) else head)


def beside(path: str) -> Sibling:
    """What gives a reader the files that lie beside `path`: in its folder, or else in the one that holds this folder.

    A reader asks for them by name: an outcome, or the next part of a run. No name leads out of the two folders, by a
    link neither, and no file of more than `LARGEST_SIBLING` bytes is given.
    """
    folder = os.path.dirname(os.path.abspath(path))

    def find(name: str) -> bytes | None:
        found = (_sibling(place, name) for place in (folder, os.path.dirname(folder)))
        return next((data for data in found if data is not None), None)

    return find


def _sibling(folder: str, name: str) -> bytes | None:
    try:
        root, path = os.path.realpath(folder), os.path.realpath(os.path.join(folder, name))
        if os.path.commonpath([root, path]) != root:
            return None
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_SIBLING:
            return None
        with open(path, "rb") as file:
            return file.read(LARGEST_SIBLING)
    except (OSError, ValueError):
        return None


def read_data(
    data: bytes,
    name: str,
    *,
    named: bool,
    progress: Progress | None = None,
    sibling: Sibling = no_sibling,
    limits: Limits = LIMITS,
    cache: Cache | None = None,
) -> Iterator[Loaded | Unread]:
    """Read the runs in some bytes, whatever they turn out to be; a packed file gives several."""
    file = _File(name, len(data), named, progress, cache)
    if not is_packed(data) or is_of_format(data):
        yield file.read(Packed(name="", data=data, sibling=sibling))
    else:
        yield from _read_packed(unpack(data, is_of_format, limits=limits, sibling=sibling, work=file.work), file)


def _read_packed(found: Iterator[Packed], file: _File) -> Iterator[Loaded | Unread]:
    """Read what is in a packed file; where there is no run at all, that is said once and the files are not listed."""
    strange: list[Unread] = []
    some = False
    try:
        for packed in found:
            result = file.read(packed)
            file.begin = packed.end
            if not packed.name and packed.data is not None:  # compressed by itself
                yield result
                return
            if isinstance(result, Loaded):
                yield from strange
                strange.clear()
                some = True
                yield result
            elif some or packed.fault:
                yield result
            else:
                strange.append(result)
            if file.stopped:
                break
    except Stopped:
        file.stopped = True
    if file.stopped:
        yield Unread(path=file.name, reason=STOPPED, named=True)
    elif not some:
        what = f"none of the {len(strange):,} files in it is one" if strange else "there is no such file in it"
        reason = f"This is no recorded run that loopviz can read: it looks like an archive, and {what}."
        yield Unread(path=file.name, reason=reason, named=file.named)


@dataclass(slots=True)
class _File:
    """A file that is read, alone or as the whole that others are packed in."""

    name: str
    size: int
    named: bool
    progress: Progress | None
    cache: Cache | None
    begin: float = 0.0
    """How much of it is done, 0 to 1."""
    stopped: bool = False

    def read(self, packed: Packed) -> Loaded | Unread:
        """Read a file in it, or itself."""
        name = f"{self.name}/{packed.name}" if packed.name else self.name
        named = self.named and not packed.name
        if packed.data is None:
            return Unread(path=name, reason=packed.fault, named=named)
        try:
            loaded = self._load(packed.data, name, packed)
        except UnknownFormat as error:
            return Unread(path=name, reason=packed.fault or str(error), named=named)
        return _with_problem(loaded, packed.fault) if packed.fault else loaded

    def _load(self, data: bytes, name: str, packed: Packed) -> Loaded:
        def read(sibling: Sibling) -> Loaded:
            return read_bytes(data, name, advance=self._advance(packed), sibling=sibling)

        if self.cache is None:
            return read(packed.sibling)
        return self.cache.load(data, name, packed.sibling, read, lambda: not self.stopped)

    def work(self, _size: int) -> None:
        """Tell that the unpacking goes on."""
        self._tell(self.begin)

    def _advance(self, packed: Packed) -> Callable[[int], None]:
        if self.progress is None:
            return ignore
        share = (packed.end - packed.begin) / max(1, len(packed.data or b""))
        return lambda done: self._tell(packed.begin + share * done)

    def _tell(self, done: float) -> None:
        if self.progress is not None:
            try:
                self.progress(self.name, round(done * self.size), self.size)
            except Stopped:
                self.stopped = True
                raise


def _with_problem(result: Loaded | Unread, message: str) -> Loaded | Unread:
    """Say of a file that it could not be read as it should; what was said already stays."""
    if isinstance(result, Unread):
        return result
    return replace(result, problems=(Problem(where="the whole file", message=message), *result.problems))


def read_record(path: str, expected: Stamp | None, *, offset: int, length: int, member: str = "") -> str | None:
    """A piece of a file as text; None where the file is gone or has changed since it bore the stamp `expected`.

    Args:
        member: Which file of a packed one, `inner/run.json`.
    """
    if expected is None or stamp(path) != expected:
        return None
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
            if is_packed(head):
                return piece(head + file.read(), offset=offset, length=length, member=member)
            file.seek(offset)
            return display(file.read(length), like=head[:4])
    except OSError:
        return None


def piece(data: bytes, *, offset: int, length: int, member: str = "") -> str | None:
    """A piece of a file that is in memory, as text; places in an archive count in what is read out of it."""
    if is_packed(data) and not is_of_format(data):
        inside = unpack(data, is_of_format, only=member)
        found = next((packed.data for packed in inside if packed.name == member and packed.data is not None), None)
        if found is None:
            return None
        data = found
    text = as_read(data)
    return display(text[offset : offset + length], like=text[:4])

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
from loopviz.readers import HEAD, UnknownFormat, as_read, find_reader, is_hopeless, is_of_format, read_bytes
from loopviz.readers.base import NOTHING, Beside, Stopped, ignore
from loopviz.readers.beside import Disk
from loopviz.readers.cache import Cache
from loopviz.readers.compressed import beginning, is_compressed
from loopviz.readers.encoding import display
from loopviz.readers.folders import STANDARD_INPUT, Found, Stamp, Unread, find_files, stamp, unreadable
from loopviz.readers.limits import LIMITS, Limits, raised_by
from loopviz.readers.steady import TooLarge, read_steady, read_stream
from loopviz.readers.unpacking import Packed, is_archive, is_packed, unpack

__all__ = [
    "Found",
    "Progress",
    "Stamp",
    "Stopped",
    "Unread",
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
SAID = ("user", "assistant", "reasoning")
"""Kinds of events that only the right reader finds."""

Progress = Callable[[str, int, int], None]
"""Told the file's name, how many of its bytes are done, and how many it has; it may raise `Stopped`."""


def find_and_read(
    paths: Sequence[str], *, format: str | None = None, progress: Progress | None = None, limits: Limits = LIMITS
) -> Iterator[Loaded | Unread]:
    """Read every file named, and every file of a folder that a reader knows, folders in sorted order.

    Files named that cannot be used come last: one that was read with another, as an outcome with a run, is no mistake.

    Args:
        paths: Files and folders; `-` is standard input.
        format: Name of the reader to use for all of them, whatever they look like.
        progress: Told how far each file is.
        limits: How much is read.
    """
    disk = Disk()
    useless: list[Unread] = []
    for path in paths:
        some = False
        for found in find_files([path], limits):
            for result in _read(found, disk, format, progress, limits):
                some = some or isinstance(result, Loaded) or result.named
                if isinstance(found, Found) and found.named and isinstance(result, Unread):
                    useless.append(result)
                else:
                    yield result
        if not some:
            yield Unread(path=path, reason="No file in this folder holds a recorded run.", named=True)
    for each in useless:
        yield replace(each, named=each.named and os.path.realpath(each.path) not in disk.given)


def _read(
    found: Found | Unread, disk: Disk, format: str | None, progress: Progress | None, limits: Limits
) -> Iterator[Loaded | Unread]:
    if isinstance(found, Unread):
        yield found
    elif found.path == STANDARD_INPUT:
        try:
            data = read_stream(sys.stdin.buffer, limits.file)
        except TooLarge:
            yield Unread(path=STANDARD_INPUT_NAME, reason=_too_large(limits), named=True)
            return
        yield from read_data(data, STANDARD_INPUT_NAME, named=True, format=format, progress=progress, limits=limits)
    else:
        beside = disk.beside(found.path)
        yield from read_file(
            found.path, named=found.named, format=format, progress=progress, beside=beside, limits=limits
        )


def _too_large(limits: Limits) -> str:
    return f"There are more than {limits.file:,} bytes in it, so it is not read. {raised_by('file')}"


def read_file(
    path: str,
    *,
    named: bool,
    format: str | None = None,
    progress: Progress | None = None,
    beside: Beside | None = None,
    limits: Limits = LIMITS,
    cache: Cache | None = None,
) -> Iterator[Loaded | Unread]:
    """Read one file, whatever it turns out to be; a packed one gives several.

    Args:
        format: Name of the reader to use, whatever the file looks like; for a packed file, for each file in it.
        beside: The files beside it; by default those on disk.
        cache: Where to look before a file is read, and to keep what it gives.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            yield Unread(path=path, reason="This is no ordinary file.", named=named)
            return
        # A folder may hold films, of which the first bytes are enough, unless somebody says that they are none.
        data, fault = read_steady(path, HEAD, limits.file, lambda head: format is None and _is_hopeless(head))
    except OSError as error:
        yield Unread(path=path, reason=unreadable(error), named=named)
        return
    except TooLarge:
        yield Unread(path=path, reason=_too_large(limits), named=True)  # A run may be missing, so it is no mere note.
        return
    beside = beside or Disk().beside(path)
    results = read_data(
        data, path, named=named, format=format, progress=progress, beside=beside, limits=limits, cache=cache
    )
    del data
    for number, result in enumerate(results):
        yield _with_problem(result, fault) if fault and not number else result


def _is_hopeless(head: bytes) -> bool:
    if is_packed(head) and is_archive(head):
        return False
    return is_hopeless(beginning(head, HEAD) if is_compressed(head) else head)


def read_data(
    data: bytes,
    name: str,
    *,
    named: bool,
    format: str | None = None,
    progress: Progress | None = None,
    beside: Beside = NOTHING,
    limits: Limits = LIMITS,
    cache: Cache | None = None,
) -> Iterator[Loaded | Unread]:
    """Read the runs in some bytes, whatever they turn out to be; a packed file gives several."""
    file = _File(name, len(data), named, format, progress, limits, cache)
    if not is_packed(data) or is_of_format(data):
        yield file.read(Packed(name="", data=data, beside=beside))
    else:
        inside = unpack(data, is_of_format, limits=limits, beside=beside, work=file.work)
        del data
        yield from _read_packed(inside, file)


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
    format: str | None
    """The reader that a person chose for it, if any did."""
    progress: Progress | None
    limits: Limits
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
        if self.format is not None and not _tells(loaded) and not self.stopped:
            return Unread(path=name, reason=packed.fault or _not_as_chosen(packed.data, loaded), named=named)
        return _with_problem(loaded, packed.fault) if packed.fault else loaded

    def _load(self, data: bytes, name: str, packed: Packed) -> Loaded:
        def read(beside: Beside) -> Loaded:
            return read_bytes(
                data, name, format=self.format, advance=self._advance(packed), beside=beside, limits=self.limits
            )

        if self.cache is None:
            return read(packed.beside)
        return self.cache.load(
            data, name, packed.beside, read, lambda: not self.stopped, limits=self.limits, format=self.format
        )

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


def _tells(loaded: Loaded) -> bool:
    """Whether any run holds a call or something said: some readers make an empty run of whatever they are given."""
    return any(len(run.calls) or any(event.kind in SAID for event in run.events) for run in loaded.trajectories)


def _not_as_chosen(data: bytes, loaded: Loaded) -> str:
    """What to say of a file in which the reader that a person chose finds no run."""
    words = f"This is no recorded run of the format {loaded.source.format}, which was chosen for it."
    if loaded.problems:
        words += f" At {loaded.problems[0].where}: {loaded.problems[0].message}"
    try:
        return f"{words} It looks like {find_reader(data).name}."
    except UnknownFormat:
        return f"{words} No other reader knows it either."


def _with_problem(result: Loaded | Unread, message: str) -> Loaded | Unread:
    """Say of a file that it could not be read as it should; what was said already stays."""
    if isinstance(result, Unread):
        return result
    return replace(result, problems=(Problem(where="the whole file", message=message), *result.problems))


def read_record(
    path: str, expected: Stamp | None, *, offset: int, length: int, member: str = "", limits: Limits = LIMITS
) -> str | None:
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
                return piece(head + file.read(), offset=offset, length=length, member=member, limits=limits)
            file.seek(offset)
            return display(file.read(length), like=head[:4])
    except OSError:
        return None


def piece(data: bytes, *, offset: int, length: int, member: str = "", limits: Limits = LIMITS) -> str | None:
    """A piece of a file that is in memory, as text; places in an archive count in what is read out of it."""
    if is_packed(data) and not is_of_format(data):
        inside = unpack(data, is_of_format, limits=limits, only=member)
        found = next((packed.data for packed in inside if packed.name == member and packed.data is not None), None)
        if found is None:
            return None
        data = found
    text = as_read(data, limits)
    return display(text[offset : offset + length], like=text[:4])

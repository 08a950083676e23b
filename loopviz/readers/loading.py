"""From paths to loaded files: files, folders that are searched, and standard input.

A path that a person named must be readable; a strange file met inside a folder is only worth a note.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from loopviz.model import Loaded
from loopviz.readers import HEAD, UnknownFormat, as_read, is_hopeless, read_bytes
from loopviz.readers.archives import is_archive
from loopviz.readers.base import Sibling, ignore, no_sibling
from loopviz.readers.encoding import display

STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "<stdin>"
LARGEST_SIBLING = 1 << 28
"""Bytes."""

Progress = Callable[[str, int, int], None]
"""Told the file's name, how many of its bytes are done, and how many it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file that could not be used."""

    path: str
    reason: str
    named: bool
    """The person named it; one met inside a folder is no mistake of theirs."""


def find_and_read(paths: Sequence[str], *, progress: Progress | None = None) -> Iterator[Loaded | Unread]:
    """Read every file named, and every file of a folder that a reader knows, folders in sorted order.

    Args:
        paths: Files and folders; `-` is standard input.
        progress: Told how far each file is.
    """
    for path in paths:
        some = False
        for result in (_read(found, progress) for found in find_files([path])):
            some = some or isinstance(result, Loaded) or result.named
            yield result
        if not some:
            yield Unread(path=path, reason="No file in this folder holds a recorded run.", named=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file to read."""

    path: str
    named: bool


def _read(found: Found | Unread, progress: Progress | None) -> Loaded | Unread:
    if isinstance(found, Unread):
        return found
    if found.path == STANDARD_INPUT:
        return read_data(sys.stdin.buffer.read(), STANDARD_INPUT_NAME, named=True, progress=progress)
    return read_file(found.path, named=found.named, progress=progress)


def find_files(paths: Sequence[str]) -> Iterator[Found | Unread]:
    """The files that some paths stand for; hidden ones inside folders are passed over, links are not followed round."""
    for path in paths:
        if path == STANDARD_INPUT:
            yield Found(path=path, named=True)
        elif os.path.isdir(path):
            yield from _inside(path)
        elif os.path.lexists(path):
            yield Found(path=path, named=True)
        else:
            yield Unread(path=path, reason="There is no such file or folder.", named=True)


def _inside(folder: str) -> Iterator[Found | Unread]:
    """Files of a folder, in sorted order, each real folder once."""
    visited: set[tuple[int, int]] = set()
    refused: list[OSError] = []
    for here, folders, names in os.walk(folder, followlinks=True, onerror=refused.append):
        place = os.stat(here)
        if (place.st_dev, place.st_ino) in visited:
            folders.clear()  # A link that leads back.
            continue
        visited.add((place.st_dev, place.st_ino))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(here, name)
            if not name.startswith(".") and os.path.isfile(path):
                yield Found(path=path, named=False)
    for error in refused:
        reason = f"The folder cannot be read: {error.strerror}."
        yield Unread(path=str(error.filename), reason=reason, named=error.filename == folder)


def read_file(path: str, *, named: bool, progress: Progress | None = None) -> Loaded | Unread:
    """Read one file, whatever it turns out to be."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return Unread(path=path, reason="This is no ordinary file.", named=named)
        with open(path, "rb") as file:
            data = file.read(HEAD)
            if not is_hopeless(data):  # A folder may hold films.
                file.seek(0)
                data = file.read()
    except OSError as error:
        return Unread(path=path, reason=f"The file cannot be read: {error.strerror or error}.", named=named)
    return read_data(data, path, named=named, progress=progress, sibling=beside(path))


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
    data: bytes, name: str, *, named: bool, progress: Progress | None = None, sibling: Sibling = no_sibling
) -> Loaded | Unread:
    """Read the runs in some bytes, whatever they turn out to be."""
    advance = ignore if progress is None else lambda done: progress(name, done, len(data))
    try:
        return read_bytes(data, name, advance=advance, sibling=sibling)
    except UnknownFormat as error:
        return Unread(path=name, reason=str(error), named=named)


Stamp = tuple[int, int]
"""When a file was last changed, in nanoseconds, and its size."""


def stamp(path: str) -> Stamp | None:
    """What tells cheaply that a file has not changed since; None where there is no such file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def read_record(path: str, expected: Stamp | None, *, offset: int, length: int) -> str | None:
    """A piece of a file as text; None where the file is gone or has changed since it bore the stamp `expected`."""
    if expected is None or stamp(path) != expected:
        return None
    try:
        with open(path, "rb") as file:
            head = file.read(4)
            if is_archive(head):
                return piece(head + file.read(), offset=offset, length=length)
            file.seek(offset)
            return display(file.read(length), like=head)
    except OSError:
        return None


def piece(data: bytes, *, offset: int, length: int) -> str:
    """A piece of a file that is in memory, as text; places in an archive count in what is read out of it."""
    text = as_read(data)
    return display(text[offset : offset + length], like=text[:4])

"""From paths to the files they stand for: folders are searched in sorted order, and everything odd in them is said."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loopviz.readers.limits import LIMITS, Limits, raised_by

STANDARD_INPUT = "-"

Stamp = tuple[int, int]
"""When a file was last changed, in nanoseconds, and its size."""

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file that could not be used."""

    path: str
    reason: str
    named: bool
    """The person named it; one met inside a folder is no mistake of theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file to read."""

    path: str
    named: bool


def find_files(paths: Sequence[str], limits: Limits = LIMITS) -> Iterator[Found | Unread]:
    """The files that some paths stand for; hidden ones inside folders are passed over, links are not followed round."""
    for path in paths:
        if path == STANDARD_INPUT:
            yield Found(path=path, named=True)
        elif os.path.isdir(path):
            yield from _inside(path, limits)
        elif os.path.lexists(path):
            yield _look_at(path, named=True)
        else:
            yield Unread(path=path, reason="There is no such file or folder.", named=True)


def stamp(path: str) -> Stamp | None:
    """What tells cheaply that a file has not changed since; None where there is no such file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def unreadable(error: OSError) -> str:
    """Why a file cannot be read, as a sentence."""
    if isinstance(error, FileNotFoundError):
        return "The file is gone: it was moved or deleted before it could be read."
    return f"The file cannot be read: {error.strerror or error}."


def _inside(folder: str, limits: Limits) -> Iterator[Found | Unread]:
    """Files of a folder, in sorted order, each real folder once, the files of a folder before the folders in it."""
    visited: set[tuple[int, int]] = set()
    refused: list[Unread] = []
    waiting = [folder]
    left = limits.files
    while waiting:
        here = waiting.pop()
        try:
            place = os.stat(here)
            if (place.st_dev, place.st_ino) in visited:
                yield Unread(path=here, reason="This link leads to a folder that is searched already.", named=False)
                continue
            visited.add((place.st_dev, place.st_ino))
            if here != folder and os.path.islink(here) and _holds(here, folder):
                yield Unread(path=here, reason="This link leads up, to a folder that holds this one.", named=False)
                continue
            files, folders = _listed(here)
        except OSError as error:
            reason = f"The folder cannot be read: {error.strerror}."
            refused.append(Unread(path=here, reason=reason, named=here == folder))
            continue
        for path in files[:left]:
            yield _look_at(path, named=False)
        if len(files) > left:
            yield Unread(path=folder, reason=_too_many(limits), named=True)
            break
        left -= len(files)
        waiting.extend(reversed(folders))
    yield from refused


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """The files and the folders in a folder, without those that are hidden."""
    with os.scandir(folder) as entries:
        found = sorted((entry.name, _is_folder(entry)) for entry in entries if not entry.name.startswith("."))
    paths = [(os.path.join(folder, name), is_folder) for name, is_folder in found]
    return [path for path, is_folder in paths if not is_folder], [path for path, is_folder in paths if is_folder]


def _holds(link: str, folder: str) -> bool:
    """Whether a link leads to a folder that holds the one that is searched: with it, the whole disk might be."""
    outer = os.path.realpath(link)
    return os.path.commonpath([outer, os.path.realpath(folder)]) == outer


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False


def _too_many(limits: Limits) -> str:
    return f"There are more than {limits.files:,} files in this folder; the rest is left out. {raised_by('files')}"


def _look_at(path: str, *, named: bool) -> Found | Unread:
    """A file, unless it is none: to open a pipe would wait for ever, and a device may never end."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        reason = "This link leads nowhere, or in a circle." if os.path.islink(path) else unreadable(error)
        return Unread(path=path, reason=reason, named=named)
    if stat.S_ISREG(mode):
        return Found(path=path, named=named)
    kind = next((words for is_kind, words in _KINDS if is_kind(mode)), "something else")
    return Unread(path=path, reason=f"This is no ordinary file but {kind}.", named=named)

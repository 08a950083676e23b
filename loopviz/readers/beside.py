"""The files that lie beside one that is read: on disk, or in memory for those of an archive or of an upload.

A reader asks for them by name: an outcome, the next part of a run. No name leads out of the folder of the file and the
one that holds this folder, by a link neither, and no file of more than `LARGEST` bytes is given.
"""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Callable, Mapping
from hashlib import blake2b

from loopviz.readers.base import Beside, Names

LARGEST = 1 << 28
"""Bytes."""
_DIGEST = 32
_REMEMBERED = 1 << 20
"""Bytes up to which the file that was found last is kept: every event of a folder may ask for the first one."""


class Disk:
    """Folders on disk while some files in them are read; each is listed once."""

    def __init__(self) -> None:
        self.given: set[str] = set()
        """Real paths of the files that somebody asked for and got."""
        self._names: dict[str, Names] = {}

    def beside(self, path: str) -> Beside:
        """What lies beside a file."""
        return _OnDisk(os.path.dirname(os.path.abspath(path)), self)

    def names(self, folder: str) -> Names:
        """What the files in a folder are called that are not hidden."""
        if folder not in self._names:
            self._names[folder] = _listed(folder)
        return self._names[folder]


class _OnDisk:
    def __init__(self, folder: str, disk: Disk) -> None:
        self._folder, self._disk = folder, disk

    def find(self, name: str) -> bytes | None:
        for place in (self._folder, os.path.dirname(self._folder)):
            found = _contained(place, name)
            if found is not None:
                path, data = found
                self._disk.given.add(path)
                return data
        return None

    def names(self) -> Names:
        return self._disk.names(self._folder)


def _listed(folder: str) -> Names:
    try:
        with os.scandir(folder) as entries:
            return Names(sorted(entry.name for entry in entries if not entry.name.startswith(".") and _is_file(entry)))
    except OSError:
        return Names()


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link in a circle
        return False


def _contained(folder: str, name: str) -> tuple[str, bytes] | None:
    """The real path and the bytes of a file in a folder; None where there is none that may be given."""
    try:
        root, path = os.path.realpath(folder), os.path.realpath(os.path.join(folder, name))
        if os.path.commonpath([root, path]) != root:
            return None
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return None
        with open(path, "rb") as file:
            return path, file.read(LARGEST)
    except (OSError, ValueError):
        return None


class Tree:
    """Files in memory, known by their paths: `trial/agent/run.json`.

    Args:
        files: Gives the bytes of each, or None where it cannot.
        has_root: Whether what lies in no folder is the parent of what lies in a folder, as in an archive.
    """

    def __init__(self, files: Mapping[str, Callable[[], bytes | None]], *, has_root: bool = True) -> None:
        self.has_root = has_root
        self.given: set[str] = set()
        """Paths of the files that somebody asked for and got."""
        self._files = files
        self._names: dict[str, Names] | None = None
        self._last: tuple[str, bytes | None] = ("", None)

    def beside(self, path: str) -> Beside:
        """What lies beside one of them."""
        return _InTree(posixpath.dirname(path), self)

    def get(self, path: str) -> bytes | None:
        """The bytes of a file; None where there is none."""
        if path not in self._files:
            return None
        if path != self._last[0]:
            data = self._files[path]()
            if data is not None and len(data) > _REMEMBERED:
                return data
            self._last = (path, data)
        return self._last[1]

    def names(self, folder: str) -> Names:
        """What the files in a folder are called that are not hidden."""
        if self._names is None:
            found: dict[str, list[str]] = {}
            for path in self._files:
                place, name = posixpath.split(path)
                if not name.startswith("."):
                    found.setdefault(place, []).append(name)
            self._names = {place: Names(sorted(names)) for place, names in found.items()}
        return self._names.get(folder, Names())


class _InTree:
    def __init__(self, folder: str, tree: Tree) -> None:
        self._folder, self._tree = folder, tree

    def find(self, name: str) -> bytes | None:
        above = posixpath.dirname(self._folder)
        for place in dict.fromkeys((self._folder, above if above or self._tree.has_root else self._folder)):
            path = posixpath.normpath(posixpath.join(place, name))
            found = self._tree.get(path) if not place or path.startswith(f"{place}/") else None
            if found is not None:
                self._tree.given.add(path)
                return found
        return None

    def names(self) -> Names:
        return self._tree.names(self._folder)


Found = tuple[bytes | None, tuple[tuple[str, bytes | None], ...]]
"""A digest of the names, None where nobody asked; the names of files, and the digest of each, None where there was
none."""


class Asked:
    """Passes on what lies beside a file, and notes what was asked for."""

    def __init__(self, beside: Beside) -> None:
        self._beside = beside
        self._names: bytes | None = None
        self._files: dict[str, bytes | None] = {}

    def find(self, name: str) -> bytes | None:
        data = self._beside.find(name)
        self._files[name] = _digest(data)
        return data

    def names(self) -> Names:
        names = self._beside.names()
        self._names = names.digest
        return names

    def found(self) -> Found:
        """What was asked for so far, and what it was."""
        return self._names, tuple(self._files.items())


def is_as_found(found: Found, beside: Beside) -> bool:
    """Whether everything that was asked for is as it was: there with the same content, or still not there."""
    names, files = found
    if names is not None and beside.names().digest != names:
        return False
    return all(_digest(beside.find(name)) == digest for name, digest in files)


def _digest(data: bytes | None) -> bytes | None:
    return None if data is None else blake2b(data, digest_size=_DIGEST).digest()

"""Files as the app knows them, and what each gave: read once, kept for all sessions.

A file on disk is known by its path, size and time of change, an upload by its content; what lies beside either, and
was read with it, by its content too.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Generic, TypeVar

from loopviz import config
from loopviz.model import Loaded
from loopviz.readers.base import NOTHING, Beside
from loopviz.readers.beside import Asked, Disk, Found, Tree, is_as_found
from loopviz.readers.cache import user_cache
from loopviz.readers.limits import limits_given
from loopviz.readers.loading import Stamp, Unread, read_data, read_file
from loopviz.readers.unpacking import in_folder_order
from loopviz.ui.loading import Meter

LARGEST_SPEC = 1 << 20
"""Bytes up to which a file that holds no run may be an eval spec."""
NOT_READ = "Not read: reading was stopped before."

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file dropped on the page; equal when its name, its content and its drop are."""

    name: str
    """With its folder, where a folder was dropped: `trial/run.json`."""
    digest: str
    data: bytes = field(compare=False, repr=False)
    drop: int = 0
    """Which files were dropped together, as if out of one folder."""
    is_open: bool = True
    """Whether it is read; if not, it only lies beside others of its drop."""
    format: str | None = None
    """The reader that the person chose for it; None for the one that knows it best."""

    @property
    def path(self) -> str:
        """What its runs are said to come from."""
        return self.name

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data)

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from other files, whenever they were dropped."""
        return self.name, self.digest

    @property
    def named(self) -> bool:
        """The person chose it, not a folder that it lies in."""
        return "/" not in self.name


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file named by a path, as it was when it was last looked at."""

    path: str
    stamp: Stamp | None
    named: bool
    format: str | None = None
    """The reader that the person chose for it; None for the one that knows it best."""

    @property
    def key(self) -> str:
        """What tells it from other files, whatever is in it now."""
        return self.path

    @property
    def size(self) -> int:
        """Bytes, as it was then."""
        return self.stamp[1] if self.stamp else 0


Files = tuple[OnDisk | Upload, ...]
File = TypeVar("File", OnDisk, Upload)
Results = tuple[Loaded | Unread, ...]
"""What one file gave; a packed one gives several."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a file gave, and what its reader found beside it then."""

    results: Results
    found: Found


class Neighbours:
    """What lies beside each of some files: on disk, or among those that were dropped together."""

    def __init__(self, files: Files) -> None:
        self._disk = Disk()
        drops: dict[int, dict[str, Callable[[], bytes]]] = {}
        for file in files:
            if isinstance(file, Upload):
                drops.setdefault(file.drop, {})[file.name] = partial(getattr, file, "data")
        self._drops = {drop: Tree(dropped, has_root=False) for drop, dropped in drops.items()}

    def of(self, file: OnDisk | Upload) -> Beside:
        """What lies beside a file."""
        return self._drops[file.drop].beside(file.name) if isinstance(file, Upload) else self._disk.beside(file.path)

    def noted(self, unread: Unread) -> Unread:
        """A file that could not be read, as a mere note where it was read with another: no mistake of the person's."""
        of_drops = any(unread.path in tree.given for tree in self._drops.values())
        is_used = of_drops or os.path.realpath(unread.path) in self._disk.given
        return replace(unread, named=False) if is_used else unread


def dropped(files: Iterable[tuple[str, bytes]], before: Sequence[Upload]) -> tuple[Upload, ...]:
    """Everything that was dropped, now that these files were as well; what was before stays as it is.

    They join those that were dropped last, as if out of the same folder, unless that would hold another file of the
    same name. What lies hidden in a folder is passed over, as on disk.
    """
    known = {upload.key: upload for upload in before}
    given = []
    for name, data in files:
        if "/" not in name or not any(part.startswith(".") for part in name.split("/")):
            upload = Upload(name, hashlib.blake2b(data, digest_size=16).hexdigest(), data)
            given.append(known.get(upload.key, upload))
    given.sort(key=lambda upload: in_folder_order(upload.name) if "/" in upload.name else ())
    new = {upload.name for upload in given if upload.key not in known}
    drop = max((upload.drop for upload in before), default=0)
    drop += any(upload.drop == drop and upload.name in new for upload in before)
    there = {upload.key for upload in before if upload.drop == drop}
    joining = (replace(each, drop=drop, is_open=each.key not in known) for each in given if each.key not in there)
    return (*before, *joining) if new else tuple(before)


class LastUsed(Generic[Kept]):
    """The things used last, by their keys; threads may share it, since no step of it can be torn."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: dict[str, Kept] = {}

    def find(self, key: str) -> Kept | None:
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found
        return found

    def keep(self, key: str, value: Kept) -> None:
        self._kept[key] = value
        while len(self._kept) > self._size:
            self._kept.pop(next(iter(self._kept)), None)

    def drop(self, key: str) -> None:
        self._kept.pop(key, None)


class Reads:
    """What files gave: those of one set of open files, and where it is looked up before they are read.

    Args:
        shared: What any session read last.
        before: What the set held before it was read again: there may be more files than are shared.
    """

    def __init__(self, shared: LastUsed[Read], before: Mapping[str, Read]) -> None:
        self.own: dict[str, Read] = {}
        self._shared = shared
        self._before = before

    def find(self, key: str) -> Read | None:
        """What the file of this name gave, if it was read."""
        return self._before.get(key) or self._shared.find(key)

    def keep(self, key: str, read: Read) -> None:
        """Note what the file of this name gives."""
        self.own[key] = read
        self._shared.keep(key, read)


def name_of(what: object) -> str:
    """A short name for a cache entry: Streamlit's own would hash every byte of an upload at each rerun."""
    return hashlib.blake2b(repr(what).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def results_of(file: OnDisk | Upload, meter: Meter, kept: Reads, beside: Beside = NOTHING) -> Results:
    """What a file gives, read only where nobody read it before, or where something beside it has changed since.

    Nothing is kept of a file that was stopped.
    """
    key = name_of(file)
    read = kept.find(key)
    if read is not None and not is_as_found(read.found, beside):
        read = None
    if read is None and meter.stopped:
        meter.is_cut = True
        return (Unread(path=file.path, reason=NOT_READ, named=True),)  # missing, not strange
    meter.begin(file.path)
    if read is None:
        read = _read(file, meter, beside)
    if not meter.is_cut:
        kept.keep(key, read)
    meter.end()
    return read.results


def _read(file: OnDisk | Upload, meter: Meter, beside: Beside) -> Read:
    asked = Asked(beside)
    read = partial(read_data, file.data) if isinstance(file, Upload) else read_file
    results = read(
        file.path,
        named=file.named,
        format=file.format,
        progress=meter.tell,
        beside=asked,
        limits=limits_given(),
        cache=user_cache(),
    )
    return Read(tuple(results), asked.found())


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    """An eval spec among the open files."""

    file: OnDisk | Upload
    data: bytes
    """As it was when it was read."""
    config: config.Config


@lru_cache(maxsize=64)
def why_no_spec(file: OnDisk | Upload) -> str | None:
    """Why a YAML file is not the open eval spec, as a sentence; None for any other file."""
    if not file.path.lower().endswith((".yaml", ".yml")):
        return None
    if file.size > LARGEST_SPEC:
        return "it is larger than any eval spec."
    try:
        read = config.read(_bytes_of(file).decode())
    except (OSError, UnicodeDecodeError):
        return "it cannot be read as text."
    except config.ConfigError as error:
        return str(error)
    return None if read.kind == "eval spec" else "it holds no stimuli, so it is no eval spec."


def _bytes_of(file: OnDisk | Upload) -> bytes:
    return file.data if isinstance(file, Upload) else Path(file.path).read_bytes()


def as_spec(file: OnDisk | Upload) -> Spec | None:
    """An eval spec given beside the runs; None for any other file."""
    if file.size > LARGEST_SPEC:
        return None
    try:
        data = _bytes_of(file)
        read = config.read(data.decode())
    except (OSError, UnicodeDecodeError, config.ConfigError):
        return None
    return Spec(file, data, read) if read.kind == "eval spec" else None

"""Files as the app knows them, and what each gave: read once, kept for all sessions.

A file on disk is known by its path, size and time of change, an upload by its content.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from loopviz import config
from loopviz.model import Loaded
from loopviz.readers.cache import user_cache
from loopviz.readers.loading import Stamp, Unread, read_data, read_file
from loopviz.ui.loading import Meter

LARGEST_SPEC = 1 << 20
"""Bytes up to which a file that holds no run may be an eval spec."""
NOT_READ = "Not read: reading was stopped before."

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file dropped on the page; equal when its name and content are."""

    name: str
    digest: str
    data: bytes = field(compare=False, repr=False)

    @property
    def path(self) -> str:
        """What its runs are said to come from."""
        return self.name

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data)

    @property
    def named(self) -> bool:
        """The person chose it."""
        return True


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file named by a path, as it was when it was last looked at."""

    path: str
    stamp: Stamp | None
    named: bool

    @property
    def size(self) -> int:
        """Bytes, as it was then."""
        return self.stamp[1] if self.stamp else 0


Files = tuple[OnDisk | Upload, ...]
Results = tuple[Loaded | Unread, ...]
"""What one file gave; a packed one gives several."""


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


def name_of(what: object) -> str:
    """A short name for a cache entry: Streamlit's own would hash every byte of an upload at each rerun."""
    return hashlib.blake2b(repr(what).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def results_of(file: OnDisk | Upload, meter: Meter, kept: LastUsed[Results]) -> Results:
    """What a file gives, read only where nobody read it before; nothing is kept of one that was stopped."""
    key = name_of(file)
    results = kept.find(key)
    if results is None and meter.stopped:
        meter.is_cut = True
        return (Unread(path=file.path, reason=NOT_READ, named=True),)  # missing, not strange
    meter.begin(file.path)
    if results is None:
        results = _read(file, meter)
        if not meter.is_cut:
            kept.keep(key, results)
    meter.end()
    return results


def _read(file: OnDisk | Upload, meter: Meter) -> Results:
    if isinstance(file, Upload):
        return tuple(read_data(file.data, file.name, named=True, progress=meter.tell, cache=user_cache()))
    return tuple(read_file(file.path, named=file.named, progress=meter.tell, cache=user_cache()))


def as_spec(file: OnDisk | Upload) -> config.Config | None:
    """An eval spec given beside the runs; None for any other file."""
    if file.size > LARGEST_SPEC:
        return None
    try:
        data = file.data if isinstance(file, Upload) else open(file.path, "rb").read()  # noqa: SIM115
        read = config.read(data.decode())
    except (OSError, UnicodeDecodeError, config.ConfigError):
        return None
    return read if read.kind == "eval spec" else None

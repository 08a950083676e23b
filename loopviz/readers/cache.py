"""What files gave, kept in a folder of the user's so that a large file opens fast the next time.

An entry is known by the content of the file, its name, the limits in force, the reader that was asked for, and the code
that read it, so none is ever out of date; files that its reader asked for beside it, there or not, are checked by their
content too. An entry is checked before it is used: what is damaged, or holds anything but the model's own classes, is
thrown away and the file is read anew. The folder is bounded; what was not used for longest goes first. No fault of the
cache stops a file from being read.
"""

from __future__ import annotations

import io
import os
import pickle
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache as once
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from loopviz.model import Loaded
from loopviz.readers.base import Beside, collecting_paused
from loopviz.readers.beside import Asked, Found, is_as_found
from loopviz.readers.limits import LIMITS, Limits
from loopviz.replacing import PRIVATE, replace_file

SMALLEST = 1_000_000
"""Bytes of a file from which an entry is worth its place: a smaller one is read in a moment."""
LARGEST = 1 << 30
"""Bytes of the whole folder."""

_MARK = b"loopviz cache 2\n"
_DIGEST = 32
_PROTOCOL = 5
_HEAD = struct.Struct(f">{len(_MARK)}s{_DIGEST}sQ")
"""The mark, the check sum of what follows, and where the arrays begin."""
_SUFFIX = ".runs"
_PACKAGE = Path(__file__).resolve().parents[1]
_MODEL = {"Calls", "Codebook", "Event", "GraderResult", "Loaded", "Place", "Problem", "Source", "Trajectory", "Usage"}
_MAKERS = {
    ("msgspec._utils", "rebuild"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy._core.multiarray", "_reconstruct"),
}
"""How arrays and msgspec's objects are made again; none of them runs anything that an entry could name."""

Column = NDArray[Any]
Joined = tuple[bytes, Column, Sequence[Column]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """A folder of entries.

    Args:
        folder: Made when the first entry is written.
        smallest: Bytes of a file from which it is kept.
        largest: Bytes of all entries together.
    """

    folder: Path
    smallest: int = SMALLEST
    largest: int = LARGEST

    def load(
        self,
        data: bytes,
        name: str,
        beside: Beside,
        read: Callable[[Beside], Loaded],
        is_whole: Callable[[], bool] = lambda: True,
        limits: Limits = LIMITS,
        format: str | None = None,
    ) -> Loaded:
        """What a file gives: from its entry, or else by reading it.

        Args:
            beside: The files beside it: an entry counts only while those that its reader asked for are as they were.
            read: Reads it, given the files beside it; what it raises goes through.
            is_whole: Whether it was read to its end; if not, nothing is kept.
            limits: What it is read within.
            format: The reader that a person chose, if any did.
        """
        if len(data) < self.smallest:
            return read(beside)
        path = self.folder / f"{_key(data, name, limits, format)}{_SUFFIX}"
        kept = _find(path, beside)
        if kept is not None:
            return kept
        asked = Asked(beside)
        loaded = read(asked)
        if is_whole():
            self._keep(path, (asked.found(), loaded))
        return loaded

    def _keep(self, path: Path, entry: tuple[Found, Loaded]) -> None:
        with suppress(OSError, pickle.PicklingError, RecursionError, MemoryError), collecting_paused():
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, entry)
            self._make_room()

    def _make_room(self) -> None:
        entries = []
        for path in self.folder.iterdir():
            with suppress(OSError):
                status = path.stat()
                entries.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self.largest:
                return
            _drop(path)
            total -= size


def user_cache() -> Cache | None:
    """The cache in the folder that this system has for such; None for a user without a home."""
    try:
        return Cache(folder=_caches() / "loopviz" / "runs")
    except RuntimeError:
        return None


def _caches() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _find(path: Path, beside: Beside) -> Loaded | None:
    """What an entry holds; None where there is none that can be used."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    try:
        with collecting_paused():
            found, loaded = _decode(raw)
        if is_as_found(found, beside):
            with suppress(OSError):
                os.utime(path)
            return loaded
    except Exception:  # bytes that anything may have written can fail in any way
        pass
    _drop(path)
    return None


def _decode(raw: bytes) -> tuple[Found, Loaded]:
    """Raises ValueError for what is damaged, or anything that decoding may raise."""
    mark, checksum, columns = _HEAD.unpack_from(raw)
    if mark != _MARK or _checksum(memoryview(raw)[_HEAD.size :]) != checksum:
        raise ValueError("damaged")
    file = io.BytesIO(raw)
    file.seek(columns)
    arrays = _Decoder(file).load()
    file.seek(_HEAD.size)
    found, loaded = _Decoder(file, arrays).load()
    if type(loaded) is not Loaded:
        raise ValueError("not what a file gives")
    return found, loaded


def _write(path: Path, entry: tuple[Found, Loaded]) -> None:
    """Write an entry so that nobody ever sees half of one, and so that no second copy of it is held.

    It stands in two parts: everything but its arrays, and all its arrays laid end to end by type. A hundred thousand
    runs have millions of small arrays, which take more room than what is in them.
    """
    replace_file(path, lambda file: _fill(file, entry), mode=PRIVATE, durable=False)


def _fill(file: BinaryIO, entry: tuple[Found, Loaded]) -> None:
    file.write(bytes(_HEAD.size))
    body = _Summed(file)
    encoder = _Encoder(body)
    encoder.dump(entry)
    columns = file.tell()
    pickle.dump(encoder.joined(), body, _PROTOCOL)
    file.seek(0)
    file.write(_HEAD.pack(_MARK, body.told.digest(), columns))


class _Summed:
    """A file that is written, and the check sum of what was."""

    def __init__(self, file: BinaryIO) -> None:
        self.told = blake2b(digest_size=_DIGEST)
        self._file = file

    def write(self, data: bytes) -> int:
        self.told.update(data)
        return self._file.write(data)


class _Encoder(pickle.Pickler):
    """Leaves the arrays out, in the order in which they are met."""

    def __init__(self, file: _Summed) -> None:
        super().__init__(file, _PROTOCOL)
        self._arrays: list[Column] = []

    def persistent_id(self, value: object) -> int | None:
        """Told of every object; an array is marked by a number, which takes less room than anything else."""
        if type(value) is not np.ndarray:
            return None
        if value.ndim != 1 or value.dtype.hasobject:
            raise pickle.PicklingError("only columns of numbers are kept")
        self._arrays.append(value)
        return 0

    def joined(self) -> Joined:
        """The arrays that were met, which are given up here."""
        self.clear_memo()
        arrays, self._arrays = self._arrays, []
        by_type: dict[str, list[Column]] = {}
        for array in arrays:
            by_type.setdefault(array.dtype.str, []).append(array)
        names = list(by_type)
        kinds = bytes(names.index(array.dtype.str) for array in arrays)
        return kinds, np.array([len(array) for array in arrays]), [np.concatenate(by_type.pop(name)) for name in names]


class _Decoder(pickle.Unpickler):
    """Makes the model's own objects and arrays, and nothing else."""

    def __init__(self, file: io.BytesIO, arrays: Joined | None = None) -> None:
        super().__init__(file)
        self._arrays = _pieces(*arrays) if arrays else iter(())

    def persistent_load(self, _mark: int) -> Column:
        """The next array."""
        return next(self._arrays)

    def find_class(self, module: str, name: str) -> Any:
        if (module == "loopviz.model" and name in _MODEL) or (module, name) in _MAKERS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} does not belong here")


def _pieces(kinds: bytes, lengths: Column, joined: Sequence[Column]) -> Iterator[Column]:
    """The arrays again, one by one: of which type each is, how long, and all of a type laid end to end."""
    position = [0] * len(joined)
    for kind, length in zip(kinds, lengths.tolist(), strict=True):
        start = position[kind]
        position[kind] = start + length
        yield joined[kind][start : start + length]


def _drop(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _key(data: bytes, name: str, limits: Limits, format: str | None) -> str:
    told = blake2b(data, digest_size=_DIGEST)
    told.update(b"\x00")
    told.update(name.encode("utf-8", "surrogatepass"))
    told.update(f"\x00{limits}\x00{format}".encode())
    told.update(_code())
    return told.hexdigest()


@once
def _code() -> bytes:
    """What tells the code that reads from any other, a later version of it above all."""
    told = blake2b(digest_size=_DIGEST)
    told.update(sys.version.encode())
    for path in sorted([_PACKAGE / "model.py", _PACKAGE / "canonical.py", *(_PACKAGE / "readers").rglob("*.py")]):
        told.update(path.read_bytes())
    return told.digest()


def _checksum(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()

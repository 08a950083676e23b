"""What files gave, kept in a folder of the user's so that a large file opens fast the next time.

An entry is known by the content of the file, its name, and the code that read it, so none is ever out of date; files
that a reader found beside it are checked by their content too. An entry is checked before it is used: what is damaged,
or holds anything but the model's own classes, is thrown away and the file is read anew. The folder is bounded; what was
not used for longest goes first. No fault of the cache stops a file from being read.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache as once
from hashlib import blake2b
from pathlib import Path
from typing import Any

from loopviz.model import Loaded
from loopviz.readers.base import Sibling

SMALLEST = 1_000_000
"""Bytes of a file from which an entry is worth its place: a smaller one is read in a moment."""
LARGEST = 1 << 30
"""Bytes of the whole folder."""

_MARK = b"loopviz cache 1\n"
_DIGEST = 32
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

Found = tuple[tuple[str, bytes | None], ...]
"""What was asked for beside a file: names, and the digest of each, None where there was nothing."""


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
        sibling: Sibling,
        read: Callable[[Sibling], Loaded],
        is_whole: Callable[[], bool] = lambda: True,
    ) -> Loaded:
        """What a file gives: from its entry, or else by reading it.

        Args:
            read: Reads it, given what finds files beside it; what it raises goes through.
            is_whole: Whether it was read to its end; if not, nothing is kept.
        """
        if len(data) < self.smallest:
            return read(sibling)
        path = self.folder / f"{_key(data, name)}{_SUFFIX}"
        kept = _find(path, sibling)
        if kept is not None:
            return kept
        asked: dict[str, bytes | None] = {}

        def beside(wanted: str) -> bytes | None:
            found = sibling(wanted)
            asked[wanted] = _digest(found)
            return found

        loaded = read(beside)
        if is_whole():
            self._keep(path, (tuple(asked.items()), loaded))
        return loaded

    def _keep(self, path: Path, entry: tuple[Found, Loaded]) -> None:
        with suppress(OSError, pickle.PicklingError, RecursionError, MemoryError):
            body = pickle.dumps(entry, pickle.HIGHEST_PROTOCOL)
            if len(body) > self.largest:
                return
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(len(body))
            _write(path, b"".join((_MARK, blake2b(body, digest_size=_DIGEST).digest())), body)

    def _make_room(self, size: int) -> None:
        entries = []
        for path in self.folder.iterdir():
            with suppress(OSError):
                status = path.stat()
                entries.append((status.st_mtime_ns, status.st_size, path))
        total = sum(entry[1] for entry in entries) + size
        for _, length, path in sorted(entries):
            if total <= self.largest:
                return
            _drop(path)
            total -= length


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


def _find(path: Path, sibling: Sibling) -> Loaded | None:
    """What an entry holds; None where there is none that can be used."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    try:
        found, loaded = _decode(raw)
        if all(_digest(sibling(name)) == digest for name, digest in found):
            with suppress(OSError):
                os.utime(path)
            return loaded
    except Exception:  # bytes that anything may have written can fail in any way
        pass
    _drop(path)
    return None


def _decode(raw: bytes) -> tuple[Found, Loaded]:
    """Raises ValueError for what is damaged, or anything that decoding may raise."""
    begin = len(_MARK) + _DIGEST
    body = memoryview(raw)[begin:]
    if not raw.startswith(_MARK) or blake2b(body, digest_size=_DIGEST).digest() != raw[len(_MARK) : begin]:
        raise ValueError("damaged")
    found, loaded = _Decoder(io.BytesIO(body)).load()
    if type(loaded) is not Loaded:
        raise ValueError("not what a file gives")
    return found, loaded


class _Decoder(pickle.Unpickler):
    """Makes the model's own objects and arrays, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module == "loopviz.model" and name in _MODEL) or (module, name) in _MAKERS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} does not belong here")


def _write(path: Path, head: bytes, body: bytes) -> None:
    """Write an entry so that nobody ever sees half of one."""
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(head)
            file.write(body)
        os.replace(beside, path)
    except BaseException:
        _drop(Path(beside))
        raise


def _drop(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _key(data: bytes, name: str) -> str:
    told = blake2b(data, digest_size=_DIGEST)
    told.update(name.encode("utf-8", "surrogatepass"))
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


def _digest(data: bytes | None) -> bytes | None:
    return None if data is None else blake2b(data, digest_size=_DIGEST).digest()

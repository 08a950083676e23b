"""Label files on disk. Every change reads the file anew, so that what others wrote meanwhile stays."""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from loopviz.tuning.labels import Book, read

try:
    import fcntl
except ImportError:  # Windows has no such lock; there, two programs that write in the same instant may lose a label.
    fcntl = None  # type: ignore[assignment]

_writing = Lock()


class LabelsError(Exception):
    """A label file that cannot be read or written, with the reason as a sentence."""


def load(path: Path) -> Book:
    """Read a label file; one that does not exist yet is empty.

    Raises:
        LabelsError: if it cannot be read, or is no text in UTF-8.
    """
    return _read(path)[0]


def change(path: Path, edit: Callable[[Book], Book]) -> Book:
    """Change a label file by what `edit` makes of it, in one step: it is the old one or the new one at any time.

    Raises:
        LabelsError: if it cannot be read or written, or a merge left its marks in it.
    """
    path = path.resolve()
    with _alone(path):
        book, mark = _read(path)
        if book.is_torn:
            raise LabelsError(f"The label file {path} has the marks of a merge in it; settle that first.")
        changed = edit(book)
        if changed.lines != book.lines:
            _replace(path, mark + changed.text().encode())
        return changed


def _read(path: Path) -> tuple[Book, bytes]:
    """A label file, and the byte order mark that it begins with."""
    try:
        data = path.read_bytes()
        mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        text = data[len(mark) :].decode()
    except FileNotFoundError:
        return Book(), b""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise LabelsError(f"The label file {path} cannot be read: {reason}.") from error
    return read(text.removesuffix("\n").split("\n") if text else ()), mark


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other sessions and programs from changing the label files of this folder."""
    with _writing:
        handle = None
        with suppress(OSError):
            handle = os.open(path.parent, os.O_RDONLY)
        try:
            if handle is not None and fcntl is not None:
                with suppress(OSError):  # A file system that knows no locks.
                    fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            if handle is not None:
                os.close(handle)


def _replace(path: Path, content: bytes) -> None:
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(0, "it is there to be read only")
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, path.stat().st_mode & 0o777 if path.exists() else 0o644)
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise LabelsError(f"The label file {path} cannot be written: {error.strerror}.") from error

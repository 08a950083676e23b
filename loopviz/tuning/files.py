"""Label files on disk. Every change reads the file anew, so that what others wrote meanwhile stays."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

from loopviz.replacing import replace_file
from loopviz.tuning.labels import Book, read

try:
    import fcntl
except ImportError:  # Windows has no such lock; there, two programs that write in the same instant may lose a label.
    fcntl = None  # type: ignore[assignment]

PATIENCE_S, PAUSE_S = 3.0, 0.02
"""How long another program is waited for, and how long between two looks whether it is done."""
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
    refuse_unless_plain(path)
    with _alone(path):
        book, mark = _read(path)
        if book.is_torn:
            raise LabelsError(f"The label file {path} has the marks of a merge in it; settle that first.")
        changed = edit(book)
        if changed.lines != book.lines:
            _write(path, mark + changed.text().encode())
        return changed


def refuse_unless_plain(path: Path) -> None:
    """Refuse what may never come to an end, such as a pipe; a file that is not there yet will be plain.

    Raises:
        LabelsError: for anything but a file.
    """
    if path.exists() and not path.is_file():
        raise LabelsError(f"The label file {path} cannot be read: it is no plain file.")


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
    """Keep other sessions and programs from changing the label files of this folder.

    Raises:
        LabelsError: if another program keeps them for long.
    """
    with _writing:
        handle = None
        with suppress(OSError):
            handle = os.open(path.parent, os.O_RDONLY)
        try:
            if handle is not None and fcntl is not None:
                _lock(handle, path)
            yield
        finally:
            if handle is not None:
                os.close(handle)


def _lock(handle: int, path: Path) -> None:
    until = monotonic() + PATIENCE_S
    while monotonic() < until:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(PAUSE_S)
        except OSError:  # A file system that knows no locks.
            return None
    raise LabelsError(f"The label file {path} cannot be written: another program keeps the folder locked.")


def _write(path: Path, content: bytes) -> None:
    try:
        replace_file(path, lambda file: file.write(content))
    except OSError as error:
        raise LabelsError(f"The label file {path} cannot be written: {error.strerror}.") from error

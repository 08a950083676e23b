"""Label files on disk. Every change reads the file anew, so that what others wrote meanwhile stays."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from loopviz.tuning.labels import Book, read

_writing = Lock()


class LabelsError(Exception):
    """A label file that cannot be read or written, with the reason as a sentence."""


def load(path: Path) -> Book:
    """Read a label file; one that does not exist yet is empty.

    Raises:
        LabelsError: if it cannot be read, or is no text in UTF-8.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return Book()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise LabelsError(f"The label file {path} cannot be read: {reason}.") from error
    return read(text.removesuffix("\n").split("\n") if text else ())


def change(path: Path, edit: Callable[[Book], Book]) -> Book:
    """Change a label file by what `edit` makes of it, in one step: it is the old one or the new one at any time.

    Raises:
        LabelsError: if it cannot be read or written, or a merge left its marks in it.
    """
    with _writing:
        book = load(path)
        if book.is_torn:
            raise LabelsError(f"The label file {path} has the marks of a merge in it; settle that first.")
        changed = edit(book)
        if changed.lines != book.lines:
            _replace(path.resolve(), changed.text())
        return changed


def _replace(path: Path, text: str) -> None:
    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, path.stat().st_mode & 0o777 if path.exists() else 0o644)
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise LabelsError(f"The label file {path} cannot be written: {error.strerror}.") from error

"""Which files a page may keep labels in.

The page may be served to others, and whoever chooses a path freely can write to any file of the computer that runs the
app. So a path is given only where the app is started (`--labels`). A page chooses a name, in a folder that was opened
there, and only where the app listens to this computer alone; and never a file that holds anything but labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from loopviz.tuning.files import LabelsError, load

USUAL = "labels.jsonl"
LARGEST = 32 << 20
"""Bytes up to which a file may hold labels."""
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ .-]{0,79}\.jsonl")

_OTHER = "{} is there already and holds something else than labels. Choose another name."


def folders(paths: Iterable[str]) -> tuple[Path, ...]:
    """The folders of some paths that were opened, once each: a folder itself, of a file the one it lies in."""
    opened = (Path(path).absolute() for path in paths if path != "-")
    return tuple(dict.fromkeys(each if each.is_dir() else each.parent for each in opened))


def refusal(folder: Path, name: str) -> str | None:
    """Why labels cannot be kept in a file of this name, as a sentence; None where they can."""
    if not _NAME.fullmatch(name):
        return "A file name is needed, of letters, digits, dots, hyphens and underscores, that ends in .jsonl."
    path = folder / name
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return f"{name} is no plain file. Choose another name."
    if path.exists() and path.stat().st_size > LARGEST:
        return _OTHER.format(name)
    try:
        book = load(path)
    except LabelsError as error:
        return str(error)
    if book.is_torn:
        return f"{name} has the marks of a merge in it; settle that first."
    if book.problems and len(book.problems) >= len(book.labels):
        return _OTHER.format(name)
    return None

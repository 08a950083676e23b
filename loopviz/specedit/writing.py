"""Writing an edit to its file: as a whole or not at all, and only where the file still is what was planned for."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from loopviz.replacing import replace_file
from loopviz.specedit.checking import decoded, fault
from loopviz.specedit.edits import Edit
from loopviz.specedit.refusing import WriteRefused
from loopviz.specedit.source import read


def write(path: Path, edit: Edit) -> None:
    """Write an edited spec, and read it back.

    Whoever reads the file meanwhile sees the old content or the new. Where a link stands, what it leads to is written.
    The mode stays. An edit that changes nothing writes nothing.

    Args:
        path: The file whose content the edit was planned for.
        edit: The edit.
    Raises:
        WriteRefused: when the file is another one by now, cannot be written, or does not read back as planned; unless
            the message says otherwise, it has its old content then.
    """
    target = Path(os.path.realpath(path))
    try:
        _require_unchanged(path, target, edit)
        if edit:
            replace_file(
                target, lambda file: file.write(edit.after), check=lambda: _require_unchanged(path, target, edit)
            )
            _read_back(path, target, edit)
    except OSError as error:
        reason = error.strerror or error
        raise WriteRefused(f"{path}: cannot be written: {reason}. Nothing was changed. {_INSTEAD}") from None


_INSTEAD = "Download the edited file instead, or see to it that the file and its folder can be written to."


def _require_unchanged(path: Path, target: Path, edit: Edit) -> None:
    if not target.is_file():
        raise WriteRefused(f"{path}: there is no such file any more. Nothing was written; download the edited file.")
    if hashlib.sha256(target.read_bytes()).hexdigest() != edit.digest:
        raise WriteRefused(
            f"{path}: it has changed since it was opened. Nothing was written; open it again and choose anew."
        )


def _read_back(path: Path, target: Path, edit: Edit) -> None:
    """Judge by what is in the file now, and put the old content back where that is not as it should be."""
    wrong = fault(read(decoded(edit.before)).value, target.read_bytes(), edit.changes)
    if wrong is None:
        return
    told = f"{path}: read back, it is not as planned: {wrong}."
    try:
        replace_file(target, lambda file: file.write(edit.before))
    except OSError as error:
        reason = error.strerror or error
        raise WriteRefused(f"{told} The old content could not be put back: {reason}. Take it from the diff.") from None
    raise WriteRefused(f"{told} The old content was put back. {_INSTEAD}")

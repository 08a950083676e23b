"""Putting a file in the place of another in one step: whoever reads it sees the old content or the new, whole."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

PRIVATE = 0o600
_USUAL = 0o666
"""What a program asks for; the system takes from it what the person does not want others to have."""


def replace_file(
    path: Path,
    fill: Callable[[BinaryIO], object],
    *,
    check: Callable[[], None] = lambda: None,
    mode: int = _USUAL,
    durable: bool = True,
) -> None:
    """Write a file anew, as a whole or not at all.

    Where a link stands, what it leads to is written. A file that is there keeps its mode, and its owner and group where
    that is allowed. A failure leaves everything as it was.

    Args:
        path: The file, there or not; its folder must be there.
        fill: Writes the content into a file that is open for bytes.
        check: Called when all is ready, just before the new file takes the place of the old; what it raises stops it.
        mode: Of a file that is not there yet, less what the system takes away.
        durable: Wait until the disk has it, so that it outlives a crash.
    Raises:
        OSError: if it cannot be written, or is there to be read only, although its folder would let it be replaced.
    """
    target = Path(os.path.realpath(path))
    is_there = target.exists()
    if is_there and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is there to be read only")
    beside = target.with_name(f".loopviz-{secrets.token_hex(8)}.tmp")  # short: the file's own name may be the longest
    try:
        with open(
            beside, "x+b", opener=lambda name, flags: os.open(name, flags, PRIVATE if is_there else mode)
        ) as file:
            fill(file)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if is_there:
            _make_alike(beside, target)
        check()
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)
    if durable:
        _sync(target.parent)


def _make_alike(new: Path, old: Path) -> None:
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(new, old.stat().st_uid, old.stat().st_gid)
    shutil.copymode(old, new)


def _sync(folder: Path) -> None:
    """Have the folder written out, where the system can: the file's new place in it would not outlive a crash."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

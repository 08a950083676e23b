"""The beginning of a growing file, by which its format is told: 64 kB, or its first line where that is longer."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import BinaryIO

from loopviz.following.tail import is_object
from loopviz.readers import HEAD
from loopviz.readers.jsontext import SAMPLE
from loopviz.readers.limits import Limits, raised_by
from loopviz.readers.scanning import BLANK
from loopviz.readers.unpacking import is_packed


class Unusable(Exception):
    """A file that cannot be followed; the message says why, and what to do."""


class Beginning:
    """What was looked at so far of the beginning of a file."""

    def __init__(self, path: str, limits: Limits) -> None:
        self.path = path
        self._limits = limits
        self.begin()

    def begin(self) -> None:
        """Forget it."""
        self.looked_at = 0
        """Bytes of the lines that were looked at."""
        self.half = 0
        """Bytes of a first line, longer than 64 kB, that had not ended when it was last looked at."""
        self.n_lines = 0
        """How many lines were looked at."""

    def look(self, *, may_shrink: bool) -> bytes | None:
        """The lines at the beginning of the file, where there are more than were looked at.

        Args:
            may_shrink: Whether a file that got shorter is looked at anew, as long as nothing else notices.

        Raises:
            Unusable: if the file cannot be followed.
            OSError: if it is there and cannot be read.
        """
        size = self.size()
        if size is None:
            return None
        if may_shrink and size < max(self.looked_at, self.half):
            self.begin()
        if size < self._enough():
            return None
        try:
            with open(self.path, "rb") as file:
                if self.half and not _may_end(file, self.half):
                    self.half = file.tell()
                    return None
                file.seek(0)
                data = file.read(HEAD)
                if is_packed(data) or data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                    raise Unusable("A packed file, or one in UTF-16, cannot be followed; `loopviz grade` reads it.")
                if self.looked_at >= HEAD or (len(data) == HEAD and not _has_line(data)):
                    data += file.read(max(size - len(data), 0))
        except FileNotFoundError:  # it has gone since it was looked at, and may come back
            return None
        if len(data) != HEAD or not _has_line(data):
            ended = data.rfind(b"\n") + 1
            data = data if is_object(data[ended:].strip()) else data[:ended]
            if size > HEAD and not data.strip(BLANK):
                self.half = size
        if len(data) <= self.looked_at:
            return None
        self.looked_at, self.half = len(data), 0
        self.n_lines = data.count(b"\n")
        return data

    def size(self) -> int | None:
        """How many bytes there are; None where there is no file now.

        Raises:
            Unusable: if that is no file of lines, or a larger one than is read.
        """
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            return None
        if stat.S_ISDIR(status.st_mode):
            raise Unusable("This is a folder; name the file that is being written.")
        if not stat.S_ISREG(status.st_mode):
            raise Unusable("This is no ordinary file; name the file that is being written.")
        self.bound(status.st_size)
        return status.st_size

    def bound(self, size: int) -> None:
        """Refuse a file of more bytes than are read."""
        if size > self._limits.file:
            raise Unusable(f"There are more than {self._limits.file:,} bytes in it. {raised_by('file')}")

    def _enough(self) -> int:
        """How many bytes make another look at the beginning worth its while.

        A file that no reader knows by its first lines may be known by what comes, but not every line is worth a look.
        """
        if self.half:
            return self.half + 1
        is_little = self.looked_at < HEAD or self.n_lines < SAMPLE
        return self.looked_at + 1 if is_little else 2 * self.looked_at


def _has_line(data: bytes) -> bool:
    """Whether the first line that is not blank has ended."""
    return b"\n" in data.lstrip(BLANK)


def _may_end(file: BinaryIO, n_before: int) -> bool:
    """Whether what comes behind so many bytes may end a line, or the object in it."""
    file.seek(n_before)
    new = file.read()
    return b"\n" in new or new.rstrip(BLANK).endswith(b"}")

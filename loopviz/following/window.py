"""A file that grows as a text that readers take pieces of: the line at hand, and all before it as it stands on disk."""

from __future__ import annotations

from typing import cast

from loopviz.following.tail import Line, Tail
from loopviz.readers.encoding import Text


class Window:
    """Bytes of a file by their places in it; those of the line that is shown cost nothing."""

    def __init__(self, tail: Tail) -> None:
        self._tail = tail
        self._line = Line(0, 0, b"")

    def show(self, line: Line) -> None:
        """This line is read now."""
        self._line = line

    def __getitem__(self, place: slice) -> bytes:
        start, stop, line = place.start, place.stop, self._line
        if line.start <= start and stop <= line.stop:
            return line.raw[start - line.start : stop - line.start]
        return self._tail.piece(start, stop)

    def as_text(self) -> Text:
        """The same as readers know it, who take nothing but pieces of it."""
        return Text(data=cast(bytes, self))

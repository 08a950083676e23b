"""Telling how far the reading of a file is, and ending it where nobody waits for the rest."""

from __future__ import annotations

from loopviz.readers.base import Advance, Stopped
from loopviz.readers.encoding import Text
from loopviz.readers.problems import Problems

STRIDE = 1 << 18
"""Bytes between two words on how far the reading is."""


class Watch:
    """Stands between a reader, which counts bytes of the text, and whoever waits for it.

    Args:
        problems: Where it is noted that the reading was stopped.
    """

    def __init__(self, text: Text, advance: Advance, problems: Problems) -> None:
        self.stopped = False
        self._text, self._advance, self._problems = text, advance, problems
        self._told = 0
        self.due = STRIDE
        """The byte from which on `goes_on` has something to say."""

    def goes_on(self, position: int) -> bool:
        """Whether to read on, now that everything up to this byte of the text is read."""
        if position - self._told >= STRIDE and not self.stopped:
            self._told = position
            self.due = position + STRIDE
            self._tell(self._text.offset(position))
        return not self.stopped

    def waits(self) -> bool:
        """Whether to read on, while something else is read than the text."""
        if not self.stopped:
            self._tell(self._text.offset(self._told))
        return not self.stopped

    def end(self, size: int) -> None:
        """Everything is read; the file has so many bytes."""
        if not self.stopped:
            self._tell(size)

    def _tell(self, done: int) -> None:
        try:
            self._advance(done)
        except Stopped:
            self.stopped, self.due = True, 0
            self._problems.add(f"byte {done:,}", "Reading was stopped here; what comes after is not read.")

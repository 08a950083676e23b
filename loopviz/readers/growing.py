"""Files of lines, read a line at a time: a whole one, or one that is still being written.

A reader of such a format is a `Lines` that takes each line and says what the file's end would settle. Whoever follows a
file gives it the lines as they come, and asks what there is so far: it must be what a file would give that ends there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from loopviz.model import Json, Loaded
from loopviz.readers.base import Opened
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading


class Lines(ABC):
    """The runs of a file while its lines are taken."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.ended = False
        """Whether the file says that what it records has ended, and nothing since says that it goes on."""

    @abstractmethod
    def take(self, node: Node, line: dict[str, Json]) -> None:
        """Take the next line of the file."""

    def end(self) -> None:
        """Tell what only the end of the file tells."""
        return

    @contextmanager
    def as_ended(self) -> Iterator[None]:
        """The runs as they are if the file ends here, within this context; behind it lines can be taken again."""
        self.end()
        yield


def read_lines(file: Opened, make: Callable[[Reading], Lines]) -> Loaded:
    """Read a file of lines, or a list of them, to its end."""
    lines = make(Reading(file))
    for node, line in lines.reading.objects():
        lines.take(node, line)
    lines.end()
    return lines.reading.loaded()

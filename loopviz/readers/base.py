"""What a reader is: one row of the table in `loopviz.readers`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from loopviz.model import Loaded, Source
from loopviz.readers.encoding import as_text
from loopviz.readers.jsontext import SAMPLE, peek

Advance = Callable[[int], None]
"""Told from time to time how many bytes of a file are done."""


def ignore(_done: int) -> None:
    """An `Advance` for those who do not want to know."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The first few JSON objects of a file, or the next few, as readers look at them to know their own."""

    objects: list[dict[str, bytes]]
    """A document, lines, or elements of a list; JSON texts by key, the last object perhaps cut."""


def heads(data: bytes) -> Iterator[Head]:
    """Look at a file, or at its beginning, a few objects at a time; at least once, even where there is none."""
    objects = peek(as_text(data))
    more = True
    while more:
        head = Head(list(islice(objects, SAMPLE)))
        more = len(head.objects) == SAMPLE
        yield head


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A format that can be read."""

    name: str
    """Name of the format, for example `vally.trajectory`."""
    sniff: Callable[[Head], float]
    """How surely a file that begins like this is of this format: 0.0 to 1.0; never raises."""
    read: Callable[[bytes, Source, Advance], Loaded]
    """Read a file's bytes; what cannot be used becomes a located problem, so it never raises for what they hold."""


class UnknownFormat(ValueError):
    """No reader knows this file; the message says what it looks like instead."""


@contextmanager
def collecting_paused() -> Iterator[None]:
    """Pause the search for reference cycles: a reader makes millions of objects and none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

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
"""Told from time to time how many bytes of a file are done; it may raise `Stopped`."""


class Stopped(Exception):
    """Nobody waits for the rest of a file: what was read so far is all that is wanted of it."""


def ignore(_done: int) -> None:
    """An `Advance` for those who do not want to know."""


Sibling = Callable[[str], bytes | None]
"""Gives the bytes of a small file that lies beside the one that is read, by its name; None where there is none."""


def no_sibling(_name: str) -> bytes | None:
    """A `Sibling` for bytes that lie in no folder."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opened:
    """A file as a reader gets it."""

    data: bytes
    source: Source
    advance: Advance = ignore
    sibling: Sibling = no_sibling


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
class Archive:
    """How a format looks that packs the parts of one file into a zip archive."""

    knows: Callable[[frozenset[str]], bool]
    """Whether an archive that holds, at its beginning at least, members of these names is a file of the format."""
    unpack: Callable[[bytes], bytes]
    """The text that its reader makes of an archive; the places of records count in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A format that can be read."""

    name: str
    """Name of the format, for example `vally.trajectory`."""
    sniff: Callable[[Head], float]
    """How surely a file that begins like this is of this format: 0.0 to 1.0; never raises."""
    read: Callable[[Opened], Loaded]
    """Read a file; what cannot be used becomes a located problem, so it never raises for what the file holds."""
    title: str
    """What is read, for people: `Copilot CLI sessions`."""
    found: str
    """Where a tool leaves such files: `~/.copilot/session-state/<session>/events.jsonl`; empty where there is no place.
    """
    archive: Archive | None = None
    """For a format that comes in archives; `read` is given the archive itself."""


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

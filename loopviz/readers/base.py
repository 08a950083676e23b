"""What a reader is: one row of the table in `loopviz.readers`."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from loopviz.model import Loaded, Source
from loopviz.readers.encoding import as_text
from loopviz.readers.jsontext import SAMPLE, peek
from loopviz.readers.limits import LIMITS, Limits

if TYPE_CHECKING:
    from loopviz.readers.growing import Lines
    from loopviz.readers.reading import Reading

Advance = Callable[[int], None]
"""Told from time to time how many bytes of a file are done; it may raise `Stopped`."""


class Stopped(Exception):
    """Nobody waits for the rest of a file: what was read so far is all that is wanted of it."""


def ignore(_done: int) -> None:
    """An `Advance` for those who do not want to know."""


class Names(tuple[str, ...]):
    """Names of the files in a folder, in sorted order."""

    @cached_property
    def digest(self) -> bytes:
        """What tells them from other names."""
        return blake2b("\0".join(self).encode("utf-8", "surrogatepass"), digest_size=32).digest()


class Beside(Protocol):
    """The small files that lie beside the one that is read, in its folder or in the one that holds this folder."""

    def find(self, name: str) -> bytes | None:
        """The bytes of such a file; None where there is none."""

    def names(self) -> Names:
        """What the files in the same folder are called, itself among them, without those that are hidden."""


class _Nothing:
    def find(self, _name: str) -> bytes | None:
        return None

    def names(self) -> Names:
        return Names()


NOTHING: Beside = _Nothing()
"""What lies beside bytes that lie in no folder."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opened:
    """A file as a reader gets it."""

    data: bytes
    source: Source
    advance: Advance = ignore
    beside: Beside = NOTHING
    limits: Limits = LIMITS


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The first few JSON objects of a file, or the next few, as readers look at them to know their own."""

    objects: list[dict[str, bytes]]
    """A document, lines, or elements of a list; JSON texts by key, the last object perhaps cut."""


OFTEN = 200
"""Objects of the same keys that are looked at."""
MOST_SHAPES = 5_000
"""Objects of different keys that are looked at."""


def heads(data: bytes) -> Iterator[Head]:
    """Look at a file, or at its beginning, a few objects at a time; at least once, even where there is none."""
    objects = _unlike(peek(as_text(data)))
    more = True
    while more:
        head = Head(list(islice(objects, SAMPLE)))
        more = len(head.objects) == SAMPLE
        yield head


def _unlike(objects: Iterator[dict[str, bytes]]) -> Iterator[dict[str, bytes]]:
    """The objects without those that have the keys of many before them: a log of a million lines is of no format."""
    met: Counter[tuple[str, ...]] = Counter()
    for each in objects:
        keys = tuple(each)
        met[keys] += 1
        if met[keys] <= OFTEN:
            yield each
        if len(met) > MOST_SHAPES:
            return


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """How a format looks that packs the parts of one file into a zip archive."""

    knows: Callable[[frozenset[str]], bool]
    """Whether an archive that holds, at its beginning at least, members of these names is a file of the format."""
    unpack: Callable[[bytes, Limits], bytes]
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
    lines: Callable[[Reading], Lines] | None = None
    """For a format whose files can be read while they are written, a line at a time."""


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

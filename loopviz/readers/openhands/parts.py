"""A conversation kept as a file for each event: which files of a folder belong to it, and in which order.

The files are numbered: `7.json` in version 0.x, `event-00007-<id>.json` in the SDK, `event_000007_<id>.json` where its
cloud exports them. The first one that holds an event is read with all that follow it, and those give no run of their
own. Each file decides that for itself, so that the order in which they are read does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from loopviz.readers.base import Names
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.telling import Telling

_NAME = re.compile(r"(?P<kind>event[-_])?0*(?P<number>\d{1,9})(?:[-_][\w-]+)?\.json", re.ASCII)

IsEvent = Callable[[Node], bool]
"""Whether an object is an event, so surely that a file of it alone is read as one."""


class Parts:
    """The files of a folder that hold the events of one conversation.

    Args:
        reading: A file of a single event.
        is_event: Tells such files from others with like names.
    """

    def __init__(self, reading: Reading, is_event: IsEvent) -> None:
        self._reading, self._is_event = reading, is_event
        own = PurePosixPath(reading.source.name.replace("\\", "/")).name
        found = _NAME.fullmatch(own)
        order = _in_order(reading.names_beside(), found["kind"]) if found else _Order((), {})
        at = order.places.get(own)
        self._files, self._at = ((), 0) if at is None else (order.files, at)

    @property
    def is_first(self) -> bool:
        """Whether no file before this one holds an event."""
        before = (self._files[at] for at in range(self._at - 1, -1, -1))
        return not any(self._event(name, quietly=True) for _, name in before)

    @property
    def are_some(self) -> bool:
        """Whether this file is numbered, so that it belongs to others, even where it lies alone."""
        return bool(self._files)

    def following(self, run: Telling) -> Iterator[Node]:
        """The events that follow; what is missing among them all is noted with the run."""
        self._note_missing(run)
        for place, (_, name) in enumerate(self._files[self._at + 1 :], start=2):
            if not self._reading.waits():
                return
            event = self._event(name)
            if event is None:
                _note_strange(run, name)
            else:
                self._reading.count("event of a file beside it was joined.", "events of files beside it were joined.")
                yield Node(event.origin, event.start, event.stop, None, place)

    def _event(self, name: str, *, quietly: bool = False) -> Node | None:
        event = self._reading.beside(name, quietly=quietly)
        return event if event and event.line is None and event.number is None and self._is_event(event) else None

    def _note_missing(self, run: Telling) -> None:
        for _, name in self._files[: self._at]:
            _note_strange(run, name)
        expected = 0
        for number, _ in self._files:
            if number > expected:
                place = f"event {expected:,}" if number == expected + 1 else f"events {expected:,} to {number - 1:,}"
                message = "There is no file of this number, so the run is told without it."
                run.problems.add(place, message)
            expected = number + 1


def _note_strange(run: Telling, name: str) -> None:
    run.problems.add(name, "This file holds no event that can be read, so the run is told without it.")


@dataclass(frozen=True, slots=True)
class _Order:
    files: Sequence[tuple[int, str]]
    """Number and name of each."""
    places: dict[str, int]


@lru_cache(maxsize=4)  # each file of a folder asks the same
def _in_order(names: Names, kind: str | None) -> _Order:
    found = ((name, _NAME.fullmatch(name)) for name in names)
    files = sorted((int(match["number"]), name) for name, match in found if match and match["kind"] == kind)
    return _Order(tuple(files), {name: place for place, (_, name) in enumerate(files)})

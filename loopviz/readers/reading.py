"""A file while a reader works on it: what its runs share, and what was left out.

A reader makes a `Reading`, goes through the file's objects, tells each run to a `Telling`, and ends with `loaded()`:

    def read(file: Opened) -> Loaded:
        reading = Reading(file)
        for document in reading.documents():
            run = reading.run(document, noun="message")
            for message in run.each(document, "messages"):
                ...
        return reading.loaded()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers.base import Names, Opened
from loopviz.readers.encoding import Text, as_text
from loopviz.readers.interning import Interner
from loopviz.readers.naming import distinguished
from loopviz.readers.nodes import Node, Origin, top_nodes, top_objects
from loopviz.readers.problems import Problems
from loopviz.readers.telling import Telling
from loopviz.readers.texts import distinct
from loopviz.readers.watching import Watch

_COMPRESSED = (".gz", ".zst", ".zstd")


class Reading:
    """One file while it is read."""

    def __init__(self, file: Opened, text: Text | None = None) -> None:
        """`text` is what places count in, where the file's lines are given one by one and not by its data."""
        self.source = file.source
        self.text = as_text(file.data) if text is None else text
        self.interner = Interner()
        self.problems = Problems()
        """What belongs to no single run."""
        self.origin = Origin(self.text, self.problems)
        self._file = file
        self._runs: list[Telling] = []
        self._open: list[tuple[Node, Telling]] = []
        """Runs that are told out of an object of their own."""
        self._by_key: dict[str, Telling] = {}
        self._beside: list[Problems] = []
        """What is wrong with files beside this one."""
        self._counts: Counter[tuple[str, str]] = Counter()
        self.watch = Watch(self.text, file.advance, self.problems)
        """For those that ask only when it is `due`."""
        self.goes_on = self.watch.goes_on
        """Whether to read on, now that everything up to a byte of the text is read."""

    def documents(self) -> Iterator[Node]:
        """The objects at the top of the file, undecoded: the document, its lines, or the elements of its list."""
        for node in top_nodes(self.origin):
            yield node
            self._finish_inside(node)
            if not self.goes_on(node.stop):
                return

    def objects(self) -> Iterator[tuple[Node, dict[str, Json]]]:
        """The lines of the file, or the elements of its list, decoded."""
        for node, value in top_objects(self.origin):
            yield node, value
            if not self.goes_on(node.stop):
                return

    def each(self, node: Node, *path: str, noun: str = "record") -> Iterator[Node]:
        """The elements of a list inside a document that are objects, undecoded: runs, for example."""
        for element in node.elements(*path):
            if element.raw[:1] == b"{":
                yield element
                self._finish_inside(element)
            else:
                element.object(self.problems, noun)
            if not self.goes_on(element.stop):
                return

    def run(
        self, whole: Node | None = None, *, key: str | None = None, noun: str = "event", called: str = "record"
    ) -> Telling:
        """A run of this file: a new one, or the one that was begun with the same key.

        Args:
            whole: The object that holds the run and nothing else.
            key: What tells a run from the others whose events stand between its own: a session or an agent.
            noun: What the format calls an element of the run's list of events.
            called: What the format calls `whole`, where it is an element of a list.
        """
        if key is not None and key in self._by_key:
            return self._by_key[key]
        run = Telling(self, whole=whole, noun=noun, called=called)
        self._runs.append(run)
        if key is not None:
            self._by_key[key] = run
        elif whole is not None:
            self._open.append((whole, run))
        return run

    def runs(self) -> tuple[Telling, ...]:
        """All runs that were begun, in that order."""
        return tuple(self._runs)

    def beside(self, name: str, *, quietly: bool = False) -> Node | None:
        """The object in a JSON file that lies beside this one; None where there is none.

        Args:
            quietly: Whether nothing is said of what is wrong with it.
        """
        data = self._file.beside.find(name)
        if data is None:
            return None
        problems = Problems(name)
        if not quietly:
            self._beside.append(problems)
        return next(top_nodes(Origin(as_text(data), problems)), None)

    def text_beside(self, name: str) -> str | None:
        """A small text file that lies beside this one."""
        data = self._file.beside.find(name)
        return None if data is None else data.decode("utf-8", "replace")

    def names_beside(self) -> Names:
        """What the files in the folder of this one are called, itself among them, in sorted order."""
        return self._file.beside.names()

    def count(self, one: str, many: str, number: int = 1) -> None:
        """Count something for a note on the file: `1 {one}`, or `3 {many}`."""
        self._counts[one, many] += number

    def leave_out(self, one: str, many: str, number: int = 1) -> None:
        """Count what is not read, on purpose: `leave_out("image", "images")`."""
        self.count(f"{one} left out.", f"{many} left out.", number)

    def waits(self) -> bool:
        """Whether anybody waits for what is read beside this file."""
        return self.watch.waits()

    def _finish_inside(self, node: Node) -> None:
        """Finish the runs that stand in an object that is read: while it is told, a run takes much room."""
        if not self._open:
            return
        first = len(self._open)
        while first and node.start <= self._open[first - 1][0].start <= node.stop:
            first -= 1
        for _, run in self._open[first:]:
            run.finish()
        del self._open[first:]

    def loaded(self) -> Loaded:
        """Everything that was told."""
        runs = [run.finish() for run in self._runs]
        self.watch.end(len(self._file.data))
        return self._loaded(runs)

    def so_far(self) -> Loaded:
        """The same as if the file ended here; it can be read on."""
        return self._loaded([run.so_far() for run in self._runs])

    def names(self) -> list[str]:
        """What the runs are called, as far as that is known, in the order in which they were begun."""
        return self._names(run.facts.run for run in self._runs)

    def _names(self, given: Iterable[str | None]) -> list[str]:
        return distinguished((name and distinct(name)) or self._own_name() for name in given)

    def _loaded(self, runs: list[dict[str, Any]]) -> Loaded:
        codebook = self.interner.codebook()
        names = self._names(run["run"] for run in runs)
        return Loaded(
            source=self.source,
            trajectories=tuple(
                Trajectory(**{**run, "codebook": codebook, "run": name}) for run, name in zip(runs, names, strict=True)
            ),
            problems=tuple(chain(self.problems.listed(), *(problems.listed() for problems in self._beside))),
            notes=tuple(
                f"{number:,} {one if number == 1 else many}" for (one, many), number in self._counts.items() if number
            ),
        )

    def _own_name(self) -> str:
        """The file's name without its folder and its last ending: what a run is called that has no name of its own."""
        name = PurePosixPath(self.source.name.replace("\\", "/"))
        if name.suffix.lower() in _COMPRESSED:
            name = name.with_suffix("")
        return distinct(name.stem) or "run"

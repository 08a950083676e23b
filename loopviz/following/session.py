"""A file of lines that tell of calls one by one: the sessions of Claude Code, Codex and Copilot, and their like."""

from __future__ import annotations

from functools import partial

from loopviz.analysis.lines import judge_lines
from loopviz.analysis.runset import RunSet
from loopviz.detectors.max_repeat import NAME
from loopviz.following.asking import Asked
from loopviz.following.calls import Identities
from loopviz.following.events import Event
from loopviz.following.run import RunSoFar
from loopviz.following.tail import Line, Tail
from loopviz.following.window import Window
from loopviz.model import Loaded, Source
from loopviz.readers.base import Opened, Reader
from loopviz.readers.encoding import piece_of
from loopviz.readers.growing import Lines
from loopviz.readers.nodes import Node, Origin, line_object
from loopviz.readers.reading import Reading


class Session:
    """The runs of such a file so far."""

    def __init__(self, reader: Reader, tail: Tail, asked: Asked) -> None:
        assert reader.lines is not None
        self._tail = tail
        self._asked = asked
        self._window = Window(tail)
        source = Source(name=tail.path, format=reader.name, digest="", size=0)
        self._reading = Reading(Opened(data=b"", source=source), self._window.as_text())
        self._lines: Lines = reader.lines(self._reading)
        self._identities = Identities(self._reading.interner)
        self._runs: list[RunSoFar] = []

    @property
    def ended(self) -> bool:
        """Whether the file says that what it records has ended."""
        return self._lines.ended

    @property
    def missing(self) -> str | None:
        """Why a run is judged by no grader."""
        return next((run.missing for run in self._runs if run.missing is not None), None)

    @property
    def runs(self) -> tuple[RunSoFar, ...]:
        """The runs, in the order in which they began."""
        return tuple(self._runs)

    def take(self, line: Line) -> None:
        """Take the next line of the file."""
        self._window.show(line)
        reading = self._reading
        piece = Origin(piece_of(line.raw, line.start), reading.problems)
        value = line_object(piece, line.number, 0, len(line.raw))
        if value is not None:
            self._lines.take(Node(reading.origin, line.start, line.stop, line.number), value)

    def news(self, *, finally_: bool = False) -> list[Event]:
        """What happened in the runs since it was last asked.

        Raises:
            PatternError: if a pattern of the guards is refused, or runs for longer than a second.
        """
        self._begin_runs()
        settled = [run.settled() for run in self._runs]
        with self._lines.as_ended():
            self._begin_runs()
            settled += [(0, 0)] * (len(self._runs) - len(settled))
            for run, counts in zip(self._runs, settled, strict=True):
                run.update(counts)
            names = self._reading.names()
            return [
                event
                for number, (run, name) in enumerate(zip(self._runs, names, strict=True))
                for event in run.news(name, partial(self._words, number), finally_=finally_)
            ]

    def loaded(self) -> Loaded:
        """The file so far, as its reader would give it."""
        with self._lines.as_ended():
            return self._so_far()

    def _so_far(self) -> Loaded:
        tail, reading = self._tail, self._reading
        reading.source = Source(name=tail.path, format=reading.source.format, digest=tail.digest.hex(), size=tail.size)
        return reading.so_far()

    def _begin_runs(self) -> None:
        for told in self._reading.runs()[len(self._runs) :]:
            self._runs.append(RunSoFar(told, self._reading.interner, self._identities, self._asked))

    def _words(self, number: int, grader: str) -> str:
        """A verdict in words with its caution, which takes a look at the whole run; said where it changes."""
        runs = RunSet([self._so_far().trajectories[number]])
        lines = judge_lines(runs, self._asked.question)
        return next(str(line["evidence"]) for line in lines if (line["grader"], line["name"]) == (NAME, grader))

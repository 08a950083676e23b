"""A file of Vally's, a finished run in every line: each new one is read and judged once, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from loopviz.analysis.lines import address, judge_lines
from loopviz.analysis.runset import RunSet
from loopviz.detectors.max_repeat import NAME
from loopviz.following.asking import Asked
from loopviz.following.events import Event
from loopviz.following.tail import Line, Tail
from loopviz.following.told import Judged, Told, in_order
from loopviz.model import Codebook, Loaded, Source, Trajectory
from loopviz.readers.base import Reader, ignore
from loopviz.readers.encoding import piece_of
from loopviz.readers.interning import Interner
from loopviz.readers.jsontext import Record, line_record
from loopviz.readers.naming import Distinguishing
from loopviz.readers.vally.records import Records
from loopviz.readers.vally.runs import RunReader
from loopviz.readers.vally.shapes import RESULTS
from loopviz.readers.watching import Watch


class Trials:
    """The runs of such a file so far."""

    def __init__(self, reader: Reader, tail: Tail, asked: Asked) -> None:
        self.missing: str | None = None
        """Why a run is judged by no grader."""
        self._tail = tail
        self._asked = asked
        self._told: list[Told] = []
        """Of each run."""
        self._are_lines = reader.name == RESULTS
        """Whether a single line is one of many; else it is a document until another comes."""
        self._only: Line | None = None
        """That single line."""
        self._begin(Source(name=tail.path, format=reader.name, digest="", size=0))

    def _begin(self, source: Source) -> None:
        self._records = Records(source)
        self._names = Distinguishing()
        self._codebooks: list[Codebook] = []
        self._new: list[Trajectory] = []

    @property
    def ended(self) -> bool:
        """Whether a run summary stands behind all trials."""
        return self._records.ended

    def take(self, line: Line) -> None:
        """Take the next line of the file."""
        if not self._are_lines and self._only is None:
            self._only = line
            self._take(line, is_document=True)
            return
        if self._only is not None:
            self._begin(self._records.source)
            self._take(self._only)
            self._only, self._are_lines = None, True
        self._take(line)

    def news(self, *, finally_: bool = False) -> list[Event]:
        """What happened in the runs that came since it was last asked; with the end of a file comes nothing more.

        Raises:
            PatternError: if a pattern of the guards is refused, or runs for longer than a second.
        """
        first = len(self._codebooks) - len(self._new)
        events = []
        for number, trajectory in enumerate(self._new, start=first):
            if number == len(self._told):
                self._told.append(Told())
            events += self._news(trajectory, self._told[number])
        self._new.clear()
        return events

    def loaded(self) -> Loaded:
        """The file so far, as its reader would give it."""
        source = self._records.source
        self._records.source = replace(source, digest=self._tail.digest.hex(), size=self._tail.size)
        return self._records.loaded(self._codebooks)

    def _take(self, line: Line, *, is_document: bool = False) -> None:
        piece = piece_of(line.raw, line.start)
        record = line_record(line.raw, line.number, 0, len(line.raw))
        if is_document:
            record = Record(start=record.start, stop=record.stop, members=record.members, fault=record.fault)
        interner = Interner()  # of its own, so that what a line costs does not grow with those before it
        watch = Watch(piece, ignore, self._records.problems)
        trajectory = self._records.take(record, RunReader(piece, self._records.source, interner, watch))
        if trajectory is not None:
            self._codebooks.append(interner.codebook())
            name = self._names.name(trajectory.run)
            self._new.append(replace(trajectory, run=name, codebook=self._codebooks[-1]))

    def _news(self, trajectory: Trajectory, told: Told) -> list[Event]:
        runs, asked, run = RunSet([trajectory]), self._asked, trajectory.run
        at = partial(address, trajectory)
        ladder = runs.escalation(asked.escalation, asked.tools, asked.unknown)
        thrash = runs.thrash(asked.thrash, asked.tools, asked.unknown)
        stop, count = thrash.stop(0), int(thrash.count[0])
        fired = ((int(firing.level), firing.call) for firing in ladder.fired(0))
        return in_order(
            [
                *told.fired(run, fired, at),
                *(() if stop is None else told.stopped(run, stop.call, stop.kind, count, at)),
                *told.judged(run, self._judged(runs), at, finally_=True),
            ]
        )

    def _judged(self, runs: RunSet) -> Iterator[Judged]:
        choice = self._asked.question.graders_of(runs.trajectories[0])
        if choice.missing is not None:
            self.missing = choice.missing
            if runs.trajectories[0].not_judged is None:
                return
        for line in judge_lines(runs, self._asked.question):
            if line["grader"] == NAME:
                figures, at = line["metadata"], line["at"]
                yield Judged(
                    line["name"],
                    line["passed"],
                    None if figures is None else figures["occurrences"],
                    None if at is None else at["call"] - 1,
                    partial(str, line["evidence"]),
                )

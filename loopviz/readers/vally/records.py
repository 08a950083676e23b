"""A file of Vally's: its records one by one, trials and trajectories kept, the rest told apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers.base import Opened
from loopviz.readers.encoding import as_text
from loopviz.readers.fields import flag, member, number, text
from loopviz.readers.interning import Interner
from loopviz.readers.jsontext import Record, records
from loopviz.readers.naming import distinguished
from loopviz.readers.problems import Problems
from loopviz.readers.scanning import Members
from loopviz.readers.texts import plain
from loopviz.readers.vally.grades import outcome_of
from loopviz.readers.vally.runs import RunReader
from loopviz.readers.vally.shapes import NO_TRIALS, RESULTS, RUN_SUMMARY, Shape, shape_of, type_of
from loopviz.readers.watching import Watch


def read(file: Opened) -> Loaded:
    """Read a file of trajectories, results or outcomes, as one document, a list, or lines."""
    return _FileReader(file).read()


class _FileReader:
    def __init__(self, file: Opened) -> None:
        self._text = as_text(file.data)
        self._source = file.source
        self._interner = Interner()
        self._problems = Problems()
        self._watch = Watch(self._text, file.advance, self._problems)
        self._runs = RunReader(self._text, file.source, self._interner, self._watch)
        self._trajectories: list[Trajectory] = []
        self._left_out: Counter[str] = Counter()
        self._summary: Json = None
        self._complete = True
        """No trial came after the run summary."""

    def read(self) -> Loaded:
        for record in records(self._text, one_line_is_lines=self._source.format == RESULTS):
            self._take(record)
            if not self._watch.goes_on(record.stop):
                break
        self._watch.end(self._source.size)
        return Loaded(
            source=self._source,
            trajectories=self._finished(),
            problems=self._problems.listed(),
            notes=tuple(self._notes()),
        )

    def _take(self, record: Record) -> None:
        found = record.members
        place = record.where or f"byte {self._text.offset(record.start):,}"
        if found is None:
            self._problems.add(place, f"This {_noun(record)} {record.fault}; it is left out.")
            return
        record_type = self._type(found)
        shape = shape_of(found.spans.keys(), record_type)
        if shape is Shape.NO_TRIAL and record_type is not None:
            self._leave_out(record, record_type)
        elif shape is Shape.STRANGE:
            self._problems.add(place, _strange(record_type))
        else:
            self._trajectories.append(self._runs.read(record, found, shape))
            self._complete = self._summary is None

    def _type(self, found: Members) -> str | None:
        span = found.spans.get("type")
        return type_of({"type": self._text.data[span.start : span.stop]}) if span else None

    def _leave_out(self, record: Record, record_type: str) -> None:
        self._left_out[record_type] += 1
        if record_type == RUN_SUMMARY:
            try:
                self._summary = plain(self._text.data[record.start : record.stop])
            except ValueError:
                self._problems.add(record.where, "This run summary is not JSON; it is left out.")
            self._complete = True

    def _finished(self) -> tuple[Trajectory, ...]:
        """The trajectories, with what only the whole file tells."""
        codebook = self._interner.codebook()
        names = distinguished(trajectory.run for trajectory in self._trajectories)
        return tuple(
            replace(
                trajectory,
                run=run,
                codebook=codebook,
                threshold=(threshold := self._threshold(trajectory)),
                outcome=outcome_of(trajectory.grade, threshold),
            )
            for run, trajectory in zip(names, self._trajectories, strict=True)
        )

    def _threshold(self, trajectory: Trajectory) -> float | None:
        """The score from which the trial passes: its own record's, else that of its eval in the run summary."""
        evals = member(self._summary, "evals")
        if trajectory.threshold is not None or not isinstance(evals, list):
            return trajectory.threshold
        own = [part for part in evals if trajectory.eval_name in (None, text(member(part, "name")))]
        return number(member(own[0], "threshold")) if len(own) == 1 else None

    def _notes(self) -> list[str]:
        notes = [
            f"{count:,} {NO_TRIALS[kind][count > 1]} left out: no trial." for kind, count in self._left_out.items()
        ]
        passed = flag(member(self._summary, "passed"))
        if passed is not None:
            notes.append(f"The run summary says: {'passed' if passed else 'failed'}.")
        if not self._complete:
            notes.append("Trials stand behind the last run summary, so the run may not be complete.")
        return notes


def _noun(record: Record) -> str:
    return "line" if record.line is not None else "record"


def _strange(record_type: str | None) -> str:
    if record_type is None:
        return "This is no record that Vally writes: it has no trajectory, grade or events; it is left out."
    return f"Records of type {record_type!r} are not known; it is left out."

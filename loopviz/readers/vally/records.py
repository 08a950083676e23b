"""A file of Vally's: its records one by one, trials and trajectories kept, the rest told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import repeat

from loopviz.model import Codebook, Json, Loaded, Source, Trajectory
from loopviz.readers.base import Opened
from loopviz.readers.encoding import Text, as_text
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
    text = as_text(file.data)
    taken = Records(file.source)
    interner = Interner()
    watch = Watch(text, file.advance, taken.problems)
    runs = RunReader(text, file.source, interner, watch)
    for record in records(text, one_line_is_lines=file.source.format == RESULTS):
        taken.take(record, runs)
        if not watch.goes_on(record.stop):
            break
    watch.end(file.source.size)
    return taken.loaded(repeat(interner.codebook()))


class Records:
    """What the records of a file gave so far."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems = Problems()
        """What belongs to no single run."""
        self._trajectories: list[Trajectory] = []
        self._left_out: Counter[str] = Counter()
        self._summary: Json = None
        self._complete = True
        """No trial came after the run summary."""

    @property
    def ended(self) -> bool:
        """Whether a run summary stands behind all trials."""
        return self._summary is not None and self._complete

    def take(self, record: Record, runs: RunReader) -> Trajectory | None:
        """Take the next record of the file: the run in it, if there is one, with the codebook of no value."""
        found, text = record.members, runs.text
        place = record.where or f"byte {text.offset(record.start):,}"
        if found is None:
            self.problems.add(place, f"This {_noun(record)} {record.fault}; it is left out.")
            return None
        record_type = _type(found, text)
        shape = shape_of(found.spans.keys(), record_type)
        if shape is Shape.NO_TRIAL and record_type is not None:
            self._leave_out(record, record_type, text)
        elif shape is Shape.STRANGE:
            self.problems.add(place, _strange(record_type))
        else:
            self._trajectories.append(runs.read(record, found, shape))
            self._complete = self._summary is None
            return self._trajectories[-1]
        return None

    def loaded(self, codebooks: Iterable[Codebook]) -> Loaded:
        """Everything that was taken; each run with its codebook, which it may share with others."""
        return Loaded(
            source=self.source,
            trajectories=self._finished(codebooks),
            problems=self.problems.listed(),
            notes=tuple(self._notes()),
        )

    def _leave_out(self, record: Record, record_type: str, text: Text) -> None:
        self._left_out[record_type] += 1
        if record_type == RUN_SUMMARY:
            try:
                self._summary = plain(text.data[record.start : record.stop])
            except ValueError:
                self.problems.add(record.where, "This run summary is not JSON; it is left out.")
            self._complete = True

    def _finished(self, codebooks: Iterable[Codebook]) -> tuple[Trajectory, ...]:
        """The trajectories, with what only the whole file tells."""
        names = distinguished(trajectory.run for trajectory in self._trajectories)
        return tuple(
            replace(
                trajectory,
                run=run,
                source=self.source,
                codebook=codebook,
                threshold=(threshold := self._threshold(trajectory)),
                outcome=outcome_of(trajectory.grade, threshold),
            )
            for run, trajectory, codebook in zip(names, self._trajectories, codebooks, strict=False)
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


def _type(found: Members, text: Text) -> str | None:
    span = found.spans.get("type")
    return type_of({"type": text.data[span.start : span.stop]}) if span else None


def _noun(record: Record) -> str:
    return "line" if record.line is not None else "record"


def _strange(record_type: str | None) -> str:
    if record_type is None:
        return "This is no record that Vally writes: it has no trajectory, grade or events; it is left out."
    return f"Records of type {record_type!r} are not known; it is left out."

"""Commands that read a label file: `suggest`, and the pins that `grade --labels` checks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loopviz.analysis.lines import Line, Question
from loopviz.analysis.runset import RunSet
from loopviz.tuning import files
from loopviz.tuning.applying import apply
from loopviz.tuning.labels import Book, Key, Label
from loopviz.tuning.lines import pin_lines
from loopviz.tuning.words import counted

NAMED = 3
"""Runs that are named where labels could not be used."""


class Labels:
    """A label file, and which of its labels met a run.

    Raises:
        LabelsError: if the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.book: Book = files.load(path)
        self._met: set[Key] = set()
        self._stale: dict[Key, Label] = {}
        self._unfit: dict[Key, Label] = {}

    def of(self, runs: RunSet) -> tuple[tuple[Label, ...], ...]:
        """What the file says of each run."""
        applied = apply(self.book, runs.trajectories)
        self._met |= {label.key for own in applied.of_run for label in own}
        self._stale |= {label.key: label for label in applied.stale}
        self._unfit |= {label.key: label for label in applied.unfit}
        return applied.of_run

    def pin_lines(self, runs: RunSet, question: Question) -> Iterator[Line]:
        """A line for each pin of these runs."""
        return pin_lines(runs, self.of(runs), question)

    @property
    def stale(self) -> list[Label]:
        """Labels of runs that bear the same name and have changed since."""
        return [label for key, label in self._stale.items() if key not in self._met]

    @property
    def absent(self) -> list[Label]:
        """Labels of runs that are not there."""
        told = self._met | self._stale.keys() | self._unfit.keys()
        return [label for label in self.book.labels if label.key not in told]

    def faulty_pins(self) -> Iterator[tuple[Label, str]]:
        """Pins of runs that are there which could not be checked, each with the reason as a sentence."""
        for label in self.stale:
            if label.pin:
                yield label, "The run changed since it was pinned, so the pin was not checked. Pin it anew."
        for label in self._unfit.values():
            if label.pin:
                yield label, "The run has no such calls, so the pin was not checked."

    def faults(self) -> Iterator[str]:
        """What of the file could not be used, as sentences; some of it may have been meant for these runs."""
        for problem in self.book.problems:
            yield f"{self.path}, {problem.where}: {problem.message}"
        if self.stale:
            names = ", ".join(dict.fromkeys(label.run for label in self.stale[:NAMED]))
            names += ", …" if len(self.stale) > NAMED else ""
            many = counted(len(self.stale), "label")
            yield f"{self.path}: {many} of runs that changed since, not used: {names}. Label them anew."
        if any(label.is_of_bytes for label in self.stale):
            yield (
                f"{self.path}: labels of an older version take a new grade for a change too; those of this one do not."
            )
        for label in self._unfit.values():
            first, last = label.calls or (0, 0)
            yield f"{self.path}: the run {label.run} has no calls {first} to {last}; its label is not used."

    def notes(self) -> Iterator[str]:
        """What of the file was not asked for."""
        if self.absent:
            yield f"{self.path}: {counted(len(self.absent), 'label')} of runs that are not among these."

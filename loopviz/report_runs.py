"""Which runs `loopviz report` writes, what it says of those it cannot judge, and what it refuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from loopviz.analysis.lines import Question
from loopviz.model import Loaded, Trajectory
from loopviz.readers.limits import limits_given
from loopviz.readers.loading import Unread, find_and_read
from loopviz.report.document import heading
from loopviz.report.export import Export
from loopviz.report.page import Page
from loopviz.report.release import run_key
from loopviz.report.rows import RunRows
from loopviz.report.texts import CELL, brief
from loopviz.status import NO_RUN, Status, note_patterns, say, show_progress
from loopviz.terminal import safe

NAMED = 5
"""How many runs are named where one must be chosen."""


class Refused(ValueError):
    """What was asked cannot be written; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is to be written, of whatever format."""

    paths: Sequence[str]
    question: Question
    export: Export
    run: str | None = None
    """The one run to take, by its name."""
    read_as: str | None = None
    to: str = ""
    """Where it is to be written."""
    status: Status = field(default_factory=Status)

    def files(self) -> Iterator[Loaded]:
        """Every file that can be read; what is wrong with the others is said and counted.

        Raises:
            Refused: where one of them is the very file that is to be written.
        """
        progress = show_progress if sys.stderr.isatty() else None
        for found in find_and_read(self.paths, format=self.read_as, progress=progress, limits=limits_given()):
            if isinstance(found, Unread):
                self._unread(found)
            else:
                if found.trajectories and _is_same_file(found.source.name, self.to):
                    raise Refused(f"-o {self.to}: that is one of the recordings; name another file.")
                self._note(found)
                yield found
        self.status.report_passed_over()

    def runs_by_file(self) -> Iterator[list[Trajectory]]:
        """The runs that are asked for, those of a file together.

        Raises:
            Refused: at the end, where there was none.
        """
        n_runs = 0
        for loaded in self.files():
            named = self._named(loaded.trajectories)
            n_runs += len(named)
            if named:
                yield named
        if not n_runs:
            raise Refused(
                "There is no run to report." if self.run is None else f"--run {self.run}: there is no such run."
            )

    def the_one(self, path: Path) -> Trajectory:
        """The run for a file that holds one.

        Raises:
            Refused: where there is none, or several.
        """
        runs = [trajectory for named in self.runs_by_file() for trajectory in named]
        if len(runs) == 1:
            return runs[0]
        keys = [run_key(one, replace(self.export, redact=False)) for one in runs[:NAMED]]
        names = ", ".join(keys) + (", …" if len(runs) > NAMED else "")
        if self.run is not None:
            raise Refused(f"--run {self.run}: {len(runs):,} runs are called so; give one of {names}")
        raise Refused(
            f"{path} holds one run, and there are {len(runs):,}: name a folder, or one of them with --run: {names}"
        )

    def _named(self, runs: Sequence[Trajectory]) -> list[Trajectory]:
        """The runs that bear the name: their own, that of their page's title, or one that a link or an export has."""
        if self.run is None:
            return list(runs)
        exports = [replace(self.export, redact=redact) for redact in (False, True)]
        return [one for one in runs if self.run in (one.run, heading(one), *(run_key(one, each) for each in exports))]

    def _note(self, found: Loaded) -> None:
        if not self.export.redact:  # what is wrong with a file is told in its own words
            self.status.report_file(found)
            note_patterns(found, self.question)
        elif found.problems:
            say(f"note: {len(found.problems):,} parts of {found.source.name} could not be used.")

    def _unread(self, found: Unread) -> None:
        if self.export.redact and found.named:
            found = Unread(path=found.path, reason="The file cannot be used.", named=True)
        elif self.export.redact:
            found = Unread(path=found.path, reason=NO_RUN, named=False)
        self.status.unread(found)

    def count(self, page: Page) -> None:
        """Count the verdicts of a page, and say what is not judged."""
        document = page.document
        self.status.verdicts[document.passed] += 1
        if document.passed is None:
            say(f"note: {document.heading}: not judged: {brief(document.verdict['sentence'][0]['text'], CELL)}")
        for row in document.graders:
            if row.passed is None:
                self.status.verdicts[None] += 1
                say(f"note: {document.heading}: {row.name}: not judged: {row.words}")

    def count_rows(self, told: Iterable[RunRows]) -> None:
        """The same of rows."""
        for one in told:
            for row in one.rows:
                self.status.verdicts[row["passed"]] += 1
                if row["passed"] is None:
                    grader = f"{row['name']}: " if len(one.rows) > 1 else ""
                    say(f"note: {one.heading}: {grader}{brief(row['evidence'], CELL)}")

    @property
    def unread(self) -> list[tuple[str, str]]:
        """(path, reason) of the files that could not be used."""
        return [(one.path, one.reason) for one in self.status.unusable_files]


def _is_same_file(one: str, other: str) -> bool:
    return os.path.isfile(one) and os.path.isfile(other) and os.path.samefile(one, other)


def tell(words: str) -> None:
    """Say on standard output what was written."""
    encoding = sys.stdout.encoding or "utf-8"
    print(safe(words).encode(encoding, "backslashreplace").decode(encoding))

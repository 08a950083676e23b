"""What every command says of the files it reads, and the exit status that follows from it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TextIO

from loopviz.analysis.lines import Line, Question
from loopviz.labelled import Labels
from loopviz.masking import mask_text
from loopviz.model import Loaded
from loopviz.patterns import notes
from loopviz.readers.limits import limits_given
from loopviz.readers.loading import Unread, find_and_read
from loopviz.terminal import safe
from loopviz.tuning.lines import Compared, Flip

OK, FAILED, UNUSABLE = 0, 1, 2
"""Exit statuses."""
LARGE = 20_000_000
"""Bytes from which a file's progress is worth a line."""
NAMED = 5
"""How many of the files that were passed over, or of which one note is true, are named."""
NO_RUN = "This is no recorded run"
"""How the reason begins why a file is passed over that could be read but is something else."""


def read_files(paths: Sequence[str], status: Status, read_as: str | None = None) -> Iterator[Loaded]:
    """Every file that can be read; what is wrong with the others is said and counted."""
    progress = show_progress if sys.stderr.isatty() else None
    for found in find_and_read(paths, format=read_as, progress=progress, limits=limits_given()):
        if isinstance(found, Unread):
            status.unread(found)
        else:
            status.report_file(found)
            yield found


class Status:
    """Counts verdicts, and turns them into an exit status."""

    def __init__(self) -> None:
        self.verdicts: Counter[bool | None] = Counter()
        self.flips: list[Flip] = []
        """Runs whose verdict is another than that of the baseline."""
        self.unusable_baseline: list[str] = []
        """What the baseline could not judge, as sentences."""
        self.labels: Labels | None = None
        """The label file that was held against the runs."""
        self._unusable = False
        self._passed_over: list[str] = []
        self._notes: Counter[str] = Counter()
        self.unusable_files: list[Unread] = []

    def unread(self, found: Unread) -> None:
        """A file that no reader could use: a mistake when it was named, a note inside a folder."""
        if found.named:
            self._unusable = True
            self.unusable_files.append(found)
            say(f"{found.path}: {found.reason}")
        elif found.reason.startswith(NO_RUN):
            self._passed_over.append(found.path)
        else:
            say(f"note: {found.path}: {found.reason}")

    def report_file(self, loaded: Loaded) -> None:
        """Say what of a file could not be used, and what was left out on purpose; of many files alike only some."""
        for problem in loaded.problems:
            say(f"{loaded.source.name}, {problem.where}: {problem.message}")
        for note in loaded.notes:
            self._notes[note] += 1
            if self._notes[note] <= NAMED:
                say(f"note: {loaded.source.name}: {note}")

    def report_passed_over(self) -> None:
        """Name once, together, the files inside folders that no reader knows, and those of which a note was said."""
        for note, times in self._notes.items():
            if times > NAMED:
                say(f"note: {times - NAMED:,} more files: {note}")
        if self._passed_over:
            names = ", ".join(self._passed_over[:NAMED]) + (", …" if len(self._passed_over) > NAMED else "")
            say(f"note: passed over {len(self._passed_over):,} that are no recorded runs: {names}")

    def judged(self, line: Line) -> None:
        """Count a verdict."""
        self.verdicts[line["passed"]] += 1

    def compared(self, compared: Compared) -> None:
        """Note what an older config says otherwise; where it could not judge, nothing can be held against it."""
        self.flips += compared.flips
        self.unusable_baseline += compared.unusable
        for reason in compared.unusable:
            self._unusable = True
            say(reason)

    def report_labels(self, labels: Labels) -> None:
        """Say what of a label file could not be used: a mistake, since what it asks for was not checked."""
        self.labels = labels
        for fault in labels.faults():
            self._unusable = True
            say(fault)
        for note in labels.notes():
            say(f"note: {note}")

    def check_call(self, loaded: Loaded, call: int | None) -> None:
        """A call that was asked for and that no run of the file has."""
        longest = max((len(trajectory.calls) for trajectory in loaded.trajectories), default=0)
        if call is not None and not 0 <= call < longest:
            self._unusable = True
            say(f"--call {call + 1}: there is no such call; calls are numbered from 1 to {longest:,} here")

    @property
    def is_unusable(self) -> bool:
        """Whether something that was named could not be used."""
        return self._unusable

    @property
    def code(self) -> int:
        if self._unusable or self.verdicts[None]:
            return UNUSABLE
        return FAILED if self.verdicts[False] else OK

    def __str__(self) -> str:
        counts = f"{self.verdicts[False]:,} failed, {self.verdicts[True]:,} passed"
        if self.verdicts[None]:
            counts += f", {self.verdicts[None]:,} not judged"
        if self.flips:
            n_pass = sum(flip.passed for flip in self.flips)
            counts += f"; against the baseline {len(self.flips) - n_pass:,} now fail, {n_pass:,} now pass"
        return counts


def note_patterns(loaded: Loaded, question: Question) -> None:
    """Say which patterns of the graders match every tool: accepted, and seldom meant."""
    chosen = {id(t.stimulus_spec): question.graders_of(t) for t in loaded.trajectories}.values()
    tools = {pattern for one in chosen for g in one.graders if g.settings for pattern in g.settings.tools or ()}
    for note in notes(sorted(tools)):
        say(f"note: {loaded.source.name}: {note}")


def say(words: str) -> None:
    """Say something beside the verdicts: on standard error, on one line, secrets masked."""
    _write(sys.stderr, f"loopviz: {safe(mask_text(words))}")


def show_progress(name: str, done: int, total: int) -> None:
    """Say in one line of the terminal how far a large file is."""
    if total >= LARGE:
        end = "\n" if done >= total else "\r"
        print(f"loopviz: reading {safe(name)}: {100 * done // total} %", end=end, file=sys.stderr, flush=True)


def write(words: str) -> None:
    """Print what may hold anything that a file can: a lone surrogate, or signs the terminal does not know."""
    _write(sys.stdout, words)


def _write(stream: TextIO, words: str) -> None:
    encoding = stream.encoding or "utf-8"
    print(words.encode(encoding, "backslashreplace").decode(encoding), file=stream)

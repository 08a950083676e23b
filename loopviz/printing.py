"""What `grade` and `explain` print: verdicts on standard output, everything about the files on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from loopviz.analysis.lines import Line, Question, judge_lines
from loopviz.analysis.runset import RunSet
from loopviz.detectors import max_repeat
from loopviz.explaining import explain_run
from loopviz.junit import Junit
from loopviz.labelled import Labels
from loopviz.masking import mask, mask_text
from loopviz.status import Status, note_patterns, read_files, write
from loopviz.terminal import safe
from loopviz.tuning.lines import with_baseline
from loopviz.verdict_words import WORDS, differs, place, then_and_now


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is held against the verdicts."""

    baseline: Question | None = None
    """What judged the runs before, whose verdicts stand beside the new ones."""
    labels: Labels | None = None
    """A label file, whose pins are checked."""


def grade(
    paths: Sequence[str],
    question: Question,
    format: str,
    *,
    masked: bool,
    read_as: str | None = None,
    beside: Beside = Beside(),
) -> int:
    """Judge every run in some files and print a line for each verdict.

    Args:
        paths: Files and folders; `-` is standard input.
        question: What the runs are judged by.
        format: How to print: `text`, `json` or `junit`.
        masked: Hide what looks like a secret.
        read_as: Name of the reader to use for all files.
        beside: What is held against the verdicts.
    Returns:
        The exit status: 0 all passed, 1 at least one failed, 2 something could not be used, which wins.
    """
    printer = _PRINTERS[format]()
    status = Status()
    for found in read_files(paths, status, read_as):
        note_patterns(found, question)
        runs = RunSet(found.trajectories)
        lines: Iterable[Line] = judge_lines(runs, question)
        if beside.baseline is not None:
            compared = with_baseline(lines, judge_lines(runs, beside.baseline))
            status.compared(compared)
            lines = compared.lines
        for line in chain(lines, beside.labels.pin_lines(runs, question) if beside.labels else ()):
            status.judged(line)
            printer.take(mask(line) if masked else line)
    status.report_passed_over()
    if beside.labels is not None:
        status.report_labels(beside.labels)
    printer.end(status)
    return status.code


class _Json:
    """One object a line."""

    def take(self, line: Line) -> None:
        print(json.dumps(line, allow_nan=False))

    def end(self, status: Status) -> None:
        sys.stdout.flush()


class _Text:
    """One line a verdict, and a count at the end."""

    def take(self, line: Line) -> None:
        who = f"{safe(line['source'])} {safe(line['run'])}  {safe(line['name'])}"
        write(f"{WORDS[line['passed']]:<5}{who}: {safe(line['evidence'])}{place(line)}")
        if line["recorded"] and line["recorded"]["passed"] not in (None, line["passed"]):
            write(f"     ≠ the file records {WORDS[line['recorded']['passed']]}")
        if differs(line):
            write(f"     ≠ the baseline says {then_and_now(line)}")
        for problem in line["problems"]:
            write(f"     {safe(problem['where'])}: {safe(problem['message'])}")

    def end(self, status: Status) -> None:
        for flip in status.flips:
            write(f"now {'passes' if flip.passed else 'fails'}  {safe(flip.source)} {safe(flip.run)}")
        write(str(status))


class _Printer(Protocol):
    def take(self, line: Line) -> None: ...

    def end(self, status: Status) -> None: ...


_PRINTERS: dict[str, Callable[[], _Printer]] = {"json": _Json, "text": _Text, "junit": Junit}


def explain(path: str, question: Question, call: int | None, *, masked: bool, read_as: str | None = None) -> int:
    """Print the verdict on every run of a file, how it came about, and its steps.

    Args:
        path: The file.
        question: What its runs are judged by.
        call: A call to show in full, from 0.
        masked: Hide what looks like a secret.
        read_as: Name of the reader to use for the file.
    Returns:
        The exit status, as for `grade`.
    """
    status = Status()
    for found in read_files([path], status, read_as):
        note_patterns(found, question)
        for trajectory in found.trajectories:
            told = "\n".join(safe(line) for line in explain_run(trajectory, question, call, masked=masked))
            write(mask_text(told) if masked else told)
            for line in judge_lines(RunSet([trajectory]), question):
                status.judged(line)
                if line["grader"] != max_repeat.NAME:
                    write(f"  {line['name']}: {WORDS[line['passed']]}. {safe(line['evidence'])}{place(line)}")
        status.check_call(found, call)
    return status.code

"""What `grade` and `explain` print: verdicts on standard output, everything about the files on standard error."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol, TextIO
from xml.etree import ElementTree

from loopviz.analysis.lines import Line, Question, judge_lines
from loopviz.analysis.runset import RunSet
from loopviz.detectors import max_repeat
from loopviz.explaining import explain_run
from loopviz.labelled import Labels
from loopviz.masking import mask, mask_text
from loopviz.model import Loaded
from loopviz.patterns import notes
from loopviz.readers.limits import limits_given
from loopviz.readers.loading import Unread, find_and_read
from loopviz.terminal import safe
from loopviz.tuning.lines import differs, with_baseline

OK, FAILED, UNUSABLE = 0, 1, 2
"""Exit statuses."""
LARGE = 20_000_000
"""Bytes from which a file's progress is worth a line."""
NAMED = 5
"""How many of the files that were passed over, or of which one note is true, are named."""
NO_RUN = "This is no recorded run"
"""How the reason begins why a file is passed over that could be read but is something else."""
WORDS = {True: "PASS", False: "FAIL", None: "?"}


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
        lines = judge_lines(runs, question)
        if beside.baseline is not None:
            lines = with_baseline(lines, judge_lines(runs, beside.baseline))
        for line in chain(lines, beside.labels.pin_lines(runs, question) if beside.labels else ()):
            status.judged(line)
            printer.take(mask(line) if masked else line)
    status.report_passed_over()
    if beside.labels is not None:
        status.report_labels(beside.labels)
    printer.end(status)
    return status.code


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
        self.flips: Counter[bool | None] = Counter()
        """Verdicts that are others than those of the baseline."""
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
        if differs(line):
            self.flips[line["passed"]] += 1

    def report_labels(self, labels: Labels) -> None:
        """Say what of a label file could not be used: a mistake, since what it asks for was not checked."""
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
            counts += f"; against the baseline {self.flips[False]:,} now fail, {self.flips[True]:,} now pass"
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
        write(f"{WORDS[line['passed']]:<5}{who}: {safe(line['evidence'])}{_at(line)}")
        if line["recorded"] and line["recorded"]["passed"] not in (None, line["passed"]):
            write(f"     ≠ the file records {WORDS[line['recorded']['passed']]}")
        if differs(line):
            write(f"     ≠ the baseline says {_figure(line['baseline'])}, not {_figure(_now(line))}")
        for problem in line["problems"]:
            write(f"     {safe(problem['where'])}: {safe(problem['message'])}")

    def end(self, status: Status) -> None:
        write(str(status))


def _figure(told: Line) -> str:
    """`FAIL (4 in a row)`."""
    times = told["occurrences"]
    return f"{WORDS[told['passed']]}{'' if times is None else f' ({times} in a row)'}"


def _now(line: Line) -> Line:
    return {"passed": line["passed"], "occurrences": (line["metadata"] or {}).get("occurrences")}


def _at(line: Line) -> str:
    at = line["at"]
    if at is None:
        return ""
    turn = "" if at["turn"] is None else f"turn {at['turn']}, "
    return f" ({turn}call {at['call']})"


class _Junit:
    """A suite a file, a case a verdict, as continuous integration reads them."""

    def __init__(self) -> None:
        self._suites: dict[str, list[Line]] = {}

    def take(self, line: Line) -> None:
        self._suites.setdefault(line["source"], []).append(line)

    def end(self, status: Status) -> None:
        lines = [line for suite in self._suites.values() for line in suite]
        root = ElementTree.Element("testsuites", {"name": "loopviz", **_counts(lines)})
        for found in status.unusable_files:
            suite = ElementTree.SubElement(root, "testsuite", {"name": _xml(found.path), "tests": "1", "errors": "1"})
            case = ElementTree.SubElement(suite, "testcase", classname=_xml(found.path), name="read")
            ElementTree.SubElement(case, "error", message=_xml(found.reason))
        for source, lines in self._suites.items():
            suite = ElementTree.SubElement(root, "testsuite", {"name": _xml(source), **_counts(lines)})
            for line in lines:
                _add_case(suite, line)
        ElementTree.indent(root)
        write(ElementTree.tostring(root, encoding="unicode", xml_declaration=False))


def _counts(lines: Sequence[Line]) -> dict[str, str]:
    verdicts = Counter(line["passed"] for line in lines)
    return {
        "tests": str(verdicts.total()),
        "failures": str(verdicts[False]),
        "errors": str(verdicts[None]),
    }


def _add_case(suite: ElementTree.Element, line: Line) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=_xml(line["run"]), name=_xml(line["name"]))
    if line["passed"] is not True:
        kind = "error" if line["passed"] is None else "failure"
        detail = ElementTree.SubElement(case, kind, message=_xml(line["evidence"]))
        detail.text = _xml(f"{line['source']} {line['run']}{_at(line)}")


def _xml(words: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(
        sign
        if sign in "\t\n\r" or (" " <= sign <= "\ufffd" and not "\ud800" <= sign <= "\udfff") or sign > "\uffff"
        else "\ufffd"
        for sign in words
    )


class _Printer(Protocol):
    def take(self, line: Line) -> None: ...

    def end(self, status: Status) -> None: ...


_PRINTERS: dict[str, Callable[[], _Printer]] = {"json": _Json, "text": _Text, "junit": _Junit}


def write(words: str) -> None:
    """Print what may hold anything that a file can: a lone surrogate, or signs the terminal does not know."""
    _write(sys.stdout, words)


def _write(stream: TextIO, words: str) -> None:
    encoding = stream.encoding or "utf-8"
    print(words.encode(encoding, "backslashreplace").decode(encoding), file=stream)


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
                    write(f"  {line['name']}: {WORDS[line['passed']]}. {safe(line['evidence'])}{_at(line)}")
        status.check_call(found, call)
    return status.code

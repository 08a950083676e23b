"""`loopviz report`: one file in the format of its ending, or a folder with a page a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.report.export import Export
from loopviz.report.formats import ENDINGS, FORMATS, HTML, MARKDOWN, Format, MakeRuns
from loopviz.report.page import make_page
from loopviz.report.rows import RunRows, rows_of
from loopviz.report.summary import headline
from loopviz.report_folder import write_folder
from loopviz.report_runs import Asked, Refused, tell
from loopviz.status import say
from loopviz.timeline.words import plain, verdict_word
from loopviz.whole_files import write_whole

OK, UNUSABLE = 0, 2


def write_reports(
    paths: Sequence[str],
    to: str,
    question: Question,
    export: Export,
    *,
    run: str | None = None,
    read_as: str | None = None,
) -> int:
    """Read runs and write what is asked of them.

    Args:
        paths: Files and folders; `-` is standard input.
        to: A file, whose ending is one of `FORMATS`, or a folder.
        question: What the runs are judged by.
        export: What stays out, and what is put on top.
        run: The one run to take, by its name.
        read_as: Name of the reader to use for all files.
    Returns:
        The exit status: 0 when everything was written, 2 when something could not be used, judged or written.
    """
    asked = Asked(paths=paths, question=question, export=export, run=run, read_as=read_as, to=to)
    try:
        _write(to, asked)
    except Refused as refusal:
        say(str(refusal))
        return UNUSABLE
    except OSError as error:
        say(f"{error.filename or to}: cannot be written: {error.strerror or error}.")
        return UNUSABLE
    return UNUSABLE if asked.status.code == UNUSABLE else OK


def _write(to: str, asked: Asked) -> None:
    path, format = Path(to), _format_of(to)
    if format is None:
        write_folder(path, asked)
    elif format is HTML:
        _write_page(path, asked)
    elif format.of_runs is None:
        _write_one(path, format, asked)
    else:
        _write_runs(path, format, format.of_runs, asked)


def _format_of(to: str) -> Format | None:
    """The format of a file by its ending; None for a folder: that has none, is there already, or ends with a slash.

    Raises:
        Refused: for another ending, and for no name at all.
    """
    if not to.strip():
        raise Refused(f"-o: it is empty; name a file that ends in {ENDINGS}, or a folder.")
    name, ending = Path(to).name, Path(to).suffix.lower()
    if name.lower() in FORMATS:
        raise Refused(f"-o {to}: {name} is an ending without a name; name a file that ends in {ENDINGS}, or a folder.")
    if not ending or to.endswith(("/", os.sep)) or os.path.isdir(to):
        return None
    if ending in FORMATS:
        return FORMATS[ending]
    raise Refused(
        f"-o {to}: name a file that ends in {ENDINGS}, or a folder; a folder with a dot in its name ends in /."
    )


def _write_page(path: Path, asked: Asked) -> None:
    page = make_page(asked.the_one(path), asked.question, asked.export)
    asked.count(page)
    write_whole(path, page.html)
    verdict = page.document.verdict
    tell(f"Wrote {path}: {verdict['badge']}. {plain(verdict['sentence'])}")


def _write_one(path: Path, format: Format, asked: Asked) -> None:
    """Write what holds one run."""
    trajectory = asked.the_one(path)
    told = rows_of(RunSet([trajectory]), asked.question, asked.export)
    asked.count_rows(told)
    write_whole(path, format.of_run(trajectory, asked.question, asked.export))
    tell(f"Wrote {path}: {_said(told)}")


def _write_runs(path: Path, format: Format, make: MakeRuns, asked: Asked) -> None:
    """Write what holds any number of runs; Markdown of a single one tells more of that."""
    told: list[RunRows] = []
    last: Trajectory | None = None
    for runs in asked.runs_by_file():
        last = runs[-1]
        told += rows_of(RunSet(runs), asked.question, asked.export)
    asked.count_rows(told)
    if format is MARKDOWN and len(told) == 1 and last is not None:
        write_whole(path, format.of_run(last, asked.question, asked.export))
    else:
        write_whole(path, make(told, asked.unread, asked.export))
    tell(f"Wrote {path}: {_said(told)}")


def _said(told: Sequence[RunRows]) -> str:
    """`FAIL. bash gave the same output 5 times in a row; 3 are allowed.`, or how many of several fail."""
    if len(told) > 1:
        return f"{headline(told)}."
    evidence: str = told[0].deciding["evidence"]
    return evidence if told[0].passed is None else f"{verdict_word(told[0].passed)}. {evidence}"

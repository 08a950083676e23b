"""What `loopviz report` writes: one file for a run, or a folder with a page a run and a list of them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from loopviz.analysis.lines import Question
from loopviz.model import Loaded, Trajectory
from loopviz.readers.limits import limits_given
from loopviz.readers.loading import Unread, find_and_read
from loopviz.report.document import heading
from loopviz.report.export import Export
from loopviz.report.index import Entry, counts, entry, headline, make_index
from loopviz.report.names import INDEX, file_name, is_page_name
from loopviz.report.page import LISTED, Page, make_page
from loopviz.report.release import KEY_DIGITS
from loopviz.report.texts import CELL, brief
from loopviz.status import NO_RUN, Status, note_patterns, say, show_progress
from loopviz.terminal import safe
from loopviz.timeline.words import plain

OK, UNUSABLE = 0, 2
HTML = (".html", ".htm")
LATER = (".md", ".csv", ".json", ".svg")
"""Endings that are not written yet."""
NAMED = 5
"""How many runs are named where one must be chosen, and how many pages that were removed."""
HEAD = 4_000
"""Characters from a page's beginning that hold the mark of its folder."""


class Refused(ValueError):
    """What was asked cannot be written; the message says why and what to do."""


def write_reports(
    paths: Sequence[str],
    to: str,
    question: Question,
    export: Export,
    *,
    run: str | None = None,
    read_as: str | None = None,
) -> int:
    """Read runs and write their reports.

    Args:
        paths: Files and folders; `-` is standard input.
        to: A file that ends in `.html`, for one run, or a folder.
        question: What the runs are judged by.
        export: What stays out of the reports, and what is put on them.
        run: The one run to take, by its name.
        read_as: Name of the reader to use for all files.
    Returns:
        The exit status: 0 when everything was written, 2 when something could not be used, judged or written.
    """
    status = Status()
    files = _read(paths, read_as, question, export, status)
    try:
        if _is_file(to):
            _write_file(Path(to), files, question, export, run, status)
        else:
            _write_folder(Path(to), files, question, export, run, status)
    except Refused as refusal:
        say(str(refusal))
        return UNUSABLE
    except OSError as error:
        say(f"{error.filename or to}: cannot be written: {error.strerror or error}.")
        return UNUSABLE
    return UNUSABLE if status.code == UNUSABLE else OK


def _is_file(to: str) -> bool:
    """Whether a report goes into one file; a folder has no ending, is there already, or ends with a slash.

    Raises:
        Refused: for another ending, and for no name at all.
    """
    if not to.strip():
        raise Refused("-o: it is empty; name a file that ends in .html, or a folder.")
    name, ending = Path(to).name, Path(to).suffix.lower()
    if name.lower() in (*HTML, *LATER):
        raise Refused(f"-o {to}: {name} is an ending without a name; name a file that ends in .html, or a folder.")
    if not ending or to.endswith(("/", os.sep)) or os.path.isdir(to):
        return False
    if ending in HTML:
        return True
    if ending in LATER:
        raise Refused(f"-o {to}: {ending} files are not written yet; name a file that ends in .html, or a folder.")
    raise Refused(f"-o {to}: name a file that ends in .html, or a folder; a folder with a dot in its name ends in /.")


def _write_file(
    path: Path, files: Iterable[Loaded], question: Question, export: Export, run: str | None, status: Status
) -> None:
    runs = [trajectory for loaded in files for trajectory in loaded.trajectories]
    status.report_passed_over()
    trajectory = _the_one(_named(runs, run), path, run)
    page = make_page(trajectory, question, export)
    _count(page, status)
    _write(path, page.html)
    verdict = page.document.verdict
    _print(f"Wrote {path}: {verdict['badge']}. {plain(verdict['sentence'])}")


def _write_folder(
    folder: Path, files: Iterable[Loaded], question: Question, export: Export, run: str | None, status: Status
) -> None:
    entries: list[Entry] = []
    taken: set[str] = set()
    for loaded in files:
        for trajectory in _named(loaded.trajectories, run):
            name = file_name(trajectory, export, taken)
            taken.add(name)
            page = make_page(trajectory, question, export, index=INDEX)
            _count(page, status)
            _write(folder / name, page.html)
            entries.append(entry(page.document, name))
    status.report_passed_over()
    if not entries:
        raise Refused(_no_run(run))
    unread = [(one.path, one.reason) for one in status.unusable_files]
    _write(folder / INDEX, make_index(entries, unread, export))
    _remove_old_pages(folder, taken)
    _print(f"Wrote {folder / INDEX} and {len(entries):,} report{'' if len(entries) == 1 else 's'}: {_said(entries)}")


def _remove_old_pages(folder: Path, written: set[str]) -> None:
    """Remove the pages that an earlier report wrote into the folder: no list leads to them, and they may tell more."""
    old = [
        path
        for path in sorted(folder.iterdir())
        if path.name not in written and is_page_name(path.name) and _is_page_of_a_folder(path)
    ]
    for path in old:
        path.unlink()
    if old:
        names = ", ".join(path.name for path in old[:NAMED]) + (", …" if len(old) > NAMED else "")
        say(f"note: removed {len(old):,} page{'' if len(old) == 1 else 's'} of an earlier report: {names}")


def _is_page_of_a_folder(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, encoding="utf-8", errors="replace") as file:
        return f'<meta name="{LISTED}"' in file.read(HEAD)


def _said(entries: Sequence[Entry]) -> str:
    return f"{headline(entries)}. {counts(entries)}".strip()


def _read(
    paths: Sequence[str], read_as: str | None, question: Question, export: Export, status: Status
) -> Iterator[Loaded]:
    """Every file that can be read; what is wrong with the others is said and counted."""
    progress = show_progress if sys.stderr.isatty() else None
    for found in find_and_read(paths, format=read_as, progress=progress, limits=limits_given()):
        if isinstance(found, Unread):
            _unread(found, export, status)
        else:
            if not export.redact:  # what is wrong with a file is told in its own words
                status.report_file(found)
                note_patterns(found, question)
            elif found.problems:
                say(f"note: {len(found.problems):,} parts of {found.source.name} could not be used.")
            yield found


def _unread(found: Unread, export: Export, status: Status) -> None:
    if export.redact and found.named:
        found = Unread(path=found.path, reason="The file cannot be used.", named=True)
    elif export.redact:
        found = Unread(path=found.path, reason=NO_RUN, named=False)
    status.unread(found)


def _named(runs: Sequence[Trajectory], run: str | None) -> list[Trajectory]:
    """The runs that bear a name: their own, that of their page's title, or the one that a link of the app has."""
    return [one for one in runs if run in (None, one.run, heading(one), _key(one))]


def _key(trajectory: Trajectory) -> str:
    return f"{trajectory.run}.{trajectory.digest[:KEY_DIGITS]}"


def _the_one(runs: Sequence[Trajectory], path: Path, run: str | None) -> Trajectory:
    if not runs:
        raise Refused(_no_run(run))
    if len(runs) == 1:
        return runs[0]
    names = ", ".join(_key(one) for one in runs[:NAMED]) + (", …" if len(runs) > NAMED else "")
    if run is not None:
        raise Refused(f"--run {run}: {len(runs):,} runs are called so; give one of {names}")
    raise Refused(
        f"{path} holds one run, and there are {len(runs):,}: name a folder, or one of them with --run: {names}"
    )


def _no_run(run: str | None) -> str:
    return "There is no run to report." if run is None else f"--run {run}: there is no such run."


def _count(page: Page, status: Status) -> None:
    document = page.document
    status.verdicts[document.passed] += 1
    if document.passed is None:
        say(f"note: {document.heading}: not judged: {brief(document.verdict['sentence'][0]['text'], CELL)}")
    for row in document.graders:
        if row.passed is None:
            status.verdicts[None] += 1
            say(f"note: {document.heading}: {row.name}: not judged: {row.words}")


def _write(path: Path, text: str) -> None:
    """Write a file as a whole: whoever reads it meanwhile sees the old one, and a failure leaves that in place.

    Where a link stands, what it leads to is written.

    Raises:
        OSError: if it cannot be written; its file is the one that was asked for.
    """
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".loopviz-{os.getpid()}.tmp")  # short: the file's own name may be as long as names can be
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _print(words: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    print(safe(words).encode(encoding, "backslashreplace").decode(encoding))

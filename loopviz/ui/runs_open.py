"""Opening more files from the page, and saying what became of those that are open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from loopviz.readers.loading import Unread
from loopviz.timeline.words import number
from loopviz.ui.components.file_list import file_list
from loopviz.ui.library import Library
from loopviz.ui.opening import add_uploads, read_the_rest
from loopviz.ui.runs_formats import FORMATS, Cell, choose_format, format_cell, places_by_path, rows_of_read

MOST_ROWS = 200
"""Rows of one list that are shown."""
WHOLE = "the whole file"
NO_RUN = "This is no recorded run"
"""How the reason begins why a file is passed over that could be read but is something else."""

UNREAD_COLUMNS = ("File", "Place", "Reason", "Read as")

List = dict[str, Any]
Row = tuple[str | Cell, ...]


def uploaders() -> None:
    """Two ways to hand files over; whatever is in them decides how they are read."""
    with st.container(key="uploaders", horizontal=True):
        st.file_uploader(
            "Drop files here", accept_multiple_files=True, key="open.files", on_change=_take, args=("open.files",)
        )
        st.file_uploader(
            "or a folder", accept_multiple_files="directory", key="open.folder", on_change=_take, args=("open.folder",)
        )


def _take(key: str) -> None:
    add_uploads((file.name, file.getvalue()) for file in st.session_state[key] or ())


def say_stopped(library: Library) -> None:
    """Say that not everything was read, and offer to read the rest."""
    if library.stopped:
        with st.container(key="runs-stopped", horizontal=True, vertical_alignment="center"):
            st.text("Reading was stopped: what was read before is open. The lists below the runs name what is missing.")
            st.button("Read the rest", key="runs.rest", on_click=read_the_rest)


def files_in_words(library: Library) -> str:
    """`10 files · 8 read, 2 not`."""
    if library.samples:
        return "no files open"
    unread = sum(unread.named for unread in library.unread)
    total = len(library.loaded) + unread
    words = f"{number(total)} file{'' if total == 1 else 's'}"
    return f"{words} · {number(len(library.loaded))} read, {number(unread)} not" if unread else words


def list_files(library: Library) -> None:
    """Draw the lists of files; where the person chooses another reader for one, it is read anew."""
    lists = show_files(library)
    if lists and choose_format(library, file_list(lists, FORMATS, key="files")):
        st.rerun()


def show_files(library: Library) -> list[List]:
    """What the component of that name draws: files that gave nothing, and what could not be used in the others."""
    lists: list[List] = library.runs.kept.get("file lists", lambda: [part for part in _lists(library) if part["rows"]])
    return lists


def _lists(library: Library) -> list[List]:
    named = [unread for unread in library.unread if unread.named]
    passed_over = [unread for unread in library.unread if not unread.named]
    problems = [(file.source.name, problem) for file in library.loaded for problem in file.problems]
    problems += [(run.source.name, problem) for run in library.trajectories for problem in run.problems]
    n_read, read = (0, []) if library.samples else rows_of_read(library, MOST_ROWS)
    return [
        _list(
            "unread",
            f"{_counted(len(named), 'file')} could not be read",
            "none of their content is in the counts above",
            UNREAD_COLUMNS,
            _unread_rows(library, named),
            open=True,
        ),
        _list(
            "others",
            f"{_counted(len(passed_over), 'other file')} in the folders",
            _why(passed_over),
            UNREAD_COLUMNS,
            _unread_rows(library, passed_over),
            open=not library.trajectories,
        ),
        _list(
            "problems",
            f"{_counted(len(problems), 'place')} in the files could not be used",
            "the rest of those files is in the counts above",
            ("File", "Place", "What was wrong"),
            [(file, problem.where, problem.message) for file, problem in problems],
        ),
        _list(
            "notes",
            f"{_counted(sum(len(file.notes) for file in library.loaded), 'note')} on the files",
            "",
            ("File", "", "Note"),
            [(file.source.name, "", note) for file in library.loaded for note in file.notes],
        ),
        _list(
            "spec",
            f"{library.open_spec.file.path if library.open_spec else ''} is open as the eval spec",
            "",
            ("File", "Holds", ""),
            _spec_rows(library),
        ),
        _list(
            "read",
            f"{_counted(n_read, 'file')} {'was' if n_read == 1 else 'were'} read",
            _chosen(library),
            ("File", "Holds", "Read as"),
            read,
            more=n_read - len(read),
        ),
    ]


def _unread_rows(library: Library, files: Sequence[Unread]) -> list[Row]:
    places = places_by_path(library)
    return [
        (file.path, WHOLE, file.reason, format_cell(library, places[file.path]) if file.path in places else "")
        for file in files
    ]


def _spec_rows(library: Library) -> list[Row]:
    spec = library.open_spec
    if spec is None:
        return []
    n_stimuli, n_graders = len(spec.config.stimuli), sum(len(one.graders) for one in spec.config.stimuli)
    holds = f"{number(n_stimuli)} {'stimulus' if n_stimuli == 1 else 'stimuli'}"
    return [(spec.file.path, holds, f"{_counted(n_graders, 'max-repeat grader')}; Tune shows what would change in it")]


def _chosen(library: Library) -> str:
    unread = {unread.path for unread in library.unread}
    chosen = sum(file.format is not None and file.path not in unread for file in library.files)
    return f"{number(chosen)} by the reader that you chose" if chosen else "each by the reader that knows it best"


def _why(passed_over: Sequence[Unread]) -> str:
    if not all(unread.reason.startswith(NO_RUN) for unread in passed_over):
        return "passed over, for the reason given"
    return f"passed over: no reader knows {'it' if len(passed_over) == 1 else 'them'}"


def _list(
    name: str, title: str, note: str, columns: Sequence[str], rows: Sequence[Row], *, open: bool = False, more: int = 0
) -> List:
    rest = len(rows) - MOST_ROWS + more if len(rows) > MOST_ROWS else more
    return {
        "name": name,
        "title": title,
        "note": note,
        "open": open,
        "columns": columns,
        "rows": rows[:MOST_ROWS],
        "more": f"and {number(rest)} more" if rest > 0 else "",
    }


def _counted(count: int, what: str) -> str:
    return f"{number(count)} {what}{'' if count == 1 else 's'}"

"""Opening more files from the page, and saying what became of those that are open."""

from __future__ import annotations

from typing import Any

import streamlit as st

from loopviz.timeline.words import number
from loopviz.ui.library import Library, add_uploads

MOST_PROBLEMS = 1_000
"""Problems of single runs that are listed; the run's own page holds them all."""

List = dict[str, Any]


def uploaders() -> None:
    """Two ways to hand files over; whatever is in them decides how they are read."""
    with st.container(key="uploaders"):
        st.file_uploader(
            "Files", accept_multiple_files=True, key="open.files", on_change=_take, args=("open.files",)
        )
        st.file_uploader(
            "A folder", accept_multiple_files="directory", key="open.folder", on_change=_take, args=("open.folder",)
        )


def _take(key: str) -> None:
    add_uploads((file.name, file.getvalue()) for file in st.session_state[key] or ())


def files_in_words(library: Library) -> str:
    """`10 files · 8 read, 2 not`."""
    if library.samples:
        return "no files open"
    unread = sum(unread.named for unread in library.unread)
    total = len(library.loaded) + unread
    words = f"{number(total)} file{'' if total == 1 else 's'}"
    return f"{words} · {number(len(library.loaded))} read, {number(unread)} not" if unread else words


def show_files(library: Library) -> list[List]:
    """What the component of that name draws: files that gave nothing, and what could not be used in the others."""
    return [part for part in (_not_read(library), _passed_over(library), _problems(library), _notes(library)) if part]


def _not_read(library: Library) -> List | None:
    rows = [[unread.path, "the whole file", unread.reason] for unread in library.unread if unread.named]
    if not rows:
        return None
    return {
        "title": f"{number(len(rows))} file{'' if len(rows) == 1 else 's'} could not be read",
        "note": "none of their content is in the counts above",
        "open": True,
        "columns": ["File", "Place", "Reason"],
        "rows": rows,
    }


def _passed_over(library: Library) -> List | None:
    rows = [[unread.path, "the whole file", unread.reason] for unread in library.unread if not unread.named]
    if not rows:
        return None
    return {
        "title": f"{number(len(rows))} other file{'' if len(rows) == 1 else 's'} in the folders",
        "note": "no reader knows them, so they were passed over",
        "open": not library.trajectories,
        "columns": ["File", "Place", "Reason"],
        "rows": rows,
    }


def _problems(library: Library) -> List | None:
    rows = [[file.source.name, problem.where, problem.message] for file in library.loaded for problem in file.problems]
    rows += [
        [trajectory.source.name, problem.where, problem.message]
        for trajectory in library.trajectories
        for problem in trajectory.problems
    ]
    if not rows:
        return None
    return {
        "title": f"{number(len(rows))} place{'' if len(rows) == 1 else 's'} in the files could not be used as they stood",
        "note": "the rest of those files is in the counts above",
        "open": False,
        "columns": ["File", "Place", "What was wrong"],
        "rows": rows[:MOST_PROBLEMS],
    }


def _notes(library: Library) -> List | None:
    rows = [[file.source.name, "", note] for file in library.loaded for note in file.notes]
    if not rows:
        return None
    return {
        "title": f"{number(len(rows))} note{'' if len(rows) == 1 else 's'} on the files",
        "note": "",
        "open": False,
        "columns": ["File", "", "Note"],
        "rows": rows,
    }

"""Where labels are kept: in the file that was chosen for all of the app, or in this session until one is chosen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from loopviz.tuning.files import LabelsError, change, load
from loopviz.tuning.labels import Applied, Book, Key, Label, apply
from loopviz.tuning.merging import Merged, merge
from loopviz.ui.launch import keep_labels_in, labels_given
from loopviz.ui.library import Library

_BOOK, _READ, _FAULT, _READ_FAULT = "labels.book", "labels.read", "labels.fault", "labels.read_fault"


def path() -> Path | None:
    """The label file; None where labels are kept in this session alone."""
    chosen = labels_given()
    return Path(chosen) if chosen else None


def choose(file: Path) -> Merged | None:
    """Keep labels in this file from now on, those of this session among them; None where it cannot be used.

    What this session says of the same run or stretch takes the place of what the file says.
    """
    said = _session_book()
    done: list[Merged] = []

    def edit(book: Book) -> Book:
        done[:] = [merge(book, said, replace=True)]
        return done[0].book

    if not _change(edit, file):
        return None
    st.session_state.pop(_BOOK, None)
    keep_labels_in(str(file))
    return done[0]


def book() -> Book:
    """What is said so far; nothing where the file cannot be read, which `fault` tells."""
    chosen = path()
    if chosen is None:
        return _session_book()
    st.session_state.pop(_READ_FAULT, None)
    try:
        return _load(chosen)
    except LabelsError as error:
        st.session_state[_READ_FAULT] = str(error)
        return Book()


def put(label: Label) -> None:
    """Say something of a run or a stretch."""
    _change(lambda book: book.put(label), path())


def put_first(label: Label) -> Label | None:
    """Say something of a run that nobody had said anything of when the page was drawn.

    Returns:
        What somebody else has said of it since, which stays; None where the label was put.
    """
    stood: list[Label | None] = [None]

    def edit(book: Book) -> Book:
        stood[0] = book.find(label.key)
        return book.put(label) if stood[0] is None else book

    _change(edit, path())
    return stood[0]


def remove(key: Key) -> None:
    """Take back what was said of a run or a stretch."""
    _change(lambda book: book.remove(key), path())


def renew(key: Key, label: Label) -> None:
    """Say again of a run that has changed what was said of it before."""
    _change(lambda book: book.remove(key).put(label), path())


def take_in(other: Book) -> Merged | None:
    """Take in the labels of another file; what is kept already stays. None where that cannot be done."""
    done: list[Merged] = []

    def edit(book: Book) -> Book:
        done[:] = [merge(book, other)]
        return done[0].book

    return done[0] if _change(edit, path()) else None


def fault() -> str | None:
    """Why the label file cannot be read, or could not be written the last time."""
    told: str | None = st.session_state.get(_READ_FAULT) or st.session_state.get(_FAULT)
    return told


def said_of(library: Library) -> Applied:
    """What is said of the runs that are open; the answer is kept while nothing changes."""
    now = book()
    applied: Applied = library.runs.kept.get(("labels", now.lines), lambda: apply(now, library.trajectories))
    return applied


def _session_book() -> Book:
    kept: Book = st.session_state.get(_BOOK) or Book()
    return kept


def _load(file: Path) -> Book:
    """The file's labels, read anew only where it is another file by now, or was written since."""
    try:
        found = os.stat(file)
        stamp = (str(file), found.st_ino, found.st_mtime_ns, found.st_size)
    except OSError:
        return load(file)
    kept: tuple[object, Book] | None = st.session_state.get(_READ)
    if kept is None or kept[0] != stamp:
        kept = stamp, load(file)
        st.session_state[_READ] = kept
    return kept[1]


def _change(edit: Callable[[Book], Book], file: Path | None) -> bool:
    """Change what is said; false where the file could not be written, which `fault` tells."""
    st.session_state.pop(_FAULT, None)
    if file is None:
        st.session_state[_BOOK] = edit(_session_book())
        return True
    try:
        change(file, edit)
    except LabelsError as error:
        st.session_state[_FAULT] = f"{error} What you said last is not kept."
        return False
    return True

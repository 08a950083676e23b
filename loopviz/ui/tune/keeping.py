"""Where labels are kept: in the file that was chosen for all of the app, or in this session until one is chosen."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from loopviz.tuning.applying import Applied, apply
from loopviz.tuning.files import LabelsError, change, load, refuse_unless_plain
from loopviz.tuning.labels import Book, Key, Label
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


def put(label: Label, instead: Sequence[Key] = ()) -> None:
    """Say something of a run or a stretch, instead of what these keys said of it."""
    _change(lambda book: book.remove(*instead).put(label), path())


def put_first(label: Label, keys: Sequence[Key]) -> Label | None:
    """Say something of a run that nobody had said anything of when the page was drawn.

    Args:
        label: What is said.
        keys: What anything said of the same would bear.
    Returns:
        What somebody else has said of it since, which stays; None where the label was put.
    """
    stood: list[Label | None] = [None]

    def edit(book: Book) -> Book:
        stood[0] = book.find(*keys)
        return book.put(label) if stood[0] is None else book

    _change(edit, path())
    return stood[0]


def change_if(label: Label | None, keys: Sequence[Key], expected: Callable[[Label | None], bool]) -> Book | None:
    """Say something, or take back what was said, where what stands is what the person saw.

    Args:
        label: What is said; None takes back.
        keys: What anything said of the same bears.
        expected: Whether what stands now is what was seen.
    Returns:
        The book as it stands where something else was said since, which stays; None where the change was made.
    """
    met: list[Book] = []

    def edit(book: Book) -> Book:
        if not expected(book.find(*keys)):
            met.append(book)
            return book
        kept = book.remove(*keys)
        return kept if label is None else kept.put(label)

    _change(edit, path())
    return met[0] if met else None


def remove(*keys: Key) -> None:
    """Take back what was said of a run or a stretch."""
    _change(lambda book: book.remove(*keys), path())


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
    return refused() or unreadable()


def refused() -> str | None:
    """Why what was said last is not kept."""
    told: str | None = st.session_state.get(_FAULT)
    return told


def unreadable() -> str | None:
    """Why the label file cannot be read, so that no label counts."""
    told: str | None = st.session_state.get(_READ_FAULT)
    return told


@dataclass(frozen=True, slots=True)
class Kept:
    """What is said at one moment."""

    book: Book
    applied: Applied
    """The same by run."""


def now(library: Library) -> Kept:
    """What is said of the runs that are open; a page asks once each time it is drawn, so that all of it agrees."""
    said = book()
    applied: Applied = library.runs.kept.get(("labels", said.lines), lambda: apply(said, library.trajectories))
    return Kept(said, applied)


def said_of(library: Library) -> Applied:
    """The same by run alone."""
    return now(library).applied


def n_labels_in(file: Path) -> int:
    """How many labels a file holds that is not in use; none where it is not there or cannot be read."""
    try:
        return len(_load(file).labels) if file.is_file() else 0
    except LabelsError:
        return 0


def _session_book() -> Book:
    kept: Book = st.session_state.get(_BOOK) or Book()
    return kept


def _load(file: Path) -> Book:
    """The file's labels, read anew only where it is another file by now, or was written since."""
    refuse_unless_plain(file)
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

"""*Labels*: the file they are kept in, taking them along, taking others in, and what of them needs a person."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from loopviz.tuning.labels import Book, read
from loopviz.tuning.merging import Merged
from loopviz.tuning.words import counted
from loopviz.ui.components.tune import tune_sections
from loopviz.ui.launch import paths_given, serves_this_computer_alone
from loopviz.ui.library import Library
from loopviz.ui.tune import keeping
from loopviz.ui.tune.places import LARGEST, USUAL, folders, refusal
from loopviz.ui.tune.telling import kept_words, show_said

_NAME, _FOLDER, _UPLOAD, _TOLD = "labels.name", "labels.folder", "labels.upload", "labels.told"


def label_section(library: Library, kept: keeping.Kept) -> str | None:
    """Draw the section; what was clicked in it."""
    book, applied = kept.book, kept.applied
    with st.container(key="tune-labels"):
        st.header("Labels", anchor=False)
        path = keeping.path()
        st.text(_where(book, path))
        _choice()
        _along(book.text())
        told: tuple[Book, str] | None = st.session_state.get(_TOLD)
        if told and told[0] == book:
            st.text(told[1])
        return tune_sections({"said": show_said(book, applied, library.trajectories, keeping.fault())}, key="tune-said")


def _where(book: Book, path: Path | None) -> str:
    """How many there are, and where they are kept."""
    if path is None:
        if not book.labels:
            return "No label yet. Without a file, labels are lost when the page is reloaded."
        return f"{kept_words(book)}, lost when the page is reloaded. Choose a file for them, or download them."
    if keeping.unreadable():
        return f"Labels are kept in {path}. It cannot be read now, so none of them counts."
    return f"{kept_words(book)}, kept in {path}, one line a label."


def _tell(words: str | None) -> None:
    """Say something until there are other labels."""
    st.session_state[_TOLD] = (keeping.book(), words) if words else None


def offer_found() -> None:
    """Offer the labels that lie beside the runs, as the app left them there the last time."""
    if keeping.path() is not None or not serves_this_computer_alone():
        return
    for folder in folders(paths_given()):
        n_found = keeping.n_labels_in(folder / USUAL)
        if n_found:
            with st.container(horizontal=True, vertical_alignment="center", key=f"tune-found-{folder}"):
                st.text(f"{counted(n_found, 'label')} found in {folder / USUAL}.")
                st.button("Use them", key=f"labels.use.{folder}", on_click=_keep_in, args=(folder, USUAL))


def _choice() -> None:
    """A name for the file, where a page may choose one; else why not."""
    places = folders(paths_given())
    if not serves_this_computer_alone():
        if keeping.path() is None:
            st.text(
                "Others on the network can open this app, so no page may choose a file to write to. Start it with "
                "--labels FILE to keep labels in one."
            )
        return
    if not places:
        if keeping.path() is None:
            st.text("Open runs by a path, or start loopviz with --labels FILE, to keep labels in a file.")
        return
    with st.container(horizontal=True, key="tune-label-file", vertical_alignment="bottom"):
        st.session_state.setdefault(_NAME, USUAL)
        st.text_input("Keep labels in a file beside the runs", key=_NAME, width=280)
        if len(places) > 1:
            st.selectbox("In the folder", places, key=_FOLDER, format_func=str, width=320)
        st.button("Keep them there", on_click=_keep, args=(places,))


def _keep(places: tuple[Path, ...]) -> None:
    _keep_in(st.session_state.get(_FOLDER) or places[0], st.session_state[_NAME].strip())


def _keep_in(folder: Path, name: str) -> None:
    reason = refusal(folder, name)
    if reason is not None:
        _tell(reason)
        return
    done = keeping.choose(folder / name)
    _tell(None if done is None else _chosen(done))


def _chosen(done: Merged) -> str:
    there = len(done.book.labels) - done.n_new - len(done.unlike)
    words = f"{counted(there, 'label')} stood there; {done.n_new:,} came in."
    if there and not done.n_new:
        words = f"{counted(there, 'label')} stood there and {'is' if there == 1 else 'are'} in use."
    if not done.book.labels:
        words = "From now on labels are kept there."
    if done.unlike:
        words += f" {len(done.unlike):,} of this session took the place of what it said of the same."
    return words


def _along(text: str) -> None:
    with st.container(horizontal=True, key="tune-label-buttons"):
        st.download_button(
            "Download labels", text, file_name=USUAL, mime="application/jsonl", disabled=not text, on_click="ignore"
        )
        with st.popover("Take in a label file"):
            st.text("Labels of a file come in; what is said already stays.")
            st.file_uploader(
                "Label file", type=["jsonl", "txt"], key=_UPLOAD, on_change=_take_in, label_visibility="collapsed"
            )


def _take_in() -> None:
    given = st.session_state.get(_UPLOAD)
    if given is None:
        return
    _tell(_taken_in(given.getvalue()))


def _taken_in(data: bytes) -> str | None:
    """What came of a label file that was handed over."""
    if len(data) > LARGEST:
        return "Not taken in: this is larger than any label file."
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "Not taken in: this is no text in UTF-8."
    other = read(text.removesuffix("\n").split("\n") if text else ())
    if not other.labels:
        return "Not taken in: no line of it is a label."
    done = keeping.take_in(other)
    if done is None:
        return None
    words = f"{counted(done.n_new, 'label')} came in, of {counted(len(other.labels), 'label')} in it."
    if done.unlike:
        words += f" {len(done.unlike):,} say something else of the same; what was said here stays."
    if other.problems:
        words += f" {counted(len(other.problems), 'line')} could not be used as it stands."
    return words

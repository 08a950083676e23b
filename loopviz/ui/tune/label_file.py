"""*Labels*: the file they are kept in, taking them along, taking others in, and what of them needs a person."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from loopviz.tuning.labels import read
from loopviz.tuning.merging import Merged
from loopviz.tuning.words import counted
from loopviz.ui.components.tune import tune_sections
from loopviz.ui.launch import paths_given, serves_this_computer_alone
from loopviz.ui.library import Library
from loopviz.ui.tune import keeping
from loopviz.ui.tune.places import LARGEST, USUAL, folders, refusal
from loopviz.ui.tune.telling import kept_words, show_said

_NAME, _FOLDER, _UPLOAD, _TOLD = "labels.name", "labels.folder", "labels.upload", "labels.told"


def label_section(library: Library) -> str | None:
    """Draw the section; what was clicked in it."""
    book, applied = keeping.book(), keeping.said_of(library)
    with st.container(key="tune-labels"):
        st.header("Labels", anchor=False)
        path = keeping.path()
        where = f"kept in {path}, one line a label" if path else "kept in this browser session alone, until it ends"
        st.text(f"{kept_words(book)}, {where}.")
        _choice()
        _along(book.text())
        told = st.session_state.get(_TOLD)
        if told:
            st.text(told)
        return tune_sections({"said": show_said(book, applied, library.trajectories, keeping.fault())}, key="tune-said")


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
            st.selectbox("In the folder", places, key=_FOLDER, format_func=lambda _: "", width=320)
        st.button("Keep them there", on_click=_keep, args=(places,))


def _keep(places: tuple[Path, ...]) -> None:
    folder = st.session_state.get(_FOLDER) or places[0]
    name = st.session_state[_NAME].strip()
    reason = refusal(folder, name)
    if reason is not None:
        st.session_state[_TOLD] = reason
        return
    done = keeping.choose(folder / name)
    st.session_state[_TOLD] = None if done is None else _chosen(done)


def _chosen(done: Merged) -> str:
    there = len(done.book.labels) - done.n_new - len(done.unlike)
    words = f"{counted(there, 'label')} stood there; {done.n_new:,} came in."
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
    st.session_state[_TOLD] = _taken_in(given.getvalue())


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

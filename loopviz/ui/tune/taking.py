"""*Take it home*: the candidate as YAML, the open eval spec with it, and text for a pull request."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import streamlit as st

from loopviz.specedit import Edit, EditRefused, WriteRefused, write
from loopviz.ui.components.tune import tune_sections
from loopviz.ui.launch import paths_given, serves_this_computer_alone
from loopviz.ui.library import Library
from loopviz.ui.opening import read_again
from loopviz.ui.shelf import OnDisk, Spec, why_no_spec
from loopviz.ui.tune.home import (
    Wanted,
    candidate_as_yaml,
    diff_or_reasons,
    edit_words,
    nothing_words,
    placed,
    plan,
    pull_request,
)
from loopviz.ui.tune.judging import Said
from loopviz.ui.tune.state import Tuned

_STIMULI, _ADD, _REPLACE, _OPEN = "home.stimuli", "home.add", "home.replace", "home.open"
_TOLD = "home.told"
_SHOWN, _WRITTEN = "home.request", "home.request.written"
NOTES = 4
"""What is left as it is in a spec, said one by one."""


def take_home(library: Library, tuned: Tuned, said: Said) -> None:
    """Draw the section."""
    book = said.kept.book
    with st.container(key="tune-home"):
        st.header("Take it home", anchor=False)
        left, right = st.columns([42, 58], gap="medium")
        with left:
            try:
                _paper("tune-yaml", title="YAML, valid for Vally", text=candidate_as_yaml(tuned, said, book))
            except ValueError as refused:
                st.text(f"No YAML yet: {refused}")
        with right:
            if library.open_spec is None:
                _how_to_open(library)
            else:
                _spec(library.open_spec, tuned)
        _paper("tune-request", **_request(tuned, said))


def _request(tuned: Tuned, said: Said) -> dict[str, str]:
    """The text for a pull request: once the file is written, that of before, until another candidate is tried."""
    candidate = tuple(entry.settings for entry, _ in tuned.in_force)
    written: tuple[Any, str] | None = st.session_state.get(_WRITTEN)
    if written is not None and written[0] == candidate:
        return {"title": "Text for the pull request, from before the file was written", "text": written[1]}
    st.session_state.pop(_WRITTEN, None)
    text = pull_request(tuned, said, said.kept.book)
    st.session_state[_SHOWN] = candidate, text
    return {"title": "Text for the pull request", "text": text}


def _paper(key: str, **paper: Any) -> None:
    tune_sections({"paper": paper}, key=key)


def _how_to_open(library: Library) -> None:
    for file in library.files:
        if reason := why_no_spec(file):
            st.text(f"{Path(file.path).name} cannot be used as an eval spec: {reason}")
    st.text(
        "To see what would change in an eval.yaml, open it on the page Runs (“Open more”). So that this page can write "
        "it too, start loopviz with its path:"
    )
    _command("eval.yaml")


def _command(spec: str) -> None:
    """How to start the app so that a page may write a file: only one that was named there is written."""
    paths = [path for path in paths_given() if path != "-"] or ["RUNS"]
    st.code(shlex.join(["loopviz", *paths, spec]), language=None)


def _spec(spec: Spec, tuned: Tuned) -> None:
    top = st.container()
    stimuli = [stimulus.name for stimulus in spec.config.stimuli if stimulus.name is not None]
    usual = _usual(spec, tuned)
    with st.expander(
        f"Stimuli to change: {_chosen_words(len(usual), len(stimuli))}", expanded=_is_open(spec, tuned, usual)
    ):
        chosen = st.multiselect(
            "Stimuli", stimuli, key=_STIMULI, default=usual, placeholder="choose stimuli", label_visibility="collapsed"
        )
        add = st.checkbox("Add a grader where a stimulus has none of its name", key=_ADD)
        replace = len(tuned.graders) > 1 and st.checkbox(
            "Put the first grader in the place of an only one of another name, or of none", key=_REPLACE
        )
    with top:
        told = st.session_state.get(_TOLD)
        if told and told[0] == spec.data:
            st.text(told[1])
            if told[2] and st.button("Read the files again"):
                read_again()
                st.rerun()
        _edit(spec, tuned, Wanted(stimuli=chosen, add=add, replace=replace))


def _is_open(spec: Spec, tuned: Tuned, usual: list[str]) -> bool:
    """Whether there is something to choose; what was opened for that stays open."""
    state = st.session_state
    wanted = Wanted(stimuli=state.get(_STIMULI, usual), add=state.get(_ADD, False), replace=state.get(_REPLACE, False))
    if not wanted.stimuli or placed(tuned, spec.config, wanted).left_out:
        state[_OPEN] = True
    return bool(state.get(_OPEN))


def _edit(spec: Spec, tuned: Tuned, wanted: Wanted) -> None:
    path, notes = spec.file.path, list[str]()
    try:
        edit: Edit | EditRefused
        edit, notes = plan(tuned, spec.config, spec.data, wanted)
    except EditRefused as refused:
        edit = refused
    shown = diff_or_reasons(edit, path)
    if isinstance(edit, EditRefused):
        st.text("This file cannot be edited with nothing else changed:")
        for reason in shown["refused"]:
            st.text(reason)
        _paper("tune-diff", title="To paste by hand", text=shown["snippet"])
        return
    if edit:
        _paper("tune-diff", title=edit_words(edit, path), text=shown["diff"], kind="diff")
        _buttons(spec, edit, is_whole=placed(tuned, spec.config, wanted).is_whole)
        if b"#" in spec.data:
            st.text("Comments of the file stay as they are, those beside what changes too.")
    else:
        st.text(nothing_words(placed(tuned, spec.config, wanted), wanted, path))
    with st.container(key="tune-notes", gap="xxsmall"):
        for note in notes[:NOTES]:
            st.text(note)
        if len(notes) > NOTES:
            st.text(f"{len(notes) - NOTES:,} more are left as they are.")


def _chosen_words(n_usual: int, n_stimuli: int) -> str:
    chosen = st.session_state.get(_STIMULI)
    return f"{n_usual if chosen is None else len(chosen):,} of {n_stimuli:,}"


def _usual(spec: Spec, tuned: Tuned) -> list[str]:
    """The stimuli of the spec that the runs are of and that have a grader."""
    seen = {trajectory.stimulus for trajectory in tuned.opened.runs.trajectories}
    return [one.name for one in spec.config.stimuli if one.name is not None and one.name in seen and one.graders]


def _buttons(spec: Spec, edit: Edit, *, is_whole: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download", edit.after, file_name=Path(spec.file.path).name, mime="application/yaml", on_click="ignore"
        )
        if isinstance(spec.file, OnDisk):
            _write_button(spec, edit, is_whole=is_whole)
    if not isinstance(spec.file, OnDisk):
        st.text("It came by upload, which does not tell where it lies. So that this page can write it, start loopviz:")
        _command(f"path/to/{Path(spec.file.path).name}")


def _write_button(spec: Spec, edit: Edit, *, is_whole: bool) -> None:
    if not serves_this_computer_alone():
        st.text("Others on the network can open this app, so it writes no file.")
    elif st.button("Write file"):
        _write(spec, edit, is_whole=is_whole)
        st.rerun()


def _write(spec: Spec, edit: Edit, *, is_whole: bool) -> None:
    """Write the file and open it anew, so that what it says now is in force."""
    path = Path(spec.file.path)
    try:
        write(path, edit)
    except WriteRefused as refused:
        st.session_state[_TOLD] = spec.data, str(refused), True
        return
    judges = (
        "it judges as the candidate does."
        if is_whole
        else "what changed judges as planned. Other graders of these stimuli differ from the candidate, as told below."
    )
    st.session_state[_WRITTEN] = st.session_state.get(_SHOWN)
    st.session_state[_TOLD] = edit.after, f"Written to {path}, and read back: {judges}", False
    read_again()

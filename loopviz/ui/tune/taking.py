"""*Take it home*: the candidate as YAML, the open eval spec with it, and text for a pull request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from loopviz.specedit import Edit, EditRefused, WriteRefused, write
from loopviz.ui.components.tune import tune_sections
from loopviz.ui.launch import serves_this_computer_alone
from loopviz.ui.library import Library
from loopviz.ui.opening import read_again
from loopviz.ui.shelf import OnDisk, Spec
from loopviz.ui.tune import keeping
from loopviz.ui.tune.home import candidate_as_yaml, diff_or_reasons, edit_words, plan, pull_request
from loopviz.ui.tune.judging import Said
from loopviz.ui.tune.state import Tuned

_STIMULI, _ADD, _TOLD = "home.stimuli", "home.add", "home.told"
NOTES = 4
"""What is left as it is in a spec, said one by one."""


def take_home(library: Library, tuned: Tuned, said: Said) -> None:
    """Draw the section."""
    book = keeping.book()
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
                st.text("Open an eval.yaml beside the runs to see what would change in it, and to write it.")
            else:
                _spec(library.open_spec, tuned)
        text = pull_request(tuned, said, book)
        _paper("tune-request", title="Text for the pull request", text=text)


def _paper(key: str, **paper: Any) -> None:
    tune_sections({"paper": paper}, key=key)


def _spec(spec: Spec, tuned: Tuned) -> None:
    top = st.container()
    stimuli = [stimulus.name for stimulus in spec.config.stimuli if stimulus.name is not None]
    usual = _usual(spec, tuned)
    with st.expander(f"Stimuli to change: {_chosen_words(len(usual), len(stimuli))}"):
        chosen = st.multiselect(
            "Stimuli", stimuli, key=_STIMULI, default=usual, placeholder="choose stimuli", label_visibility="collapsed"
        )
        add = st.checkbox("Add a grader where a stimulus has none of its name", key=_ADD)
    with top:
        told = st.session_state.get(_TOLD)
        if told and told[0] == spec.data:
            st.text(told[1])
            if told[2] and st.button("Read the files again"):
                read_again()
                st.rerun()
        _edit(spec, tuned, chosen, add=add)


def _edit(spec: Spec, tuned: Tuned, stimuli: list[str], *, add: bool) -> None:
    path, notes = spec.file.path, list[str]()
    try:
        edit: Edit | EditRefused
        edit, notes = plan(tuned, spec.config, spec.data, stimuli, add=add)
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
        _buttons(spec, edit)
    else:
        st.text(edit_words(edit, path))
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


def _buttons(spec: Spec, edit: Edit) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download", edit.after, file_name=Path(spec.file.path).name, mime="application/yaml", on_click="ignore"
        )
        if not isinstance(spec.file, OnDisk):
            return
        if not serves_this_computer_alone():
            st.text("Others on the network can open this app, so it writes no file.")
        elif st.button("Write file"):
            _write(spec, edit)
            st.rerun()


def _write(spec: Spec, edit: Edit) -> None:
    """Write the file and open it anew, so that what it says now is in force."""
    path = Path(spec.file.path)
    try:
        write(path, edit)
    except WriteRefused as refused:
        st.session_state[_TOLD] = spec.data, str(refused), True
        return
    st.session_state[_TOLD] = edit.after, f"Written to {path}, and read back: it judges as the candidate does.", False
    read_again()

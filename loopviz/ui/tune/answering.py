"""What a person answers for the run that is offered for a label: a verdict, or not now."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from loopviz.tuning.labels import LOOP, NOT_A_LOOP, keys_of, label_of
from loopviz.ui.runs_findings import run_and_model
from loopviz.ui.runs_judged import Opened
from loopviz.ui.tune import keeping

_ANSWERS = "tune.answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Those of this session; runs are named as links name them, so that they stay theirs in any choice of runs."""

    number: int = 0
    """How many were given, those among them that could not be kept."""
    skipped: frozenset[str] = frozenset()
    """Runs that are not offered again."""
    told: str = ""
    """What became of the last one, where that needs a word."""


def answers() -> Answers:
    """What was answered so far."""
    given: Answers = st.session_state.get(_ANSWERS) or Answers()
    return given


def answer(fields: dict[str, str], opened: Opened) -> None:
    """Take an answer: `label=loop&of=RUN&after=3`, or `skip=RUN&after=3`.

    `after` says how many were given before. One that says less was given twice, by a second press or after a lost
    connection, and is not meant for the run that is offered since.
    """
    before = answers()
    if fields["after"] != str(before.number):
        return
    now = replace(before, number=before.number + 1, told="")
    if "skip" in fields:
        now = replace(now, skipped=now.skipped | {fields["skip"]})
    else:
        now = replace(now, told=_label(fields["label"], fields["of"], opened))
    st.session_state[_ANSWERS] = now


def forget_told() -> None:
    """Say no longer what became of the last answer."""
    if answers().told:
        st.session_state[_ANSWERS] = replace(answers(), told="")


def _label(verdict: str, of: str, opened: Opened) -> str:
    """Label a run; what is to be told of that."""
    run = next((run for run in range(len(opened.runs)) if opened.key(run) == of), None)
    if run is None:
        return "That run is not open any more, so nothing was said of it."
    trajectory = opened.runs.trajectories[run]
    label = label_of(trajectory, LOOP if verdict == LOOP else NOT_A_LOOP)
    stood = keeping.put_first(label, keys_of(trajectory, None))
    refused = keeping.refused()
    if refused:
        return f"{run_and_model(trajectory)}: {refused}"
    return (
        "" if stood is None else f"{run_and_model(trajectory)} has been labelled {stood.label} meanwhile; that stays."
    )

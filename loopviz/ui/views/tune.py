"""Tune: which settings would do better, and for which runs?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from loopviz.patterns import PatternError
from loopviz.timeline.words import number
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, label_of, renewed
from loopviz.ui import choice as choices
from loopviz.ui.components.tune import tune_sections
from loopviz.ui.controls import apply, grader_controls
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.reloading import offer_reload
from loopviz.ui.runs_findings import run_title
from loopviz.ui.runs_links import open_run
from loopviz.ui.tune import both, grader_list, keeping
from loopviz.ui.tune.fit import show_cost, show_counts, show_curve, show_fit
from loopviz.ui.tune.flips import Which, show_flips, show_groups
from loopviz.ui.tune.graders import show_graders
from loopviz.ui.tune.grids import show_grids
from loopviz.ui.tune.guards import show_guards
from loopviz.ui.tune.head import head
from loopviz.ui.tune.judging import Said, said
from loopviz.ui.tune.label_file import label_section
from loopviz.ui.tune.pins import MET, SKIPPED, show_pins, show_queue
from loopviz.ui.tune.settings_box import settings_box
from loopviz.ui.tune.state import Tuned, pick, tuned
from loopviz.ui.tune.taking import take_home
from loopviz.ui.tune.telling import find, key_of, named

_FLIPS, _ROWS, _LIMITS, _GUARDS = "tune.flips", "tune.rows", "tune.limits", "tune.guards"


def page() -> None:
    """Many runs under every setting."""
    library = open_library()
    if not library.trajectories:
        st.title("No run is open", anchor=False)
        st.text("Open runs on the page Runs first.")
        return
    choices.write_link(choices.to_link(choices.current()))
    _tune(library)


@st.fragment
def _tune(library: Library) -> None:
    offer_reload(library)
    try:
        found = tuned(library)
    except PatternError as error:
        st.title("These tools cannot be watched", anchor=False)
        st.text(str(error))
        grader_controls(choices.current().own or choices.EXAMPLE)
        return
    known = said(library, found)
    _head(library, found, known)
    if not found.swept.n_judged:
        st.text("The page Runs says of each why it is left out. Open others there, or choose other runs to tune on.")
        return
    settings_box(found, known)
    action = tune_sections(_sections(found, known), key="tune")
    action = label_section(library) or action
    take_home(library, found, known)
    if action:
        _act(library, found, action)


def _sections(found: Tuned, known: Said) -> dict[str, Any]:
    which: Which = st.session_state.get(_FLIPS, "all")
    evidence, skipped = known.evidence, st.session_state.get(SKIPPED, frozenset())
    fit, cost = show_fit(found, known), show_cost(found)
    return {
        "graders": show_graders(found),
        "grids": show_grids(found, evidence, everything=st.session_state.get(_LIMITS) == "all"),
        "evidence": {"fit": fit, "cost": cost} if fit or cost else None,
        "flips": show_flips(found, known.labels, which, everything=st.session_state.get(_ROWS) == "all"),
        "groups": show_groups(found),
        "labels": {"pins": show_pins(found, known), "counts": show_counts(found)},
        "spread": {
            "curve": show_curve(found, evidence),
            "queue": show_queue(found, known, skipped, st.session_state.get(MET, "")),
        },
        "guards": show_guards(found, everything=st.session_state.get(_GUARDS) == "all"),
    }


def _head(library: Library, found: Tuned, known: Said) -> None:
    said = head(found, known)
    with st.container(key="tune-head", gap="small"):
        st.title(said.title, anchor=False)
        if said.strong or said.rest:
            strong = f"**{said.strong}** " if said.strong else ""
            st.markdown(f"{strong}{said.rest}")
        if known.suggestion is not None and known.suggestion.settings.tools is not None:
            st.text(f"Of the tools that match {' or '.join(known.suggestion.settings.tools)}.")
        st.caption(said.caption)
    if found.n_runs < len(library.trajectories):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{number(found.n_runs)} of {number(len(library.trajectories))} open runs, as picked on Runs.")
            st.button("All runs", on_click=pick, args=(library, None), type="tertiary")


def _act(library: Library, found: Tuned, action: str) -> None:
    fields = dict(parse_qsl(action))
    st.session_state.pop(MET, None)
    if "label" in fields:
        run = found.opened.runs.trajectories[int(fields["of"])]
        stood = keeping.put_first(label_of(run, LOOP if fields["label"] == LOOP else NOT_A_LOOP))
        if stood is not None:
            st.session_state[MET] = f"{run_title(run)} has been labelled {stood.label} meanwhile; that stays."
    elif "renew" in fields or "forget" in fields:
        _settle(library, fields)
    elif "grader" in fields:
        grader_list.act(fields, found.entries, found.chosen)
    elif "skip" in fields:
        st.session_state[SKIPPED] = st.session_state.get(SKIPPED, frozenset()) | {int(fields["skip"])}
    elif "run" in fields:
        _open(library, found, fields)
    elif "max" in fields:
        settings = {"max": int(fields["max"]), "max_cycle_period": int(fields["max_cycle_period"])}
        apply({**settings, "match": fields["match"]}, found.candidate)
    for name, key in (("flips", _FLIPS), ("rows", _ROWS), ("limits", _LIMITS), ("guards", _GUARDS)):
        if name in fields:
            st.session_state[key] = fields[name]
    st.rerun(scope="fragment")


def _settle(library: Library, fields: dict[str, str]) -> None:
    """Say again of a run that has changed what was said of it, or forget that."""
    key = key_of(fields.get("renew") or fields["forget"], fields.get("calls"))
    label = find(key, keeping.said_of(library).stale)
    if label is None:
        return
    if "forget" in fields:
        keeping.remove(key)
        return
    runs = named(label, library.trajectories)
    if len(runs) == 1:
        keeping.renew(key, renewed(label, runs[0]))


def _open(library: Library, found: Tuned, fields: dict[str, str]) -> None:
    """Show a run on Inspect under the candidate, with the way to what is in force now."""
    member = found.opened.members[int(fields["run"])]
    choices.choose(replace(choices.current(), own=found.candidate), remember=False)
    both.bring_along(library.key(member), found.candidate)
    call = int(fields["call"]) if "call" in fields else None
    open_run(library, member, call=call, grader=found.judged.place(int(fields["run"])))


page()

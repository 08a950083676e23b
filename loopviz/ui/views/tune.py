"""Tune: which settings would do better, and for which runs?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from loopviz.patterns import PatternError
from loopviz.timeline.words import number
from loopviz.tuning.applying import renewed
from loopviz.tuning.labels import Label
from loopviz.ui import choice as choices
from loopviz.ui.components.tune import tune_sections
from loopviz.ui.controls import apply, grader_controls
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.reloading import offer_reload
from loopviz.ui.runs_links import open_run
from loopviz.ui.tune import answering, both, grader_list, keeping
from loopviz.ui.tune.fit import show_cost, show_counts, show_curve, show_fit
from loopviz.ui.tune.flip_columns import LABELLED_FIRST, Order, turned
from loopviz.ui.tune.flips import ROWS, Which, show_flips, show_groups
from loopviz.ui.tune.graders import show_graders
from loopviz.ui.tune.grids import show_grids
from loopviz.ui.tune.guards import show_guards
from loopviz.ui.tune.head import head
from loopviz.ui.tune.judging import Said, said
from loopviz.ui.tune.label_file import label_section, offer_found
from loopviz.ui.tune.pins import show_pins, show_queue
from loopviz.ui.tune.settings_box import settings_box
from loopviz.ui.tune.state import Tuned, linked, pick, tuned
from loopviz.ui.tune.taking import take_home
from loopviz.ui.tune.telling import find, key_of, named

_FLIPS, _ROWS, _LIMITS, _GUARDS = "tune.flips", "tune.rows", "tune.limits", "tune.guards"
_ORDER = "tune.order"


def page() -> None:
    """Many runs under every setting."""
    library = open_library()
    if not library.trajectories:
        st.title("No run is open", anchor=False)
        st.text("Open runs on the page Runs first.")
        return
    choices.write_link(choices.to_link(linked()))
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
    if action:
        _act(library, found, known, action)  # Now: what follows takes its time, and all is drawn anew after it.
    action = label_section(library, known.kept)
    if action:
        _act(library, found, known, action)
    take_home(library, found, known)


def _sections(found: Tuned, known: Said) -> dict[str, Any]:
    which: Which = st.session_state.get(_FLIPS, "all")
    evidence = known.evidence
    fit, cost = show_fit(found, known), show_cost(found)
    return {
        "graders": show_graders(found),
        "grids": show_grids(found, evidence, everything=st.session_state.get(_LIMITS) == "all"),
        "evidence": {"fit": fit, "cost": cost} if fit or cost else None,
        "flips": show_flips(found, known.labels, which, _order(), most=int(st.session_state.get(_ROWS, ROWS))),
        "groups": show_groups(found),
        "labels": {"pins": show_pins(found, known), "counts": show_counts(found)},
        "spread": {
            "curve": show_curve(found, known),
            "queue": show_queue(found, known, answering.answers()),
        },
        "guards": show_guards(found, everything=st.session_state.get(_GUARDS) == "all"),
    }


def _order() -> Order:
    order: Order = st.session_state.get(_ORDER, LABELLED_FIRST)
    return order


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
        unreadable = keeping.unreadable()
        if unreadable:
            st.text(f"{unreadable} No label counts until it can be.")
        offer_found()
    if found.n_runs < len(library.trajectories):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{number(found.n_runs)} of {number(len(library.trajectories))} open runs, as picked on Runs.")
            st.button("All runs", on_click=pick, args=(library, None), type="tertiary")


def _act(library: Library, found: Tuned, known: Said, action: str) -> None:
    fields = dict(parse_qsl(action))
    if "label" in fields or "skip" in fields:
        answering.answer(fields, found.opened)
    else:
        answering.forget_told()
    if "renew" in fields or "forget" in fields:
        _settle(library, known.kept.applied.stale, fields)
    elif "grader" in fields:
        grader_list.act(fields, found.entries, found.chosen)
    elif "flipsort" in fields:
        st.session_state[_ORDER] = turned(_order(), fields["flipsort"])
    elif "run" in fields:
        _open(library, found, fields)
    elif "max" in fields:
        settings = {"max": int(fields["max"]), "max_cycle_period": int(fields["max_cycle_period"])}
        apply({**settings, "match": fields["match"]}, found.candidate)
    for name, key in (("flips", _FLIPS), ("rows", _ROWS), ("limits", _LIMITS), ("guards", _GUARDS)):
        if name in fields:
            st.session_state[key] = fields[name]
    st.rerun(scope="fragment")


def _settle(library: Library, stale: Sequence[Label], fields: dict[str, str]) -> None:
    """Say again of a run that has changed what was said of it, or forget that."""
    key = key_of(fields.get("name", ""), fields.get("renew") or fields["forget"], fields.get("calls"))
    label = find(key, stale)
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

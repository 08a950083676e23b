"""Inspect: did this run loop, where, on what, and what would change that?"""

from __future__ import annotations

import streamlit as st

from loopviz.analysis.inspection import Inspection, inspect
from loopviz.model import Trajectory
from loopviz.patterns import PatternError
from loopviz.timeline.contract import Verdict
from loopviz.timeline.evidence import show_evidence
from loopviz.timeline.picture import draw
from loopviz.timeline.verdict import judge_in_words, not_judged, trial_in_words
from loopviz.ui import choice as choices
from loopviz.ui.acting import act
from loopviz.ui.components.evidence import evidence
from loopviz.ui.components.scripts import send_scripts
from loopviz.ui.components.timeline import timeline
from loopviz.ui.controls import grader_controls, pick_grader, say_origin, say_refusals
from loopviz.ui.graders import Shown, grader_shown
from loopviz.ui.library import Library, open_library
from loopviz.ui.walk import choose_run, facts, link_params, run_header


def page() -> None:
    """The whole page; what answers to settings is the fragment inside."""
    library = open_library()
    if not library.trajectories:
        st.title("Nothing to inspect yet")
        st.page_link("views/runs.py", label="Open a run on the Runs page")
        return
    index = choose_run(library)
    run_header(library, index)
    send_scripts()
    with st.container(key="inspect"):
        _controls(library, index)
        _answers(library, index)


@st.fragment(key="controls")
def _controls(library: Library, index: int) -> None:
    """The settings. A change of one draws only the answers anew: the control itself shows it already."""
    trajectory = library.trajectories[index]
    shown = grader_shown(trajectory, library.spec, choices.current())
    with st.container(key="controls"):
        st.caption(_facts_line(trajectory).replace("$", "\\$"))
        grader_controls(shown.settings, after=_draw_answers)
        pick_grader(shown, after=_draw_both)


@st.fragment(key="answers")
def _answers(library: Library, index: int) -> None:
    """Verdict, picture and evidence."""
    trajectory = library.trajectories[index]
    shown = grader_shown(trajectory, library.spec, choices.current())
    with st.container(key="answers"):
        say_refusals(shown.settings)
        say_origin(shown, after=_draw_both)
        if trajectory.not_judged is None:
            _judged(library, index, shown)
        else:
            _without_picture(trajectory)
    choices.write_link(link_params(library, index, st.session_state.get("call")))


def _draw_answers() -> None:
    st.rerun("answers")


def _draw_both() -> None:
    st.rerun(["controls", "answers"])


def _facts_line(trajectory: Trajectory) -> str:
    return " · ".join(part for part in (facts(trajectory), trial_in_words(trajectory)) if part)


def _judged(library: Library, index: int, shown: Shown) -> None:
    choice = choices.current()
    try:
        found = inspect(library.alone(index), shown.settings, choice.guards, choice.unknown)
    except PatternError as error:
        st.text(f"Not judged: {error}")
        return
    verdict = judge_in_words(found, shown.recorded, comparable=shown.comparable)
    _timeline(found, verdict)
    _evidence(library, index, found)


def _without_picture(trajectory: Trajectory) -> None:
    """A run that cannot be judged: the reason, and whatever the file does say."""
    st.subheader("This run could not be judged")
    st.text(not_judged(trajectory.not_judged or "")["sentence"][0]["text"])
    for label, words in (
        ("Error", trajectory.error),
        ("Prompt", trajectory.prompt),
        ("Final answer", trajectory.output),
    ):
        if words:
            st.caption(label)
            st.code(words[:20_000], language=None, wrap_lines=True)


def _timeline(found: Inspection, verdict: Verdict) -> None:
    call, seq = _chosen_call(found.trajectory), st.session_state.setdefault("call.seq", 0)
    result = timeline(draw(found, verdict, {"call": call, "seq": seq}), key="timeline")
    if result.call is not None:
        st.session_state["call"] = result.call
    if result.action:
        act(result.action, found)
        st.rerun()


def _evidence(library: Library, index: int, found: Inspection) -> None:
    call = _chosen_call(found.trajectory)
    chosen, names = st.session_state.get("whole", (None, frozenset()))
    raw = None if call is None else library.raw_record(index, call)
    whole = names if chosen == call else frozenset()
    all_cycles = st.session_state.get("cycles") == "all"
    data = show_evidence(found, call, raw=raw, whole=whole, all_cycles=all_cycles)
    evidence(data, key="evidence", on_action=lambda action: _draw_both() if act(action, found) else None)


def _chosen_call(trajectory: Trajectory) -> int | None:
    """The chosen call, from 0: the one just clicked, else that of the link."""
    if "call" not in st.session_state:
        st.session_state["call"] = _call_of_link(trajectory)
    call = st.session_state["call"]
    return call if call is not None and call < len(trajectory.calls) else None


def _call_of_link(trajectory: Trajectory) -> int | None:
    """Find the call a link names: by its id, which stays when the file grows, else by its number."""
    ids, wanted = trajectory.calls.ids, st.query_params.get("call", "")
    call_id = st.query_params.get("call_id")
    if call_id is not None and call_id in ids:
        return ids.index(call_id)
    return int(wanted) - 1 if wanted.isdecimal() and 0 < int(wanted) <= len(ids) else None


page()

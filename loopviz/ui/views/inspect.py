"""Inspect: did this run loop, where, on what, and what would change that?"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from loopviz.analysis.asking import Answer
from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.searching import Hits
from loopviz.model import Trajectory
from loopviz.patterns import PatternError
from loopviz.timeline.contract import Verdict
from loopviz.timeline.evidence import show_evidence
from loopviz.timeline.facts import facts
from loopviz.timeline.finding import mark_on_timeline
from loopviz.timeline.picture import draw, run_drawn
from loopviz.timeline.tool_rules import tool_buttons
from loopviz.timeline.verdict import judge_in_words, not_judged, trial_in_words
from loopviz.ui import choice as choices
from loopviz.ui import finding
from loopviz.ui.acting import act
from loopviz.ui.asking import ask_section, asked, keep_mark, show_marked
from loopviz.ui.changing import change_sections
from loopviz.ui.comparing import compared, near_asked
from loopviz.ui.components.evidence import evidence
from loopviz.ui.components.scripts import send_scripts
from loopviz.ui.components.timeline import timeline
from loopviz.ui.controls import grader_controls, pick_grader, say_origin, say_refusals
from loopviz.ui.following import follow_row, followed
from loopviz.ui.graders import Shown, grader_shown
from loopviz.ui.guard_notes import guard_notes
from loopviz.ui.labelling import label_section
from loopviz.ui.library import Library
from loopviz.ui.link_box import link_popover
from loopviz.ui.linking import COPY_LINK, Params, address, link_params
from loopviz.ui.opening import open_library
from loopviz.ui.reloading import offer_reload
from loopviz.ui.reporting import report_popover
from loopviz.ui.saving import record_to_save
from loopviz.ui.trials import trial_sections
from loopviz.ui.tune.both import offer_both
from loopviz.ui.walk import choose_run, run_header
from loopviz.ui.zooming import zoom_as_linked


def page() -> None:
    """The whole page; what answers to settings is the fragment inside."""
    library = followed(open_library())
    if not library.trajectories:
        st.title("Nothing to inspect yet")
        st.page_link("views/runs.py", label="Open a run on the Runs page")
        return
    index = choose_run(library)
    run_header(library, index, lambda: _beside_run(library, index))
    send_scripts()
    follow_row(library, index)
    with st.container(key="inspect"):
        _controls(library, index)
        _answers(library, index)


def _beside_run(library: Library, index: int) -> None:
    """What else stands in the row of the run."""
    finding.find_in_run()
    link_popover(lambda hidden: _link(library, index, hidden=hidden), picture=run_drawn(library.trajectories[index]))
    report_popover(library, index)


def _link(library: Library, index: int, *, hidden: bool) -> Params:
    """The fields of a link to what is on screen."""
    params = link_params(library, index, st.session_state.get("call"), hidden=hidden)
    return params if hidden else {**params, **finding.to_link()}


@st.fragment(key="controls")
def _controls(library: Library, index: int) -> None:
    """The settings. A change of one draws only the answers anew: the control itself shows it already."""
    trajectory = library.trajectories[index]
    shown = grader_shown(trajectory, library.spec, choices.current())
    with st.container(key="controls"):
        st.caption(_facts_line(trajectory).replace("$", "\\$"))
        grader_controls(
            shown.settings,
            after=_draw_answers,
            after_guards=_draw_both,
            guard_notes=lambda: guard_notes(library.alone(index), shown.settings, choices.current()),
        )
        pick_grader(shown, after=_draw_both)


@st.fragment(key="answers")
def _answers(library: Library, index: int) -> None:
    """Verdict, picture and evidence."""
    offer_reload(library)
    finding.leave_if_asked()
    trajectory = library.trajectories[index]
    shown = grader_shown(trajectory, library.spec, choices.current())
    with st.container(key="answers"):
        say_refusals(shown.settings)
        say_origin(shown, after=_draw_both)
        offer_both(library.key(index), shown, after=_draw_both)
        said = st.container(key="said-before")
        found = None
        if trajectory.not_judged is None:
            found = _judged(library, index, shown)
        else:
            _without_picture(library, index)
        with said:
            finding.say(library.key(index), found, _searchable(library), on_action=_actor(found))
    choices.write_link({**link_params(library, index, st.session_state.get("call")), **finding.to_link()})


def _searchable(library: Library) -> int:
    """How many runs the Runs page would search; it lists the samples as cards, which have no search."""
    return 0 if library.samples else len(library.trajectories)


def _draw_answers() -> None:
    st.rerun("answers")


def _draw_both() -> None:
    st.rerun(["find", "controls", "answers"])


def _actor(found: Inspection | None) -> Callable[[str | None], None]:
    """What does what was clicked."""
    return lambda action: _draw_both() if act(action, found) else None


def _facts_line(trajectory: Trajectory) -> str:
    return " · ".join(part for part in (facts(trajectory), trial_in_words(trajectory)) if part)


def _judged(library: Library, index: int, shown: Shown) -> Inspection | None:
    choice = choices.current()
    try:
        found = inspect(library.alone(index), shown.settings, choice.guards, choice.unknown)
    except PatternError as error:
        st.text(f"Not judged: {error}")
        finding.look(library.key(index), library.trajectories[index], None)
        return None
    hits = finding.look(library.key(index), found.trajectory, found)
    verdict = judge_in_words(found, shown.recorded, comparable=shown.comparable)
    _timeline(library.key(index), found, verdict, hits, asked(library, index, found))
    st.page_link("views/help.py", label="What do these mean?")
    _evidence(library, index, found, hits)
    return found


def _without_picture(library: Library, index: int) -> None:
    """A run that cannot be judged: the reason, and whatever the file does say."""
    trajectory = library.trajectories[index]
    finding.look(library.key(index), trajectory, None)
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


def _timeline(key: str, found: Inspection, verdict: Verdict, hits: Hits | None, answer: Answer | None) -> None:
    call, seq = _chosen_call(found.trajectory), st.session_state.setdefault("call.seq", 0)
    payload = draw(found, verdict, {"call": call, "seq": seq})
    zoom_as_linked(payload, key)
    if hits is not None:
        mark_on_timeline(payload, hits)
    show_marked(payload, found, answer)
    result = timeline(payload, key="timeline", on_stretch=keep_mark)
    if result.call is not None:
        st.session_state["call"] = result.call
    if result.action:
        act(result.action, found)
        st.rerun()


def _evidence(library: Library, index: int, found: Inspection, hits: Hits | None) -> None:
    call = _chosen_call(found.trajectory)
    chosen, names = st.session_state.get("whole", (None, frozenset()))
    raw = None if call is None else library.raw_record(index, call)
    raw_result = None if call is None else library.raw_result(index, call)
    whole = names if chosen == call else frozenset()
    all_cycles = st.session_state.get("cycles") == "all"
    data = show_evidence(
        found,
        call,
        raw=raw,
        raw_result=raw_result,
        whole=whole,
        all_cycles=all_cycles,
        compare=compared(call),
        near=near_asked(),
    )
    data |= change_sections(library, index, found)
    if call is not None:
        data["call"]["buttons"] = [*tool_buttons(found, call), COPY_LINK]
    data |= ask_section(library, index, found, asked(library, index, found))
    data |= label_section(library, index, found)
    data |= finding.found_section(hits)
    data |= {
        "link": address({**link_params(library, index, call), **finding.to_link()}),
        "link_of": run_drawn(found.trajectory),
    }
    data |= record_to_save(library, index, call)
    data |= trial_sections(library, index)
    evidence(data, key="evidence", on_action=_actor(found))


def _chosen_call(trajectory: Trajectory) -> int | None:
    """The chosen call, from 0: the one just clicked, else that of the link."""
    call: int | None = st.session_state.get("call")
    return call if call is not None and call < len(trajectory.calls) else None


page()

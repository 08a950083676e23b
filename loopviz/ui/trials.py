"""The other trials of the stimulus on screen: found among the open runs, judged by the settings in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from loopviz.analysis.trials import judge_trials, nearest
from loopviz.timeline.trials import show_trials
from loopviz.ui import choice as choices
from loopviz.ui.compare.asked import ask_runs
from loopviz.ui.graders import grader_shown
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.walk import go_to_run

COMPARE = "views/compare.py"


def trial_sections(library: Library, index: int) -> dict[str, Any]:
    """The section of the other trials; nothing in it for a run that is alone."""
    same = library.same_stimulus(index)
    if len(same) < 2:
        return {"trials": None}
    places, choice = nearest(same, index), choices.current()
    runs = library.together(places)
    settings = [
        choice.own or grader_shown(trajectory, library.spec, choice).settings for trajectory in runs.trajectories
    ]
    trials = judge_trials(runs, settings, choice.unknown)
    return {"trials": show_trials(trials, places.index(index), places, len(same))}


def open_trial(fields: Mapping[str, list[str]]) -> None:
    """`trial=12` shows the run of that place among the open ones."""
    library, place = open_library(), fields["trial"][0]
    if place.isdecimal() and int(place) < len(library.trajectories):
        go_to_run(library, int(place))
        st.rerun()


def compare_trial(fields: Mapping[str, list[str]]) -> None:
    """`versus=12` shows the run on screen beside that of this place, on the Compare page; one that passes is A."""
    library, place = open_library(), fields["versus"][0]
    here = library.find(st.session_state.get("run", ""))
    if here is None or not place.isdecimal() or int(place) >= len(library.trajectories):
        return
    pair = sorted((here, int(place)), key=lambda run: _fails(library, run))
    ask_runs(*map(library.key, pair))
    st.switch_page(COMPARE)


def _fails(library: Library, index: int) -> bool:
    """Whether a run is over its limit."""
    choice = choices.current()
    settings = choice.own or grader_shown(library.trajectories[index], library.spec, choice).settings
    return judge_trials(library.alone(index), [settings], choice.unknown)[0].over

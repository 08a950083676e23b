"""Which run is on screen, and the way to the next one."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from loopviz.timeline.contract import Part
from loopviz.timeline.facts import run_label
from loopviz.timeline.words import code, number, text
from loopviz.ui import choice as choices
from loopviz.ui.components.clean import printable
from loopviz.ui.graders import run_graders
from loopviz.ui.library import Library
from loopviz.ui.link_notes import drop_note
from loopviz.ui.linking import FoundCall, FoundRun, Left, call_again, find_again, find_call, find_run, leave, run_name
from loopviz.ui.zooming import FROM, forget_zoom, take_zoom

MOST_OPTIONS = 400
"""Runs offered in the list around the one on screen; the Runs page holds them all."""
ALL_RUNS = "runs="
"""The action that leads to the Runs page."""
_KEY, _LINK, _LEFT = "run", "link", "run.left"
_INSTEAD: tuple[Part, ...] = (text("Shown instead: the first run. "), {**text("All runs"), "action": ALL_RUNS})


def choose_run(library: Library) -> int:
    """The run on screen: the one just picked, else that of the link, else the first. Says what a link does not find."""
    left = st.session_state.pop(_LEFT, None)
    if left is not None:
        return _return_to(library, left)
    from_link = _KEY not in st.session_state and bool(st.query_params.get("run"))
    wanted = st.query_params["run"] if from_link else st.session_state.get(_KEY)
    found = None if wanted is None else find_run(library, wanted)
    index = 0 if found is None else found.index
    if wanted != library.key(index):
        _say_run(library, index, wanted, found, from_link=from_link)
    st.session_state[_KEY] = library.key(index)
    if "call" not in st.session_state:
        landed = find_call(
            library.trajectories[index],
            st.query_params.to_dict(),
            changed=found is None or found.changed,
            certain=found is not None and found.certain,
        )
        _land(library.key(index), landed if found else FoundCall(None))
        if found:
            take_zoom(library.key(index), len(library.trajectories[index].calls), st.query_params.to_dict())
        _say_settings(library.key(index))
        _say_beyond(library, index, is_run_of_link=found is not None)
    return index


def keep_place(library: Library) -> None:
    """Note the run and the call on screen before the files are read again."""
    key = st.session_state.get(_KEY)
    index = None if key is None else library.find(key)
    if index is not None:
        st.session_state[_LEFT] = leave(library, index, st.session_state.get("call"))


def _return_to(library: Library, left: Left) -> int:
    """Show the run and the call again that were on screen before the files were read anew."""
    found = find_again(library, left)
    index = 0 if found is None else found.index
    key = st.session_state[_KEY] = library.key(index)
    st.session_state.pop(_LINK, None)
    if found is None:
        st.session_state["call"] = st.session_state["arrived"] = None
        say_of_link(key, [text("The files do not hold the run "), code(left.run), text(" any more. "), *_INSTEAD])
        return index
    if found.changed:
        say_of_link(key, [text("The run has changed since it was last shown here.")])
    _land(key, call_again(library.trajectories[index], left, changed=found.changed))
    st.session_state["call.seq"] = st.session_state.get("call.seq", 0) + 1  # the picture's own selection moves along
    return index


def _say_run(library: Library, index: int, wanted: str | None, found: FoundRun | None, *, from_link: bool) -> None:
    """Say where another run is shown than was asked for, or other data of it."""
    lines: list[list[Part]] = []
    if wanted is not None and found is None:
        name = run_name(wanted)
        same = sum(trajectory.run == name for trajectory in library.trajectories)
        why = (
            f", of which {number(same)} are open, none with the data that the link was made for. "
            if same
            else ", which is not among the open files. "
        )
        lines.append([text("The link names the run "), code(name), text(why), *_INSTEAD])
    elif found is not None and found.changed:
        since = "this link was made" if from_link else "it was last shown here"
        lines.append([text(f"The run has changed since {since}.")])
    say_of_link(library.key(index), *lines)


def _land(key: str, landed: FoundCall) -> None:
    """Choose the call of the link, and keep what there is to say of it."""
    st.session_state["call"] = st.session_state["arrived"] = landed.call
    if landed.note:
        say_of_link(key, *lines_of_link(key), [text(landed.note)])


def _say_settings(key: str) -> None:
    """Settings in the link that are not used; what is wrong with one that is refused stands beside its control."""
    named = [field for field in choices.LINKED if field in st.query_params]
    if not named or choices.current().own is not None:
        return
    why = "" if "max" in named else ": it does not say how often in a row is allowed (max)"
    say_of_link(key, *lines_of_link(key), [text(f"The settings in this link are not used{why}. Shown: the run’s own.")])


def _say_beyond(library: Library, index: int, *, is_run_of_link: bool) -> None:
    """A grader or a part of the picture in the link that the run does not have."""
    key, trajectory, params = library.key(index), library.trajectories[index], st.query_params
    grader, n_graders = choices.current().grader, len(run_graders(trajectory, library.spec))
    if "grader" in params and choices.current().own is None and grader >= max(1, n_graders):
        has = f"has {number(n_graders)}" if n_graders else "records none"
        say_of_link(key, *lines_of_link(key), [text(f"The link names grader {number(grader + 1)}; this run {has}.")])
    first, n_calls = params.get(FROM, ""), len(trajectory.calls)
    if is_run_of_link and re.fullmatch(r"[1-9][0-9]{0,14}", first) and int(first) > n_calls:
        words = f"The link shows the calls from {number(int(first))} on; this run has {number(n_calls)}."
        say_of_link(key, *lines_of_link(key), [text(words)])


def say_of_link(key: str, *lines: list[Part]) -> None:
    """Keep lines about the link that was followed, until another run is shown or they are put away."""
    st.session_state[_LINK] = (key, lines)


def lines_of_link(key: str) -> tuple[list[Part], ...]:
    """What there is to say of the link that was followed to the run of this key."""
    at, lines = st.session_state.get(_LINK, (None, ()))
    return tuple(lines) if at == key else ()


def go_to_run(library: Library, index: int) -> None:
    """Show another run from now on, with no call chosen."""
    st.session_state[_KEY] = library.key(index)
    st.session_state["call"] = st.session_state["arrived"] = None
    st.session_state.pop(_LINK, None)
    st.session_state.pop(_LEFT, None)
    drop_note()
    forget_zoom()


def choose_call(call: int) -> None:
    """Choose a call, from 0: the picture moves its own selection there."""
    st.session_state["call"] = call
    st.session_state["call.seq"] = st.session_state.get("call.seq", 0) + 1


def run_header(library: Library, index: int, beside: Callable[[], None]) -> None:
    """The list of runs, the two steps beside it, and what else stands in that row."""
    n_runs = len(library.trajectories)
    first = max(0, min(index - MOST_OPTIONS // 2, n_runs - MOST_OPTIONS))
    options = range(first, min(n_runs, first + MOST_OPTIONS))
    st.session_state["run.list"] = index
    with st.container(horizontal=True, key="run-row", vertical_alignment="center"):
        st.selectbox(
            "Run",
            options,
            format_func=lambda place: printable(run_label(library.trajectories[place])),
            key="run.list",
            label_visibility="collapsed",
            on_change=lambda: go_to_run(library, st.session_state["run.list"]),
        )
        st.button("← Prev", on_click=go_to_run, args=(library, index - 1), disabled=index == 0)
        st.caption(f"run {number(index + 1)} of {number(n_runs)}", width="content")
        st.button("Next →", on_click=go_to_run, args=(library, index + 1), disabled=index == n_runs - 1)
        beside()

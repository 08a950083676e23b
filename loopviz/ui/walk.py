"""Which run is on screen, and the way to the next one."""

from __future__ import annotations

import streamlit as st

from loopviz.model import Trajectory
from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui.components.clean import printable
from loopviz.ui.library import Library

MOST_OPTIONS = 400
"""Runs offered in the list around the one on screen; the Runs page holds them all."""
_KEY = "run"


def choose_run(library: Library) -> int:
    """The run on screen: the one just picked, else that of the link, else the first."""
    if _KEY not in st.session_state and "run" in st.query_params:
        st.session_state[_KEY] = st.query_params["run"]
    wanted = st.session_state.get(_KEY)
    index = None if wanted is None else library.find(wanted)
    if index is None:
        if wanted is not None:
            st.info("The run that the link names is not among the open files. Shown instead: the first one.")
        index = 0
    st.session_state[_KEY] = library.key(index)
    return index


def go_to_run(library: Library, index: int) -> None:
    """Show another run from now on, with no call chosen."""
    st.session_state[_KEY] = library.key(index)
    st.session_state.pop("call", None)


def link_params(library: Library, index: int, call: int | None) -> dict[str, str | list[str]]:
    """What the address of a run on Inspect says: the run, a call (from 0 here, from 1 there), the settings in force.

    A call is named by its id too, where no other call bears it: it finds the call again when the file has grown.
    """
    ids = library.trajectories[index].calls.ids
    params: dict[str, str | list[str]] = {"run": library.key(index)}
    if call is not None and call < len(ids):
        params["call"] = str(call + 1)
        call_id = ids[call]
        if call_id and ids.count(call_id) == 1:
            params["call_id"] = call_id
    return {**params, **choices.to_link(choices.current())}


def run_header(library: Library, index: int) -> None:
    """The list of runs, the two steps beside it, and one line of facts."""
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


def run_label(trajectory: Trajectory) -> str:
    """`fix-nested-quotes · trial 4 of 7 · model-b`: what tells a run from the others."""
    parts = [trajectory.stimulus or trajectory.run]
    if trajectory.trial is not None:
        of = f" of {trajectory.trials}" if trajectory.trials else ""
        parts.append(f"trial {trajectory.trial + 1}{of}")
    if trajectory.variant not in (None, "main"):
        parts.append(str(trajectory.variant))
    if trajectory.model:
        parts.append(trajectory.model)
    return " · ".join(parts)


def facts(trajectory: Trajectory) -> str:
    """Size, time, tokens and cost in one line; what the file does not say is left out."""
    tokens, cost = spent(trajectory)
    parts = [_counted(trajectory.n_turns, "turn"), _counted(len(trajectory.calls), "call")]
    if trajectory.duration_s is not None:
        parts.append(duration(trajectory.duration_s))
    if tokens is not None:
        parts.append(f"{thousands(tokens)} tokens")
    if cost is not None:
        parts.append(f"$ {cost:,.2f}")
    return " · ".join(parts)


def spent(trajectory: Trajectory) -> tuple[int | None, float | None]:
    """(input and output tokens, cost) of a run: the sum over its responses, else the recorded total."""
    counts = [
        count
        for usage in trajectory.usage
        for count in (usage.input_tokens, usage.output_tokens)
        if count is not None and count >= 0
    ]
    costs = [usage.cost for usage in trajectory.usage if usage.cost is not None]
    return sum(counts) if counts else trajectory.total_tokens, sum(costs) if costs else trajectory.total_cost


def duration(seconds: float) -> str:
    """`14 min 08 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def thousands(count: int) -> str:
    """`412 k`."""
    return number(count) if count < 10_000 else f"{number(round(count / 1000))} k"


def _counted(count: int, what: str) -> str:
    return f"{number(count)} {what}{'' if count == 1 else 's'}"

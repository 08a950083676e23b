"""What the person has opened among the sections about other settings, kept for the run on screen alone.

`changes=all` gives every row of *What would change it*. `treat=ignore&name=3` opens what leaving out the tool of that
number would do, `treat=limit&name=3&limit=7` what a limit of its own would, `treat=` closes either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.overview import NamedGrader
from loopviz.analysis.runset import Recent
from loopviz.analysis.set_effects import Effect, effects_together
from loopviz.analysis.tool_rules import leave_out, limit_apart
from loopviz.detectors.max_repeat import NAME
from loopviz.patterns import PatternError
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.asking import tell_effects
from loopviz.timeline.changing import show_changes
from loopviz.timeline.facts import run_label
from loopviz.timeline.tool_rules import tell_left_out, tell_others, tell_own_limit
from loopviz.timeline.words import code
from loopviz.ui import choice as choices
from loopviz.ui.library import Library

Data = dict[str, Any]
Fields = Mapping[str, list[str]]

KEPT_EFFECTS = 4
"""Answers about all runs that are kept."""
_ALL, _TOOL = "changes.all", "changes.tool"


def change_sections(library: Library, index: int, found: Inspection) -> Data:
    """The sections about other settings; `tool_buttons` opens the second."""
    return {
        "changes": show_changes(found, everything=st.session_state.get(_ALL) == _run()),
        "tool": _tool_section(library, index, found),
    }


def fold_changes(fields: Fields) -> None:
    """The action `changes`."""
    st.session_state[_ALL] = _run() if fields["changes"] == ["all"] else None


def treat_tool(fields: Fields) -> None:
    """The action `treat`."""
    kind, name, limit = (fields.get(field, [""])[0] for field in ("treat", "name", "limit"))
    opened = kind in ("ignore", "limit") and name.isdecimal()
    st.session_state[_TOOL] = (_run(), kind, int(name), int(limit) if limit.isdecimal() else None) if opened else None


def _run() -> str:
    run: str = st.session_state["run"]
    return run


def _tool_section(library: Library, index: int, found: Inspection) -> Data | None:
    """What was opened last; nothing once the tool is not watched any more."""
    run, kind, tool, limit = st.session_state.get(_TOOL) or (None, "", 0, None)
    columns, watched = found.grader.columns, found.grader.watched
    if run != _run() or tool >= len(columns.tools) or not (watched & (columns.tool == tool)).any():
        st.session_state[_TOOL] = None
        return None
    name, runs = columns.tools[tool], library.alone(index)
    try:
        if kind == "ignore":
            left = leave_out(runs, found, name)
            return tell_left_out(found, left, _others(library, index, found, (left.settings,)))
        apart = limit_apart(runs, found, name, limit or None)
        return tell_own_limit(found, apart, _others(library, index, found, apart.graders))
    except PatternError as error:
        return {"title": [code(name)], "refused": f"Not judged: {error}"}


def _others(library: Library, index: int, found: Inspection, together: tuple[MaxRepeatSettings, ...]) -> Data | None:
    """Which of the other runs are judged otherwise by these graders than by the settings on screen."""
    runs, now, unknown = library.runs, found.finding.settings, found.grader.unknown
    if len(runs) < 2:
        return None
    kept: Recent[Effect] = runs.kept.get("effects of a tool", lambda: Recent(KEPT_EFFECTS))

    def work_out() -> Effect:
        graders = [(NamedGrader(NAME, now),)] * len(runs)
        return effects_together(runs, graders, [together], unknown, besides=index)[0]

    def link(_: int, run: int) -> Data:
        own = together[0] if len(together) == 1 else now
        params = choices.to_link(replace(choices.current(), own=own, grader=0))
        address = urlencode({"run": library.key(run), **params}, doseq=True)
        return {"href": f"./?{address}", "action": urlencode({"open": run, **params}, doseq=True)}

    effect = kept.get((now, together, unknown, index), work_out)
    told = tell_effects([effect], lambda run: run_label(library.trajectories[run]), link)
    return tell_others(effect.n_judged, told["effects"][0], n_graders=len(together))

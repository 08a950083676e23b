"""One run under two settings: those in force, and others of its own that are tried beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from loopviz.comparing import two_settings
from loopviz.comparing.aligning import Alignment, align
from loopviz.comparing.doing import show_call
from loopviz.comparing.picture import draw
from loopviz.comparing.sides import Sides, step_place
from loopviz.comparing.verdicts import differing, in_words, show_verdict
from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES
from loopviz.refusals import SettingsError
from loopviz.settings import MaxRepeatSettings, changed
from loopviz.timeline.words import SAME_WHEN, number
from loopviz.ui import choice as choices
from loopviz.ui.compare.asked import Asked, ask, asked
from loopviz.ui.compare.pairs import found, origin, side_of
from loopviz.ui.compare.runs import run_list
from loopviz.ui.controls import LABELS, NUMBER, TIPS
from loopviz.ui.graders import grader_shown
from loopviz.ui.library import Library

Data = dict[str, Any]
_RUN, _SET, _REFUSED = "compare.run", "compare.set", "compare.refused"
_WIDTHS = {"max": 190, "max_cycle_period": 260}


def one_run(library: Library, wanted: Asked) -> int:
    """The run that is asked for, else that on Inspect, else the first."""
    for key in (wanted.a, st.session_state.get("run")):
        index = found(library, key)
        if index is not None:
            return index
    return 0


def other_settings(library: Library, index: int, wanted: Asked) -> MaxRepeatSettings:
    """Those asked for; else the recorded ones where others are in force; else the same with longer patterns."""
    if wanted.own is not None:
        return wanted.own
    trajectory, choice = library.trajectories[index], choices.current()
    now = grader_shown(trajectory, library.spec, choice).settings
    recorded = grader_shown(trajectory, library.spec, replace(choice, own=None)).settings
    if recorded != now:
        return recorded
    return changed(now, max_cycle_period=MAX_PERIOD if now.max_cycle_period == 1 else 1)


def choose_one(library: Library, index: int) -> None:
    """The list of runs."""
    run_list(library, "Run", _RUN, index, "a")


def settings_controls(b: MaxRepeatSettings) -> None:
    """A control for each setting of B."""
    values: dict[str, Any] = {"max": float(b.max), "max_cycle_period": float(b.max_cycle_period), "match": b.match}
    for field, value in {**values, "tools": choices.patterns_as_text(b.tools)}.items():
        key = f"{_SET}.{field}"
        if field != "tools" or _REFUSED not in st.session_state:
            st.session_state[key] = value
        common: dict[str, Any] = {"key": key, "help": TIPS[field], "on_change": _take, "args": (field, b)}
        label = f"B: {LABELS[field][0].lower()}{LABELS[field][1:]}"
        if field in _WIDTHS:
            st.number_input(label, **NUMBER, **common, width=_WIDTHS[field])
        elif field == "match":
            st.segmented_control(label, MATCHES, required=True, format_func=SAME_WHEN.__getitem__, **common)
        else:
            st.text_input(label, placeholder="every tool", live="400ms", **common)
    st.button("Use B on every page", key="compare.use", on_click=_use, args=(b,))


def say_refused() -> None:
    """Why what was typed is not used."""
    if _REFUSED in st.session_state:
        st.text(f"Not used: {st.session_state[_REFUSED]} What stood before stays in force.")


def _take(field: str, drawn: MaxRepeatSettings) -> None:
    value = st.session_state[f"{_SET}.{field}"]
    st.session_state.pop(_REFUSED, None)
    if value is None:
        return
    if field == "tools":
        value = choices.patterns_from_text(value)
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    base = asked().own or drawn
    try:
        if value is None:
            ask(own=base.model_copy(update={field: None}))
        else:
            given: dict[str, Any] = {field: list(value) if isinstance(value, tuple) else value}
            ask(own=changed(base, **given))
    except SettingsError as error:
        st.session_state[_REFUSED] = str(error.refusals[0])


def _use(b: MaxRepeatSettings) -> None:
    """Put B in force; what was in force becomes B."""
    before = choices.current().own
    choices.choose(replace(choices.current(), own=b))
    ask(own=before)


def n_steps(library: Library, index: int) -> int:
    """Steps of the run."""
    return len(_steps(library, index))


def _steps(library: Library, index: int) -> Alignment:
    return align(library.together((index, index)), "name-args", choices.current().unknown)


def under_two(library: Library, index: int, b: MaxRepeatSettings) -> tuple[Sides, Alignment]:
    """The run under both settings, and its steps."""
    sides = side_of(library, index), side_of(library, index, b)
    return sides, _steps(library, index)


def show_settings(library: Library, index: int, b: MaxRepeatSettings, wanted: Asked) -> tuple[str, Data, Data]:
    """(headline, the line below it, every section below the controls)."""
    sides, aligned = under_two(library, index, b)
    walk = aligned.sides[0]
    marked = two_settings.first_apart(sides, walk)
    column = wanted.column if wanted.column is not None and wanted.column < len(walk) else None
    shown = column if column is not None else marked
    picture = None
    if len(walk):
        mark = "" if marked is None else step_place(sides[0].trajectory, walk, marked)
        picture = draw(
            sides,
            aligned,
            name=f"{library.key(index)} settings",
            marked=marked,
            mark=mark,
            flag="patterns first differ",
        )
        picture["settings"] = True
    differ = differing(sides[0].settings, sides[1].settings)
    names = [f"{in_words(sides[0].settings)} · {origin(library, index)}", in_words(b)]
    sections: Data = {
        "picture": {
            "verdicts": [show_verdict(side, at, names[at]) for at, side in enumerate(sides)],
            "picture": picture,
            "selected": column,
        },
        "patterns": two_settings.show_patterns(sides),
        "middle": {
            "column": None if shown is None else _step(library, index, aligned, shown, chosen=column is not None),
            "figures": {"title": "In figures", "rows": two_settings.show_figures(sides)},
            "settings": {"title": "Settings that differ", "rows": differ} if differ else None,
        },
    }
    return two_settings.title(sides), {"line": two_settings.line(sides)}, sections


def _step(library: Library, index: int, aligned: Alignment, column: int, *, chosen: bool) -> Data:
    """What the run did in a step."""
    trajectory, walk = library.trajectories[index], aligned.sides[0]
    calls = walk.calls(column)
    place = step_place(trajectory, walk, column)
    title = place.capitalize() if chosen else "Where their patterns first differ"
    side = {
        "letter": "",
        "head": " · ".join(dict.fromkeys([place, f"call {number(calls[0] + 1)}"])),
        "note": "",
        "calls": [show_call(trajectory, call) for call in calls[:12]],
        "more": "",
        "inspect": {"label": "Inspect it here", "action": f"inspect=A&call={calls[0]}"},
    }
    return {"title": title, "back": None, "sides": [side]}

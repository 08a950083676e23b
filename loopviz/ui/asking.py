"""The stretch that is marked in the run on screen, and what was asked about it.

`ask=29-69` marks calls and so asks about them (both from 0, the last inclusive), `ask=` clears the mark. `asked=runs`
looks at what the suggested settings do in the other runs; `open=4` with settings opens one of those under them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from loopviz.analysis.asking import Answer, ask
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.runset import Recent
from loopviz.analysis.set_effects import Effect, effects
from loopviz.patterns import PatternError
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.asking import ask_form, card_lines, tell_answer, tell_effects
from loopviz.timeline.contract import Marked, Payload
from loopviz.timeline.facts import run_label
from loopviz.ui import choice as choices
from loopviz.ui.library import Library
from loopviz.ui.opening import open_library
from loopviz.ui.runs_judged import graders_of
from loopviz.ui.walk import go_to_run

Data = dict[str, Any]
Fields = Mapping[str, list[str]]
Span = tuple[int, int]

KEPT_EFFECTS = 4
"""Answers about all runs that are kept."""
_MARKED, _SEQ, _LOOKED = "stretch", "stretch.seq", "stretch.looked"


def mark(span: Span | None) -> None:
    """Mark calls of the run on screen, or clear the mark: the picture follows."""
    keep_mark(span)
    st.session_state[_SEQ] = st.session_state.get(_SEQ, 0) + 1


def keep_mark(span: Span | None) -> None:
    """Note what the person marked in the picture."""
    st.session_state[_MARKED] = (st.session_state.get("run"), span)
    st.session_state[_LOOKED] = None


def ask_about(fields: Fields) -> None:
    """The action `ask`; a span the wrong way round is turned."""
    wanted = re.fullmatch(r"(\d{1,12})-(\d{1,12})", fields["ask"][0])
    mark((min(map(int, wanted.groups())), max(map(int, wanted.groups()))) if wanted else None)


def look_at_runs(fields: Fields) -> None:
    """The action `asked`."""
    st.session_state[_LOOKED] = fields["asked"][0]


def open_other(fields: Fields) -> None:
    """The action `open`: another run under the settings that it would be judged by."""
    library, index = open_library(), int(fields["open"][0])
    own = choices.from_link({name: values[0] for name, values in fields.items()}, fields.get("tool", ())).own
    if index < len(library.trajectories):
        choices.choose(replace(choices.current(), own=own))
        go_to_run(library, index)
    st.rerun()


def asked(library: Library, index: int, found: Inspection) -> Answer | None:
    """What there is to say of the marked calls of a run; None while none are."""
    span = marked_span(found)
    return None if span is None else ask(library.alone(index), found, *span)


def marked_span(found: Inspection) -> Span | None:
    run, span = st.session_state.get(_MARKED, (None, None))
    last_call = len(found.trajectory.calls) - 1
    if span is None or run != st.session_state.get("run") or span[0] > last_call:
        return None
    return span[0], min(span[1], last_call)


def show_marked(payload: Payload, found: Inspection, answer: Answer | None) -> None:
    """Put the mark, and the answer about it, into a picture."""
    marked: Marked = {"span": marked_span(found), "seq": st.session_state.get(_SEQ, 0)}
    payload["marked"] = marked
    if answer is not None:
        first, last = answer.stretch.first, answer.stretch.last
        payload["stretch"] = {"first": first, "last": last, "lines": card_lines(answer)}


def ask_section(library: Library, index: int, found: Inspection, answer: Answer | None) -> Data:
    """The section about the marked calls, and the form that asks without dragging."""
    about = None
    if answer is not None:
        others = _looked(library, index, answer)
        about = tell_answer(answer, n_runs=len(library.trajectories) - 1, others=others)
    form = ask_form(len(found.trajectory.calls), marked_span(found))
    return {"ask": None if form is None else {"form": form, "about": about}}


def _looked(library: Library, index: int, answer: Answer) -> Data | None:
    """What the suggested settings do in the other runs; None while that was not asked of exactly these."""
    options = tuple(suggestion.nearest.settings for suggestion in answer.suggestions)
    choice, runs = choices.current(), library.runs
    question = (options, choice.own, choice.unknown, index)
    if st.session_state.get(_LOOKED) == "runs":
        st.session_state[_LOOKED] = question
    if not options or st.session_state.get(_LOOKED) != question:
        return None
    kept: Recent[tuple[Effect, ...]] = runs.kept.get("effects on other runs", lambda: Recent(KEPT_EFFECTS))

    def work_out() -> tuple[Effect, ...]:
        return effects(runs, graders_of(runs, library.spec, choice), options, choice.unknown, besides=index)

    try:
        found = kept.get(question, work_out)
    except PatternError as error:
        return {"refused": f"Not judged: {error}"}

    def link(place: int, run: int) -> Data:
        params = _params(options[place])
        address = {"run": library.key(run), **params}
        return {
            "href": f"./?{urlencode(address, doseq=True)}",
            "action": urlencode({"open": run, **params}, doseq=True),
        }

    return tell_effects(found, lambda run: run_label(library.trajectories[run]), link)


def _params(settings: MaxRepeatSettings) -> dict[str, str | list[str]]:
    return choices.to_link(replace(choices.current(), own=settings, grader=0))

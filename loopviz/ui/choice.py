"""What the person has chosen: settings for all runs, or those recorded in each. Kept across pages and in links.

A link holds the run, the call and the core settings, in the grader's own words, so that a person can read and write it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from loopviz.analysis.inspection import GuardSettings
from loopviz.settings import MaxRepeatSettings, SettingsError, Unknown, load
from loopviz.ui import guard_links
from loopviz.ui.link_notes import note_field
from loopviz.ui.undoing import History

EXAMPLE = MaxRepeatSettings(max=3)
"""What is shown where neither the file nor the person says anything: the example of Vally's documentation."""

LINKED = ("max", "max_cycle_period", "match", "tool")
"""Fields of the address that hold a grader's settings."""
_KEY = "choice"
_HISTORY = "choice.history"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Settings in force; a change makes a new one."""

    own: MaxRepeatSettings | None = None
    """One grader for all runs; None for what each run records."""
    grader: int = 0
    """Which of a run's recorded graders is shown, from 0."""
    guards: GuardSettings = field(default_factory=GuardSettings)
    unknown: Unknown = "equal"
    refused: tuple[tuple[str, str, str], ...] = ()
    """(control, what was typed, why it is refused); the settings above are the last good ones."""

    def refusal(self, control: str) -> tuple[str, str] | None:
        """(what was typed, why) for a control whose last entry was refused."""
        return next(((typed, why) for name, typed, why in self.refused if name == control), None)

    def without(self, control: str) -> Choice:
        """The same with no refusal beside a control."""
        return replace(self, refused=tuple(item for item in self.refused if item[0] != control))

    @property
    def settings(self) -> Choice:
        """The same with no refusal at all: what a step back returns to."""
        return replace(self, refused=())


def current() -> Choice:
    """The choice of this session; the first time, that of the link it was opened by."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = from_link(st.query_params.to_dict(), st.query_params.get_all("tool"))
    choice: Choice = st.session_state[_KEY]
    return choice


def choose(choice: Choice, *, control: str | None = None, remember: bool = True) -> None:
    """Put a new choice in force.

    Args:
        choice: The settings from now on; where they are those of before, as after a refusal, nothing can be undone.
        control: What is stepped or typed in, whose consecutive changes are undone as one.
        remember: Whether the change can be undone; not so one that belongs to going to another run.
    """
    before = current()
    st.session_state[_KEY] = choice
    if remember and before.settings != choice.settings:
        st.session_state[_HISTORY] = history().changed(before.settings, choice.settings, control)


def history() -> History[Choice]:
    """The settings of this session so far."""
    kept: History[Choice] = st.session_state.get(_HISTORY) or History()
    return kept


def undo() -> None:
    """Put the settings before the present ones in force; where there are none, nothing happens."""
    if history().past:
        st.session_state[_HISTORY], st.session_state[_KEY] = history().undone(current().settings)


def redo() -> None:
    """Put the settings in force that were last gone back from; where there are none, nothing happens."""
    if history().future:
        st.session_state[_HISTORY], st.session_state[_KEY] = history().redone(current().settings)


def from_link(params: Mapping[str, str], tools: Sequence[str] = ()) -> Choice:
    """Read settings from the address; what is refused there is left out, and said beside its control."""
    given: dict[str, Any] = {}
    for key in ("max", "max_cycle_period"):
        if key in params:
            given[key] = int(params[key]) if re.fullmatch(r"\d{1,9}", params[key]) else params[key]
    if "match" in params:
        given["match"] = params["match"]
    if tools:
        given["tools"] = list(tools)
    unknown: Unknown = "distinct" if params.get("unknown") == "distinct" else "equal"
    place = params.get("grader", "")
    grader = int(place) - 1 if re.fullmatch(r"[1-9]\d{0,5}", place) else 0
    guards, _ = guard_links.from_fields(params)  # What is refused there is said above the page: see link_faults.py.
    choice = Choice(grader=grader, guards=guards, unknown=unknown)
    if "max" not in given:
        return choice
    try:
        return replace(choice, own=load(MaxRepeatSettings, given))
    except SettingsError as error:
        refused = tuple((refusal.field, str(refusal.value), str(refusal)) for refusal in error.refusals)
        return replace(choice, refused=refused)


def to_link(choice: Choice) -> dict[str, str | list[str]]:
    """The settings as parameters of the address; nothing where the run's own and the usual guards are in force."""
    params: dict[str, str | list[str]] = {}
    if choice.own is not None:
        params["max"] = str(choice.own.max)
        params["max_cycle_period"] = str(choice.own.max_cycle_period)
        params["match"] = choice.own.match
        if choice.own.tools is not None:
            params["tool"] = list(choice.own.tools)
    if choice.grader:
        params["grader"] = str(choice.grader + 1)
    if choice.unknown != "equal":
        params["unknown"] = choice.unknown
    return {**params, **guard_links.to_fields(choice.guards)}


def write_link(params: Mapping[str, str | list[str]]) -> None:
    """Make the address say what is on screen, touching it only where it differs."""
    now = {key: st.query_params.get_all(key) for key in st.query_params}
    fields = {**params, **note_field()}
    wanted = {key: value if isinstance(value, list) else [value] for key, value in fields.items()}
    if now != wanted:
        st.query_params.from_dict(fields)


def patterns_as_text(tools: tuple[str, ...] | None) -> str:
    """Tool patterns as they stand in the one-line control: separated by spaces, white space inside them escaped."""
    return guard_links.in_one_line(tools or ())


def patterns_from_text(words: str) -> tuple[str, ...] | None:
    """Tool patterns from the one-line control; none for every tool."""
    return tuple(words.split()) or None

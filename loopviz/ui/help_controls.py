"""Controls of the examples on the Help page, each made from the declaration of its setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from loopviz.settings import AnySettings, Described, Settings, SettingsError, describe, load
from loopviz.timeline.words import SAME_WHEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Something to try: what is typed, and the settings that differ from the defaults."""

    name: str
    text: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One example: its settings on screen, by their names, and the cases that can be chosen."""

    key: str
    model: type[Settings]
    fields: Sequence[str]
    cases: Sequence[Case]
    shown: Mapping[str, Any]
    """What the settings that have no default begin with."""

    def state(self, name: str) -> str:
        """The key under which the session keeps a control's value."""
        return f"help.{self.key}.{name}"

    def begin(self) -> None:
        """Put in force what was clicked in the picture; the first time, and after another page, the first case."""
        if self.state("text") not in st.session_state:
            self.choose(self.cases[0])
        for name, value in st.session_state.pop(self.state("clicked"), {}).items():
            st.session_state[self.state(name)] = value

    def choose(self, case: Case) -> None:
        """Put a case in force."""
        st.session_state[self.state("case")] = case.name
        st.session_state[self.state("text")] = case.text
        for known in self._fields():
            value = case.settings.get(known.name, self.shown.get(known.name, known.default))
            st.session_state[self.state(known.name)] = " ".join(value) if isinstance(value, tuple) else value

    def pick(self) -> None:
        """Draw the list of cases."""
        st.selectbox(
            "Worked case",
            [case.name for case in self.cases],
            key=self.state("case"),
            on_change=lambda: self.choose(self._case(st.session_state[self.state("case")])),
        )

    def controls(self) -> None:
        """Draw a control for each setting."""
        with st.container(horizontal=True, key=f"help-{self.key}-settings", vertical_alignment="bottom"):
            for known in self._fields():
                _control(known, self.state(known.name))

    def settings(self, model: type[AnySettings]) -> AnySettings | None:
        """The settings in force; where they are refused it is said, and there are none."""
        try:
            values = {known.name: self._value(known) for known in self._fields()}
            return load(model, {name: value for name, value in values.items() if value is not None})
        except SettingsError as error:
            for refusal in error.refusals:
                st.text(f"Not used: {refusal}")
            return None

    def clicked(self, name: str, value: Any) -> None:
        """Note what a click asks for, and draw the example anew."""
        st.session_state[self.state("clicked")] = {name: value}
        st.rerun(scope="fragment")

    def _fields(self) -> list[Described]:
        known = describe(self.model)
        return [known[name] for name in self.fields]

    def _case(self, name: str) -> Case:
        return next(case for case in self.cases if case.name == name)

    def _value(self, known: Described) -> Any:
        value = st.session_state[self.state(known.name)]
        return value.split() if isinstance(known.default, tuple) else value


def _control(known: Described, key: str) -> None:
    label = f"{known.label} ({known.name})"
    if known.choices:
        st.segmented_control(label, known.choices, required=True, format_func=_choice, key=key, help=known.help)
    elif isinstance(known.default, bool):
        st.toggle(label, key=key, help=known.help)
    elif isinstance(known.default, tuple):
        st.text_input(label, key=key, help=known.help, placeholder="none", live="250ms", width=210)
    elif isinstance(known.default, float):
        st.number_input(label, key=key, help=known.help, value=None, step=0.05, width=160)
    else:
        off = None if known.required else "off"
        st.number_input(label, key=key, help=known.help, value=None, step=1, placeholder=off, width=160)


def _choice(value: str) -> str:
    return next((words for match, words in SAME_WHEN.items() if match == value), value)

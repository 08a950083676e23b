"""Settings of the two live guards, in a popover: they are simulations, so they stay out of the way of the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

import streamlit as st

from loopviz.refusals import SettingsError
from loopviz.settings import EscalationSettings, Settings, ThrashSettings, Unknown, changed, describe
from loopviz.ui import choice as choices
from loopviz.ui.stepping import is_echo, said

_SHOWN: dict[str, tuple[str, ...]] = {
    "escalation": ("similarity", "replan", "explore", "force_done", "same_tool", "tokens"),
    "thrash": ("n", "scope", "ping_pong", "ignore_args", "empty_retry", "count_unexecuted", "finish_tools"),
}
_TITLES = {"escalation": "Escalation ladder", "thrash": "Thrash detector"}
_MODELS: dict[str, type[Settings]] = {"escalation": EscalationSettings, "thrash": ThrashSettings}


Notes = Callable[[], Mapping[str, str]]
"""What to say beside some controls, such as `thrash.n`: asked for only while they are seen."""


def guards_popover(after: Callable[[], None] | None = None, notes: Notes = dict) -> None:
    """The button, and behind it the settings; their widgets are made only while it is open.

    Args:
        after: Called when a change is taken.
        notes: How far a control could move without a change in what is on screen.
    """
    with st.popover("Guards", key="guards", on_change="rerun") as popover:
        if not popover.open:
            return
        with st.container(key="guard-settings"):
            st.caption(
                "Live guards, simulated: what each would have done during the run. They do not touch the verdict."
            )
            said = notes()
            for guard, column in zip(_SHOWN, st.columns(2, gap="medium"), strict=True):
                with column:
                    _guard_section(guard, after, said)
            _common_section(after)


def _common_section(after: Callable[[], None] | None) -> None:
    st.segmented_control(
        "Redacted or unrecorded values are taken as (unknown)",
        get_args(Unknown),
        required=True,
        default=choices.current().unknown,
        key="guards.unknown",
        on_change=_take_unknown,
        args=(after,),
    )
    st.button("Back to the defaults", on_click=_reset, args=(after,))


def _guard_section(guard: str, after: Callable[[], None] | None, notes: Mapping[str, str]) -> None:
    settings = getattr(choices.current().guards, guard)
    st.markdown(f"**{_TITLES[guard]}**")
    for field in _SHOWN[guard]:
        _control(guard, field, getattr(settings, field), after)
        if note := notes.get(f"{guard}.{field}"):
            st.caption(note)
        refusal = choices.current().refusal(f"{guard}.{field}")
        if refusal:
            st.text(f"Not used: {refusal[1]}")


def _control(guard: str, field: str, value: Any, after: Callable[[], None] | None) -> None:
    """One control; its kind follows from the declaration of the setting."""
    known = describe(_MODELS[guard])[field]
    common: dict[str, Any] = {
        "key": f"guards.{guard}.{field}",
        "help": known.help,
        "on_change": _take,
        "args": (guard, field, after),
    }
    said(common["key"], choices.patterns_as_text(value) if isinstance(value, tuple) else value)
    label = f"{known.label} ({field})"
    if known.choices:
        st.segmented_control(label, known.choices, required=True, default=value, **common)
    elif isinstance(value, bool):
        st.toggle(label, value=value, **common)
    elif isinstance(value, tuple):
        st.text_input(label, value=choices.patterns_as_text(value), placeholder="none", **common)
    elif field == "similarity":
        st.number_input(label, step=0.05, value=float(value), **common)
    else:
        st.number_input(label, step=1, value=value, placeholder="off", **common)


def _take(guard: str, field: str, after: Callable[[], None] | None) -> None:
    key = f"guards.{guard}.{field}"
    if not is_echo(key, st.session_state[key]):
        _apply_control(guard, field)
    if after is not None:
        after()


def _apply_control(guard: str, field: str) -> None:
    choice = choices.current().without(f"{guard}.{field}")
    value = st.session_state[f"guards.{guard}.{field}"]
    if isinstance(getattr(getattr(choice.guards, guard), field), tuple):
        value = value.split()
    try:
        settings = _replaced(getattr(choice.guards, guard), field, value)
    except SettingsError as error:
        name = f"{guard}.{field}"
        choices.choose(replace(choice, refused=(*choice.refused, (name, str(value), str(error)))))
        return
    changes: dict[str, Any] = {guard: settings}
    choices.choose(replace(choice, guards=replace(choice.guards, **changes)), control=f"{guard}.{field}")


def _replaced(settings: Settings, field: str, value: Any) -> Settings:
    """The settings with one field changed; an emptied field that may be unset is unset."""
    return settings.model_copy(update={field: None}) if value is None else changed(settings, **{field: value})


def _take_unknown(after: Callable[[], None] | None) -> None:
    choices.choose(replace(choices.current(), unknown=st.session_state["guards.unknown"]))
    if after is not None:
        after()


def _reset(after: Callable[[], None] | None) -> None:
    choices.choose(choices.Choice(own=choices.current().own, grader=choices.current().grader))
    forget_guards()
    if after is not None:
        after()


def forget_guards() -> None:
    """Let the controls say what is in force when they are drawn next, not what was entered in them."""
    for key in [key for key in st.session_state if str(key).startswith("guards.")]:
        del st.session_state[key]

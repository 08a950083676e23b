"""Undo and redo on the page, and which values of controls are only echoes of what was gone back from.

The browser sends what all controls say along with each press. Pressed before the controls are drawn anew, they still
say what was in force before the press; taken for a change, that would end the way forward again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from loopviz.ui import choice as choices
from loopviz.ui.components.step_buttons import step_buttons

_BUTTONS = "steps"
_ANSWERED, _BEHIND, _SAID = "steps.answered", "steps.behind", "steps.said"
_CLICKED = ("evidence", "timeline", "tune")
"""Components whose clicks may change settings."""
_BUTTONS_PRESSED = ("tune.take",)
"""Buttons that do."""
_SWITCHES, _SHOWN, _LEFT = "steps.switches", "steps.shown", "steps.left"
SETTLING_S = 1.5
"""How long after controls were drawn anew the browser may still send what they said before."""
MOST_SAID = 100
"""Values of a control that are kept."""


def steps_back(after: Callable[[], None], forget: Callable[[], None]) -> None:
    """Draw undo and redo, once there is something that they could do.

    Args:
        after: Called when a step was taken: what is to be drawn anew.
        forget: Called before it: what was entered in controls is no longer in force.
    """
    history = choices.history()
    if history.past or history.future:
        state = {"undo": bool(history.past), "redo": bool(history.future), "n": _answered()}
        step_buttons(state, key=_BUTTONS, on_pressed=lambda: _step(after, forget))


def _step(after: Callable[[], None], forget: Callable[[], None]) -> None:
    """Take the steps that were pressed since the last time."""
    n, steps = _pressed()
    new = min(n - _answered(), len(steps))
    if new > 0:
        for step in steps[-new:]:
            (choices.undo if step == "u" else choices.redo)()
        st.session_state[_ANSWERED] = n
        st.session_state[_BEHIND] = True
        forget()
    after()


def _pressed() -> tuple[int, str]:
    """(presses in all, the last of them)."""
    pressed = getattr(st.session_state.get(_BUTTONS), "pressed", None) or {}
    return int(pressed.get("n", 0)), str(pressed.get("steps", ""))


def _answered() -> int:
    return int(st.session_state.get(_ANSWERED, 0))


def controls_drawn(values: Mapping[str, Any]) -> None:
    """The controls say these values from now on."""
    st.session_state.pop(_BEHIND, None)
    shown: dict[str, Any] = st.session_state.get(_SHOWN, {})
    if shown and sum(shown.get(control) != value for control, value in values.items()) > 1:
        st.session_state[_LEFT] = shown, time.monotonic()
    for control, value in values.items():
        _note(control, value)


def _is_left(control: str, value: Any) -> bool:
    """Whether a control says what it said before several were drawn anew.

    The watch over open files asks by itself, and may ask before the browser has all new values. A person changes one
    control at a time, and hardly back to what it just was.
    """
    kept: tuple[dict[str, Any], float] | None = st.session_state.get(_LEFT)
    if kept is None:
        return False
    left, drawn_s = kept
    if time.monotonic() - drawn_s < SETTLING_S and left.get(control) == value:
        return True
    return all(st.session_state.get(f"set.{each}") == was for each, was in left.items())


def _says_other(key: str, drawn: Any) -> bool:
    """Whether a control that is on the page says something else than it was drawn with."""
    return key in st.session_state and st.session_state[key] != drawn


def switch_drawn(key: str, value: Any) -> None:
    """A control that puts other settings in force at once says this from now on."""
    st.session_state.setdefault(_SWITCHES, {})[key] = value


def put_elsewhere() -> None:
    """Other settings are in force than the controls say, until they are drawn anew."""
    st.session_state[_BEHIND] = True


def said(control: str, value: Any) -> None:
    """The person entered this value in a control."""
    st.session_state.pop(_LEFT, None)
    _note(control, value)


def _note(control: str, value: Any) -> None:
    """A control says this value: it was drawn with it, or the person entered it."""
    st.session_state[_SHOWN] = {**st.session_state.get(_SHOWN, {}), control: value}
    kept: dict[str, list[Any]] = st.session_state.setdefault(_SAID, {})
    values = kept.setdefault(control, [])
    if value not in values:
        values[:] = [*values, value][-MOST_SAID:]


def is_echo(control: str, value: Any) -> bool:
    """Whether a value that a control sends is not a change: it came along with something else, and was there before."""
    if _is_left(control, value):
        return True
    came_along = (
        st.session_state.get(_BEHIND)
        or _pressed()[0] > _answered()
        or any(getattr(st.session_state.get(key), "action", None) for key in _CLICKED)
        or any(st.session_state.get(key) for key in _BUTTONS_PRESSED)
        or any(_says_other(key, drawn) for key, drawn in st.session_state.get(_SWITCHES, {}).items())
    )
    return bool(came_along) and value in st.session_state.get(_SAID, {}).get(control, ())

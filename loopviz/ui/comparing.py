"""What the chosen call is set against, and which near-repeats are asked for; both are forgotten with the run."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from loopviz.ui.walk import choose_call

_COMPARED, _NEAR = "compare", "near"


def compare_with(fields: Mapping[str, list[str]]) -> None:
    """Set the chosen call against another one, or first choose one: `compare=41`, `call=44&compare=41`, from 0."""
    if "call" in fields:
        choose_call(int(fields["call"][0]))
    st.session_state[_COMPARED] = (_run(), st.session_state.get("call"), int(fields["compare"][0]))


def look_for_near(fields: Mapping[str, list[str]]) -> None:
    """Show near-repeats: `near=look` or `near=all`."""
    st.session_state[_NEAR] = (_run(), fields["near"][0])


def compared(call: int | None) -> int | None:
    """What the person set a call against, from 0; None where that is left to the page."""
    run, chosen, other = st.session_state.get(_COMPARED, (None, None, None))
    return other if (run, chosen) == (_run(), call) else None


def near_asked() -> str | None:
    """Which near-repeats the person asked for in this run."""
    run, asked = st.session_state.get(_NEAR, (None, None))
    return asked if run == _run() else None


def _run() -> str | None:
    run: str | None = st.session_state.get("run")
    return run

"""The timeline as a Streamlit element: the canvas script in a components-v2 component."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import streamlit as st

from loopviz.timeline.contract import Payload
from loopviz.ui.components.scripts import user


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineResult:
    """What the person last did in the timeline, for the run that is shown; calls count from 0."""

    call: int | None
    """The call they chose; None while Python's own choice stands, that of the payload's `selected`."""
    axis: str
    """`calls` or `time`."""
    action: str | None
    """The `action` of the piece of a sentence they clicked, in this run of the script only."""


Span = tuple[int, int]
"""First and last call of a stretch, from 0."""


def timeline(payload: Payload, *, key: str, on_stretch: Callable[[Span | None], None] | None = None) -> TimelineResult:
    """Draw the verdict and the lanes of one run, as high as they need to be.

    Zoom and selection live in the browser under `key` and survive every change of the payload but that of its `run`.
    The script is run again on the person's own acts only, held keys settled.

    Args:
        payload: What to draw.
        key: Names the component on the page.
        on_stretch: Told of the stretch that the person marks, or that they clear it, before the script runs again.
    """
    result = user("timeline")(
        key=key,
        data=msgspec.json.encode(payload),
        on_selected_change=_nothing,
        on_stretch_change=lambda: _tell_stretch(st.session_state[key], payload, on_stretch),
        on_axis_change=_nothing,
        on_action_change=_nothing,
    )
    return _result(result, payload)


def _result(state: Any, payload: Payload) -> TimelineResult:
    """Take what was said of this run, and of this choice of Python's; what was said before either changed is over."""

    def said(name: str) -> Any:
        report = state.get(name)
        return report if report and report["run"] == payload["run"] else None

    selected, axis = said("selected"), said("axis")
    return TimelineResult(
        call=selected["value"] if selected and selected["seq"] == payload["selected"]["seq"] else None,
        axis=axis["value"] if axis else "calls",
        action=state.get("action"),
    )


def _tell_stretch(state: Any, payload: Payload, tell: Callable[[Span | None], None] | None) -> None:
    report = state.get("stretch")
    if tell is not None and report and report["run"] == payload["run"]:
        marked = report["value"]
        tell((marked["first"], marked["last"]) if marked else None)


def _nothing() -> None:
    """Streamlit keeps a value only when its change has a listener."""

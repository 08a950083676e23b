"""The sections below the timeline, drawn as plain DOM by a small script."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from loopviz.ui.components.clean import printable

_ASSETS = files("loopviz.ui.components") / "assets"


def evidence(data: dict[str, Any], *, key: str, on_action: Callable[[str | None], None]) -> None:
    """Draw the sections.

    Args:
        data: What `loopviz.timeline.evidence.show_evidence` gives.
        key: Names the component on the page.
        on_action: Told what the person asks for: `match=name&max_cycle_period=2`, `call=33` or `whole=output`.
    """
    _component()(
        key=key,
        data=printable(data),
        on_action_change=lambda: on_action(st.session_state[key].action),
    )


@cache
def _component() -> Any:
    """Registered on first use, with the script as text: that works from a wheel and from a checkout alike."""
    return st.components.v2.component(
        "loopviz_evidence",
        js=(_ASSETS / "evidence.js").read_text("utf-8"),
        css=(_ASSETS / "evidence.css").read_text("utf-8"),
    )

"""The sections below the timeline, drawn as plain DOM by a small script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from loopviz.ui.components.clean import printable
from loopviz.ui.components.scripts import user


def evidence(data: dict[str, Any], *, key: str, on_action: Callable[[str | None], None]) -> None:
    """Draw the sections.

    Args:
        data: What `loopviz.timeline.evidence.show_evidence` gives.
        key: Names the component on the page.
        on_action: Told what the person asks for: `match=name&max_cycle_period=2`, `call=33` or `whole=output`.
    """
    user("evidence")(
        key=key,
        data=printable(data),
        on_action_change=lambda: on_action(st.session_state[key].action),
    )

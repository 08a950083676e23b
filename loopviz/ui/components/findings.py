"""The list of runs worth a look, drawn as plain DOM: names and texts of runs become text nodes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def findings(data: dict[str, Any], *, key: str) -> str | None:
    """Draw the list.

    Args:
        data: What `loopviz.ui.runs_findings.show_findings` gives.
        key: Names the component on the page.
    Returns:
        The `action` of the item that was clicked, or `more`, once, right after the click; else None.
    """
    action: str | None = _component()(key=key, data=printable(data), on_action_change=lambda: None).action
    return action


@cache
def _component() -> ComponentRenderer:
    return register("findings")

"""The sample cards of the first page, drawn as plain DOM."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def cards(data: list[dict[str, Any]], *, key: str) -> str | None:
    """Draw the cards.

    Args:
        data: What `loopviz.ui.first_start.show_cards` gives.
        key: Names the component on the page.
    Returns:
        The `action` of the card that was opened, once, right after the click; else None.
    """
    action: str | None = _component()(key=key, data=printable(data), on_action_change=lambda: None).action
    return action


@cache
def _component() -> ComponentRenderer:
    return register("cards")

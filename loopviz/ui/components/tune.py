"""The sections of the Tune page, drawn as plain DOM: names in them are never taken for markup."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

PARTS = ("grids", "flips", "fit", "pins", "graders", "paper", "said", "tune")
"""Parts of the script, without imports of their own; the last one names the sections in their order."""


def tune_sections(data: dict[str, Any], *, key: str) -> str | None:
    """Draw the sections.

    Args:
        data: A section's content by its name.
        key: Names the component on the page.
    Returns:
        What was clicked, once: `max=4&max_cycle_period=3&match=name-args`, `run=3&call=18` or `flips=fail`; else None.
    """
    action: str | None = _component()(key=key, data=printable(data), on_action_change=lambda: None).action
    return action


@cache
def _component() -> ComponentRenderer:
    return register("tune", parts=PARTS)

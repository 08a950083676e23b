"""The table of runs as DOM: it reads like a table to everybody, and no name in it is ever taken for markup."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def run_table(data: dict[str, Any], *, key: str) -> str | None:
    """Draw the table.

    Args:
        data: What `loopviz.ui.runs_table.show_table` gives.
        key: Names the component on the page.
    Returns:
        The `action` of the row that was clicked, or `sort=<column>` for a heading, once; else None.
    """
    action: str | None = _component()(key=key, data=printable(data), on_action_change=lambda: None).action
    return action


@cache
def _component() -> ComponentRenderer:
    return register("run_table")

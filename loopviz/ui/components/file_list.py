"""Lists of files and what was wrong in them, drawn as plain DOM: file names and reasons may hold anything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def file_list(lists: list[dict[str, Any]], formats: Sequence[tuple[str, str]], *, key: str) -> str | None:
    """Draw the lists that `loopviz.ui.runs_open.show_files` gives, each one that folds.

    Args:
        lists: The lists.
        formats: What a file may be read as: names, and what to call them.
        key: Names the component on the page.
    Returns:
        `file=3&format=atif` for the file and the name that were chosen, once; else None.
    """
    data = printable({"lists": lists, "formats": formats})
    action: str | None = _component()(key=key, data=data, on_action_change=lambda: None).action
    return action


@cache
def _component() -> ComponentRenderer:
    return register("file_list")

"""Lists of files and what was wrong in them, drawn as plain DOM: file names and reasons may hold anything."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def file_list(data: list[dict[str, Any]], *, key: str) -> None:
    """Draw the lists that `loopviz.ui.runs_files.show_files` gives, each one that folds.

    Args:
        data: The lists.
        key: Names the component on the page.
    """
    _component()(key=key, data=printable(data))


@cache
def _component() -> ComponentRenderer:
    return register("file_list")

"""The command lines of the ladder's example: what is compared of each, word by word, and how alike it is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def help_lines(rows: list[dict[str, Any]], *, key: str) -> None:
    """Draw the lines, as `loopviz.ui.help_guards.compare` gives them."""
    _component()(key=key, data=printable(rows))


@cache
def _component() -> ComponentRenderer:
    return register("help_lines")

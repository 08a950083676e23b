"""Brings the word or the rule that a link names into sight, once the page is there."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def help_anchor(*, key: str) -> None:
    """Draw nothing, and follow the address: what follows its `#` is brought into sight and marked."""
    _component()(key=key)


@cache
def _component() -> ComponentRenderer:
    return register("help_anchor")

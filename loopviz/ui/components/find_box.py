"""The box "Go to", drawn as plain DOM: Enter asks, Enter again goes on to the next hit, Escape clears."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st

from loopviz.ui.components.clean import printable
from loopviz.ui.components.look import register

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


def find_box(data: dict[str, Any], *, key: str, on_action: Callable[[str | None], None]) -> None:
    """Draw the box.

    Args:
        data: The `words` in it, whether the switch `pattern` is on, whether Enter goes on from hit to hit
            (`searching`), and a number `seq` whose change puts these words in place of what was typed.
        key: Names the component on the page.
        on_action: Told what the person asks for: `find=turn+8`, `find=x&as=pattern` or `hit=next`.
    """
    _component()(key=key, data=printable(data), on_action_change=lambda: on_action(st.session_state[key].action))


@cache
def _component() -> ComponentRenderer:
    return register("find_box")

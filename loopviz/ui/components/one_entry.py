"""Keeps the browser's history to one entry a page: what changes on a page changes its address, and Back leaves it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_SCRIPT = """\
const push = history.pushState;
if (!push.ofLoopviz) {
  history.pushState = function (state, title, url) {
    const there = new URL(url ?? location.href, location.href);
    const same = there.origin === location.origin && there.pathname === location.pathname;
    return (same ? history.replaceState : push).call(history, state, title, url);
  };
  history.pushState.ofLoopviz = true;
}
export default function () {}
"""


def keep_one_entry() -> None:
    """Let a new address of the same page take the place of the one before it."""
    _component()(key="one-entry")


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component("loopviz_one_entry", js=_SCRIPT)

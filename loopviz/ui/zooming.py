"""The part of the timeline that a link shows: `from` and `to`, calls counted from 1.

Zoom lives in the browser, which adds it to a link when that is copied; here it is read once, for the picture's first
drawing of the run that the link leads to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import streamlit as st

from loopviz.timeline.contract import Payload

FROM, TO = "from", "to"
"""Fields of the address."""
_KEPT = "link.zoom"
_NUMBER = re.compile(r"[1-9][0-9]{0,14}")


def take_zoom(key: str, n_calls: int, params: Mapping[str, str]) -> None:
    """Keep the part that a link shows of the run of this key."""
    part = read_zoom(params, n_calls)
    st.session_state[_KEPT] = None if part is None else (key, part)


def read_zoom(params: Mapping[str, str], n_calls: int) -> tuple[int, int] | None:
    """First and last call of the part, from 0; None where the address names none that the run has."""
    first, last = (params.get(name, "") for name in (FROM, TO))
    if not (_NUMBER.fullmatch(first) and _NUMBER.fullmatch(last)) or not int(first) <= int(last):
        return None
    return None if int(first) > n_calls else (int(first) - 1, min(int(last), n_calls) - 1)


def zoom_as_linked(payload: Payload, key: str) -> None:
    """Tell the picture which part to open with; once drawn it keeps its own zoom."""
    kept = st.session_state.get(_KEPT)
    if kept is not None and kept[0] == key:
        first, last = kept[1]
        payload["view"] = {"first": first, "last": last}


def forget_zoom() -> None:
    """Open the next run whole."""
    st.session_state.pop(_KEPT, None)

"""What is compared, kept across pages and in the address: `?mode=runs&a=…&b=…&align=name-args`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import streamlit as st

from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.settings import MaxRepeatSettings
from loopviz.ui import choice as choices

Mode = Literal["runs", "settings", "sets"]
MODES: dict[Mode, str] = {"runs": "two runs", "settings": "two settings", "sets": "two sets"}
_KEY = "compare.asked"
_B = "b_"
"""What stands before the settings of B in the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the person wants to see; a change makes a new one."""

    mode: Mode = "runs"
    a: str | None = None
    """The key of a run, as links name it; None for what the page chooses."""
    b: str | None = None
    align: Match = "name-args"
    own: MaxRepeatSettings | None = None
    """Settings of B where one run is compared under two; None for what the page chooses."""
    by: str | None = None
    """What tells two sets of runs apart: `file`, `model` and the like."""
    set_a: str | None = None
    set_b: str | None = None
    column: int | None = None
    """The chosen column of the picture, from 0."""
    unlike: int | None = None
    """The matched step whose texts are shown, by its column."""
    refused: tuple[str, ...] = ()
    """Why settings of B that the address names are not used."""


def asked() -> Asked:
    """What this session compares; the first time, what the link says it was opened by."""
    if _KEY not in st.session_state:
        tools = st.query_params.get_all(f"{_B}tool")
        st.session_state[_KEY] = from_link(st.query_params.to_dict(), tools)
    kept: Asked = st.session_state[_KEY]
    return kept


def ask(**changes: Any) -> None:
    """Compare something else from now on; what was chosen in the picture goes with the runs."""
    if not {"column", "unlike"} & set(changes):
        changes |= {"column": None, "unlike": None}
    st.session_state[_KEY] = replace(asked(), **changes)


def ask_runs(a: str, b: str) -> None:
    """Compare two runs by their keys, from another page."""
    st.session_state[_KEY] = replace(
        st.session_state.get(_KEY, Asked()), mode="runs", a=a, b=b, column=None, unlike=None
    )


def from_link(params: Mapping[str, str], tools: Sequence[str] = ()) -> Asked:
    """Read an address; what it says that nobody knows is left out."""
    mode: Any = params.get("mode")
    align: Any = params.get("align")
    common = Asked(mode=mode if mode in get_args(Mode) else "runs", align=align if align in MATCHES else Asked().align)
    a, b = params.get("a") or None, params.get("b") or None
    if common.mode == "sets":
        return replace(common, by=params.get("by"), set_a=a, set_b=b)
    step = params.get("step", "")
    column = int(step) - 1 if step.isdecimal() and 0 < len(step) < 10 and int(step) else None
    if common.mode == "runs":
        return replace(common, a=a, b=b, column=column)
    named = {key.removeprefix(_B): value for key, value in params.items() if key.startswith(_B)}
    choice = choices.from_link(named, tools)
    refused = tuple(words for _, _, words in choice.refused)
    return replace(common, a=a, own=choice.own, column=column, refused=refused)


def to_link(wanted: Asked) -> dict[str, str | list[str]]:
    """What the address says: the settings in force stand beside it."""
    params: dict[str, str | list[str]] = {"mode": wanted.mode}
    if wanted.mode == "sets":
        named = {"by": wanted.by, "a": wanted.set_a, "b": wanted.set_b}
    else:
        named = {"a": wanted.a, "b": wanted.b if wanted.mode == "runs" else None}
        params |= {"align": wanted.align} if wanted.mode == "runs" else {}
        if wanted.column is not None:
            named["step"] = str(wanted.column + 1)
    params |= {name: value for name, value in named.items() if value is not None}
    if wanted.mode == "settings" and wanted.own is not None:
        own = choices.to_link(choices.Choice(own=wanted.own))
        params |= {f"{_B}{name}": value for name, value in own.items()}
    return params

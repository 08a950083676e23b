"""The candidate as a list of graders: which there are, which is on the controls, which are on.

The grader on the controls has the settings that hold on all pages; the others wait in this list.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.graders import Entry
from loopviz.ui import choice as choices

_LIST, _CHOSEN = "tune.graders", "tune.grader"
FIRST = "no-loops"
"""What the first grader is called until a person says otherwise."""


def entries(settings: MaxRepeatSettings) -> tuple[tuple[Entry, ...], int]:
    """The graders, and which of them is on the controls.

    Args:
        settings: Those of the grader on the controls.
    """
    kept: tuple[Entry, ...] = st.session_state.get(_LIST) or (Entry(name=FIRST, settings=settings),)
    chosen = min(st.session_state.get(_CHOSEN, 0), len(kept) - 1)
    now = replace(kept[chosen], settings=settings)
    return (*kept[:chosen], now, *kept[chosen + 1 :]), chosen


def act(fields: dict[str, str], graders: tuple[Entry, ...], chosen: int) -> None:
    """Do what was clicked: `grader=add`, `copy`, `remove`, `switch`, `choose` or `rename`, with `at=` its place."""
    at = int(fields.get("at", chosen))
    match fields["grader"]:
        case "choose":
            _put(graders, at)
        case "add":
            made = Entry(name=_free_name(graders[at].name, graders), settings=choices.EXAMPLE)
            _put((*graders, made), len(graders))
        case "rename":
            rename(graders, at, fields.get("name", "").strip() or FIRST)
        case "copy":
            made = replace(graders[at], name=_free_name(graders[at].name, graders), on=True)
            _put((*graders, made), len(graders))
        case "remove" if len(graders) > 1:
            rest = (*graders[:at], *graders[at + 1 :])
            _put(rest, chosen - 1 if at < chosen else min(chosen, len(rest) - 1))
        case "switch" if sum(entry.on for entry in graders) > 1 or not graders[at].on:
            _put((*graders[:at], replace(graders[at], on=not graders[at].on), *graders[at + 1 :]), chosen)


def rename(graders: tuple[Entry, ...], at: int, name: str) -> None:
    """Call a grader something else."""
    _put((*graders[:at], replace(graders[at], name=name), *graders[at + 1 :]), at)


def _put(graders: tuple[Entry, ...], chosen: int) -> None:
    st.session_state[_LIST], st.session_state[_CHOSEN] = graders, chosen
    choices.choose(replace(choices.current(), own=graders[chosen].settings))


def _free_name(name: str, graders: tuple[Entry, ...]) -> str:
    taken = {entry.name for entry in graders}
    base = name.rstrip("0123456789").rstrip("-")
    return next(made for number in range(2, len(graders) + 3) if (made := f"{base}-{number}") not in taken)

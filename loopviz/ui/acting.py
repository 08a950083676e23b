"""What a click inside the picture or the sections below asks for, and how it is done.

Python writes every action beside the words that are clicked, as the query of an address: `call=33` chooses a call,
`whole=output` shows a text in full length, and the fields of a grader's settings, such as `match=name&max=4`, put them
in force. A field given several times is a list, `tools=` alone every tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from loopviz.analysis.inspection import Inspection
from loopviz.settings import MaxRepeatSettings
from loopviz.ui.asking import ask_about, look_at_runs, open_other
from loopviz.ui.changing import fold_changes, treat_tool
from loopviz.ui.comparing import compare_with, look_for_near
from loopviz.ui.controls import apply
from loopviz.ui.finding import ACTS as FIND_ACTS
from loopviz.ui.labelling import label_next, say
from loopviz.ui.saving import save_act
from loopviz.ui.trials import compare_trial, open_trial
from loopviz.ui.walk import choose_call

Fields = Mapping[str, list[str]]


def act(action: str | None, found: Inspection | None) -> bool:
    """Do what was clicked; true where settings, or what is looked for, changed: their controls are to be drawn anew."""
    fields = parse_qs(action or "", keep_blank_values=True)
    for name, do in _ACTS.items():
        if name in fields:
            do(fields)
            return name == "find"
    changes = _settings(fields)
    if changes and found is not None:
        apply(changes, found.finding.settings)
    return bool(changes)


def _call(fields: Fields) -> None:
    choose_call(int(fields["call"][0]))


def _whole(fields: Fields) -> None:
    call, names = st.session_state.get("whole", (None, frozenset()))
    chosen = st.session_state.get("call")
    st.session_state["whole"] = (chosen, (names if call == chosen else frozenset()) | {fields["whole"][0]})


def _cycles(fields: Fields) -> None:
    st.session_state["cycles"] = fields["cycles"][0]


_ACTS: dict[str, Callable[[Fields], None]] = {
    **FIND_ACTS,
    "save": save_act,
    "ask": ask_about,
    "asked": look_at_runs,
    "open": open_other,
    "compare": compare_with,
    "near": look_for_near,
    "call": _call,
    "whole": _whole,
    "cycles": _cycles,
    "changes": fold_changes,
    "treat": treat_tool,
    "trial": open_trial,
    "versus": compare_trial,
    "say": say,
    "label-next": label_next,
}
"""What is done for an action that has this field; the others are settings."""


def _settings(fields: Fields) -> dict[str, Any]:
    """The settings that an action names, as `load` takes them."""
    changes: dict[str, Any] = {}
    for name in MaxRepeatSettings.model_fields:
        if name == "tools" and name in fields:
            changes[name] = [pattern for pattern in fields[name] if pattern] or None
        elif name in fields:
            value = fields[name][0]
            changes[name] = int(value) if value.isdecimal() else value
    return changes

"""What clicks do to the graders of the candidate; settings live in the session, which a bare test has too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st

from loopviz.tuning.graders import Entry
from loopviz.ui import choice as choices
from loopviz.ui.tune import grader_list
from tests.ui.tune_by_hand import grader

ONE, TWO = grader(3), grader(5, name="reads", tools=("^read",))


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    """An empty session, before and after."""
    st.session_state.clear()
    yield
    st.session_state.clear()


def after(action: dict[str, str], *graders: Entry, chosen: int = 0) -> tuple[list[tuple[str, int, bool]], int]:
    """(name, max and whether it is on) of each grader after a click, and which is on the controls."""
    grader_list.act(action, graders, chosen)
    own = choices.current().own or graders[chosen].settings
    entries, place = grader_list.entries(own)
    return [(entry.name, entry.settings.max, entry.on) for entry in entries], place


ACTIONS = [
    pytest.param({"grader": "choose", "at": "1"}, [("no-loops", 3, True), ("reads", 5, True)], 1, id="choose"),
    pytest.param(
        {"grader": "add"}, [("no-loops", 3, True), ("reads", 5, True), ("no-loops-2", 3, True)], 2, id="add an example"
    ),
    pytest.param(
        {"grader": "copy", "at": "1"},
        [("no-loops", 3, True), ("reads", 5, True), ("reads-2", 5, True)],
        2,
        id="copy with its settings",
    ),
    pytest.param({"grader": "remove", "at": "0"}, [("reads", 5, True)], 0, id="remove the one on the controls"),
    pytest.param({"grader": "switch", "at": "1"}, [("no-loops", 3, True), ("reads", 5, False)], 0, id="switch off"),
    pytest.param(
        {"grader": "rename", "at": "0", "name": "polls"}, [("polls", 3, True), ("reads", 5, True)], 0, id="rename"
    ),
    pytest.param(
        {"grader": "rename", "at": "0"}, [("no-loops", 3, True), ("reads", 5, True)], 0, id="rename to nothing"
    ),
]


@pytest.mark.parametrize(("action", "graders", "chosen"), ACTIONS)
def test_clicks(action: dict[str, str], graders: list[tuple[str, int, bool]], chosen: int) -> None:
    assert after(action, ONE, TWO) == (graders, chosen)


@pytest.mark.parametrize("action", ["remove", "switch"])
def test_the_last_one_stays(action: str) -> None:
    assert after({"grader": action, "at": "0"}, ONE) == ([("no-loops", 3, True)], 0)

"""Which values of controls are echoes of what was gone back from."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from loopviz.ui.stepping import controls_drawn, is_echo, said, steps_back, switch_drawn

DRAWN = {"max": 3.0, "match": "name"}


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A session in which the controls were drawn, and 7 was entered."""
    state: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", state)
    controls_drawn(DRAWN)
    said("max", 7.0)
    return state


def test_what_is_sent_alone_is_a_change() -> None:
    assert not is_echo("max", 7.0)


@pytest.mark.parametrize(
    "along",
    [
        pytest.param({"steps": SimpleNamespace(pressed={"n": 1, "steps": "u"})}, id="undo"),
        pytest.param({"evidence": SimpleNamespace(action="max=5")}, id="a click below"),
        pytest.param({"timeline": SimpleNamespace(action="max=5")}, id="a click in the verdict"),
        pytest.param({"steps.behind": True}, id="controls not yet drawn"),
    ],
)
def test_what_was_there_before_and_comes_along_is_an_echo(along: dict[str, Any], session: dict[str, Any]) -> None:
    session |= along
    assert is_echo("max", 7.0) and is_echo("match", "name")
    assert not is_echo("max", 9.0)


NEW = {"max": 5.0, "match": "observation"}


def test_what_all_controls_said_before_they_were_drawn_anew_is_an_echo(session: dict[str, Any]) -> None:
    controls_drawn(NEW)
    session |= {"set.max": 7.0, "set.match": "name"}
    assert is_echo("max", 7.0) and is_echo("match", "name")


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param({"set.max": 7.0, "set.match": "observation"}, id="one control goes back"),
        pytest.param({"set.max": 3.0, "set.match": "name"}, id="to what was left long ago"),
    ],
)
def test_anything_else_is_a_change_once_that_has_settled(
    sent: dict[str, Any], session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    controls_drawn(NEW)
    session |= sent
    assert is_echo("max", sent["set.max"]) == (sent["set.max"] == 7.0)
    now = time.monotonic() + 60
    monkeypatch.setattr("loopviz.ui.stepping.time.monotonic", lambda: now)
    assert not is_echo("max", sent["set.max"])


def test_after_a_change_nothing_is_an_echo(session: dict[str, Any]) -> None:
    controls_drawn(NEW)
    said("max", 6.0)
    session |= {"set.max": 7.0, "set.match": "name"}
    assert not is_echo("max", 7.0)


def test_a_switch_that_is_pressed_brings_echoes_along(session: dict[str, Any]) -> None:
    switch_drawn("pair", "current")
    assert not is_echo("max", 7.0)
    session["pair"] = "candidate"
    assert is_echo("max", 7.0)


def test_presses_are_taken_once_and_all(monkeypatch: pytest.MonkeyPatch, session: dict[str, Any]) -> None:
    taken: list[str] = []
    monkeypatch.setattr("loopviz.ui.stepping.choices.history", lambda: SimpleNamespace(past=(1,), future=()))
    monkeypatch.setattr("loopviz.ui.stepping.choices.undo", lambda: taken.append("u"))
    monkeypatch.setattr("loopviz.ui.stepping.choices.redo", lambda: taken.append("r"))
    calls: list[Any] = []
    monkeypatch.setattr("loopviz.ui.stepping.step_buttons", lambda state, key, on_pressed: calls.append(on_pressed))
    steps_back(lambda: taken.append("drawn"), lambda: None)
    for n, steps in ((2, "uu"), (2, "uu"), (5, "uurur")):
        session["steps"] = SimpleNamespace(pressed={"n": n, "steps": steps})
        calls[0]()
    assert "".join(step for step in taken if step != "drawn") == "uurur"

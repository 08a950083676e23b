"""Settings in the address and in the one-line control: what goes out comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from loopviz.analysis.inspection import GuardSettings
from loopviz.patterns import matching
from loopviz.settings import MaxRepeatSettings, ThrashSettings
from loopviz.ui.choice import Choice, from_link, patterns_as_text, patterns_from_text, to_link


def opened(choice: Choice) -> Choice:
    """The choice that the link of `choice` opens."""
    link = to_link(choice)
    tools = link.get("tool", [])
    params = {key: value for key, value in link.items() if isinstance(value, str)}
    return from_link(params, tools if isinstance(tools, list) else [tools])


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param(Choice(), id="nothing chosen"),
        pytest.param(Choice(own=MaxRepeatSettings(max=3)), id="a limit"),
        pytest.param(
            Choice(own=MaxRepeatSettings(max=1, max_cycle_period=10, match="name-args", tools=("^a b$", "(?i)c|d")))
        ),
        pytest.param(Choice(unknown="distinct"), id="unknown values"),
        pytest.param(Choice(grader=2), id="another of the run's graders"),
        pytest.param(
            Choice(own=MaxRepeatSettings(max=3), guards=GuardSettings(thrash=ThrashSettings(n=7))), id="guards"
        ),
    ],
)
def test_a_link_restores_the_settings(choice: Choice) -> None:
    assert opened(choice) == choice


def test_guards_stand_in_a_link_whose_limit_is_refused() -> None:
    choice = from_link({"max": "0", "thrash": "7"})
    assert choice.guards.thrash.n == 7 and choice.refusal("max") is not None


@pytest.mark.parametrize(
    ("params", "tools", "control"),
    [
        pytest.param({"max": "0"}, [], "max", id="a number out of range"),
        pytest.param({"max": "many"}, [], "max", id="no number"),
        pytest.param({"max": "3", "match": "args"}, [], "match", id="an unknown mode"),
        pytest.param({"max": "3"}, ["("], "tools", id="a pattern that does not compile"),
    ],
)
def test_what_a_link_gets_wrong_is_said_beside_its_control(
    params: dict[str, str], tools: list[str], control: str
) -> None:
    choice = from_link(params, tools)
    assert choice.own is None
    assert choice.refusal(control) is not None


@pytest.mark.parametrize(
    ("tools", "shown"),
    [
        pytest.param(None, "", id="every tool"),
        pytest.param(("^bash$",), "^bash$", id="one"),
        pytest.param(("^bash$", "read"), "^bash$ read", id="two"),
        pytest.param(("a b",), "a\\u0020b", id="a space inside"),
    ],
)
def test_patterns_stand_in_one_line(tools: tuple[str, ...] | None, shown: str) -> None:
    assert patterns_as_text(tools) == shown


@given(st.lists(st.text(st.sampled_from("ab \t"), min_size=1).filter(str.strip), max_size=3))
def test_a_pattern_with_white_space_still_matches_what_it_did(patterns: list[str]) -> None:
    again = patterns_from_text(patterns_as_text(tuple(patterns)))
    names = ["a", "a b", "b\ta", " ", "ab"]
    assert matching(names, again or ()) == matching(names, patterns)


def page() -> None:
    """Buttons that choose, and the settings in force."""
    from dataclasses import replace

    import streamlit as st

    from loopviz.analysis.inspection import GuardSettings
    from loopviz.settings import MaxRepeatSettings, ThrashSettings
    from loopviz.ui import choice as choices

    now = choices.current()
    limit = now.own.max if now.own else 3
    offered = {
        "step": replace(now, own=MaxRepeatSettings(max=limit + 1)),
        "click": replace(now, own=MaxRepeatSettings(max=limit + 10)),
        "guard": replace(now, guards=GuardSettings(thrash=ThrashSettings(n=7))),
        "refuse": replace(now, refused=(("tools", "(", "must compile"),)),
        "back": choices.Choice(),
        "another run": replace(now, grader=1),
    }
    for name, choice in offered.items():
        control = "max" if name == "step" else None
        kept = {"control": control, "remember": name != "another run"}
        st.button(name, on_click=choices.choose, args=(choice,), kwargs=kept)
    st.button("undo", on_click=choices.undo)
    st.button("redo", on_click=choices.redo)


def in_force(*clicks: str) -> tuple[int | None, int, int, bool]:
    """(limit, identical calls that stop, grader, whether a refusal stands) after some clicks."""
    app = AppTest.from_function(page).run()
    for name in clicks:
        next(button for button in app.button if button.label == name).click().run()
    assert not app.exception
    choice: Choice = app.session_state["choice"]
    return choice.own.max if choice.own else None, choice.guards.thrash.n, choice.grader, bool(choice.refused)


@pytest.mark.parametrize(
    ("clicks", "expected"),
    [
        pytest.param(["undo"], (None, 3, 0, False), id="nothing to undo"),
        pytest.param(["redo"], (None, 3, 0, False), id="nothing to redo"),
        pytest.param(["click", "undo"], (None, 3, 0, False), id="the first change"),
        pytest.param(["click", "click", "undo"], (13, 3, 0, False), id="one of two clicks"),
        pytest.param(["click", "step", "step", "step", "undo"], (13, 3, 0, False), id="a held key"),
        pytest.param(["click", "undo", "redo"], (13, 3, 0, False), id="forward again"),
        pytest.param(["click", "undo", "step", "redo"], (4, 3, 0, False), id="a new change leaves nothing to redo"),
        pytest.param(["click", "back", "undo"], (13, 3, 0, False), id="the way back to the recorded settings"),
        pytest.param(["guard", "undo"], (None, 3, 0, False), id="a guard"),
        pytest.param(["click", "refuse", "undo"], (None, 3, 0, False), id="a refusal is no step, and goes"),
        pytest.param(["refuse", "undo"], (None, 3, 0, True), id="a refusal alone"),
        pytest.param(["another run", "undo"], (None, 3, 1, False), id="going to another run is no step"),
    ],
)
def test_steps_back_and_forward(clicks: list[str], expected: tuple[int | None, int, int, bool]) -> None:
    assert in_force(*clicks) == expected

"""Settings in the address and in the one-line control: what goes out comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.patterns import matching
from loopviz.settings import MaxRepeatSettings
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
    ],
)
def test_a_link_restores_the_settings(choice: Choice) -> None:
    assert opened(choice) == choice


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

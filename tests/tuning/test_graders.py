"""Several graders, and what to mind about them."""

from __future__ import annotations

import pytest

from loopviz.settings import MaxRepeatSettings
from loopviz.tuning.graders import Entry, warnings, watched_tools

TOOLS = ("bash", "read_file", "check_status")


def grader(name: str, *tools: str, on: bool = True) -> Entry:
    return Entry(name=name, settings=MaxRepeatSettings(max=3, tools=tools or None), on=on)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        pytest.param([grader("a")], [], id="one grader for every tool"),
        pytest.param([grader("a", "^bash$")], [], id="one for one tool"),
        pytest.param([grader("a", "bash"), grader("b", "read", on=False)], [], id="the second is off"),
        pytest.param([grader("a", "."), grader("b", on=False)], ["a: the pattern . matches every tool."], id="every"),
        pytest.param(
            [grader("a", "^chek_status$")],
            ["a: the pattern ^chek_status$ matches none of the 3 tools; did you mean check_status?"],
            id="a slip of the pen",
        ),
        pytest.param([grader("a", "zzz")], ["a: the pattern zzz matches none of the 3 tools."], id="nothing like it"),
    ],
)
def test_one_grader(entries: list[Entry], told: list[str]) -> None:
    assert warnings(entries, TOOLS) == told


def test_several_graders_share_a_weight() -> None:
    (told,) = warnings([grader("a", "bash"), grader("b", "read")], TOOLS)
    assert "duplicate-grader-type-in-stimulus" in told


def test_two_that_watch_the_same_tool() -> None:
    assert "a and b both watch bash and 1 more." in warnings([grader("a"), grader("b", "^bash$", "read")], TOOLS)


def test_two_of_one_name() -> None:
    told = warnings([grader("a", "bash"), grader("a", "read")], TOOLS)
    assert "Two graders are named a; within a stimulus names must differ." in told


def test_a_refused_pattern_watches_nothing() -> None:
    settings = MaxRepeatSettings.model_construct(max=3, max_cycle_period=1, match="name", tools=("(",))
    assert watched_tools(settings, TOOLS) == []

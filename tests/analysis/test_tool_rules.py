"""A tool ignored, or with a limit of its own: what becomes of the cycles, and what is written."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz import config
from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.analysis.tool_rules import CycleChange, graders_as_yaml, leave_out, limit_apart
from loopviz.settings import MaxRepeatSettings
from tests import oracles
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of


def look(calls: list[dict[str, Any]], **settings: Any) -> tuple[RunSet, Inspection]:
    runs = RunSet([trajectory_of(calls)])
    return runs, inspect(runs, MaxRepeatSettings(**{"max": 2, **settings}))


def run_of(letters: str) -> list[dict[str, Any]]:
    """A call a letter: the tool is the letter, and so is its output."""
    return [call(letter, out=letter) for letter in letters]


def brief(change: CycleChange) -> tuple[Any, ...]:
    pattern = "".join(change.pattern)
    return change.fate, pattern, change.before, change.after, (change.first_call, change.last_call), change.joins


@pytest.mark.parametrize(
    ("letters", "settings", "expected"),
    [
        pytest.param("aabc", {}, [], id="nothing changes"),
        pytest.param("aaacc", {}, [("goes", "c", (2,), 0, (3, 4), False)], id="its own cycle goes"),
        pytest.param("aca", {}, [("appears", "a", (), 2, (0, 2), False)], id="two become neighbours, within the limit"),
        pytest.param("acaca", {}, [("appears", "a", (), 3, (0, 4), True)], id="a new loop"),
        pytest.param("aacaa", {}, [("grows", "a", (2, 2), 4, (0, 4), True)], id="two cycles join to a loop"),
        pytest.param("aaaca", {}, [("grows", "a", (3,), 4, (0, 4), False)], id="a loop that is there now grows"),
        pytest.param(
            "acacac",
            {"max_cycle_period": 2},
            [("appears", "a", (), 3, (0, 4), False), ("goes", "ac", (3,), 0, (0, 5), False)],
            id="a loop that the tool is part of is not a new one",
        ),
        pytest.param("acaca", {"tools": ("a",)}, [], id="a tool that is not watched"),
    ],
)
def test_what_becomes_of_the_cycles(letters: str, settings: dict[str, Any], expected: list[tuple[Any, ...]]) -> None:
    runs, found = look(run_of(letters), **settings)
    assert [brief(change) for change in leave_out(runs, found, "c").cycles] == expected


def spans(calls: list[tuple[int, dict[str, Any]]], bound: int) -> list[tuple[int, int, int, int]]:
    """(first call, last call, period, occurrences) of every cycle; each call is a step of its own."""
    steps = oracles.steps_of([one for _, one in calls], "observation", bound)
    return [
        (calls[start][0], calls[stop - 1][0], period, occurrences)
        for start, stop, period, occurrences, _ in oracles.cycles(steps, bound)
    ]


@given(st.text(st.sampled_from("abc"), max_size=12), st.integers(1, 3))
def test_every_cycle_is_told_and_new_loops_are_marked(letters: str, bound: int) -> None:
    calls = run_of(letters + "c")
    runs, found = look(calls, max_cycle_period=bound)
    told = leave_out(runs, found, "c").cycles
    now = spans(list(enumerate(calls)), bound)
    then = spans([(place, one) for place, one in enumerate(calls) if one["tool"] != "c"], bound)

    def meets(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        return one[0] <= other[1] and other[0] <= one[1]

    expected = []
    for cycle in then:
        there = sorted(other for other in now if other[2] == cycle[2] and meets(cycle, other))
        if [other[3] for other in there] != [cycle[3]]:
            spanned = any(calls[place]["tool"] == "c" for place in range(cycle[0], cycle[1]))
            there_over = any(other[3] > 2 and meets(cycle, other) for other in now)
            joins = cycle[3] > 2 and spanned and not there_over
            expected.append((tuple(other[3] for other in there), cycle[3], cycle[:2], joins))
    for cycle in now:
        if not any(other[2] == cycle[2] and meets(cycle, other) for other in then):
            expected.append(((cycle[3],), 0, cycle[:2], False))
    assert sorted((c.before, c.after, (c.first_call, c.last_call), c.joins) for c in told) == sorted(expected)


@pytest.mark.parametrize(
    ("letters", "limit", "own", "passed", "closes_up"),
    [
        pytest.param("abcd", None, 2, True, False, id="nothing repeats: the limit stays"),
        pytest.param("ccccb", None, 4, True, False, id="the smallest that passes"),
        pytest.param("ccccb", 3, 3, False, False, id="a smaller one fails"),
        pytest.param("ccbcc", None, 4, True, True, id="alone, its calls stand side by side"),
        pytest.param("aaacc", None, 2, False, False, id="everything else fails"),
    ],
)
def test_a_limit_of_its_own(letters: str, limit: int | None, own: int, passed: bool, closes_up: bool) -> None:
    runs, found = look(run_of(letters))
    apart = limit_apart(runs, found, "c", limit)
    assert [grader.max for grader in apart.graders] == [own, 2]
    assert (apart.passed, apart.closes_up) == (passed, closes_up)


@pytest.mark.parametrize("name", ["c", "a.b", 'quo"ted', "- dash", "line\nfeed", "1.0", "null", "#", "né", "\\d"])
def test_what_is_written_reads_back_and_judges_alike(name: str) -> None:
    runs, found = look([call(name, out="x")] * 4 + [call("bash", out="y")], match="name-args", max_cycle_period=2)
    apart = limit_apart(runs, found, name)
    written = graders_as_yaml([("one", apart.graders[0]), ("two", apart.graders[1])])
    spec = "stimuli:\n- name: a stimulus\n  prompt: Do it.\n" + textwrap.indent(written, "  ")
    graders = config.read(spec).stimuli[0].graders
    assert [(grader.name, grader.settings) for grader in graders] == [
        ("one", apart.graders[0]),
        ("two", apart.graders[1]),
    ]
    judged = [runs.max_repeat(one.tools).judge(0, one) for one in apart.graders]
    assert [finding.passed for finding in judged] == [True, True]
    assert [finding.occurrences for finding in judged] == [4, 1]

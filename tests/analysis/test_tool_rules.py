"""A tool ignored, or with a limit of its own: what becomes of the cycles, and what is written."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
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
        pytest.param(
            "aaccccaa",
            {"max": 3},
            [("grows", "a", (2, 2), 4, (0, 7), True), ("goes", "c", (4,), 0, (2, 5), False)],
            id="the tool's own loop stands where two cycles join",
        ),
        pytest.param(
            "acca",
            {"max": 1},
            [("appears", "a", (), 2, (0, 3), True), ("goes", "c", (2,), 0, (1, 2), False)],
            id="as many in a row, of another pattern",
        ),
        pytest.param(
            "babababacacaca",
            {"max": 3, "max_cycle_period": 2},
            [("appears", "a", (), 4, (7, 13), True), ("goes", "ac", (3,), 0, (7, 13), False)],
            id="a loop over the limit that it only touches stays another one",
        ),
        pytest.param("acaca", {"tools": ("a",)}, [], id="a tool that is not watched"),
    ],
)
def test_what_becomes_of_the_cycles(letters: str, settings: dict[str, Any], expected: list[tuple[Any, ...]]) -> None:
    runs, found = look(run_of(letters), **settings)
    assert [brief(change) for change in leave_out(runs, found, "c").cycles] == expected


@dataclass(frozen=True)
class Loop:
    """A cycle as calls: those of its complete copies, and the first and last of all."""

    kept: frozenset[int]
    kept_per_copy: int
    """Steps of a copy that hold a call which stays."""
    span: tuple[int, int]
    period: int
    occurrences: int


def loops(calls: list[tuple[int, dict[str, Any]]], bound: int, left_out: str) -> list[Loop]:
    """Every cycle of some calls, each with its number."""
    turns: dict[int, list[int]] = {}
    tools = {place: one["tool"] for place, one in calls}
    for place, one in calls:
        turns.setdefault(one["turn"], []).append(place)
    groups = list(turns.values())
    found = []
    for start, stop, period, occurrences, _ in oracles.cycles(
        oracles.steps_of([one for _, one in calls], "observation", bound), bound
    ):
        kept = [{place for place in group if tools[place] != left_out} for group in groups[start:stop]]
        every = [place for group in groups[start:stop] for place in group]
        found.append(
            Loop(
                kept=frozenset().union(*kept[: period * occurrences]),
                kept_per_copy=sum(map(bool, kept[:period])),
                span=(min(every), max(every)),
                period=period,
                occurrences=occurrences,
            )
        )
    return sorted(found, key=lambda loop: loop.span)


def lives_on(old: Loop, new: Loop, whole: frozenset[int]) -> bool:
    """Whether all that is left of a loop lies in another, and with the pattern of that one."""
    return bool(old.kept) and old.kept <= whole and old.kept_per_copy % new.period == 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=12), st.integers(1, 3))
def test_every_cycle_is_told_and_new_loops_are_marked(letters: list[tuple[str, bool]], bound: int) -> None:
    turn = 0
    calls = []
    for letter, beside in [*letters, ("c", False)]:
        turn += not beside
        calls.append(call(letter, out=letter, turn=turn))
    runs, found = look(calls, max_cycle_period=bound)
    told = leave_out(runs, found, "c").cycles
    now = loops(list(enumerate(calls)), bound, "c")
    then = loops([(place, one) for place, one in enumerate(calls) if one["tool"] != "c"], bound, "c")

    def heir(old: Loop) -> Loop | None:
        possible = [
            new for new in then if lives_on(old, new, frozenset(place for place in range(new.span[0], new.span[1] + 1)))
        ]
        assert len(possible) < 2
        return possible[0] if possible else None

    expected = []
    for new in then:
        origins = [old for old in now if heir(old) == new]
        before = tuple(old.occurrences for old in origins if old.period == new.period)
        if before != (new.occurrences,):
            spanned = any(calls[place]["tool"] == "c" for place in range(*new.span))
            joins = new.occurrences > 2 and spanned and all(old.occurrences <= 2 for old in origins)
            expected.append((before, new.occurrences, new.span, joins))
    for old in now:
        new_one = heir(old)
        if new_one is None or new_one.period != old.period:
            expected.append(((old.occurrences,), 0, old.span, False))
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

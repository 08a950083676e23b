"""One run under two settings: whether the verdict turns, and which patterns one alone finds."""

from __future__ import annotations

import pytest

from loopviz.analysis.runset import RunSet
from loopviz.comparing.aligning import align
from loopviz.comparing.sides import Sides
from loopviz.comparing.two_settings import first_apart, line, show_figures, show_patterns, title
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import plain
from tests.comparing.runs_by_hand import THREE, run_of, side_of
from tests.detectors.trajectories_by_hand import trajectory_of

LONGER = MaxRepeatSettings(max=3, max_cycle_period=3)
LOOSE = MaxRepeatSettings(max=9)


def under(word: str, a: MaxRepeatSettings, b: MaxRepeatSettings) -> Sides:
    run = run_of(word)
    return side_of(run, a), side_of(run, b)


@pytest.mark.parametrize(
    ("word", "b", "words"),
    [
        pytest.param("abc", LONGER, "The run passes under both settings", id="passes"),
        pytest.param("aaaaa", LONGER, "The run fails under both settings", id="fails"),
        pytest.param("abababab", LONGER, "The run passes under A and fails under B", id="a longer pattern"),
        pytest.param("aaaaa", LOOSE, "The run fails under A and passes under B", id="a looser limit"),
        pytest.param("aaaaa", THREE, "A and B are the same settings: the run fails", id="the same"),
    ],
)
def test_title(word: str, b: MaxRepeatSettings, words: str) -> None:
    assert title(under(word, THREE, b)) == words


def test_the_line_says_where_each_is_over() -> None:
    told = plain(line(under("abababab", THREE, LONGER)))
    assert told == "A counts at most 1 in a row. B counts 4 in a row, over the limit at turn 8 (call 8)."


def test_long_names_in_patterns_are_cut() -> None:
    run = trajectory_of([{"tool": "n" * 500, "arguments": {}, "observation": "x", "turn": turn} for turn in range(5)])
    shown = show_patterns((side_of(run, THREE), side_of(run, LONGER)))
    assert shown is not None
    assert shown["rows"][0][0] == "n" * 59 + "…"


def test_patterns_that_appear_and_those_of_both() -> None:
    shown = show_patterns(under("aacabababab", THREE, LONGER))
    assert shown is not None
    assert shown["aside"] == "0 only under A · 1 only under B · 1 under both"
    assert shown["rows"] == [
        ["tool_a → tool_b", "calls 4–11", "–", "× 4, over the limit"],
        ["tool_a", "calls 1–2", "× 2", "× 2"],
    ]
    assert show_patterns(under("abc", THREE, LONGER)) is None


@pytest.mark.parametrize(
    ("word", "b", "step"),
    [
        pytest.param("aab", LONGER, None, id="in nothing"),
        pytest.param("caaaaa", LOOSE, 1, id="over the limit under one alone"),
        pytest.param("cdabab", LONGER, 2, id="a pattern of one alone"),
    ],
)
def test_the_first_step_of_which_they_say_otherwise(word: str, b: MaxRepeatSettings, step: int | None) -> None:
    sides = under(word, THREE, b)
    walk = align(RunSet([sides[0].trajectory, sides[0].trajectory]), "name").sides[0]
    assert first_apart(sides, walk) == step


def test_figures_of_both() -> None:
    rows = {row["name"]: (row["a"], row["b"], row["more"]) for row in show_figures(under("abababab", THREE, LONGER))}
    assert rows["Times in a row"] == ("1", "4", "+3")
    assert rows["Patterns over the limit"] == ("0", "1", "+1")

"""Which steps of a run its card shows."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.contract import CycleState
from loopviz.timeline.strip import Cell
from loopviz.ui.first_start_strip import MOST_CELLS, Window, strip_of
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of

SIGNS = {
    CycleState.OVER: str.upper,
    CycleState.COUNTED: str.lower,
    CycleState.NOT_COUNTED: lambda letter: f"({letter})",
}


def window_of(steps: str, **settings: Any) -> Window:
    """The strip of a run of these steps: a letter is a call and its output, `_` an empty output, `+` fresh ones."""
    calls = [
        {**call(f"t{step}", f"{step}{at}", None if step == "_" else f"{step}{at}" if step == "+" else step), "turn": at}
        for at, step in enumerate(steps)
    ]
    return strip_of(inspect(RunSet([trajectory_of(calls)]), MaxRepeatSettings(**{"max": 3, **settings})))


def drawn(window: Window) -> str:
    """The strip in signs: `A` over the limit, `a` counted, `(a)` not counted, `.` plain, `_` empty, `|` the bar."""
    cut = ("<" if window.cut_left else "", ">" if window.cut_right else "")
    return cut[0] + "".join(_sign(cell) for cell in window.cells) + cut[1]


def _sign(cell: Cell) -> str:
    plain = "_" if cell.empty else "."
    return (SIGNS[cell.state](cell.letter) if cell.state is not None else plain) + ("|" if cell.fails else "")


@pytest.mark.parametrize(
    ("steps", "settings", "strip"),
    [
        pytest.param("", {}, "", id="no step"),
        pytest.param("xyz", {}, "...", id="nothing repeats"),
        pytest.param("xyzuvwxyzuvwxyz", {"max_cycle_period": 1}, ".............>", id="longer than the strip"),
        pytest.param("xxy", {}, "aa.", id="twice, within the limit"),
        pytest.param("xx_xx", {}, "aa_aa", id="an empty step in between"),
        pytest.param("uvwxxxxxyz", {}, "...AAAA|A..", id="over the limit"),
        pytest.param("uvwstuvwxxxxxyzuvwst", {}, "<..AAAA|A......>", id="over the limit in a longer run"),
        pytest.param("uvw" + "xy" * 5, {"max_cycle_period": 2}, "...ABABABAB|AB", id="a pair over the limit"),
        pytest.param(
            "uvw" + "xyz" * 6, {"max_cycle_period": 3}, "<ABCABCABCABC|A>", id="a longer one has no room before"
        ),
        pytest.param("xyxyxyxy", {}, "(a)(b)(a)(b)(a)(b)(a)(b)", id="a pair that is not counted"),
    ],
)
def test_the_stretch_that_tells_the_story(steps: str, settings: dict[str, Any], strip: str) -> None:
    assert drawn(window_of(steps, **settings)) == strip


@pytest.mark.parametrize("period", range(1, 11))
def test_the_failing_step_is_always_in_sight(period: int) -> None:
    pattern = "".join(chr(ord("a") + at) for at in range(period))
    window = window_of("z" * 2 + "y" + pattern * 8, max_cycle_period=10)
    assert len(window.cells) <= MOST_CELLS
    assert sum(cell.fails for cell in window.cells) == 1


def test_what_was_seen_before_shows_where_nothing_else_does() -> None:
    calls = [{**call(tool, "same", str(at)), "turn": at} for at, tool in enumerate("tutvt")]
    found = inspect(RunSet([trajectory_of(calls)]), MaxRepeatSettings(max=3))
    assert [cell.seen for cell in strip_of(found).cells] == [False, False, True, False, True]


def test_the_ladder_shows_where_nothing_else_does() -> None:
    calls = [{**call("t", {"q": f"one two three four {at}"}, str(at)), "turn": at} for at in range(4)]
    settings = MaxRepeatSettings(max=5)
    found = inspect(RunSet([trajectory_of(calls)]), settings)
    assert [cell.level for cell in strip_of(found).cells] == found.ladder.call_level.tolist()

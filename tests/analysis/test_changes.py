"""What would change the figure: every row against the definition, quiet cases first."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis import tool_figures
from loopviz.analysis.changes import AT_ONCE, Change, setting_changes, tools_are_cheap, what_would_change
from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import MATCHES
from loopviz.patterns import matching
from loopviz.settings import MaxRepeatSettings
from tests import oracles
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of

IN_TURN = [call("a", out="a"), call("b", out="b")] * 4


def rows(calls: list[dict[str, Any]], **settings: Any) -> tuple[Change, ...]:
    runs = RunSet([trajectory_of(calls)])
    return what_would_change(inspect(runs, MaxRepeatSettings(**{"max": 3, **settings})))


def brief(change: Change) -> tuple[Any, ...]:
    """(kind, what it is about, figure, whether it turns the verdict)."""
    about = change.tool or change.bounds or (change.settings.max if change.kind == "max" else None)
    about = change.settings.match if change.kind == "match" else about
    return change.kind, about, change.occurrences, change.turns


@pytest.mark.parametrize(
    ("calls", "settings", "expected"),
    [
        pytest.param(
            [],
            {},
            [
                ("now", None, 0, False),
                ("match", "name-args", 0, False),
                ("match", "name", 0, False),
                ("max_cycle_period", (2, 10), 0, False),
            ],
            id="no call",
        ),
        pytest.param(
            IN_TURN,
            {"max_cycle_period": 4},
            [
                ("now", None, 4, False),
                ("max", 4, 4, True),
                ("match", "name-args", 4, False),
                ("match", "name", 4, False),
                ("max_cycle_period", (1, 1), 1, True),
                ("max_cycle_period", (2, 3), 4, False),
                ("max_cycle_period", (5, 10), 4, False),
                ("without", "a", 4, False),
                ("without", "b", 4, False),
                ("alone", "a", 4, False),
                ("alone", "b", 4, False),
            ],
            id="two tools in turn: either of them alone repeats too",
        ),
        pytest.param(
            [call("a", out="x"), call("b", out="y"), call("a", out="x")],
            {"max": 1, "tools": ("b",)},
            [
                ("now", None, 1, False),
                ("match", "name-args", 1, False),
                ("match", "name", 1, False),
                ("max_cycle_period", (2, 10), 1, False),
                ("every tool", None, 1, False),
                ("without", "b", 0, False),
                ("alone", "a", 2, True),
                ("alone", "b", 1, False),
            ],
            id="a filter: it can go, and an unwatched tool can be watched alone",
        ),
    ],
)
def test_rows(calls: list[dict[str, Any]], settings: dict[str, Any], expected: list[tuple[Any, ...]]) -> None:
    assert [brief(change) for change in rows(calls, **settings)] == expected


def test_a_folded_row_applies_the_nearest_longest_pattern() -> None:
    folded = [change for change in rows(IN_TURN, max_cycle_period=4) if change.bounds]
    assert [change.settings.max_cycle_period for change in folded] == [1, 3, 5]


CALLS = st.lists(
    st.builds(
        call,
        st.sampled_from("abc"),
        turn=st.integers(0, 6) | st.none(),
        args=st.sampled_from("xy"),
        out=st.sampled_from(["x", "y", None]),
    ),
    max_size=14,
)


@given(CALLS, st.sampled_from(MATCHES), st.integers(1, 4), st.sampled_from([None, ("^a$", "^b$"), ("c",)]))
def test_every_row_gives_what_its_settings_give(
    calls: list[dict[str, Any]], match: Any, bound: int, tools: tuple[str, ...] | None
) -> None:
    calls.sort(key=lambda one: -1 if one["turn"] is None else one["turn"])
    for change in rows(calls, max=2, match=match, max_cycle_period=bound, tools=tools):
        settings = change.settings
        kept = [
            {**one, "watched": settings.tools is None or matching((one["tool"],), settings.tools)[0]} for one in calls
        ]
        steps = oracles.steps_of(kept, settings.match, settings.max_cycle_period)
        assert change.occurrences == oracles.best(steps, settings.max_cycle_period)[0]


def test_many_filters_are_counted_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = rows(IN_TURN)
    monkeypatch.setattr(tool_figures, "PORTION", 9)
    assert rows(IN_TURN) == at_once


def test_rows_about_tools_wait_to_be_asked_for_in_a_long_run_of_many_tools() -> None:
    few = inspect(RunSet([trajectory_of(IN_TURN)]), MaxRepeatSettings(max=3))
    many = [call(f"tool {n % 50}") for n in range(AT_ONCE // 50)]
    long = inspect(RunSet([trajectory_of(many)]), MaxRepeatSettings(max=3))
    assert tools_are_cheap(few.grader) and not tools_are_cheap(long.grader)
    shown = what_would_change(long, with_tools=False)
    assert shown[1:] == setting_changes(long.grader, 0, long.finding)

"""Cycles that are there but not counted."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.hollow import find_hollow
from loopviz.detectors.core.repeats import MAX_PERIOD, Cycle
from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.settings import MaxRepeatSettings
from tests.detectors.columns_by_hand import columns_of
from tests.detectors.test_max_repeat import call

CLOCK = [call(args="date", out=str(n)) for n in range(5)]
HALF_EMPTY = [{**call(args=n), "turn": n} for n in range(8)]
HALF_EMPTY.insert(4, {**call("read", out=None), "turn": 3})
IN_TURN = [call("a", out="a"), call("b", out="b")] * 4


@pytest.mark.parametrize(
    ("calls", "settings", "expected"),
    [
        pytest.param([], {}, [], id="no call"),
        pytest.param([call()] * 3, {}, [], id="within the limit in every way"),
        pytest.param([call()] * 5, {}, [], id="counted already, so the looser ways say nothing new"),
        pytest.param(CLOCK[:3], {}, [], id="another way finds it, but within the limit"),
        pytest.param(
            CLOCK, {}, [("name-args", 0, 5, 1)], id="outputs differ: same arguments finds it, same tool is silent"
        ),
        pytest.param(IN_TURN, {}, [("observation", 0, 8, 2)], id="a longer pattern finds it"),
        pytest.param(IN_TURN, {"max_cycle_period": 2}, [], id="counted with a longer pattern"),
        pytest.param(
            [*[call()] * 4, call("b"), *CLOCK], {}, [("name-args", 5, 10, 1)], id="one counted, another not, apart"
        ),
        pytest.param(
            HALF_EMPTY,
            {"match": "name-args"},
            [("observation", 0, 8, 1)],
            id="with longest pattern 1 a turn with some empty outputs is compared by its other calls",
        ),
        pytest.param(
            HALF_EMPTY,
            {"match": "name-args", "max_cycle_period": 2},
            [("observation", 4, 8, 1)],
            id="with a longer one it is empty",
        ),
        pytest.param(
            HALF_EMPTY[1:6],
            {"match": "name-args", "max_cycle_period": 2},
            [("observation", 0, 4, 1)],
            id="and so longest pattern 1 would find more",
        ),
    ],
)
def test_found_but_not_counted(
    calls: list[dict[str, Any]], settings: dict[str, Any], expected: list[tuple[str, int, int, int]]
) -> None:
    columns, watched = columns_of([calls])
    grader = MaxRepeat(columns, watched)
    found = find_hollow(grader, 0, grader.judge(0, MaxRepeatSettings(**{"max": 3, **settings})))
    assert [(h.match, h.cycle.start, h.cycle.stop, h.cycle.period) for h in found] == expected


@given(
    letters=st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from(["o", "p", None])), max_size=40
    ),
    size=st.integers(1, 3),
    limit=st.integers(1, 3),
    bound=st.integers(1, MAX_PERIOD),
)
def test_one_loop_gets_one_mark(letters: list[tuple[str, str, str | None]], size: int, limit: int, bound: int) -> None:
    """Every `size` calls are one turn."""
    calls = [{**call(*one), "turn": place // size} for place, one in enumerate(letters)]
    columns, watched = columns_of([calls])
    grader = MaxRepeat(columns, watched)
    finding = grader.judge(0, MaxRepeatSettings(max=limit, max_cycle_period=bound))
    marked = [set(_steps(cycle)) for cycle in finding.cycles if cycle.occurrences > limit]
    expected = []
    bounds = (1, MAX_PERIOD) if bound == 1 else (MAX_PERIOD, 1)
    for match, longest in [(match, longest) for match in MATCHES for longest in bounds]:
        for cycle in grader.cycles(0, match, longest):
            if cycle.occurrences > limit and not any(set(_steps(cycle)) & steps for steps in marked):
                expected.append((cycle.start, cycle.period, match))
                marked.append(set(_steps(cycle)))
    found = find_hollow(grader, 0, finding)
    assert sorted((h.cycle.start, h.cycle.period, h.match) for h in found) == sorted(expected)
    for hollow in found:  # what it says of itself is what the grader says under these settings
        longest = min(hollow.bound, max(bound, hollow.cycle.period))
        finding = grader.judge(0, MaxRepeatSettings(max=limit, max_cycle_period=longest, match=hollow.match))
        cycles = [(one.start, one.stop, one.period) for one in finding.cycles]
        assert (hollow.cycle.start, hollow.cycle.stop, hollow.cycle.period) in cycles


def _steps(cycle: Cycle) -> list[tuple[int, int]]:
    """The steps of a cycle, each with the period: cycles of different periods never meet."""
    return [(cycle.period, step) for step in range(cycle.start, cycle.stop)]

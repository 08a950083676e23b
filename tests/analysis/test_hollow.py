"""Cycles that are there but not counted."""

from typing import Any

import pytest

from loopviz.analysis.hollow import find_hollow
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.settings import MaxRepeatSettings
from tests.detectors.columns_by_hand import columns_of
from tests.detectors.test_max_repeat import call

CLOCK = [call(args="date", out=str(n)) for n in range(5)]
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
    ],
)
def test_found_but_not_counted(
    calls: list[dict[str, Any]], settings: dict[str, Any], expected: list[tuple[str, int, int, int]]
) -> None:
    columns, watched = columns_of([calls])
    grader = MaxRepeat(columns, watched)
    found = find_hollow(grader, 0, grader.judge(0, MaxRepeatSettings(**{"max": 3, **settings})))
    assert [(h.match, h.cycle.start, h.cycle.stop, h.cycle.period) for h in found] == expected

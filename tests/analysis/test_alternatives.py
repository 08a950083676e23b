"""What would turn a verdict round: quiet cases first."""

from typing import Any

import pytest

from loopviz.analysis.alternatives import Alternative, other_verdict
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.settings import MaxRepeatSettings
from tests.detectors.columns_by_hand import columns_of
from tests.detectors.test_max_repeat import call

SAME_ARGUMENTS = [call(args="a", out=str(n)) for n in range(5)]
IN_TURN = [call("a", out="a"), call("b", out="b")] * 4


@pytest.mark.parametrize(
    ("calls", "settings", "expected"),
    [
        pytest.param([], {}, [], id="no call"),
        pytest.param([call(out="a"), call("b", out="b")], {}, [], id="nothing repeats under any setting"),
        pytest.param(
            [call(), call(), call("b")], {}, [Alternative("max", 1, 2)], id="a pass that a lower limit would fail"
        ),
        pytest.param(
            SAME_ARGUMENTS,
            {},
            [Alternative("match", "name-args", 5), Alternative("match", "name", 5)],
            id="a pass that another way of same would fail",
        ),
        pytest.param(
            IN_TURN,
            {},
            [Alternative("max_cycle_period", 2, 4, beyond=True)],
            id="a pass that a longer pattern would fail",
        ),
        pytest.param(
            IN_TURN,
            {"max_cycle_period": 3},
            [Alternative("max", 4, 4), Alternative("max_cycle_period", 1, 1)],
            id="a fail that a shorter pattern would pass",
        ),
        pytest.param(
            [call(args=n) for n in range(5)],
            {},
            [Alternative("max", 5, 5), Alternative("match", "name-args", 1)],
            id="a fail that another way of same would pass",
        ),
    ],
)
def test_single_changes_that_turn_the_verdict(
    calls: list[dict[str, Any]], settings: dict[str, Any], expected: list[Alternative]
) -> None:
    columns, watched = columns_of([calls])
    grader = MaxRepeat(columns, watched)
    finding = grader.judge(0, MaxRepeatSettings(**{"max": 3, **settings}))
    assert list(other_verdict(grader, 0, finding)) == expected

"""What a call repeats, and what it does not."""

from typing import Any

import pytest
from hypothesis import given

from loopviz.analysis.seen import NEVER, find_seen, repeated_per_run
from tests.detectors.columns_by_hand import columns_of
from tests.detectors.test_max_repeat import CALLS, call


@pytest.mark.parametrize(
    ("calls", "arguments", "outputs"),
    [
        pytest.param([], [], [], id="no call"),
        pytest.param([call("a"), call("b")], [NEVER, NEVER], [NEVER, NEVER], id="tools never mix"),
        pytest.param([call(out=None)] * 2, [NEVER, 0], [NEVER, NEVER], id="an empty output is no output seen"),
        pytest.param(
            [call(), call(watched=False)], [NEVER, NEVER], [NEVER, NEVER], id="an unwatched call repeats nothing"
        ),
        pytest.param([call(watched=False), call()], [NEVER, NEVER], [NEVER, NEVER], id="nor is it repeated"),
        pytest.param([call(), call("b"), call()], [NEVER, NEVER, 0], [NEVER, NEVER, 0], id="with something in between"),
        pytest.param([call()] * 3, [NEVER, 0, 1], [NEVER, 0, 1], id="the nearest earlier one is named"),
        pytest.param([call(args=1), call(args=2)], [NEVER, NEVER], [NEVER, 0], id="same output of other arguments"),
    ],
)
def test_nearest_earlier(calls: list[dict[str, Any]], arguments: list[int], outputs: list[int]) -> None:
    columns, watched = columns_of([calls])
    seen = find_seen(columns, watched)
    assert (seen.same_arguments.tolist(), seen.same_output.tolist()) == (arguments, outputs)


@given(CALLS, CALLS)
def test_runs_are_apart(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> None:
    columns, watched = columns_of([one, other])
    repeated, total = repeated_per_run(columns, watched, find_seen(columns, watched))
    for run, calls in enumerate((one, other)):
        kinds = [(c["tool"], c["arguments"]) for c in calls if c["watched"]]
        assert total[run] == len(kinds)
        assert repeated[run] == len(kinds) - len(set(kinds))

"""What a call repeats, and what it does not."""

from typing import Any

import pytest
from hypothesis import given

from loopviz.analysis.seen import NEVER, Described, describe, find_seen, repeated_per_run
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


def described(calls: list[dict[str, Any]], most: int = 5) -> Described:
    columns, watched = columns_of([calls])
    return describe(columns, watched, find_seen(columns, watched), most=most)


def test_a_run_without_calls_repeats_nothing() -> None:
    none = described([])
    assert (none.watched, none.by_arguments, none.by_output, none.first, none.most) == (0, 0, 0, None, ())
    assert none.distinct.tolist() == []


def test_a_run_is_described_by_what_it_repeats() -> None:
    test, plan = call("test", "t", "red"), call("plan", watched=False)
    calls = [plan, call(args="x", out="1"), test, call(args="y", out="1"), test, plan, test, call(args="x", out="2")]
    found = described(calls)
    assert (found.watched, found.by_arguments, found.by_output) == (6, 3, 3)
    assert (found.first, found.first_seen) == (4, 2)
    assert found.calls.tolist() == [1, 2, 3, 4, 6, 7]
    assert found.distinct.tolist() == [1, 2, 3, 3, 3, 3]
    assert [(kind.calls.tolist(), kind.times, kind.in_a_row) for kind in found.most] == [
        ([2, 4, 6], 3, 2),
        ([1, 7], 2, 1),
    ]
    assert [kind.times for kind in described(calls, most=1).most] == [3]


@given(CALLS)
def test_figures_agree_with_a_count_by_hand(calls: list[dict[str, Any]]) -> None:
    found = described(calls, most=99)
    kinds = [(c["tool"], c["arguments"]) for c in calls if c["watched"]]
    assert found.distinct.tolist() == [len(set(kinds[: n + 1])) for n in range(len(kinds))]
    assert sorted(kind.times for kind in found.most) == sorted(n for k in set(kinds) if (n := kinds.count(k)) > 1)
    outputs = [(c["tool"], c["observation"]) for c in calls if c["watched"] and c["observation"] is not None]
    assert found.by_output == len(outputs) - len(set(outputs))

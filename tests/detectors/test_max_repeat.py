"""max-repeat over whole calls: turns, sets, empties, filters, several runs at once."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.steps import MATCHES, Match, last_of_spans
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.settings import MaxRepeatSettings
from tests import oracles
from tests.detectors.columns_by_hand import columns_of


def call(
    tool: str = "bash", args: Any = "a", out: Any = "x", *, turn: int | None = None, watched: bool = True
) -> dict[str, Any]:
    return {"tool": tool, "arguments": args, "observation": out, "turn": turn, "watched": watched}


def judge(calls: list[dict[str, Any]], **settings: Any) -> Any:
    columns, watched = columns_of([calls])
    return MaxRepeat(columns, watched).judge(0, MaxRepeatSettings(**{"max": 3, **settings}))


A, B = call(out="a"), call("read", out="b")


@given(st.lists(st.integers(0, 4) | st.none(), min_size=1, max_size=12), st.data())
def test_the_last_call_of_some_steps_is_the_largest(turns: list[int | None], data: st.DataObject) -> None:
    columns, watched = columns_of([[call()], [call(turn=turn) for turn in turns]])
    grader = MaxRepeat(columns, watched)
    groups: dict[Any, list[int]] = {}
    for place, turn in enumerate(turns):
        groups.setdefault(("alone", place) if turn is None else turn, []).append(place)
    start = data.draw(st.integers(0, len(groups) - 1))
    stop = data.draw(st.integers(start + 1, len(groups)))
    last = max(place for group in list(groups.values())[start:stop] for place in group)
    assert grader.last_call_of_steps(1, start, stop) == last
    begin = int(grader.steps.starts[1])
    spans = np.array([[start, stop], [0, len(groups)], [start, start + 1]]) + begin
    found = last_of_spans(grader.steps.last_call, spans[:, 0], spans[:, 1]) - columns.starts[1]
    assert found.tolist() == [last, len(turns) - 1, max(list(groups.values())[start])]


@pytest.mark.parametrize(
    ("calls", "settings", "occurrences"),
    [
        pytest.param([], {}, 0, id="no call"),
        pytest.param([call(watched=False)] * 5, {}, 0, id="no watched call"),
        pytest.param([call(out=None)] * 58, {}, 0, id="nothing came back"),
        pytest.param([call(out=str(n)) for n in range(5)], {}, 1, id="outputs differ"),
        pytest.param([call(args=n) for n in range(5)], {"match": "name-args"}, 1, id="arguments differ"),
        pytest.param([call("a"), call("b"), call("a")], {"match": "name"}, 1, id="tools differ"),
        pytest.param([call("a", out="same"), call("b", out="same")] * 2, {}, 1, id="tools never mix"),
        pytest.param([call(turn=0)] * 5, {}, 1, id="parallel calls of one turn count once"),
        pytest.param([call(args=n) for n in range(5)], {}, 5, id="arguments are ignored in observation"),
        pytest.param([call(out=str(n)) for n in range(5)], {"match": "name-args"}, 5, id="outputs are in name-args"),
        pytest.param([call(out=None)] * 5, {"match": "name-args"}, 5, id="no step is empty in name-args"),
        pytest.param([A, call("plan", watched=False), A], {}, 2, id="what is not watched does not separate"),
        pytest.param([A, A, call(out=None), A, A], {}, 2, id="an empty step separates"),
        pytest.param([A, B] * 3, {"max_cycle_period": 2}, 3, id="two in turn"),
        pytest.param(
            [
                call(out="a", turn=0),
                call("read", out="b", turn=0),
                call("read", out="b", turn=1),
                call(out="a", turn=1),
            ],
            {},
            2,
            id="parallel calls have no order",
        ),
        pytest.param(
            [call(out="a", turn=0), call("read", out=None, turn=0), call(out="a", turn=1)],
            {},
            2,
            id="at bound 1 a step keeps the calls that have an output",
        ),
        pytest.param(
            [call(out="a", turn=0), call("read", out=None, turn=0), call(out="a", turn=1)],
            {"max_cycle_period": 2},
            1,
            id="above bound 1 one empty call empties the step",
        ),
        pytest.param(
            [
                call(out="a", turn=0),
                call("read", out="b", turn=1),
                call(out="c", turn=0),
                call("read", out="b", turn=1),
            ],
            {},
            1,
            id="turns of two agents interleave",
        ),
    ],
)
def test_times_in_a_row(calls: list[dict[str, Any]], settings: dict[str, Any], occurrences: int) -> None:
    assert judge(calls, **settings).occurrences == occurrences


def test_a_failing_run_says_where_and_on_what() -> None:
    finding = judge([call(out="start"), *[A, B] * 4], max_cycle_period=2)
    assert (finding.passed, finding.occurrences, finding.period, finding.start, finding.stop) == (False, 4, 2, 1, 9)
    assert (finding.first_failing_step, finding.first_failing_call) == (8, 8)
    assert finding.pattern == ("bash", "read")
    assert finding.evidence == (
        "bash → read gave the same outputs 4 times in a row, a pattern of 2 steps; 3 are allowed."
    )


def test_hidden_loops_are_counted_beside_the_verdict() -> None:
    finding = judge([A, A, A, call(out=None), A, A, A])
    assert (finding.passed, finding.occurrences, finding.empty_steps) == (True, 3, 1)
    assert (finding.occurrences_without_empty, finding.occurrences_counting_empty) == (6, 3)


def test_the_tools_of_a_parallel_step_are_all_named() -> None:
    calls = [call(out="a", turn=0), call("read", out=None, turn=0), call(out="a", turn=1)]
    assert judge(calls).pattern == ("bash + read",)


def test_unknown_values_equal_nothing_when_asked() -> None:
    columns, watched = columns_of([[call() | {"unknown": True}] * 4])
    for match in MATCHES[:2]:
        assert MaxRepeat(columns, watched, "equal").best(match, 1).occurrences[0] == 4
        assert MaxRepeat(columns, watched, "distinct").best(match, 1).occurrences[0] == 1


CALLS = st.lists(
    st.builds(
        call,
        st.sampled_from(["bash", "read"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from([None, "x", "y"]),
        turn=st.sampled_from([None, 0, 1, 2, 3, 4, 5, 6]),
        watched=st.sampled_from([True, True, True, False]),
    ),
    max_size=16,
)


@given(st.lists(CALLS, min_size=1, max_size=4), st.sampled_from(MATCHES), st.integers(1, 10), st.integers(1, 3))
def test_agrees_with_the_definition(runs: list[list[dict[str, Any]]], match: Match, bound: int, limit: int) -> None:
    columns, watched = columns_of(runs)
    grader = MaxRepeat(columns, watched)
    for run, calls in enumerate(runs):
        steps = oracles.steps_of(calls, match, bound)
        finding = grader.judge(run, MaxRepeatSettings(max=limit, max_cycle_period=bound, match=match))
        assert (finding.occurrences, finding.period or 0) == oracles.best(steps, bound)[:2]
        assert finding.first_failing_step == oracles.first_failing(steps, bound, limit)
        assert finding.passed == (finding.first_failing_step is None)
        first_calls = grader.first_failing_calls(finding.settings)
        assert (first_calls[run] if first_calls[run] >= 0 else None) == finding.first_failing_call
        assert finding.empty_steps == steps.count(None)
        without = [step for step in steps if step is not None]
        assert finding.occurrences_without_empty == oracles.best(without, bound)[0]
        counted = oracles.steps_of(calls, match, bound, counting_empty=match == "observation")
        assert finding.occurrences_counting_empty == oracles.best(counted, bound)[0]
        assert grader.grid(run)[match][bound - 1] == finding.occurrences

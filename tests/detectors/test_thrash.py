"""The thrash guard: what stops a run, at which call, and what does not."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.thrash import Kind, ThrashFindings, make_keys, simulate
from loopviz.settings import ThrashSettings
from tests import oracles_guards as oracles
from tests.detectors.guard_columns import guard_columns
from tests.oracles_guards import Call, call

FINISH = ["finish", "submit", "done"]


def run_guard(runs: list[list[Call]], unknown: Unknown = "equal", **changes: Any) -> ThrashFindings:
    """Patterns are matched by the caller, so here the tools that end a run are names."""
    finishing = changes.pop("finish_tools", FINISH)
    settings = ThrashSettings(**changes)
    columns, watched = guard_columns(runs)
    finish = np.isin(columns.tools, finishing) if finishing else None
    return simulate(columns, watched, finish, settings, make_keys(columns, settings), unknown)


A, B, C = call(arguments="a"), call(arguments="b"), call("read", arguments="a")
OTHER_A = call(arguments="a", observation="y")
EMPTY_A, EMPTY_B = call(arguments="a", observation=None), call(arguments="b", observation=" [] ")
DONE = call("done")
BROKEN_A, BROKEN_B = call(arguments="a", executed=False), call(arguments="b", executed=False)
HIDDEN = call(arguments="a", unknown_arguments=True)
HIDDEN_OUT = call(arguments="a", unknown_observation=True)


@pytest.mark.parametrize(
    ("calls", "changes", "count"),
    [
        pytest.param([], {}, 0, id="no call"),
        pytest.param([call(watched=False)] * 5, {}, 0, id="no watched call"),
        pytest.param([A], {}, 1, id="one call"),
        pytest.param([A, A, B, A, A], {}, 2, id="a different call starts the count anew"),
        pytest.param([A, A, C], {}, 2, id="tools never mix"),
        pytest.param([A] * 3, {"n": 4}, 3, id="one fewer than stops"),
        pytest.param([DONE] * 5, {}, 0, id="tools that end a run do not count"),
        pytest.param([BROKEN_A] * 5, {}, 0, id="calls that never ran do not count"),
        pytest.param([A, B, C] * 3, {}, 1, id="three in turn"),
        pytest.param([A, B, A], {}, 1, id="alternating once and a half"),
        pytest.param([A, B] * 4, {"ping_pong": False}, 1, id="ping-pong left out"),
        pytest.param([A, B, OTHER_A, B], {}, 1, id="alternating with another result"),
        pytest.param([EMPTY_A] * 2, {"empty_retry": 2}, 2, id="one empty result fewer than stops"),
        pytest.param([EMPTY_A, OTHER_A, EMPTY_A], {"n": 9, "empty_retry": 1}, 3, id="a fuller result starts anew"),
        pytest.param(
            [EMPTY_A, EMPTY_B] * 2, {"empty_retry": 1, "ping_pong": False}, 1, id="empty, but different calls"
        ),
        pytest.param([A, A], {"empty_retry": 0}, 2, id="full results are no empty retries"),
        pytest.param([HIDDEN] * 5, {"unknown": "distinct"}, 1, id="unknown arguments equal nothing"),
        pytest.param([HIDDEN_OUT, B] * 4, {"unknown": "distinct"}, 1, id="unknown results equal nothing"),
        pytest.param(
            [call(arguments=1), call(arguments=True), call(arguments="1")] * 2, {}, 1, id="1, true and the text 1"
        ),
    ],
)
def test_does_not_stop(calls: list[Call], changes: dict[str, Any], count: int) -> None:
    findings = run_guard([calls], **changes)
    assert findings.stop(0) is None
    assert findings.stopped.tolist() == [False]
    assert findings.kind.tolist() == [Kind.NONE]
    assert findings.count.tolist() == [count]


@pytest.mark.parametrize(
    ("calls", "changes", "kind", "watched", "count"),
    [
        pytest.param([A] * 5, {}, "identical", 2, 3, id="three identical calls"),
        pytest.param([B, A, A, OTHER_A], {}, "identical", 3, 3, id="whatever the result is"),
        pytest.param([A, DONE, A, DONE, A], {}, "identical", 4, 3, id="tools that end a run stand between nothing"),
        pytest.param([DONE] * 3, {"finish_tools": []}, "identical", 2, 3, id="no tool ends a run"),
        pytest.param(
            [A, BROKEN_B, A, BROKEN_B, A], {}, "identical", 4, 3, id="calls that never ran stand between nothing"
        ),
        pytest.param([A, BROKEN_A, A], {"count_unexecuted": True}, "identical", 2, 3, id="calls that never ran count"),
        pytest.param([A, B, C, A, B, C, A], {"scope": "run"}, "identical", 6, 3, id="over the whole run"),
        pytest.param([HIDDEN] * 3, {}, "identical", 2, 3, id="unknown arguments equal each other"),
        pytest.param([EMPTY_A], {"empty_retry": 0}, "empty-retry", 0, 1, id="the first empty result"),
        pytest.param(
            [A, EMPTY_A, EMPTY_A], {"n": 9, "empty_retry": 1}, "empty-retry", 2, 2, id="counted from behind a full one"
        ),
        pytest.param([A, EMPTY_B], {"empty_retry": 0}, "empty-retry", 1, 1, id="empty once trimmed"),
        pytest.param(
            [HIDDEN, EMPTY_A], {"unknown": "distinct", "empty_retry": 0}, "empty-retry", 1, 1, id="known to be empty"
        ),
        pytest.param([A, B] * 3, {}, "ping-pong", 3, 1, id="two in turn, twice"),
        pytest.param([A, A, B, A, B], {}, "ping-pong", 4, 2, id="highest count before the stop"),
        pytest.param([A, C] * 2, {}, "ping-pong", 3, 1, id="two tools in turn"),
        pytest.param(
            [EMPTY_A, B, call(arguments="a", observation=None), B], {}, "ping-pong", 3, 1, id="missing equals missing"
        ),
        pytest.param([A, DONE, B, A, BROKEN_A, B], {}, "ping-pong", 5, 1, id="alternating past what does not count"),
        pytest.param([HIDDEN_OUT, B] * 2, {}, "ping-pong", 3, 1, id="unknown results equal each other"),
        pytest.param([EMPTY_A] * 2, {"n": 2, "empty_retry": 1}, "identical", 1, 2, id="identical before empty-retry"),
        pytest.param([B, C, A, B, A, B], {"scope": "run"}, "identical", 5, 3, id="identical before ping-pong"),
        pytest.param(
            [EMPTY_A, A, EMPTY_A, A, B, EMPTY_A],
            {"n": 9, "empty_retry": 0},
            "empty-retry",
            0,
            1,
            id="count is one more than the retries allowed",
        ),
    ],
)
def test_stops(calls: list[Call], changes: dict[str, Any], kind: str, watched: int, count: int) -> None:
    findings = run_guard([calls], **changes)
    stop = findings.stop(0)
    assert stop is not None
    assert (stop.kind.word, stop.watched, findings.count.tolist()) == (kind, watched, [count])


@pytest.mark.parametrize("runs", [[[A], [B, A, B]], [[A, B], [A, B]], [[A, A], [A]]])
@pytest.mark.parametrize("scope", ["consecutive", "run"])
def test_runs_never_mix(runs: list[list[Call]], scope: str) -> None:
    assert not run_guard(runs, scope=scope).stopped.any()


def test_names_the_call_within_its_run() -> None:
    unwatched = call("read", watched=False)
    findings = run_guard([[A, A], [unwatched, B, unwatched, A, A, A, B]])
    stop = findings.stop(1)
    assert findings.stopped.tolist() == [False, True]
    assert stop is not None
    assert (stop.watched, stop.call, stop.key) == (3, 5, 'bash "a"')


def test_counts_at_each_watched_call() -> None:
    findings = run_guard([[A, A, DONE, A, BROKEN_A, B, call(watched=False), A], [A]])
    assert findings.identical.tolist() == [1, 2, 0, 3, 0, 1, 1, 1]
    findings = run_guard([[A, A, DONE, A, BROKEN_A, B, call(watched=False), A], [A]], scope="run")
    assert findings.identical.tolist() == [1, 2, 0, 3, 0, 1, 4, 1]


def test_names_left_out_make_calls_identical() -> None:
    calls = [call(arguments={"path": "a", "nonce": n}) for n in range(3)]
    assert run_guard([calls]).stop(0) is None
    stop = run_guard([calls], ignore_args=["nonce"]).stop(0)
    assert stop is not None
    assert stop.key == 'bash {"path":"a"}'


WORDS = st.sampled_from(["a", "b"])
CALLS = st.builds(
    call,
    tool=st.sampled_from(["bash", "bash", "read", "done"]),
    arguments=WORDS
    | st.none()
    | st.fixed_dictionaries({}, optional={"a": st.integers(1, 2) | st.booleans(), "nonce": st.integers(0, 9)}),
    observation=st.sampled_from(["x", "x", "y", None, "", " {} ", "0"]),
    watched=st.sampled_from([True, True, True, False]),
    executed=st.sampled_from([True, True, True, False]),
    unknown_arguments=st.sampled_from([False] * 5 + [True]),
    unknown_observation=st.sampled_from([False] * 5 + [True]),
)
RUNS = st.lists(
    # Few different calls in a run, so that they really repeat.
    st.lists(CALLS, min_size=1, max_size=3).flatmap(lambda few: st.lists(st.sampled_from(few), max_size=14)),
    max_size=4,
)
CHANGES = st.fixed_dictionaries(
    {
        "n": st.integers(2, 4),
        "scope": st.sampled_from(["consecutive", "run"]),
        "ignore_args": st.sampled_from([(), ("nonce",), ("a", "nonce")]),
        "schemas": st.sampled_from([{}, {"bash": {"properties": {"a": {}}}}]),
        "empty_retry": st.sampled_from([None, None, 0, 1, 2]),
        "count_unexecuted": st.booleans(),
        "ping_pong": st.booleans(),
        "finish_tools": st.sampled_from([[], ["done"], ["done", "read"]]),
    }
)


@given(RUNS, CHANGES, st.sampled_from(["equal", "distinct"]))
def test_agrees_with_the_definition(runs: list[list[Call]], changes: dict[str, Any], unknown: Unknown) -> None:
    findings = run_guard(runs, unknown, **changes)
    expected = [oracles.thrash(run, changes, unknown) for run in runs]
    stops = [findings.stop(run) for run in range(len(runs))]
    assert [
        (stop and stop.kind.word, count, stop and stop.watched, stop and stop.call)
        for stop, count in zip(stops, findings.count.tolist(), strict=True)
    ] == [run[:4] for run in expected]
    assert findings.identical.tolist() == [count for run in expected for count in run[4]]


@given(st.lists(CALLS, max_size=12), st.lists(CALLS, max_size=4), CHANGES)
def test_what_comes_later_moves_no_stop(run: list[Call], later: list[Call], changes: dict[str, Any]) -> None:
    stop = run_guard([run], **changes).stop(0)
    if stop is not None:
        assert run_guard([run + later], **changes).stop(0) == stop


NONCE_1, NONCE_2 = call(arguments={"q": "x", "nonce": 1}), call(arguments={"q": "x", "nonce": 2})


@pytest.mark.parametrize(
    ("calls", "changes", "hidden"),
    [
        pytest.param([], {}, False, id="no call"),
        pytest.param([A, A, A], {"ignore_args": ["nonce"]}, False, id="nothing to leave out"),
        pytest.param([NONCE_1] * 3, {"ignore_args": ["nonce"]}, False, id="left out, but equal"),
        pytest.param([NONCE_1, NONCE_2], {}, False, id="different, and nothing left out"),
        pytest.param([NONCE_1, NONCE_2], {"ignore_args": ["nonce"]}, True, id="no stop, and what was left out differs"),
        pytest.param([NONCE_1, NONCE_2, NONCE_1], {"ignore_args": ["nonce"]}, True, id="the calls up to the stop"),
        pytest.param([NONCE_2, A, NONCE_1, NONCE_1, NONCE_1], {"ignore_args": ["nonce"]}, False, id="not those before"),
        pytest.param(
            [NONCE_2, A, NONCE_1, NONCE_1], {"ignore_args": ["nonce"], "scope": "run"}, True, id="over the whole run"
        ),
    ],
)
def test_what_is_left_out_can_hide_a_difference(calls: list[Call], changes: dict[str, Any], hidden: bool) -> None:
    assert run_guard([[B], calls], **changes).differ(1) == hidden

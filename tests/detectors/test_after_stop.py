"""What a live guard would have saved at most: calls, tokens, cost and seconds."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from loopviz.detectors.after_stop import AfterStop, after_call, from_call
from loopviz.model import Trajectory, Usage
from tests.detectors.trajectories_by_hand import trajectory_of

NAN = float("nan")


def run_of(turns: list[int | None], *usage: Usage, **fields: Any) -> Trajectory:
    """A run with a call for each of some turns."""
    calls = [
        {"tool": "bash", "arguments": number, "observation": "x", "turn": turn} for number, turn in enumerate(turns)
    ]
    return trajectory_of(calls, usage=usage, **fields)


def used(turn: int, call: int, tokens: int | None = 10, cost: float | None = None, **counts: int) -> Usage:
    return Usage(turn=turn, call=call, input_tokens=tokens, output_tokens=1, cost=cost, **counts)


@pytest.mark.parametrize(
    ("call", "after", "and_itself"),
    [
        pytest.param(3, 0, 1, id="the last call"),
        pytest.param(0, 3, 4, id="the first call"),
    ],
)
def test_calls(call: int, after: int, and_itself: int) -> None:
    trajectory = run_of([0, 0, 1, None])
    assert after_call(trajectory, call).calls == after
    assert from_call(trajectory, call).calls == and_itself


def test_nothing_recorded_is_null() -> None:
    assert after_call(run_of([0, 1]), 0) == AfterStop(calls=1, tokens=None, cost=None, seconds=None)


def test_a_sum_beyond_all_numbers_is_null() -> None:
    run = run_of([0, 1, 2], used(0, 0), used(1, 1, cost=1e308), used(2, 2, cost=1e308))
    assert after_call(run, 0).cost is None


@pytest.mark.parametrize(
    ("turns", "call", "usage", "tokens"),
    [
        pytest.param([0, 1], 1, [used(0, 0), used(1, 1)], 0, id="none comes later"),
        pytest.param([0, 0, 0], 0, [used(0, 0)], 0, id="parallel calls are paid for already"),
        pytest.param([0, 1], 0, [used(0, 0), used(1, 1)], 11, id="the next turn"),
        pytest.param([0], 0, [used(0, 0), used(1, 1)], 11, id="a later turn without a call"),
        pytest.param([2], 0, [used(1, 0), used(2, 0)], 0, id="an earlier turn without a call"),
        pytest.param([0, 1, 0], 2, [used(0, 0), used(1, 1)], 0, id="another agent's turn that has begun"),
        pytest.param([0, 0], 1, [used(1, 0)], 0, id="another agent's turn that has begun and not called"),
        pytest.param([0, 1], 0, [used(1, 1, cache_read_tokens=500, cache_write_tokens=500)], 11, id="cache not added"),
        pytest.param([0, 1], 0, [used(1, 1, tokens=-1)], 1, id="a negative count is unknown"),
        pytest.param([0, 1], 0, [used(0, 0), Usage(turn=1, call=1, input_tokens=-1)], None, id="later ones unknown"),
        pytest.param([0, 1, 2], 0, [used(1, 1), Usage(turn=2, call=2)], 11, id="what is known of the later ones"),
        pytest.param([None, None], 0, [used(-1, 0), used(-1, 1)], 11, id="without turns, by place"),
    ],
)
def test_tokens(turns: list[int | None], call: int, usage: list[Usage], tokens: int | None) -> None:
    trajectory = run_of(turns, *usage)
    assert after_call(trajectory, call).tokens == tokens
    assert from_call(trajectory, call).tokens == tokens


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        pytest.param([used(0, 0), used(1, 1)], None, id="no cost recorded"),
        pytest.param([used(0, 0, cost=2.0)], 0, id="none comes later"),
        pytest.param([used(0, 0, cost=2.0), used(1, 1, cost=-1.0)], None, id="a negative one is unknown"),
        pytest.param([used(0, 0, cost=2.0), used(1, 1, cost=0.5), used(2, 2, cost=0.25)], 0.75, id="later turns"),
    ],
)
def test_cost(usage: list[Usage], cost: float | None) -> None:
    assert after_call(run_of([0, 1, 2], *usage), 0).cost == cost


@pytest.mark.parametrize(
    ("started_s", "ended_s", "last_event_s", "after", "with_itself"),
    [
        pytest.param(NAN, NAN, 150.0, None, None, id="times of the call unrecorded"),
        pytest.param(100.0, 110.0, None, None, None, id="last event unrecorded"),
        pytest.param(100.0, 110.0, 110.0, 0.0, 10.0, id="the call is the last event"),
        pytest.param(100.0, 110.0, 105.0, 0.0, 5.0, id="a clock that goes back"),
        pytest.param(100.0, 110.0, 150.0, 40.0, 50.0, id="from its result, from its start"),
        pytest.param(100.0, NAN, 150.0, 50.0, 50.0, id="a call without a result"),
        pytest.param(NAN, 110.0, 150.0, 40.0, None, id="a call without a start"),
    ],
)
def test_seconds(
    started_s: float, ended_s: float, last_event_s: float | None, after: float | None, with_itself: float | None
) -> None:
    trajectory = run_of([0], last_event_s=last_event_s)
    calls = replace(trajectory.calls, started_s=np.array([started_s]), ended_s=np.array([ended_s]))
    trajectory = replace(trajectory, calls=calls)
    assert after_call(trajectory, 0).seconds == after
    assert from_call(trajectory, 0).seconds == with_itself

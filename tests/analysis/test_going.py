"""What a person means who types where to go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from loopviz.analysis.going import Going, read
from loopviz.model import Source, Trajectory
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of

TURNS = [0, 0, 1, 3, 3, 4]
IDS = ["call_1", "7", "t2", "a b", "call_5", None]
STEPS = np.array([0, 0, -1, 1, 1, 2])


def run_of(**columns: Any) -> Trajectory:
    """Six calls in five turns, of which the third holds none; lines and bytes as given."""
    calls = [call(turn=turn) | {"id": name} for turn, name in zip(TURNS, IDS, strict=True)]
    source = Source(name="a.jsonl", format="test", digest="0" * 32, size=1000)
    run = trajectory_of(calls, n_turns=6, source=source)
    return replace(run, calls=replace(run.calls, **{name: np.array(column) for name, column in columns.items()}))


RUN = run_of()
LINES = run_of(line=[3, 5, 7, 9, 11, 13])
BYTES = run_of(
    offset=[100, 200, 300, 400, 500, 600],
    length=[50] * 6,
    result_offset=[150, 250, 350, 450, 550, -1],
    result_length=[20] * 6,
)


def shown(going: Going) -> tuple[Any, ...]:
    one = going.taken
    return one.kind, one.call


@pytest.mark.parametrize(
    ("words", "run", "kind", "at"),
    [
        pytest.param("2", RUN, "call", 1, id="a number is a call"),
        pytest.param(" 2 ", RUN, "call", 1, id="white space aside"),
        pytest.param("call 3", RUN, "call", 2, id="a call by its word"),
        pytest.param("Call3", RUN, "call", 2, id="with neither space nor small letters"),
        pytest.param("#3", RUN, "call", 2, id="a call by its sign"),
        pytest.param("99", RUN, "call", None, id="a call that is not there"),
        pytest.param("0", RUN, "call", None, id="nothing counts from 0"),
        pytest.param("1,000", RUN, "call", None, id="thousands as they are shown"),
        pytest.param("7", RUN, "id", 1, id="a number that is no call, but an id"),
        pytest.param("turn 2", RUN, "turn", 2, id="a turn"),
        pytest.param("t1", RUN, "turn", 0, id="a turn in short"),
        pytest.param("turn 3", RUN, "turn", 3, id="a turn without calls: the next one"),
        pytest.param("turn 6", RUN, "turn", None, id="an empty turn at the end"),
        pytest.param("turn 9", RUN, "turn", None, id="a turn that is not there"),
        pytest.param("step 2", RUN, "step", 3, id="a counted step"),
        pytest.param("s3", RUN, "step", 5, id="a counted step in short"),
        pytest.param("step 0", RUN, "step", None, id="what is not watched is no step 0"),
        pytest.param("step 4", RUN, "step", None, id="a step that is not there"),
        pytest.param("line 5", LINES, "line", 1, id="a line"),
        pytest.param("l8", LINES, "line", 2, id="a line between two calls: the one before"),
        pytest.param("line 2", LINES, "line", None, id="a line before the first call"),
        pytest.param("line 14", LINES, "line", 5, id="a line behind the last"),
        pytest.param("line 5", RUN, "line", None, id="a line in a single document"),
        pytest.param("byte 210", BYTES, "byte", 1, id="a byte of a call"),
        pytest.param("b260", BYTES, "byte", 1, id="a byte of its result"),
        pytest.param("byte 290", BYTES, "byte", 1, id="a byte between two calls: the one before"),
        pytest.param("byte 99", BYTES, "byte", None, id="a byte before the first"),
        pytest.param("byte 1,000", BYTES, "byte", None, id="a byte behind the file's end"),
        pytest.param("call_5", RUN, "id", 4, id="a call id"),
        pytest.param("a b", RUN, "id", 3, id="a call id with a space"),
        pytest.param("2-4", RUN, "stretch", 1, id="a stretch"),
        pytest.param("calls 4 – 2", RUN, "stretch", 1, id="a stretch the wrong way round"),
        pytest.param("2-9", RUN, "stretch", None, id="a stretch beyond the end"),
        pytest.param("call", RUN, "text", None, id="a word alone is a text"),
        pytest.param("turn two", RUN, "text", None, id="so is anything else"),
        pytest.param("CALL_5", RUN, "text", None, id="an id is exact"),
        pytest.param("٣", RUN, "text", None, id="digits are ASCII"),
    ],
)
def test_the_reading_taken(words: str, run: Trajectory, kind: str, at: int | None) -> None:
    assert shown(read(words, run, STEPS)) == (kind, at)


@pytest.mark.parametrize(
    ("words", "run", "others"),
    [
        pytest.param("2", RUN, [("turn", 2), ("step", 3), ("text", None)], id="a number that is much else"),
        pytest.param("5", LINES, [("turn", 5), ("line", 1), ("text", None)], id="what is not there is not offered"),
        pytest.param("4", LINES, [("turn", 3), ("text", None)], id="nor is a neighbour"),
        pytest.param("7", RUN, [("text", None)], id="an id in place of a call"),
        pytest.param("t2", RUN, [("id", 2), ("text", None)], id="short for a turn, and an id"),
        pytest.param("call_5", RUN, [("text", None)], id="an id"),
        pytest.param("words", RUN, [], id="a text"),
    ],
)
def test_the_other_readings(words: str, run: Trajectory, others: list[Any]) -> None:
    assert [(one.kind, one.call) for one in read(words, run, STEPS).others] == others


@pytest.mark.parametrize(
    ("words", "ids", "taken", "bearers", "others"),
    [
        pytest.param("x", "axbx", ("id", 1), 2, [("call", 3), ("text", None)], id="two calls of one id"),
        pytest.param("x", "xxxxxx", ("id", 0), 6, [*(("call", n) for n in (1, 2, 3)), ("text", None)], id="many"),
        pytest.param("4", "a44b44", ("call", 3), 1, [("id", 1), ("call", 2), ("call", 4), ("call", 5)], id="a number"),
        pytest.param("4", "a4b4", ("call", 3), 1, [("id", 1)], id="a number that names one of them"),
    ],
)
def test_an_id_that_several_calls_bear(words: str, ids: str, taken: Any, bearers: int, others: list[Any]) -> None:
    run = trajectory_of([call() | {"id": name} for name in ids])
    going = read(words, run, np.full(len(ids), -1))
    assert (shown(going), going.taken.bearers) == (taken, bearers)
    assert [(one.kind, one.call) for one in going.others][: len(others)] == others


def test_another_reading_can_be_taken() -> None:
    going = read("t2", RUN, STEPS).as_read("id")
    assert shown(going) == ("id", 2)
    assert [one.kind for one in going.others] == ["turn", "text"]


@pytest.mark.parametrize("words", ["turn 3", "line 8", "byte 290"])
def test_a_neighbour_that_stands_in_is_told_apart(words: str) -> None:
    run = LINES if words.startswith("line") else BYTES
    assert not read(words, run, STEPS).taken.exact

"""Which result answers which call, and which turn a call belongs to: against the rules read by the letter."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopviz.readers.pairing import NO_CALL, NO_RESULT, Side, pair
from tests.readers import oracle_pairing
from tests.readers.vally_by_hand import ABSENT, Event, call, end, event, observations, read_events, result, start, tools

Row = tuple[str, str, int]
"""Call id, tool, and position in the list of events."""


def side(*rows: Row) -> Side:
    ids, names, events = zip(*rows, strict=True) if rows else ((), (), ())
    return Side(ids=ids, tools=names, events=events)


@pytest.mark.parametrize(
    ("calls", "results", "answers", "orphans"),
    [
        pytest.param([], [], [], [], id="nothing"),
        pytest.param([("a", "x", 0)], [], [NO_RESULT], [], id="no result"),
        pytest.param([], [("a", "x", 0)], [], [0], id="no call"),
        pytest.param([("a", "x", 0)], [("b", "x", 1)], [NO_RESULT], [0], id="another id"),
        pytest.param([("", "x", 1)], [("", "x", 0)], [NO_RESULT], [0], id="no id, and before the call"),
        pytest.param([("", "x", 0)], [("", "y", 1)], [NO_RESULT], [0], id="no id, and another tool"),
        pytest.param([("", "", 0)], [("", "x", 1)], [NO_RESULT], [0], id="a call without a tool, a result with one"),
        pytest.param([("a", "x", 0)], [("b", "x", 1), ("", "x", 2)], [1], [0], id="a foreign id is not given on"),
        pytest.param([("a", "x", 0)], [("a", "x", 1)], [0], [], id="by id"),
        pytest.param([("a", "x", 0)], [("a", "y", 1)], [0], [], id="by id, whatever the tool"),
        pytest.param([("a", "x", 1)], [("a", "x", 0)], [0], [], id="by id, before its call"),
        pytest.param([("a", "x", 0)], [("a", "x", 1), ("a", "x", 2)], [1], [], id="of several the last"),
        pytest.param(
            [("a", "x", 0), ("a", "x", 1)], [("a", "x", 2), ("a", "x", 3)], [0, 1], [], id="one id twice, in order"
        ),
        pytest.param(
            [("a", "x", 0), ("a", "x", 1)], [("a", "x", 2)], [0, NO_RESULT], [], id="one id twice, one result"
        ),
        pytest.param(
            [("a", "x", 0), ("a", "x", 1)],
            [("a", "x", 2), ("a", "x", 3), ("a", "x", 4)],
            [0, 2],
            [],
            id="those beyond go to the last",
        ),
        pytest.param([("", "x", 0), ("", "x", 1)], [("", "x", 2)], [0, NO_RESULT], [], id="no id: the earliest"),
        pytest.param(
            [("", "x", 0), ("", "y", 1)], [("", "y", 2), ("", "", 3)], [1, 0], [], id="no id, no tool: any that waits"
        ),
        pytest.param([("a", "x", 0)], [("", "x", 1), ("a", "x", 2)], [1], [0], id="ids first, over the whole file"),
        pytest.param(
            [("a", "x", 0), ("b", "x", 1)],
            [("", "x", 2), ("a", "x", 3)],
            [1, 0],
            [],
            id="what an id leaves, in order",
        ),
        pytest.param([("", "", 0)], [("", "", 1)], [0], [], id="neither names a tool"),
    ],
)
def test_gives_results_out(calls: list[Row], results: list[Row], answers: list[int], orphans: list[int]) -> None:
    assert pair(side(*calls), side(*results)) == (answers, orphans)


@pytest.mark.parametrize(
    ("places", "answers", "orphans"),
    [
        pytest.param([NO_CALL, NO_CALL], [0, 1], [], id="no places: the id decides"),
        pytest.param([1, NO_CALL], [1, 0], [], id="its place goes before its id"),
        pytest.param([1, 0], [1, 0], [], id="all by their place"),
        pytest.param([0, 0], [1, NO_RESULT], [], id="two at one place: the last counts"),
    ],
)
def test_a_result_may_stand_at_its_call(places: list[int], answers: list[int], orphans: list[int]) -> None:
    calls = side(("a", "x", 0), ("a", "x", 0))
    results = replace(side(("a", "x", 0), ("a", "x", 0)), answers=places)
    assert pair(calls, results) == (answers, orphans)


def test_takes_time_in_proportion() -> None:
    def elapsed_s(n: int) -> float:
        calls = side(*(("", f"tool {number % 7}", number) for number in range(n)))
        results = side(*(("", "" if number % 3 else f"tool {number % 5}", n + number) for number in range(n)))
        begin = time.process_time()
        pair(calls, results)
        return time.process_time() - begin

    assert elapsed_s(80_000) < 40 * max(elapsed_s(8_000), 0.001)  # Ten times the work; a hundred if it were quadratic.


names = st.sampled_from(["", "a", "b"])
maybe = st.sampled_from([ABSENT, "", "a", "b"])
agents = st.sampled_from(
    [
        {},
        {},
        {},
        {"agentId": "w"},
        {"parentToolCallId": "p"},
        {"agentId": "", "parentToolCallId": "p"},
        {"on_event": {"agentId": "w"}},
        {"on_event": {"parentToolCallId": "p"}},
    ]
)
turn_ids = st.sampled_from([None, None, "0", "1"])


@st.composite
def events(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from(["turn_start", "turn_end", "tool_call", "tool_call", "tool_result", "tool_result"]))
    data: dict[str, Any] = dict(draw(agents))
    turn = draw(turn_ids)
    if turn is not None:
        data["turnId"] = turn
    if kind.startswith("tool"):
        data |= {"toolCallId": draw(maybe), "toolName": draw(maybe), "name": draw(st.sampled_from([ABSENT, "c"]))}
    if kind == "tool_call":
        data["arguments"] = draw(st.sampled_from([ABSENT, None, {}, {"x": 1, "y": 2}, {"y": 2, "x": 1}, 1, "1"]))
    return event(kind, **data)


@settings(max_examples=400)
@given(st.lists(events(), max_size=14))
def test_agrees_with_the_rules_by_the_letter(story: list[Event]) -> None:
    numbered = [
        {**each, "data": {**each["data"], "result": number}} if each["type"] == "tool_result" else each
        for number, each in enumerate(story)
    ]
    expected, orphans, n_turns = oracle_pairing.read(numbered)
    trajectory = read_events(*numbered)

    assert trajectory.n_turns == n_turns
    assert trajectory.calls.event.tolist() == [one.event for one in expected]
    assert trajectory.calls.turn.tolist() == [-1 if one.turn is None else one.turn for one in expected]
    assert observations(trajectory) == [ABSENT if one.result is None else one.result for one in expected]
    assert tools(trajectory) == [one.tool for one in expected]
    left_out = [p.where for p in trajectory.problems if p.message.startswith("This result")]
    assert left_out == [f"event {number + 1}" for number in orphans]


def test_the_story_of_the_specification() -> None:
    """A sub-agent between two calls of one turn, whose results come back late and in disorder."""
    story = read_events(
        start("0"),
        call("task", "a"),
        start("0", agentId="helper"),
        call("bash", "c", agentId="helper"),
        call("bash", "b"),
        result("of b", "b"),
        end("0", agentId="helper"),
        result("of c", "c", agentId="helper"),
        result("of a", "a"),
        end("0"),
    )
    assert story.calls.turn.tolist() == [0, 1, 0]
    assert observations(story) == ["of a", "of c", "of b"]

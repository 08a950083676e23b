"""Which turn a call belongs to: rule 2 of SPEC, section 1, "From events to steps"."""

from __future__ import annotations

import pytest

from loopviz.readers.turns import OpenTurns
from tests.readers.vally_by_hand import Event, call, end, event, read_events, result, start, turns

ALONE = -1

TURNS = [
    pytest.param([], [], id="no events"),
    pytest.param([call("x")], [ALONE], id="no turn"),
    pytest.param([start("0"), end("0"), call("x")], [ALONE], id="behind a turn"),
    pytest.param([call("x"), start("0")], [ALONE], id="before a turn"),
    pytest.param([start("0"), end("0"), call("x", turnId="0")], [ALONE], id="naming a turn that is closed"),
    pytest.param([call("x", turnId="0")], [ALONE], id="naming a turn that never was"),
    pytest.param([start("0"), call("x", agentId="w")], [ALONE], id="of an agent without a turn"),
    pytest.param([start("0", agentId="w"), call("x")], [ALONE], id="of the main agent, in another's turn"),
    pytest.param([start("0"), call("x"), call("y")], [0, 0], id="in one turn"),
    pytest.param([start("0"), call("x"), start("1"), call("x")], [0, 1], id="a start closes the open turn"),
    pytest.param([start("0"), call("x"), end("0"), start("0"), call("x")], [0, 1], id="ids restart"),
    pytest.param([start("0"), start("1"), start("2"), call("x")], [2], id="empty turns count"),
    pytest.param([start("0"), end("7"), call("x")], [ALONE], id="an end closes, whatever id it names"),
    pytest.param([start(), call("x"), end(), call("y")], [0, ALONE], id="turns without ids"),
    pytest.param([start("0"), call("x", turnId="9")], [0], id="naming another turn: the open one"),
    pytest.param(
        [start("0"), call("x"), call("y"), event("user_message", content="go"), call("z")],
        [0, 0, 0],
        id="messages separate nothing",
    ),
    pytest.param(
        [start("0"), start("0", agentId="w"), call("x"), call("y", agentId="w")], [0, 1], id="one open turn an agent"
    ),
    pytest.param([start("0"), start("1", agentId="w"), call("x", turnId="1")], [1], id="the turn its own id names"),
    pytest.param(
        [start("1"), start("1", agentId="w"), call("x", turnId="1", agentId="w")],
        [1],
        id="several bear the id: its own agent's",
    ),
    pytest.param(
        [start("1", agentId="v"), start("1"), call("x", turnId="1", agentId="w")],
        [1],
        id="several bear the id, not its own agent's: the main one's",
    ),
    pytest.param(
        [start("1", agentId="w"), start("2", agentId="w"), call("x", turnId="1")],
        [ALONE],
        id="naming another agent's turn that its next one closed",
    ),
    pytest.param([start("0"), end("0", agentId="w"), call("x")], [0], id="another agent's end closes nothing"),
    pytest.param(
        [start("0"), start("0", agentId="w"), end("0"), call("x", agentId="w")],
        [1],
        id="an end closes its own agent's turn alone",
    ),
    pytest.param(
        [start("0", parentToolCallId="p"), call("x", parentToolCallId="p"), call("y")],
        [0, ALONE],
        id="an agent by the call that started it",
    ),
    pytest.param(
        [start("0", agentId="w", parentToolCallId="p"), call("x", parentToolCallId="p"), call("y", agentId="w")],
        [ALONE, 0],
        id="the agent's id before the call that started it",
    ),
    pytest.param(
        [start("0", on_event={"agentId": "w"}), call("x", on_event={"parentToolCallId": "w"})],
        [0],
        id="on the event instead of in its data",
    ),
    pytest.param([start("0", agentId=""), call("x", agentId=None)], [0], id="an empty agent is the main one"),
    pytest.param([start("0", agentId=7), call("x", agentId=["w"])], [0], id="an agent that is no text is none"),
    pytest.param([start(7), call("x", turnId=7)], [0], id="a turn id that is no text is none"),
]


@pytest.mark.parametrize(("events", "expected"), TURNS)
def test_gives_a_call_its_turn(events: list[Event], expected: list[int]) -> None:
    assert turns(read_events(*events)) == expected


def test_turns_are_numbered_by_their_starts() -> None:
    trajectory = read_events(start("0"), start("0", agentId="w"), end("0"), start("0"), call("x"))
    assert trajectory.n_turns == 3
    assert turns(trajectory) == [2]


@pytest.mark.parametrize(
    ("events", "where"),
    [
        pytest.param([start("0"), end("0")], [], id="its own"),
        pytest.param([start("0"), end()], [], id="naming none"),
        pytest.param([start(), end("0")], [], id="closing one without an id"),
        pytest.param([end("0")], ["event 1"], id="nothing open"),
        pytest.param([start("0"), end("0"), end("0")], ["event 3"], id="closed already"),
        pytest.param([start("0"), end("1")], ["event 2"], id="another id"),
    ],
)
def test_notes_an_end_that_does_not_fit(events: list[Event], where: list[str]) -> None:
    assert [problem.where for problem in read_events(*events).problems] == where


def test_the_story_stands_in_its_turn() -> None:
    trajectory = read_events(
        event("user_message", content="go"),
        start("0"),
        event("reasoning", content="hm"),
        call("x"),
        result("y"),
        event("assistant_message", content="so"),
        end("0"),
        event("assistant_message", content="done"),
    )
    assert [(told.turn, told.call) for told in trajectory.events] == [(-1, 0), (0, 0), (0, 1), (-1, 1)]


def test_many_agents_whose_turns_stay_open_cost_no_search() -> None:
    open_turns = OpenTurns()
    for number in range(50_000):
        open_turns.start(f"agent {number}", "0")
        found = open_turns.find("another", "0")
        assert found is not None
        assert found.number == 0

"""The plain form: everything that its page promises."""

from __future__ import annotations

import json
import re

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import find_reader, generic, read_bytes
from tests.readers.generic_by_hand import lines
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns


def load(*records: Json) -> Loaded:
    loaded = read_bytes(lines(*records), "runs.jsonl", format="generic")
    assert not loaded.problems
    return loaded


def only(*records: Json) -> Trajectory:
    (trajectory,) = load(*records).trajectories
    assert not trajectory.problems
    return trajectory


def test_the_example_of_its_page() -> None:
    example = re.search(r"^    (\{.*\})$", generic.__doc__ or "", re.MULTILINE)
    assert example
    data = example[1].encode()
    assert find_reader(data) is generic.READER
    (trajectory,) = read_bytes(data, "runs/mine.jsonl").trajectories
    assert (tools(trajectory), turns(trajectory), observations(trajectory)) == (["bash"], [0], ["a.txt"])
    assert trajectory.arguments_json(0) == b'{"command":"ls"}'
    assert trajectory.run == "mine"


TURNS = [
    pytest.param([{"tool": "x"}, {"tool": "x"}], [-1, -1], id="no turns"),
    pytest.param([{"tool": "x", "turn": 1}, {"tool": "y", "turn": 1}], [0, 0], id="one turn"),
    pytest.param([{"tool": "x", "turn": 1}, {"tool": "y", "turn": 2}], [0, 1], id="two turns"),
    pytest.param([{"tool": "x", "turn": n} for n in (1, 2, 1)], [0, 1, 2], id="a number that comes again"),
    pytest.param([{"tool": "x", "turn": 1}, {"tool": "y"}], [0, -1], id="one that stands alone"),
    pytest.param([{"tool": "x", "turn": "a"}, {"user": "go"}, {"tool": "y", "turn": "b"}], [0, 1], id="names"),
    pytest.param(
        [
            {"tool": "x", "turn": 1, "run": "a"},
            {"tool": "y", "turn": 1, "run": "b"},
            {"tool": "z", "turn": 1, "run": "a"},
        ],
        [0, 0],
        id="two runs that take turns",
    ),
]


@pytest.mark.parametrize(("records", "expected"), TURNS)
def test_turns(records: list[Json], expected: list[int]) -> None:
    assert turns(load(*records).trajectories[0]) == expected


@pytest.mark.parametrize(
    ("line", "observed", "failed"),
    [
        pytest.param({}, ABSENT, False, id="nothing recorded"),
        pytest.param({"observation": None}, None, False, id="null"),
        pytest.param({"observation": ""}, "", False, id="empty"),
        pytest.param({"observation": {"a": [1]}}, {"a": [1]}, False, id="any value"),
        pytest.param({"error": True}, ABSENT, True, id="failed, and nothing recorded"),
        pytest.param({"error": "no such file"}, "no such file", True, id="the error is what came back"),
        pytest.param({"error": "no", "observation": "a"}, "a", True, id="failed, with an observation"),
    ],
)
def test_results(line: dict[str, Json], observed: Json, failed: bool) -> None:
    trajectory = only({"tool": "x", **line})
    assert observations(trajectory) == [observed]
    assert trajectory.calls.failed.tolist() == [failed]


def test_results_on_lines_of_their_own() -> None:
    trajectory = only(
        {"tool": "x", "id": "1", "turn": 1, "time": 10},
        {"tool": "y", "id": "2", "turn": 1, "time": 11},
        {"id": "2", "observation": "b", "time": 12},
        {"id": "1", "observation": "a", "ended": 13},
    )
    assert observations(trajectory) == ["a", "b"]
    assert trajectory.calls.ended_s.tolist() == [13, 12]
    assert trajectory.calls.line.tolist() == [1, 2]


def test_facts_and_messages() -> None:
    trajectory = only(
        {"system": "be brief", "user": "go"},
        {"tool": "x", "turn": 1, "model": "m", "input_tokens": 5, "output_tokens": 1, "cost": 0.1, "reasoning": "hm"},
        {"tool": "y", "turn": 1, "model": "m", "input_tokens": 5, "output_tokens": 1, "cost": 0.1},
        {"assistant": "done", "outcome": True, "end_reason": "finished"},
        {"error": "the harness broke"},
    )
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("system", "be brief"),
        ("user", "go"),
        ("reasoning", "hm"),
        ("assistant", "done"),
        ("error", "the harness broke"),
    ]
    assert [(use.input_tokens, use.output_tokens, use.cost) for use in trajectory.usage] == [(5, 1, 0.1)]
    assert (trajectory.model, trajectory.outcome, trajectory.end_reason) == ("m", True, "finished")
    assert (trajectory.prompt, trajectory.output) == ("go", "done")


def test_a_list_reads_alike() -> None:
    records = [{"tool": "x", "turn": 1}, {"tool": "y", "turn": 2}]
    (trajectory,) = read_bytes(json.dumps(records).encode(), "a", format="generic").trajectories
    assert (tools(trajectory), turns(trajectory)) == (["x", "y"], [0, 1])
    assert trajectory.calls.line.tolist() == [0, 0]


def test_tokens_of_a_turn_count_once() -> None:
    trajectory = only(
        {"turn": 1, "tool": "x", "args": {}, "input_tokens": 5, "cost": 0.5, "model": "m"},
        {"turn": 1, "tool": "y", "args": {}, "input_tokens": 5, "cost": 0.5},
        {"turn": 1, "tool": "z", "args": {}, "input_tokens": 7, "output_tokens": 2},
        {"turn": 2, "tool": "x", "args": {}, "input_tokens": 5},
        {"tool": "x", "args": {}, "input_tokens": 5},
    )
    used = [(use.turn, use.input_tokens, use.output_tokens, use.cost, use.model) for use in trajectory.usage]
    assert used == [(0, 7, 2, 0.5, "m"), (1, 5, None, None, None), (-1, 5, None, None, None)]


def test_arguments_that_were_not_recorded_are_unknown() -> None:
    trajectory = only({"tool": "x"}, {"tool": "x", "args": None}, {"tool": "x", "args": {}})
    assert trajectory.calls.unknown_arguments.tolist() == [True, False, False]


def test_turns_and_tools_alone_are_enough() -> None:
    assert find_reader(lines({"turn": 1, "tool": "x"}, {"turn": 2, "tool": "x"})) is generic.READER

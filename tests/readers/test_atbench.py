"""Runs of ATBench: how an action is spelled, what answers it, labels."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Trajectory
from loopviz.readers import atbench, find_reader, read_bytes
from tests.readers.atbench_by_hand import acts, answers, document, dump, user
from tests.readers.vally_by_hand import ABSENT, observations, turns


def only(*rounds: Json, **fields: Any) -> Trajectory:
    (trajectory,) = read_bytes(dump(document(*rounds, **fields)), "a.json", format="atbench").trajectories
    return trajectory


@pytest.mark.parametrize(
    ("action", "tool", "arguments"),
    [
        ('Search: {"q": "x"}', "Search", {"q": "x"}),
        ('Search{"q": "x"}', "Search", {"q": "x"}),
        ('Action: Search\n{"q": "x"}', "Search", {"q": "x"}),
        ('{"name": "Search", "arguments": {"q": "x"}}', "Search", {"q": "x"}),
        ("Search", "Search", {}),
        ("click [3]", "click", [3]),
        ("run ls -la", "run", "ls -la"),
    ],
)
def test_actions(action: str, tool: str, arguments: Json) -> None:
    trajectory = only([user("Go"), acts(action)])
    assert trajectory.tool(0) == tool
    assert json.loads(trajectory.arguments_json(0) or b"null") == arguments


@pytest.mark.parametrize("action", ["", None, 5, [], {}, " ", {"name": 5}])
def test_actions_that_are_none(action: Json) -> None:
    trajectory = only([acts(action, "Hm"), answers("r")])
    assert len(trajectory.calls) == 0
    assert [(told.kind, told.text) for told in trajectory.events] == [("reasoning", "Hm"), ("system", "r")]


def test_rounds_go_on() -> None:
    trajectory = only([user("Go"), acts("a"), answers("r")], [user("On"), acts("a"), acts("a"), answers("")])
    assert turns(trajectory) == [0, 1, 2]
    assert observations(trajectory) == ["r", ABSENT, ""]
    assert trajectory.prompt == "Go\n\nOn"


@pytest.mark.parametrize(("label", "shown"), [(0, "safe"), (1, "unsafe"), ("odd", "odd"), (None, None)])
def test_labels(label: Json, shown: str | None) -> None:
    trajectory = only([user("Go")], label=label)
    assert (trajectory.grade and trajectory.grade.label) == shown


def test_is_known() -> None:
    assert find_reader(dump(document([user("Go"), acts("a")]))) is atbench.READER

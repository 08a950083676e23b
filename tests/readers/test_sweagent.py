"""Runs of SWE-agent: both versions, demonstrations, and what is odd about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Json, Trajectory
from loopviz.readers import read_bytes, read_path
from tests.readers.stories import found
from tests.readers.sweagent_by_hand import called, document, said, step

REAL = Path(__file__).resolve().parents[3] / "shared" / "real" / "sweagent"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")


def read(value: Json) -> Trajectory:
    loaded = read_bytes(json.dumps(value).encode(), "run.traj", format="sweagent.traj")
    (trajectory,) = loaded.trajectories
    return trajectory


def calls(trajectory: Trajectory, *fields: str) -> list[Any]:
    told = [tuple(call[field] for field in fields) for call in found(trajectory)]
    return [fields_of[0] for fields_of in told] if len(fields) == 1 else told


STEPS = [
    pytest.param([step("ls -la\n", "a")], [("ls", '"-la"', "a")], id="a command"),
    pytest.param([step("submit\n", "a")], [("submit", '""', "a")], id="a command without arguments"),
    pytest.param([step("edit 1:2\n  x\n  y\n", "")], [("edit", r'"1:2\n  x\n  y"', "")], id="several lines"),
    pytest.param([step("./run.sh -v\n", "a")], [("bash", '"./run.sh -v"', "a")], id="a path"),
    pytest.param([step("A=1 python x.py", "a")], [("bash", '"A=1 python x.py"', "a")], id="an assignment"),
    pytest.param([step("print('x')\n2\n", "a")], [("bash", "\"print('x')\\n2\"", "a")], id="code"),
    pytest.param([step(f"{'x' * 65} 1", "a")], [("bash", f'"{"x" * 65} 1"', "a")], id="too long for a name"),
    pytest.param([step("find_file a.b", "a")], [("find_file", '"a.b"', "a")], id="a name with an underscore"),
    pytest.param([step("pytest-3.11 x", "a")], [("pytest-3.11", '"x"', "a")], id="a name with a hyphen and a point"),
    pytest.param([step("", "")], [], id="only a thought"),
    pytest.param([{"action": "ls"}], [("ls", '""', None)], id="no observation"),
    pytest.param([step("ls", None)], [("ls", '""', None)], id="a null observation"),
    pytest.param([step("", "Bad format", "hm")], [("message", '"hm"', "Bad format")], id="a refused answer"),
    pytest.param([step("\n", "Bad format", "hm")], [("message", '"hm"', "Bad format")], id="an action of blanks"),
    pytest.param([step(7, "x"), 5, None, step(["ls"], 3)], [("message", '""', "x")], id="actions that are no text"),
]


@pytest.mark.parametrize(("steps", "expected"), STEPS)
def test_steps(steps: list[Json], expected: list[Json]) -> None:
    assert calls(read(document(*steps)), "tool", "arguments", "observation") == expected


def test_a_refused_answer_never_ran() -> None:
    assert read(document(step("", "Bad format", "hm"), step("ls"))).calls.executed.tolist() == [False, True]


def test_functions_are_read_from_the_history_by_the_text_of_the_action() -> None:
    history = [
        said("user", "Do it."),
        called("view a", "editor", {"command": "view", "path": "a"}, "1"),
        said("tool", "A", tool_call_ids=["1"]),
        called("ls", "bash", {"command": "ls"}, "2"),
        called("view a", "editor", {"command": "view", "path": "a"}, "3"),
    ]
    trajectory = read(document(step("view a", "A"), step("pwd", "/"), step("view a", "A"), history=history))
    assert calls(trajectory, "tool", "arguments", "id") == [
        ("editor", '{"command":"view","path":"a"}', "1"),
        ("pwd", '""', None),
        ("editor", '{"command":"view","path":"a"}', "3"),
    ]
    assert trajectory.prompt == "Do it."


def test_demonstrations_and_repeated_prompts_are_left_out_and_counted() -> None:
    history = [said("user", "Watch.", is_demo=True), said("user", "Do it."), said("assistant", "ok"), said("user", "o")]
    value = document(step("ls", "o", query=[{"role": "user"}]), history=history)
    loaded = read_bytes(json.dumps(value).encode(), "run.traj")
    assert loaded.trajectories[0].prompt == "Do it."
    assert loaded.notes == ("1 message of a demonstration left out.", "1 prompt that a step repeats left out.")


HISTORIES = [
    pytest.param(
        [called("ls", "bash", {"command": "ls"}, "1"), said("tool", "a", tool_call_ids=["1"])],
        [("bash", '{"command":"ls"}', "a")],
        id="a function",
    ),
    pytest.param(
        [said("assistant", "hm\n```\nls -l\n```", action="ls -l\n"), said("user", "a")],
        [("ls", '"-l"', "a")],
        id="an action",
    ),
    pytest.param([said("assistant", "hm", action=""), said("user", "a")], [], id="no action"),
    pytest.param([said("assistant", "hm", action="ls")], [("ls", '""', None)], id="no answer"),
    pytest.param([said("assistant", "hm", tool_calls=[1, {"function": "x"}]), 7], [], id="calls that are none"),
]


@pytest.mark.parametrize(("history", "expected"), HISTORIES)
def test_a_history_alone(history: list[Json], expected: list[Json]) -> None:
    trajectory = read({"history": [said("user", "Do it."), *history]})
    assert calls(trajectory, "tool", "arguments", "observation") == expected
    assert trajectory.prompt is not None
    assert trajectory.prompt.startswith("Do it.")


def test_what_is_known_of_the_run() -> None:
    stats = {"instance_cost": 1.5, "tokens_sent": 10, "tokens_received": 3, "api_calls": 2}
    info = {"exit_status": "submitted (exit_cost)", "submission": "diff", "model_stats": stats}
    config = json.dumps({"agent": {"model": {"name": "m"}}})
    trajectory = read(document(step("ls"), info=info, replay_config=config))
    assert (trajectory.end_reason, trajectory.output, trajectory.model) == ("submitted (exit_cost)", "diff", "m")
    assert (trajectory.total_tokens, trajectory.total_cost, trajectory.outcome) == (13, 1.5, None)


def test_figures_of_a_run_without_requests_are_none() -> None:
    stats = {"instance_cost": 0, "tokens_sent": 0, "tokens_received": 0, "api_calls": 0}
    trajectory = read(document(step("ls"), info={"model_stats": stats}))
    assert (trajectory.total_tokens, trajectory.total_cost) == (None, None)


def test_a_document_with_neither_list_is_not_judged() -> None:
    assert read({"info": {}}).not_judged == "The record has no list of steps."


FIGURES = [
    pytest.param(
        "SWE-agent__pydicom__pydicom-1458.traj",
        "create edit python find_file open edit edit edit edit python rm submit",
        [10],
        id="0.x",
    ),
    pytest.param(
        "SWE-agent__eps.traj",
        "file pwd file cat cat cat echo echo submit submit submit submit submit submit",
        [],
        id="a demonstration of 0.x",
    ),
    pytest.param(
        "SWE-agent__function_calling_simple.traj",
        "find_file open edit bash submit",
        [],
        id="a demonstration of 1.x, its history alone",
    ),
]


@real
@pytest.mark.parametrize(("name", "tools", "empty"), FIGURES)
def test_real_files(name: str, tools: str, empty: list[int]) -> None:
    loaded = read_path(REAL / name)
    (trajectory,) = loaded.trajectories
    assert (loaded.source.format, loaded.problems, trajectory.problems) == ("sweagent.traj", (), ())
    assert calls(trajectory, "tool") == tools.split()
    assert trajectory.n_turns == len(trajectory.calls)
    assert [at for at, seen in enumerate(calls(trajectory, "observation")) if not seen] == empty


@real
def test_figures_of_a_real_run() -> None:
    (trajectory,) = read_path(REAL / "SWE-agent__pydicom__pydicom-1458.traj").trajectories
    assert (trajectory.total_tokens, trajectory.total_cost) == (122_612 + 1_369, 1.26719)
    (demonstration,) = read_path(REAL / "SWE-agent__eps.traj").trajectories
    assert calls(demonstration, "observation").count("Wrong flag!") == 5
    assert (demonstration.total_tokens, demonstration.end_reason) == (None, "submitted")

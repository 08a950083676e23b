"""Conversations of tau-bench and tau2: who called, what it was worth, and a real run that no detector catches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.model import Loaded, Trajectory
from loopviz.readers import find_reader, read_bytes, read_path
from loopviz.settings import MaxRepeatSettings
from tests.readers import openai_by_hand
from tests.readers.tau_by_hand import assistant, call, dump, result, simulation, tau, tau2

REAL = Path(__file__).resolve().parents[3] / "shared" / "real" / "openai_chat_tau2"
AIRLINE = REAL / "tau2__qwen2.5-7b-retries_airline.json"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")


def read_one(document: Any) -> Trajectory:
    loaded = read_bytes(dump(document), "a.json")
    assert not loaded.problems
    (trajectory,) = loaded.trajectories
    return trajectory


def stories(trajectory: Trajectory) -> list[tuple[str, str]]:
    return [(told.kind, told.text) for told in trajectory.events]


def customers(*messages: Any) -> Loaded:
    """A simulation in which the agent calls once, behind what the customer does."""
    told = simulation(*messages, assistant(call("look_up", {"id": 1}, "a")), result("found", "a"))
    return read_bytes(dump(tau2(told)), "a.json")


def test_what_is_known_of_a_simulation() -> None:
    trajectory = read_one(
        tau2(
            simulation(
                assistant(content="Hi", cost=0.5, usage={"prompt_tokens": 5, "completion_tokens": 2}),
                {"role": "user", "content": "Help", "cost": 9, "usage": {"prompt_tokens": 90}},
                termination_reason="user_stop",
                reward_info={"reward": 1.0, "reward_breakdown": {"DB": 1.0, "COMMUNICATE": 0.0}},
                start_time="2026-01-02T00:00:00",
                duration=7.5,
                agent_cost=0.5,
            )
        )
    )
    assert (trajectory.run, trajectory.stimulus, trajectory.trial, trajectory.trials) == ("s1", "7", 1, 2)
    assert (trajectory.model, trajectory.eval_name, trajectory.end_reason) == ("m", "airline", "user_stop")
    assert (trajectory.started_s, trajectory.duration_s) == (1767312000.0, 7.5)
    assert [(used.input_tokens, used.output_tokens, used.cost) for used in trajectory.usage] == [(5, 2, 0.5)]
    assert trajectory.outcome is True
    assert trajectory.grade is not None
    assert [(part.name, part.passed) for part in trajectory.grade.walk()] == [
        ("reward", True),
        ("DB", True),
        ("COMMUNICATE", False),
    ]


@pytest.mark.parametrize(
    ("reward", "outcome"),
    [
        pytest.param({"reward": 0.0}, False, id="none"),
        pytest.param({"reward": 0.5}, False, id="half of it"),
        pytest.param({"reward": 0.9999999}, True, id="all, but for rounding"),
        pytest.param({"reward": None}, None, id="unknown"),
        pytest.param({"reward": True}, None, id="no number"),
        pytest.param(None, None, id="not graded"),
    ],
)
def test_the_reward_is_the_outcome(reward: Any, outcome: bool | None) -> None:
    assert read_one(tau2(simulation(reward_info=reward))).outcome is outcome


CALLED = call("toggle", {"on": True}, "u", "user")
ASKING = {"role": "user", "content": None, "tool_calls": [CALLED]}
ASKING_AS_A = {"role": "user", "content": None, "tool_calls": [{**CALLED, "id": "a"}]}


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([ASKING, result("on", "u", requestor="user")], id="by name"),
        pytest.param(
            [ASKING, {"role": "tool", "id": "u", "content": "on"}], id="a result that does not say whose it is"
        ),
        pytest.param(
            [ASKING, {"role": "tool", "tool_messages": [result("on", "u", requestor="user")]}], id="results in a group"
        ),
        pytest.param([ASKING_AS_A, result("on", "a", requestor="user")], id="an id that the agent uses too"),
    ],
)
def test_the_customers_calls_are_not_the_agents(messages: list[Any]) -> None:
    loaded = customers(*messages)
    (trajectory,) = loaded.trajectories
    assert [trajectory.tool(number) for number in range(len(trajectory.calls))] == ["look_up"]
    assert trajectory.observation_json(0) == b'"found"'
    assert not trajectory.problems
    assert stories(trajectory) == [("user call", 'toggle {"on":true}'), ("user result", "on")]
    assert loaded.notes == ("1 call of the simulated customer is told as a message; it is not the agent's.",)


def test_grouped_results_of_the_agent() -> None:
    trajectory = read_one(
        tau2(
            simulation(
                assistant(call("a", {}, "1"), call("b", {}, "2")),
                {"role": "tool", "tool_messages": [result("two", "2", error=True), 5, result("one", "1")]},
            )
        )
    )
    assert [trajectory.observation_json(number) for number in (0, 1)] == [b'"one"', b'"two"']
    assert trajectory.calls.failed.tolist() == [False, True]
    assert trajectory.calls.turn.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("fields", "thoughts"),
    [
        pytest.param({}, [], id="none"),
        pytest.param(
            {"raw_data": {"thinking_blocks": [{"thinking": "Hm"}, {"thinking": "Ah"}]}}, ["Hm\nAh"], id="blocks"
        ),
        pytest.param({"raw_data": {"message": {"reasoning_content": "Hm"}}}, ["Hm"], id="of a choice"),
        pytest.param({"reasoning": "Hm", "raw_data": {"reasoning_content": "Hm"}}, ["Hm"], id="said twice"),
        pytest.param({"raw_data": {"message": [], "thinking_blocks": {}}}, [], id="of the wrong sort"),
    ],
)
def test_thoughts(fields: dict[str, Any], thoughts: list[str]) -> None:
    trajectory = read_one(tau2(simulation(assistant(content="Hi", **fields))))
    assert [text for kind, text in stories(trajectory) if kind == "reasoning"] == thoughts


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(simulation(assistant(content="Hi"), termination_reason="agent_stop"), id="a simulation alone"),
        pytest.param(tau2(simulation(assistant(content="Hi"))), id="a file of them"),
        pytest.param({"tasks": [{"user_scenario": {}}], **tau2(simulation(assistant(content="Hi")))}, id="tasks first"),
    ],
)
def test_shapes_of_tau2(document: Any) -> None:
    assert read_one(document).source.format == "tau2"


def test_a_list_of_tasks_that_fills_the_head_hides_nothing() -> None:
    tasks = [{"id": str(number), "user_scenario": {"text": "x" * 1000}} for number in range(200)]
    data = dump({"info": {}, "tasks": tasks, "simulations": [simulation()]})
    assert find_reader(data).name == "tau2"


@pytest.mark.parametrize("simulations", [5, {}, None, [], [5, None, []]])
def test_no_simulations(simulations: Any) -> None:
    loaded = read_bytes(dump({"simulations": simulations}), "a.json", format="tau2")
    assert loaded.trajectories == ()
    assert bool(loaded.problems) is (simulations != [])


def test_a_result_of_tau_bench() -> None:
    asked = openai_by_hand.assistant(openai_by_hand.call("look_up", {"id": 1}))
    trajectory = read_one([tau(asked, openai_by_hand.result("found"), task_id=3, trial=2, reward=0.0)])
    assert (trajectory.run, trajectory.stimulus, trajectory.trial) == ("task 3, trial 2", "3", 2)
    assert trajectory.outcome is False
    assert json.loads(trajectory.arguments_json(0) or b"") == {"id": 1}


def test_an_attempt_that_broke_off() -> None:
    broken = tau(reward=0.0, info={"error": "EOF when reading a line", "traceback": "…"})
    trajectory = read_one([broken])
    assert (trajectory.error, trajectory.outcome, len(trajectory.calls)) == ("EOF when reading a line", False, 0)
    assert trajectory.not_judged is None


def test_trials_of_one_task_are_told_apart() -> None:
    loaded = read_bytes(dump([tau(), tau(), tau(trial=1)]), "a.json")
    assert [trajectory.run for trajectory in loaded.trajectories] == [
        "task 0, trial 0",
        "task 0, trial 0 (2)",
        "task 0, trial 1",
    ]


def test_calls_that_an_agent_without_function_calling_spells() -> None:
    def acts(**action: Any) -> dict[str, Any]:
        return {"role": "assistant", "content": f"Thought:\nHm\nAction:\n{json.dumps(action)}"}

    trajectory = read_one(
        [
            {
                "task_id": 1,
                "reward": 0.0,
                "traj": [
                    {"role": "user", "content": "Go"},
                    acts(name="get", arguments={"id": 1}),
                    {"role": "user", "content": "API output: found"},
                    acts(name="respond", arguments={"content": "Here"}),
                    {"role": "user", "content": "Thanks"},
                    {"role": "assistant", "content": "Action: none"},
                ],
            }
        ]
    )
    assert (trajectory.tool(0), trajectory.arguments_json(0), trajectory.n_turns) == ("get", b'{"id":1}', 3)
    assert trajectory.observation_json(0) == b'"found"'
    assert stories(trajectory) == [
        ("user", "Go"),
        ("reasoning", "Thought:\nHm\n"),
        ("reasoning", "Thought:\nHm\n"),
        ("assistant", "Here"),
        ("user", "Thanks"),
        ("assistant", "Action: none"),
    ]


@real
def test_a_real_file_of_tau2() -> None:
    loaded = read_path(AIRLINE)
    assert not loaded.problems
    assert loaded.notes == ("1,238 copies of messages in `raw_data` left out.",)
    runs = loaded.trajectories
    assert (len(runs), sum(run.n_turns for run in runs), sum(len(run.calls) for run in runs)) == (50, 782, 344)
    assert sum(int(run.calls.failed.sum()) for run in runs) == 79
    assert sum(run.outcome is True for run in runs) == 9
    assert not any(run.problems for run in runs)
    assert sum(used.input_tokens or 0 for run in runs for used in run.usage) == 4_935_223
    assert sum(used.output_tokens or 0 for run in runs for used in run.usage) == 79_867
    assert {run.end_reason for run in runs} == {"user_stop", "agent_error", "too_many_errors"}


@real
def test_a_real_run_whose_loop_only_a_longer_period_shows() -> None:
    (run,) = (one for one in read_path(AIRLINE).trajectories if one.stimulus == "38" and one.trial == 0)
    assert (run.model, run.outcome, run.duration_s) == ("ollama_chat/qwen2.5:7b", False, 601.0328589500859)
    assert sum(used.input_tokens or 0 for used in run.usage) == 719_698
    assert sum(used.output_tokens or 0 for used in run.usage) == 5_456
    runs = RunSet([run])
    seen = inspect(runs, MaxRepeatSettings(max=3))
    assert (seen.described.watched, seen.described.by_arguments) == (26, 12)
    assert seen.ladder.longest_stretch.tolist() == [2]
    occurrences = {
        match: [
            inspect(runs, MaxRepeatSettings(max=3, match=match, max_cycle_period=bound)).finding.occurrences
            for bound in (1, 2, 10)
        ]
        for match in ("observation", "name-args")
    }
    assert occurrences == {"observation": [2, 5, 5], "name-args": [1, 1, 1]}

"""Real sessions of Gemini CLI, traces and teams, where they lie beside the checkout.

The figures were counted in the raw files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from loopviz.model import Trajectory
from loopviz.readers import read_path
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")


def only(name: str) -> Trajectory:
    (trajectory,) = read_path(REAL / name).trajectories
    return trajectory


def kinds(trajectory: Trajectory) -> dict[str, int]:
    named = [told.kind for told in trajectory.events]
    return {kind: named.count(kind) for kind in sorted(set(named))}


def test_a_gemini_history() -> None:
    trajectory = only("gemini_history/gemini-cli__trajectory.json")
    named = tools(trajectory)
    assert {tool: named.count(tool) for tool in set(named)} == {
        "replace": 17, "read_file": 15, "run_shell_command": 10, "update_topic": 2, "grep_search": 1,
    }  # fmt: skip
    assert trajectory.n_turns == 51  # 52 contents of the model, two of them in a row.
    assert [turns(trajectory).count(turn) for turn in set(turns(trajectory))].count(2) == 1
    assert trajectory.calls.failed.sum() == 5
    assert ABSENT not in observations(trajectory)
    assert kinds(trajectory) == {"assistant": 7, "compaction": 1, "cut": 1, "reasoning": 41, "system": 1, "user": 6}
    assert [problem.where for problem in trajectory.problems] == ["content 100"]  # Its call is not in the file.


def test_a_gemini_session() -> None:
    trajectory = only("gemini_session/agent-sessions__large.json")
    assert trajectory.run == "session-2025-12-16T23-47-b4f17607"
    assert (turns(trajectory), trajectory.n_turns) == ([0, 1], 4)
    assert trajectory.arguments_json(1) == b'{"command":"ls /non-existent-directory","cwd":"/tmp"}'
    assert [(use.input_tokens, use.output_tokens) for use in trajectory.usage] == [(100, 10)]
    assert (trajectory.model, trajectory.prompt) == ("gemini-3-flash-preview", "Run a command\n\nStep 1")


def test_spans_of_copilot_record_no_arguments() -> None:
    trajectory = only("otel_jsonl_flat/copilot-sdk__phase1-otel-20260803-1604-2146.jsonl")
    named = tools(trajectory)
    assert {tool: named.count(tool) for tool in set(named)} == {"bash": 16, "read_bash": 3, "skill": 2}
    # The tool ends before the answer that asked for it does.
    assert (turns(trajectory), trajectory.n_turns) == (list(range(21)), 22)
    assert trajectory.calls.unknown_arguments.all()
    assert trajectory.calls.unknown_observation.all()
    assert sum(use.input_tokens or 0 for use in trajectory.usage) == 1016322
    assert sum(use.output_tokens or 0 for use in trajectory.usage) == 7541
    assert trajectory.calls.ids[0] == "toolu_bdrk_01J1KUizPabwfAH3Xs4jY53R"


def test_spans_of_no_tool() -> None:
    trajectory = only("otlp_json/open-agent-traces__test-traces-small.json")
    assert (trajectory.run, trajectory.n_turns) == ("5f2bcefb7f0b26b23052aa63648f8c79", 0)
    assert trajectory.prompt == "Create a mobile app for tracking daily water intake"
    assert trajectory.duration_s == pytest.approx(0.00146, abs=1e-6)


def test_spans_of_smolagents() -> None:
    trajectory = only("openinference_nested/trulens__0035f455b3ff2295167a844f04d85d34.json")
    assert (tools(trajectory), turns(trajectory), trajectory.n_turns) == (["final_answer"], [2], 4)
    assert trajectory.arguments_json(0) == b'{"args":["33149"]}'
    assert [(use.input_tokens, use.output_tokens) for use in trajectory.usage] == [
        (461, 1311), (1359, 948), (3400, 3760), (1389, 594),
    ]  # fmt: skip
    assert (trajectory.model, trajectory.output) == ("o3-mini", "FINAL ANSWER: 33149")
    assert (trajectory.prompt or "").startswith("You have one question to answer.")
    assert trajectory.duration_s == pytest.approx(108.75533)


def test_three_tools_at_once_in_langfuse() -> None:
    trajectory = only("langfuse/langfuse__pydantic-ai-tools-2025-12-04.json")
    # The last call is an answer in the form of one: it is asked for and never runs.
    assert tools(trajectory) == [
        "get_pun_suggestion", "get_dad_joke_suggestion", "get_one_liner_suggestion", "final_result",
    ]  # fmt: skip
    assert (turns(trajectory), trajectory.n_turns) == ([0, 0, 0, 3], 4)
    assert trajectory.calls.ids[0] == "call_X0OSgjUukT5inyEQvuZQnHrk"
    assert [trajectory.arguments_json(call) for call in range(3)] == [b'{"topic":"programming"}'] * 3
    assert observations(trajectory)[3] is ABSENT
    assert [(use.input_tokens, use.output_tokens) for use in trajectory.usage] == [
        (265, 73), (417, 53), (502, 14), (131, 69),
    ]  # fmt: skip
    assert trajectory.usage[0].cost == pytest.approx(8.355e-05)


TRACES = [
    (
        "langfuse/langfuse__google-adk-2025-08-28.trace.json",
        "say_hello",
        b"{}",
        b'{"greeting":"Hello Langfuse \xf0\x9f\x91\x8b"}',
    ),
    (
        "langchain/langfuse__langgraph-js-2025-10-30.trace.json",
        "get_weather",
        b'{"city":"San Francisco"}',
        b'"It\'s always sunny in San Francisco!"',
    ),
    (
        "openai_responses/langfuse__openai-agents-seeder.json",
        "get_weather",
        b'{"city":"Tokyo"}',
        b'"The weather in Tokyo is sunny."',
    ),
]


@pytest.mark.parametrize(("name", "tool", "arguments", "result"), TRACES)
def test_one_call_in_langfuse(name: str, tool: str, arguments: bytes, result: bytes) -> None:
    trajectory = only(name)
    assert (tools(trajectory), turns(trajectory), trajectory.n_turns) == ([tool], [0], 2)
    assert (trajectory.arguments_json(0), trajectory.observation_json(0)) == (arguments, result)
    assert kinds(trajectory)["user"] == kinds(trajectory)["assistant"] == 1


def test_a_team_in_a_loop() -> None:
    loaded = read_path(REAL / "autogen_whowhen/whowhen__Hand-Crafted-11.json")
    (trajectory,) = loaded.trajectories
    named = tools(trajectory)
    assert {tool: named.count(tool) for tool in set(named)} == {"WebSurfer": 27, "Assistant": 3}
    assert observations(trajectory).count(ABSENT) == 1
    assert loaded.notes == ("13 ledgers find the run in a loop.",)
    assert trajectory.end_reason == "Max rounds (30) reached."
    assert (trajectory.run, trajectory.outcome) == ("624cbf11-6a41-4692-af9c-36b3e5ca3130", False)


def test_a_team_without_an_orchestrator() -> None:
    trajectory = only("autogen_whowhen/whowhen__Algorithm-Generated-1.json")
    assert tools(trajectory) == [
        "Excel_Expert", "BusinessLogic_Expert", "DataVerification_Expert", "DataVerification_Expert",
    ]  # fmt: skip
    assert observations(trajectory)[1] == "exitcode: 0 (execution succeeded)\nCode output: 4\n"

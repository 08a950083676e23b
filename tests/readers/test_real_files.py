"""Real files, where they lie beside the checkout: each is read, by one reader alone, and gives what was counted in it.

The figures were counted by hand in the raw files. A new format adds its rows to `FILES`.
"""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.readers import READERS, read_path
from loopviz.readers.base import heads
from loopviz.settings import Match, MaxRepeatSettings

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")

AIRLINE = [int(calls) for calls in """
    1 2 4 1 2 4 6 5 7 5 9 6 3 0 4 3 4 4 8 3 10 10 8 11 3
    5 9 7 8 12 6 14 0 0 8 10 4 19 8 2 14 2 2 10 15 12 13 12 26 3
""".split()]  # fmt: skip

FILES = [
    ("atif/atif2otel__trajectory_fail.json", "atif", [46]),
    ("atif/atif2otel__trajectory_pass.json", "atif", [12]),
    ("atif/exp__hello-world-context-summarization.trajectory.json", "atif", [7]),
    ("atif/exp__hello-world-timeout.trajectory.json", "atif", [3]),
    ("copilot/agent-sessions__small.jsonl", "copilot.events", [3, 1]),
    ("copilot/azure-sdk-tools__001002-events.jsonl", "copilot.events", [8]),
    ("mini_swe_agent/mini-swe-agent__github_issue.traj.json", "mini-swe-agent", [10]),
    ("mini_swe_agent/mini-swe-agent__pvlib__pvlib-python-1606.traj.json", "mini-swe-agent", [84]),
    ("sweagent/SWE-agent__eps.traj", "sweagent.traj", [14]),
    ("sweagent/SWE-agent__function_calling_simple.traj", "sweagent.traj", [5]),
    ("sweagent/SWE-agent__pydicom__pydicom-1458.traj", "sweagent.traj", [12]),
    ("openhands/OpenHands__basic.json", "openhands", [2]),
    ("openhands/OpenHands__mock_output.jsonl", "openhands", [4, 22]),
    ("openhands/OpenHands__prontoqa_output.jsonl", "openhands", [3, 3, 3, 3, 3, 2]),
    ("openhands_sdk_v1/software-agent-sdk__events.jsonl", "openhands.sdk", [2]),
    ("inspect/inspect_ai__log_tool_call_error.json", "inspect", [0]),
    ("claude_code/claude-code-log__edge_cases.jsonl", "claude.session", [2, 1]),
    ("claude_code/claude-code-log__todowrite_examples.jsonl", "claude.session", [3]),
    ("claude_code/happy__1-continue-run-ls-tool.jsonl", "claude.session", [1]),
    ("claude_code/happy__task_sdk.jsonl", "claude.session", [2]),
    ("claude_code_stream_json/atif-make__claude-code-stream.jsonl", "claude.stream", [3]),
    ("codex/agent-sessions__small.jsonl", "codex.rollout", [8]),
    ("codex/atif-make__codex-exec.jsonl", "codex.exec", [1]),
    ("codex/atif-make__codex-rollout.jsonl", "codex.rollout", [1]),
    ("codex/claude-code-transcripts__sample_codex_session.jsonl", "codex.rollout", [0]),
    ("otlp_json/open-agent-traces__test-traces-small.json", "otel.otlp", [0]),
    ("otel_jsonl_flat/copilot-sdk__phase1-otel-20260803-1604-2146.jsonl", "otel.flat", [21]),
    ("openinference_nested/trulens__0035f455b3ff2295167a844f04d85d34.json", "openinference", [1]),
    ("langfuse/langfuse__google-adk-2025-08-28.trace.json", "langfuse", [1]),
    ("langfuse/langfuse__pydantic-ai-tools-2025-12-04.json", "langfuse", [4]),
    ("langchain/langfuse__langgraph-js-2025-10-30.trace.json", "langfuse", [1]),
    ("openai_responses/langfuse__openai-agents-seeder.json", "langfuse", [1]),
    ("autogen_whowhen/whowhen__Hand-Crafted-11.json", "who-and-when", [30]),
    ("autogen_whowhen/whowhen__Algorithm-Generated-1.json", "who-and-when", [4]),
    ("gemini_session/agent-sessions__large.json", "gemini.session", [2]),
    ("gemini_history/gemini-cli__trajectory.json", "gemini.history", [45]),
    ("openai_chat_tau2/tau2__qwen2.5-7b-retries_airline.json", "tau2", AIRLINE),
    ("openai_chat_messages/azure-sdk-tools__example2.json", "openai.chat", [21]),
    ("openai_chat_messages/oh-sdk__claude-sonnet-4.json", "openai.chat", [6]),
    ("openai_chat_request_log/SWE-agent__interactions_20251107_092915.jsonl", "openai.log", [12]),
    ("langchain/langfuse__chat_ml_json.json", "langchain", [1]),
]
"""File, format, and calls of each run."""

ARCHIVES = [
    ("inspect/inspect_ai__log_message_deduplication.eval", "inspect", [5]),
    ("inspect/inspect_ai__2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", "inspect", [0] * 10),
]
"""The same of archives, which are told by the names in them."""

POPULARITY = ARCHIVES[1][0]
FIGURES = [
    ("atif/atif2otel__trajectory_fail.json", 0, (39, 46, 46), (4_013_056, 9_685), 3.148511, None, (1, 5, 1)),
    ("atif/atif2otel__trajectory_pass.json", 0, (11, 12, 12), (485_630, 3_304), 0.462381, None, (3, 3, 1)),
    ("atif/exp__hello-world-context-summarization.trajectory.json",
     0, (7, 7, 7), (6_502, 690), 0.023155, None, (1, 5, 2)),
    ("atif/exp__hello-world-timeout.trajectory.json", 0, (3, 3, 3), (882, 115), 0.003355, None, (2, 3, 2)),
    ("claude_code/claude-code-log__edge_cases.jsonl", 0, (3, 2, 1), (320, 350), None, None, (1, 1, 1)),
    ("claude_code/claude-code-log__edge_cases.jsonl", 1, (1, 1, 0), (168, 85), None, None, (0, 1, 1)),
    ("claude_code/claude-code-log__todowrite_examples.jsonl", 0, (6, 3, 3), (883, 328), None, None, (3, 3, 1)),
    ("claude_code/happy__1-continue-run-ls-tool.jsonl", 0, (3, 1, 1), (14, 100), None, None, (1, 1, 1)),
    ("claude_code/happy__task_sdk.jsonl", 0, (3, 2, 1), (14, 377), None, None, (1, 1, 1)),
    ("claude_code_stream_json/atif-make__claude-code-stream.jsonl", 0, (2, 3, 3), (200, 37), 0.01, None, (1, 1, 1)),
    ("copilot/agent-sessions__small.jsonl", 0, (3, 3, 3), (0, 15), None, None, (2, 2, 2)),
    ("copilot/azure-sdk-tools__001002-events.jsonl", 0, (7, 8, 8), (0, 1_820), None, None, (1, 2, 1)),
    ("codex/agent-sessions__small.jsonl", 0, (8, 8, 7), (16_341, 81), None, None, (1, 1, 1)),
    ("codex/atif-make__codex-exec.jsonl", 0, (1, 1, 1), 955, None, None, (1, 1, 1)),
    ("codex/atif-make__codex-rollout.jsonl", 0, (2, 1, 1), (500, 40), None, None, (1, 1, 1)),
    ("codex/claude-code-transcripts__sample_codex_session.jsonl", 0, (0, 0, 0), None, None, None, (0, 0, 0)),
    ("gemini_session/agent-sessions__large.json", 0, (4, 2, 2), (100, 10), None, None, (1, 2, 1)),
    ("gemini_history/gemini-cli__trajectory.json", 0, (51, 45, 45), None, None, None, (2, 4, 1)),
    ("sweagent/SWE-agent__eps.traj", 0, (14, 14, 14), None, None, None, (5, 6, 4)),
    ("sweagent/SWE-agent__pydicom__pydicom-1458.traj", 0, (12, 12, 12), 123_981, 1.26719, None, (2, 4, 2)),
    ("sweagent/SWE-agent__function_calling_simple.traj", 0, (5, 5, 5), None, None, None, (1, 1, 1)),
    ("mini_swe_agent/mini-swe-agent__github_issue.traj.json", 0, (10, 10, 10), None, None, None, (1, 10, 1)),
    ("mini_swe_agent/mini-swe-agent__pvlib__pvlib-python-1606.traj.json",
     0, (84, 84, 83), (2_068_628, 18_874), 0.071869, None, (3, 84, 2)),
    ("openhands/OpenHands__basic.json", 0, (2, 2, 1), (8_132, 1_312), None, None, (1, 1, 1)),
    ("openhands/OpenHands__mock_output.jsonl", 0, (4, 4, 3), None, 0.070713, True, (1, 1, 1)),
    ("openhands/OpenHands__mock_output.jsonl", 1, (22, 22, 21), None, 1.152933, True, (2, 20, 2)),
    ("openhands/OpenHands__prontoqa_output.jsonl", 0, (4, 3, 2), None, None, False, (1, 2, 1)),
    ("openhands/OpenHands__prontoqa_output.jsonl", 5, (3, 2, 1), None, None, True, (1, 1, 1)),
    ("openhands_sdk_v1/software-agent-sdk__events.jsonl", 0, (2, 2, 2), 108_805, 0, None, (1, 2, 1)),
    ("inspect/inspect_ai__log_message_deduplication.eval", 0, (6, 5, 5), None, None, False, (5, 5, 5)),
    (POPULARITY, 0, (1, 0, 0), (61, 2), None, True, (0, 0, 0)),
    (POPULARITY, 6, (1, 0, 0), (61, 2), None, False, (0, 0, 0)),
    ("inspect/inspect_ai__log_tool_call_error.json", 0, (0, 0, 0), None, None, None, (0, 0, 0)),
]  # fmt: skip
"""File and number of the run; turns, calls and results; tokens of all responses, input and output, or of the run as a
whole; cost; outcome; and how often one step stands in a row by observation, by name, and by name and arguments."""


def only(name: str) -> Trajectory:
    (trajectory,) = read_path(REAL / name).trajectories
    return trajectory


@pytest.mark.parametrize(("name", "format", "calls"), [pytest.param(*row, id=row[0]) for row in FILES])
def test_is_read_by_one_reader_alone(name: str, format: str, calls: list[int]) -> None:
    head = next(heads((REAL / name).read_bytes()))
    scores = sorted(((reader.sniff(head), reader.name) for reader in READERS), reverse=True)
    assert scores[0][1] == format
    assert scores[0][0] > scores[1][0]
    loaded = read_path(REAL / name)
    assert loaded.source.format == format
    assert [len(trajectory.calls) for trajectory in loaded.trajectories] == calls
    assert len({trajectory.run for trajectory in loaded.trajectories}) == len(calls)


@pytest.mark.parametrize(("name", "format", "calls"), [pytest.param(*row, id=row[0]) for row in ARCHIVES])
def test_an_archive_is_known_to_one_reader_alone(name: str, format: str, calls: list[int]) -> None:
    with ZipFile(REAL / name) as archive:
        names = frozenset(archive.namelist())
    assert [reader.name for reader in READERS if reader.archive and reader.archive.knows(names)] == [format]
    loaded = read_path(REAL / name)
    assert (loaded.source.format, [len(run.calls) for run in loaded.trajectories]) == (format, calls)


@pytest.mark.parametrize(
    ("name", "number", "counts", "tokens", "cost", "outcome", "repeats"),
    [pytest.param(*row, id=f"{row[0]}, run {row[1]}") for row in FIGURES],
)
def test_figures_are_those_of_the_raw_file(
    name: str, number: int, counts: tuple[int, int, int], tokens: tuple[int, int] | int | None, cost: float | None,
    outcome: bool | None, repeats: tuple[int, int, int],
) -> None:  # fmt: skip
    run = read_path(REAL / name).trajectories[number]
    assert (run.n_turns, len(run.calls), int((run.calls.observation >= 0).sum())) == counts
    used = (sum(use.input_tokens or 0 for use in run.usage), sum(use.output_tokens or 0 for use in run.usage))
    assert (used if run.usage else run.total_tokens) == tokens
    costs = [use.cost for use in run.usage if use.cost is not None]
    assert (sum(costs) if costs else run.total_cost) == (None if cost is None else pytest.approx(cost, abs=1e-6))
    assert run.outcome is outcome
    modes: tuple[Match, ...] = ("observation", "name", "name-args")
    found = (inspect(RunSet([run]), MaxRepeatSettings(max=1, match=mode)).finding for mode in modes)
    assert tuple(finding.occurrences for finding in found) == repeats


def test_an_atif_run_of_claude_code() -> None:
    trajectory = only("atif/atif2otel__trajectory_fail.json")
    assert trajectory.run == "aab22f64-0a24-4409-adf3-1dda6e637e7d"
    assert trajectory.n_turns == 39
    assert [trajectory.calls.turn.tolist().count(turn) for turn in range(5)] == [4, 1, 3, 3, 2]
    tools = [trajectory.tool(call) for call in range(46)]
    assert {name: tools.count(name) for name in ("Bash", "Read", "TaskUpdate", "Edit")} == {
        "Bash": 13, "Read": 11, "TaskUpdate": 10, "Edit": 3,
    }  # fmt: skip
    assert sum(use.input_tokens or 0 for use in trajectory.usage) == 4_013_056  # As `final_metrics` has it.
    assert sum(use.output_tokens or 0 for use in trajectory.usage) == 9_685
    assert [told.kind for told in trajectory.events].count("reasoning") == 6
    assert [told.kind for told in trajectory.events].count("assistant") == 19
    assert (trajectory.calls.observation >= 0).all()
    assert trajectory.duration_s == pytest.approx(840.741)


def test_three_edits_with_one_answer() -> None:
    trajectory = only("atif/atif2otel__trajectory_pass.json")
    finding = inspect(RunSet([trajectory]), MaxRepeatSettings(max=2)).finding
    assert (finding.occurrences, finding.period, finding.passed) == (3, 1, False)
    assert finding.pattern == ("Edit",)


def test_results_that_name_no_call() -> None:
    loaded = read_path(REAL / "atif/exp__hello-world-context-summarization.trajectory.json")
    (trajectory,) = loaded.trajectories
    assert (trajectory.calls.observation >= 0).all()
    assert [told.kind for told in trajectory.events if told.kind in ("user", "compaction")] == [
        "user",
        "compaction",
        "user",
    ]
    assert "7 results name no call; each was given to the call at its place in the step." in loaded.notes
    assert "21 lists of token ids or probabilities left out." in loaded.notes


def test_the_same_sleep_twice() -> None:
    finding = inspect(
        RunSet([only("atif/exp__hello-world-timeout.trajectory.json")]), MaxRepeatSettings(max=1, match="name-args")
    ).finding
    assert (finding.occurrences, finding.passed) == (2, False)


def test_a_copilot_session() -> None:
    trajectory = only("copilot/azure-sdk-tools__001002-events.jsonl")
    assert trajectory.run == "7d14eac4-45c4-4238-8143-a1bf046ddeca"
    assert trajectory.model == "claude-opus-4.6"
    assert trajectory.n_turns == 7
    assert trajectory.calls.turn.tolist() == [0, 1, 1, 1, 2, 3, 4, 5]
    assert trajectory.calls.line.tolist() == [11, 22, 23, 24, 45, 56, 67, 78]
    assert [use.output_tokens for use in trajectory.usage] == [161, 218, 447, 578, 166, 113, 137]
    # Results of parallel calls come in another order: lines 35, 38 and 40 answer the last, the second and the first.
    assert (trajectory.observation_json(3) or b"").find(b"FakedSharedModel") > 0
    assert trajectory.duration_s == pytest.approx(80.021)


def test_a_copilot_sub_agent() -> None:
    main, other = read_path(REAL / "copilot/agent-sessions__small.jsonl").trajectories
    assert (main.run, other.run) == ("copilot_stage0_small", "copilot_stage0_small/[trimmed for fixture]")
    assert (main.tool(0), main.arguments_json(0), main.observation_json(0)) == (
        "shell",
        b'{"command":"ls"}',
        b'"a.txt\\nb.txt\\n"',
    )
    assert main.calls.unknown_observation.tolist() == [False, True, True]

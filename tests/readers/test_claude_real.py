"""Real files of Claude Code, where they lie beside the checkout; every figure was counted in the raw lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopviz.model import Loaded
from loopviz.readers import READERS, read_path
from loopviz.readers.base import heads
from tests.readers.stories import found

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"
SESSIONS, STREAMS = REAL / "claude_code", REAL / "claude_code_stream_json"

pytestmark = pytest.mark.skipif(not SESSIONS.is_dir(), reason="the folder of real files is not beside the checkout")


def tokens(loaded: Loaded) -> tuple[int, int]:
    """Input and output tokens of the whole file."""
    usage = [use for trajectory in loaded.trajectories for use in trajectory.usage]
    return sum(use.input_tokens or 0 for use in usage), sum(use.output_tokens or 0 for use in usage)


def test_a_resumed_session_is_one_run() -> None:
    loaded = read_path(SESSIONS / "happy__1-continue-run-ls-tool.jsonl")
    (run,) = loaded.trajectories
    assert [(call["turn"], call["tool"]) for call in found(run)] == [(0, "LS")]
    assert (run.n_turns, run.prompt, tokens(loaded)) == (3, "say lol\n\nrun ls tool ", (14, 100))
    assert run.output == "0-say-lol-session.jsonl\nreadme.md"
    assert not loaded.problems


def test_a_response_over_two_lines_is_one_turn_and_counts_once() -> None:
    loaded = read_path(SESSIONS / "happy__task_sdk.jsonl")
    (run,) = loaded.trajectories
    assert [(call["turn"], call["tool"], call["observation"] is None) for call in found(run)] == [
        (0, "Task", False),
        (1, "Read", True),
    ]
    assert (run.n_turns, tokens(loaded)[1]) == (3, 165 + 93 + 119)
    assert run.model == "claude-opus-4-1-20250805"


def test_what_is_broken_on_purpose_is_listed_and_the_rest_is_kept() -> None:
    loaded = read_path(SESSIONS / "claude-code-log__edge_cases.jsonl")
    one, other = loaded.trajectories
    assert [(one.run, len(one.calls)), (other.run, len(other.calls))] == [("edge_cases", 2), ("todowrite_session", 1)]
    assert one.calls.failed.tolist() == [True, False]
    assert [call["observation"] is None for call in found(one)] == [False, True]
    assert [problem.where for problem in loaded.problems] == [f"line {line}" for line in (10, 11, 13, 14, 15, 16)]


def test_three_calls_with_one_result() -> None:
    loaded = read_path(SESSIONS / "claude-code-log__todowrite_examples.jsonl")
    (run,) = loaded.trajectories
    calls = found(run)
    assert [call["tool"] for call in calls] == ["TodoWrite"] * 3
    assert len({call["observation"] for call in calls}) == 1
    assert len({call["arguments"] for call in calls}) == 3
    assert run.n_turns == 6


def test_a_stream_of_parallel_calls() -> None:
    loaded = read_path(STREAMS / "atif-make__claude-code-stream.jsonl")
    (run,) = loaded.trajectories
    assert [(call["turn"], call["id"], call["observation"]) for call in found(run)] == [
        (0, "c_slow", "SLOW"),
        (0, "c_f1", "F1"),
        (0, "c_f2", "F2"),
    ]
    assert (run.run, run.n_turns, run.status, run.total_cost, tokens(loaded)) == (
        "sess-1",
        2,
        "success",
        0.01,
        (200, 37),
    )
    assert not loaded.problems


def test_no_other_format_is_taken_for_claude_code() -> None:
    for path in REAL.rglob("*"):
        if path.is_file() and path.parent not in (SESSIONS, STREAMS):
            scores = {reader.name: reader.sniff(head) for head in heads(path.read_bytes()) for reader in READERS}
            ours = max(score for name, score in scores.items() if name.startswith("claude."))
            assert ours == 0 or ours < max(scores.values()), path.name

"""Real files of Codex, where they lie beside the checkout; every figure was counted in the raw lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopviz.model import Trajectory
from loopviz.readers import read_path
from tests.readers.stories import found

CODEX = Path(__file__).resolve().parents[3] / "shared" / "real" / "codex"

pytestmark = pytest.mark.skipif(not CODEX.is_dir(), reason="the folder of real files is not beside the checkout")


def only(name: str) -> Trajectory:
    (trajectory,) = read_path(CODEX / name).trajectories
    return trajectory


def test_a_short_rollout() -> None:
    run = only("atif-make__codex-rollout.jsonl")
    (call,) = found(run)
    assert (call["tool"], call["arguments"], call["observation"]) == ("shell", '{"command":"ls -la"}', "README.md\nsrc")
    assert (run.run, run.model, run.prompt, run.output) == ("cx-1", "gpt-5-codex", "List files.", "Two entries.")
    assert [(use.input_tokens, use.output_tokens, use.cache_read_tokens) for use in run.usage] == [(500, 40, 100)]
    assert (run.n_turns, run.duration_s) == (2, 7.0)


def test_every_kind_of_item() -> None:
    """Lines 9 and 10 stand before any result: one turn. Of the ids that were trimmed away, each call has its result."""
    loaded = read_path(CODEX / "agent-sessions__small.jsonl")
    (run,) = loaded.trajectories
    assert run.calls.line.tolist() == [9, 10, 12, 14, 43, 49, 103, 114]
    assert [run.tool(call) for call in range(6)] == [
        "shell", "shell", "tool_search", "web_search", "tool_search", "image_generation",
    ]  # fmt: skip
    assert run.calls.turn.tolist()[:4] == [0, 0, 1, 2]
    assert [call["observation"] for call in found(run)][:2] == ["a.txt\nb.txt\n", "a.txt\n"]
    assert run.calls.unknown_observation.tolist()[3]
    assert run.usage[0].input_tokens == 16341
    assert [told.kind for told in run.events].count("compaction") == 6
    assert not loaded.problems


def test_a_session_without_calls() -> None:
    run = only("claude-code-transcripts__sample_codex_session.jsonl")
    assert (len(run.calls), run.n_turns, run.not_judged, run.model) == (0, 0, None, "gpt-5.2-codex")
    assert [told.kind for told in run.events] == ["system", "system", "user"]
    assert run.prompt is not None
    assert run.prompt.startswith("can you analyse the MD files")


def test_a_short_stream() -> None:
    run = only("atif-make__codex-exec.jsonl")
    assert [(call["tool"], call["arguments"], call["observation"]) for call in found(run)] == [
        ("command_execution", '{"command":"ls -la"}', "README.md")
    ]
    assert (run.run, run.total_tokens, run.calls.failed.tolist()) == ("th-9", 955, [False])

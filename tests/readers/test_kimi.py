"""Kimi sessions: steps, what was asked, and what is left out."""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers import read_bytes
from tests.readers.kimi_by_hand import asked, call, event, lines, result, said
from tests.readers.stories import found


def read(*values: Json) -> Loaded:
    header = {"type": "metadata", "protocol_version": "1.4", "created_at": 1767323045000}
    loaded = read_bytes(lines(header, *values), "wire.jsonl")
    assert loaded.source.format == "kimi.wire"
    return loaded


def test_a_step_is_a_turn() -> None:
    (trajectory,) = read(
        event("step.begin"), said("I look."), call("a"), call("b"), result("b", "y"), result("a", "x", isError=True),
        event("step.end"), event("step.begin"), call("Bash_0", arguments='{"command": "pwd"}'),
    ).trajectories  # fmt: skip
    assert [(one["turn"], one["arguments"], one["observation"], one["failed"]) for one in found(trajectory)] == [
        (0, '{"command":"ls"}', "x", True),
        (0, '{"command":"ls"}', "y", False),
        (1, '{"command":"pwd"}', None, False),
    ]
    assert trajectory.run == "wire"


def test_tokens_once_a_step() -> None:
    usage = {"inputOther": 10, "output": 5, "inputCacheRead": 7, "inputCacheCreation": 2}
    record = {"type": "usage.record", "model": "k2", "usage": usage, "usageScope": "turn", "time": 1767323045000}
    (trajectory,) = read(
        event("step.begin"), record, event("step.end", usage=usage, finishReason="end_turn")
    ).trajectories
    assert trajectory.model == "k2"
    (use,) = trajectory.usage
    assert (use.input_tokens, use.output_tokens, use.cache_read_tokens, use.cache_write_tokens) == (10, 5, 7, 2)
    assert trajectory.end_reason == "end_turn"


def test_only_requests_make_the_prompt() -> None:
    loaded = read(
        asked("fix it"),
        asked("<system-reminder>\nbe brief"),
        asked("a job ran", origin="cron"),
        event("content.part", part={"type": "think", "think": "Hm."}),
        {"type": "full_compaction.complete", "summary": "We did this."},
        {"type": "config.update", "modelAlias": "k2"},
    )
    (trajectory,) = loaded.trajectories
    assert trajectory.prompt == "fix it"
    assert [told.kind for told in trajectory.events] == ["user", "system", "system", "reasoning", "compaction"]
    assert loaded.notes == ("2 lines that say nothing of the run left out.",)


def test_a_response_that_was_cut_off_is_told() -> None:
    (trajectory,) = read(event("step.begin"), said("I"), event("step.end", finishReason="max_tokens")).trajectories
    assert [told.kind for told in trajectory.events] == ["assistant", "cut"]

"""Sessions of Qwen Code: responses, results, tokens, and what the system writes."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import find_reader, qwen, read_bytes
from tests.readers.qwen_by_hand import call, line, lines, result
from tests.readers.vally_by_hand import ABSENT, observations, turns


def load(*told: Json) -> Loaded:
    return read_bytes(lines(*told), "a.jsonl", format="qwen")


def only(*told: Json) -> Trajectory:
    (trajectory,) = load(*told).trajectories
    assert not trajectory.problems
    return trajectory


def test_is_told_from_claude_code() -> None:
    assert find_reader(lines(line("user", {"text": "Go"}))) is qwen.READER


def test_each_response_is_a_turn() -> None:
    trajectory = only(
        line("assistant", call("1"), call("2")),
        result("2", "two"),
        line("assistant", {"text": "Hm"}),
        line("assistant", call("3")),
        result("1", "one"),
    )
    assert (turns(trajectory), trajectory.n_turns) == ([0, 0, 2], 3)
    assert observations(trajectory) == ["one", "two", ABSENT]


def test_a_line_that_was_written_before() -> None:
    loaded = load(line("assistant", call("1"), uuid="u"), line("assistant", call("1"), uuid="u"))
    assert [len(run.calls) for run in loaded.trajectories] == [1]
    assert loaded.notes == ("1 line that was written before left out.",)


@pytest.mark.parametrize(
    ("response", "status", "observed", "failed"),
    [
        ({"output": "x"}, "success", "x", False),
        ({"output": ""}, "success", "", False),
        ({"output": "x"}, "error", "x", True),
        ({"error": "no"}, "success", "no", True),
        ({"rows": 2}, "success", {"rows": 2}, False),
    ],
)
def test_results(response: Json, status: str, observed: Json, failed: bool) -> None:
    part = {"functionResponse": {"name": "bash", "response": response}}
    trajectory = only(
        line("assistant", call("1")), line("tool_result", part, toolCallResult={"callId": "1", "status": status})
    )
    assert observations(trajectory) == [observed]
    assert trajectory.calls.failed.tolist() == [failed]


USED = {"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 2, "cachedContentTokenCount": 4}


def test_tokens_and_messages() -> None:
    trajectory = only(
        line("user", {"text": "Go"}),
        line("assistant", {"text": "Hm", "thought": True}, {"text": "So"}, model="q", usageMetadata=USED),
        line("system", subtype="chat_compression"),
        line("system", subtype="ui_telemetry"),
    )
    assert [told.kind for told in trajectory.events] == ["user", "reasoning", "assistant", "compaction"]
    (use,) = trajectory.usage
    assert (use.input_tokens, use.output_tokens, use.cache_read_tokens, use.model) == (9, 5, 4, "q")


@pytest.mark.parametrize("message", [None, 5, [], {}, {"parts": None}, {"parts": [5, None, {}, {"functionCall": 1}]}])
def test_messages_that_are_none(message: Any) -> None:
    trajectory = only({**line("assistant"), "message": message}, {**line("tool_result"), "message": message})
    assert len(trajectory.calls) == 0

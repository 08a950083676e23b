"""Grok sessions: lines, calls and what nobody asked for."""

from __future__ import annotations

from loopviz.readers import read_bytes
from tests.readers.grok_by_hand import call, lines, response, result
from tests.readers.stories import found


def test_a_session() -> None:
    loaded = read_bytes(
        lines(
            {"type": "system", "content": "Be good."},
            {"type": "user", "content": [{"type": "text", "text": "now is noon"}], "synthetic_reason": "context"},
            {"type": "user", "content": [{"type": "text", "text": "fix it"}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
            response("I look.", call("a"), call("b")),
            result("b", "y"),
            result("a", "x"),
            {"type": "backend", "content": ""},
        ),
        "chat_history.jsonl",
    )
    assert loaded.source.format == "grok"
    (trajectory,) = loaded.trajectories
    assert [(one["turn"], one["arguments"], one["observation"]) for one in found(trajectory)] == [
        (0, '{"command":"ls"}', "x"),
        (0, '{"command":"ls"}', "y"),
    ]
    assert trajectory.prompt == "fix it"
    assert [told.kind for told in trajectory.events] == ["system", "system", "user", "reasoning", "assistant"]
    assert loaded.notes == ("1 line that says nothing of the run left out.",)


def test_calls_as_the_api_writes_them() -> None:
    wrapped = {"id": "a", "type": "function", "function": {"name": "bash", "arguments": '{"command":"ls"}'}}
    (trajectory,) = read_bytes(lines(response("", wrapped), result("a", "x")), "a.jsonl", format="grok").trajectories
    assert [(one["tool"], one["observation"]) for one in found(trajectory)] == [("bash", "x")]

"""Antigravity conversations: results in order, arguments spelled twice."""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers import read_bytes
from tests.readers.antigravity_by_hand import asked, line, lines, response
from tests.readers.stories import found

LS: tuple[str, dict[str, Json]] = ("list_dir", {"DirectoryPath": "/w"})
CAT: tuple[str, dict[str, Json]] = ("view_file", {"AbsolutePath": "/w/a", "StartLine": 3, "toolAction": "Looking"})


def read(*values: Json) -> Loaded:
    loaded = read_bytes(lines(*values), "transcript.jsonl")
    assert loaded.source.format == "antigravity"
    return loaded


def test_records_answer_the_calls_of_their_response_in_order() -> None:
    (trajectory,) = read(
        response(LS, CAT), line("LIST_DIRECTORY", "x"), line("CONVERSATION_HISTORY", "no", source="SYSTEM"),
        response(LS), line("LIST_DIRECTORY", "y"),
    ).trajectories  # fmt: skip
    assert [(one["turn"], one["tool"], one["observation"]) for one in found(trajectory)] == [
        (0, "list_dir", "x"),
        (0, "view_file", None),
        (1, "list_dir", "y"),
    ]


def test_arguments_are_spelled_twice_and_words_for_people_are_none() -> None:
    (trajectory,) = read(response(CAT)).trajectories
    assert found(trajectory)[0]["arguments"] == '{"AbsolutePath":"/w/a","StartLine":3}'
    (plain,) = read({"type": "PLANNER_RESPONSE", "tool_calls": [{"name": "x", "args": {"a": "not JSON"}}]}).trajectories
    assert found(plain)[0]["arguments"] == '{"a":"not JSON"}'


def test_what_was_said() -> None:
    loaded = read(
        asked("fix it"),
        response(thinking="Hm.", content="I look.", usage={"input_tokens": 3, "output_tokens": 5}),
        line("CHECKPOINT", "# Resuming", source="SYSTEM"),
        line("SYSTEM_MESSAGE", "A task ended.", source="SYSTEM"),
        line("EPHEMERAL_MESSAGE", "noise", source="SYSTEM"),
    )
    (trajectory,) = loaded.trajectories
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("user", "fix it"),
        ("reasoning", "Hm."),
        ("assistant", "I look."),
        ("compaction", "# Resuming"),
        ("system", "A task ended."),
    ]
    assert [(use.input_tokens, use.output_tokens) for use in trajectory.usage] == [(3, 5)]
    assert loaded.notes == ("1 line that says nothing of the run left out.",)

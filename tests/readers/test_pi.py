"""pi sessions: messages, what is no call, and the stream."""

from __future__ import annotations

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.pi_by_hand import call, lines, message, result, session, text
from tests.readers.stories import found


def read(*values: Json) -> Loaded:
    loaded = read_bytes(lines(*values), "a.jsonl")
    assert loaded.source.format == "pi"
    return loaded


def only(*values: Json) -> Trajectory:
    (trajectory,) = read(session(modelId="m0"), *values).trajectories
    return trajectory


def test_a_message_is_a_turn() -> None:
    trajectory = only(
        message("assistant", [text("I look."), call("a"), call("b")]), result("b", "y"), result("a", "x", isError=True),
        message("assistant", [call("c")]),
    )  # fmt: skip
    assert [(one["turn"], one["id"], one["observation"], one["failed"]) for one in found(trajectory)] == [
        (0, "a", "x", True),
        (0, "b", "y", False),
        (1, "c", None, False),
    ]
    assert trajectory.model == "m0"


def test_tokens_and_cost_of_each_message() -> None:
    usage = {"input": 3, "output": 5, "cacheRead": 7, "cacheWrite": 9, "totalTokens": 24, "cost": {"total": 0.5}}
    trajectory = only(message("assistant", [call("a")], usage=usage, model="m1", stopReason="toolUse"))
    (use,) = trajectory.usage
    assert (use.input_tokens, use.output_tokens, use.cache_read_tokens, use.cache_write_tokens) == (3, 5, 7, 9)
    assert (use.cost, use.model) == (0.5, "m1")
    assert trajectory.end_reason == "toolUse"


def test_what_is_no_call() -> None:
    told = read(
        session(),
        message("user", [text("fix it")]),
        {"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": "a.txt"}},
        {"type": "model_change", "modelId": "m2"},
        {"type": "compaction", "summary": "We did this.", "tokensBefore": 150000},
        message("assistant", [{"type": "thinking", "thinking": "Hm."}], stopReason="error", errorMessage="limit"),
    )
    (trajectory,) = told.trajectories
    assert [(event.kind, event.text) for event in trajectory.events] == [
        ("user", "fix it"),
        ("system", "$ ls\na.txt"),
        ("compaction", "The context was compacted at 150,000 tokens.\nWe did this."),
        ("reasoning", "Hm."),
        ("error", "limit"),
    ]
    assert len(trajectory.calls) == 0
    assert told.notes == ("1 line that says nothing of the run left out.",)


def test_the_details_of_a_result_are_left_out() -> None:
    loaded = read(session(), message("assistant", [call("a")]), result("a", "x", details={"diff": "…"}))
    assert loaded.notes == ("1 structured twin of a result left out.",)


def test_blank_lines_and_no_header() -> None:
    data = lines(message("assistant", [call("a")])) + b"\n\n" + lines(result("a", "x"))
    (trajectory,) = read_bytes(data, "run.jsonl").trajectories
    assert (trajectory.run, [one["observation"] for one in found(trajectory)]) == ("run", ["x"])


def test_the_stream_counts_each_message_once() -> None:
    told = [message("assistant", [call("a")]), result("a", "x")]
    ends = [{**each, "type": "message_end"} for each in told]
    pieces = [{"type": "message_update", "message": told[0]["message"]}, {"type": "agent_end", "messages": []}]
    loaded = read(session(), {"type": "agent_start"}, pieces[0], *ends, pieces[1])
    assert found(loaded.trajectories[0]) == found(only(*told))
    assert "1 streamed piece left out." in loaded.notes


def test_a_response_that_was_cut_off_and_an_image_are_told_of() -> None:
    loaded = read(
        session(),
        message("user", [text("look"), {"type": "image", "data": "AAAA", "mimeType": "image/png"}]),
        message("assistant", [text("I")], stopReason="length"),
    )
    assert [event.kind for event in loaded.trajectories[0].events] == ["user", "assistant", "cut"]
    assert loaded.notes == ("1 image left out.",)

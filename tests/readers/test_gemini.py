"""Gemini CLI: sessions as documents and as lines, histories, and how results find their calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.gemini_by_hand import TIME, asks, call, dump, gemini, model, response, session, user
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns

IMAGE = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}


def load(document: Json, format: str) -> Loaded:
    return read_bytes(dump(document), "a.json", format=format)


def messages(*those: Json, **fields: Any) -> Trajectory:
    (trajectory,) = load(session(*those, **fields), "gemini.session").trajectories
    return trajectory


def contents(*those: Json) -> Trajectory:
    (trajectory,) = load(list(those), "gemini.history").trajectories
    return trajectory


def lines(*records: Json) -> Loaded:
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    loaded = read_bytes(data, "a.jsonl")
    assert loaded.source.format == "gemini.session"
    return loaded


RESULTS = [
    pytest.param([], ABSENT, False, id="no result"),
    pytest.param([response({})], {}, False, id="an empty response"),
    pytest.param([response({"output": ""})], "", False, id="an empty output"),
    pytest.param([response({"output": "a", "more": 1})], "a", False, id="an output"),
    pytest.param([response({"error": "bad"})], "bad", True, id="an error"),
    pytest.param([response({"output": "a", "error": None})], "a", False, id="an error that is null"),
    pytest.param([response({"output": "a", "error": "bad"})], "a", True, id="an output and an error"),
    pytest.param([response({"rows": [1]})], {"rows": [1]}, False, id="a response of another form"),
    pytest.param([response("a")], "a", False, id="a response that is a text"),
    pytest.param([response({"output": "a"}), IMAGE], "a\n[image 989ca11a]", False, id="an image behind it"),
    pytest.param(
        [response({"output": "a"}), response({"output": "b"})], "b", False, id="two of which the last one counts"
    ),
]


@pytest.mark.parametrize(("parts", "observation", "failed"), RESULTS)
def test_results_of_a_session(parts: list[Json], observation: Json, failed: bool) -> None:
    trajectory = messages(gemini(call("x", {}, *parts)))
    assert observations(trajectory) == [observation]
    assert trajectory.calls.failed.tolist() == [failed]


@pytest.mark.parametrize(("parts", "observation", "failed"), RESULTS[:-1])
def test_results_of_a_history(parts: list[Json], observation: Json, failed: bool) -> None:
    trajectory = contents(model(asks("x", {}, id="c")), user(*parts))
    assert observations(trajectory) == [observation]
    assert trajectory.calls.failed.tolist() == [failed]


@pytest.mark.parametrize("status", ["success", "error", "cancelled", None])
def test_a_call_fails_by_its_status(status: Json) -> None:
    trajectory = messages(gemini(call("x", {}, response({"output": "a"}), status=status)))
    assert trajectory.calls.failed.tolist() == [status in ("error", "cancelled")]


@pytest.mark.parametrize(
    ("fields", "observation", "failed"),
    [
        pytest.param({}, ABSENT, False, id="none"),
        pytest.param({"status": "cancelled"}, ABSENT, True, id="none of a call that was cancelled"),
        pytest.param({"result": []}, [], False, id="an empty list"),
        pytest.param({"result": None}, None, False, id="null"),
        pytest.param({"result": "a"}, "a", False, id="a text"),
        pytest.param({"result": [{"text": "a"}, {"text": "b"}]}, "a\nb", False, id="texts"),
    ],
)
def test_a_result_that_is_no_response(fields: dict[str, Json], observation: Json, failed: bool) -> None:
    trajectory = messages(gemini(call("x", {}) | fields))
    assert (observations(trajectory), trajectory.calls.failed.tolist()) == ([observation], [failed])


def test_what_a_session_says() -> None:
    trajectory = messages(
        {"type": "user", "content": [{"text": "go"}, IMAGE]},
        gemini(call("x", {}), call("y", {}, id="d"), content="let me", thoughts=[{"subject": "S", "description": "D"}]),
        {"type": "info", "content": "Request cancelled."},
        {"type": "error", "content": "quota"},
        {"type": "model", "parts": [{"text": "done"}]},
        {"type": "user", "content": "<state_snapshot>all</state_snapshot>"},
    )
    assert turns(trajectory) == [0, 0]
    assert [(told.kind, told.text, told.turn) for told in trajectory.events] == [
        ("user", "go", -1),
        ("reasoning", "S\nD", 0),
        ("assistant", "let me", 0),
        ("system", "Request cancelled.", 0),
        ("error", "quota", 0),
        ("assistant", "done", 1),
        ("compaction", "<state_snapshot>all</state_snapshot>", 1),
    ]


def test_tokens_are_counted_once_a_message() -> None:
    tokens = {"input": 100, "output": 10, "cached": 40, "thoughts": 5, "tool": 2, "total": 117}
    trajectory = messages(gemini(call("x", {}), call("y", {}), tokens=tokens), gemini(tokens={"input": "many"}))
    assert [(use.input_tokens, use.output_tokens, use.cache_read_tokens) for use in trajectory.usage] == [(102, 15, 40)]


def test_lines_of_a_session() -> None:
    loaded = lines(
        {"sessionId": "s1", "projectHash": "0f", "startTime": TIME, "lastUpdated": TIME, "kind": "main"},
        {"id": "u", "timestamp": TIME, "type": "user", "content": [{"text": "go"}]},
        {"id": "g", **gemini(call("x", {}))},
        {"$set": {"lastUpdated": TIME}},
        {"id": "g", **gemini(call("x", {}, response({"output": "a"})), call("y", {}, id="d"))},
        {"$rewindTo": "u"},
        {"id": "h", **gemini(call("z", {}))},
        {"sessionId": "s2", "projectHash": "0f", "startTime": TIME},
        {"id": "g", **gemini(call("w", {}))},
    )
    one, other = loaded.trajectories
    assert (one.run, tools(one), turns(one), observations(one)) == (
        "s1", ["x", "y", "z"], [0, 0, 1], ["a", ABSENT, ABSENT],
    )  # fmt: skip
    assert one.calls.line.tolist() == [5, 5, 7]
    assert (other.run, tools(other)) == ("s2", ["w"])
    assert [told.kind for told in one.events] == ["user", "cut"]
    assert loaded.notes == ("1 line that says nothing of the run left out.", "1 earlier state of a message left out.")


def test_calls_without_ids_are_answered_by_name_in_order() -> None:
    trajectory = contents(
        model(asks("x", {"n": 1}), asks("y", {}), asks("x", {"n": 2})),
        user(
            response({"output": "y"}, id=None, tool="y"),
            response({"output": "1"}, id=None),
            response({"output": "2"}, id=None),
        ),
    )
    assert observations(trajectory) == ["1", "y", "2"]
    assert turns(trajectory) == [0, 0, 0]


def test_a_made_up_id_of_a_response_does_not_keep_it_from_its_call() -> None:
    trajectory = contents(
        model(asks("x", {"n": 1}), asks("y", {}), asks("x", {"n": 2})),
        user(
            response({"output": "1"}, id="x-1-a"),
            response({"output": "2"}, id="x-1-b"),
            response({"output": "y"}, id="y-1-c", tool="y"),
        ),
    )
    assert observations(trajectory) == ["1", "y", "2"]
    assert not trajectory.problems


def test_an_id_that_calls_have_decides() -> None:
    trajectory = contents(
        model(asks("x", {"n": 1}, id="a"), asks("x", {"n": 2}, id="b")),
        user(response({"output": "2"}, id="b"), response({"output": "?"}, id="c")),
    )
    assert observations(trajectory) == [ABSENT, "2"]
    assert len(trajectory.problems) == 1


def test_an_unanswered_call_does_not_take_a_later_result() -> None:
    trajectory = contents(model(asks("x", {})), user(), model(asks("x", {})), user(response({"output": "a"}, id=None)))
    assert observations(trajectory) == [ABSENT, "a"]


def test_contents_of_the_model_in_a_row_are_one_turn() -> None:
    trajectory = contents(model({"text": "hm", "thought": True}), model(asks("x", {})), user(), model(asks("y", {})))
    assert turns(trajectory) == [0, 1]
    assert [(told.kind, told.text) for told in trajectory.events] == [("reasoning", "hm")]


def test_what_gemini_says_in_the_users_name_is_no_prompt() -> None:
    trajectory = contents(user({"text": "<session_context>\ndarwin"}), user({"text": "go"}))
    assert trajectory.prompt == "go"


@pytest.mark.parametrize("wrapper", ["history", "context", "contents"])
def test_a_history_in_a_document(wrapper: str) -> None:
    history = [user({"text": "go"}), model(asks("x", {}))]
    loaded = read_bytes(dump({"error": {"message": "bad"}, wrapper: history}), "a.json")
    assert loaded.source.format == "gemini.history"
    assert [(tools(trajectory), trajectory.error) for trajectory in loaded.trajectories] == [(["x"], "bad")]


def test_a_masked_result_is_told() -> None:
    masked = response({"output": "<tool_output_masked>\nstart … end"})
    trajectory = contents(model(asks("x", {}, id="c")), user(masked))
    assert [told.kind for told in trajectory.events] == ["cut"]


ODD = [
    pytest.param(3, id="a number"),
    pytest.param(None, id="null"),
    pytest.param([], id="a list"),
    pytest.param({}, id="nothing in it"),
    pytest.param({"type": "gemini", "toolCalls": {"a": 1}, "tokens": [1], "thoughts": 2}, id="members of other sorts"),
    pytest.param(gemini(1, None, {"name": 3, "id": [1], "args": "{", "result": "a"}), id="calls of other sorts"),
    pytest.param(gemini(call("x", {}, {"functionResponse": 3})), id="a response that is a number"),
    pytest.param({"role": "model", "parts": {"a": 1}}, id="parts that are no list"),
    pytest.param(model(1, {}, {"functionCall": []}, {"text": {}}), id="parts of other sorts"),
    pytest.param(user(response(None), {"functionResponse": {"parts": [1, IMAGE]}}), id="responses of other sorts"),
]


@pytest.mark.parametrize("odd", ODD)
def test_odd_messages_do_no_harm(odd: Json) -> None:
    named = tools(messages(gemini(call("a", {})), odd, gemini(call("b", {}))))
    assert (named[0], named[-1]) == ("a", "b")
    named = tools(contents(model(asks("a", {})), user(), odd, user(), model(asks("b", {}))))
    assert (named[0], named[-1]) == ("a", "b")

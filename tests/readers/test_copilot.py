"""Copilot's sessions: turns, calls that never started, sub-agents, results and what is left out."""

from __future__ import annotations

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.copilot_by_hand import complete, event, lines, message, start
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns

BEGIN = event("assistant.turn_start", turnId="0")
END = event("assistant.turn_end", turnId="0")


def load(*events: Json) -> Loaded:
    loaded = read_bytes(lines(*events), "events.jsonl", format="copilot.events")
    assert not loaded.problems
    return loaded


def only(*events: Json) -> Trajectory:
    (trajectory,) = load(*events).trajectories
    return trajectory


TURNS = [
    pytest.param([start("a", "x", {})], [-1], id="no turn"),
    pytest.param([BEGIN, start("a", "x", {}), END, start("b", "x", {})], [0, -1], id="behind a turn"),
    pytest.param([BEGIN, start("a", "x", {}), END, BEGIN, start("b", "x", {})], [0, 1], id="ids come again"),
    pytest.param([BEGIN, message(), start("a", "x", {}), message(), start("b", "x", {})], [0, 0], id="two rounds"),
    pytest.param([message(), start("a", "x", {}), message(), start("b", "x", {})], [0, 1], id="messages without turns"),
]


@pytest.mark.parametrize(("events", "expected"), TURNS)
def test_turns(events: list[Json], expected: list[int]) -> None:
    assert turns(only(*events)) == expected


ASKED = [
    pytest.param([BEGIN, message("", ("a", "x", {})), start("a", "x", {}), END], ["x"], [0], id="started"),
    pytest.param([BEGIN, message("", ("a", "x", {})), END], ["x"], [0], id="never started"),
    pytest.param([BEGIN, message("", ("a", "x", {}))], ["x"], [0], id="broken off"),
    pytest.param(
        [BEGIN, message("", ("a", "x", {}), ("b", "y", {})), start("b", "y", {}), END, BEGIN, message(), END],
        ["y", "x"],
        [0, 0],
        id="one started, one refused",
    ),
    pytest.param([message("", ("a", "x", {})), message()], ["x"], [0], id="before the next message"),
    pytest.param(
        [BEGIN, message("", ("a", "x", {})), END, start("a", "x", {})], ["x"], [0], id="started when its turn was over"
    ),
]


@pytest.mark.parametrize(("events", "named", "expected"), ASKED)
def test_a_call_counts_once_whether_it_started_or_not(
    events: list[Json], named: list[str], expected: list[int]
) -> None:
    trajectory = only(*events)
    assert tools(trajectory) == named
    assert turns(trajectory) == expected


RESULTS = [
    pytest.param({"result": {"content": "a", "detailedContent": None}}, "a", id="nothing but its content"),
    pytest.param(
        {"result": {"content": "a", "detailedContent": "b"}}, {"content": "a", "detailedContent": "b"}, id="all"
    ),
    pytest.param({"result": None, "error": {"message": "no", "code": "x"}}, {"message": "no", "code": "x"}, id="error"),
    pytest.param({"result": {"content": ""}}, "", id="empty"),
    pytest.param({"result": None}, None, id="null"),
    pytest.param({}, ABSENT, id="nothing"),
]


@pytest.mark.parametrize(("given", "expected"), RESULTS)
def test_what_came_back(given: dict[str, Json], expected: Json) -> None:
    back = event("tool.execution_complete", toolCallId="a", success="error" not in given, **given)
    trajectory = only(start("a", "x", {}), back)
    assert observations(trajectory) == [expected]
    assert trajectory.calls.failed.tolist() == ["error" in given]


def test_arguments_that_were_taken_out_are_unknown() -> None:
    trajectory = only(
        start("a", "bash", "[REDACTED]"), complete("a", "[REDACTED]"), start("b", "bash", {"command": "ls"})
    )
    assert trajectory.calls.unknown_arguments.tolist() == [True, False]
    assert trajectory.calls.unknown_observation.tolist() == [True, False]


@pytest.mark.parametrize("names_it", ["agentId", "parentToolCallId"])
def test_sub_agents_are_runs_of_their_own(names_it: str) -> None:
    inner = {names_it: "p"}
    main, other = load(
        event("session.start", sessionId="s"),
        start("p", "task", {}),
        event("subagent.started", toolCallId="p", agentName="helper"),
        message("look", ("q", "view", {}), **inner),
        start("q", "view", {}, **inner),
        complete("q", "found", **inner),
        complete("p", "done"),
    ).trajectories
    assert (main.run, tools(main), observations(main)) == ("s", ["task"], ["done"])
    assert (other.run, tools(other), observations(other)) == ("s/p", ["view"], ["found"])
    assert [(told.kind, told.text) for told in main.events] == [("agent", "helper: started")]


def test_one_session_after_the_other() -> None:
    one, other = load(
        event("session.start", sessionId="s1"),
        start("a", "x", {}),
        event("session.start", sessionId="s2"),
        start("a", "y", {}),
    ).trajectories
    assert (one.run, tools(one), other.run, tools(other)) == ("s1", ["x"], "s2", ["y"])


def test_streamed_pieces_and_housekeeping_are_counted_and_left_out() -> None:
    piece = event("assistant.message_delta", deltaContent="l") | {"ephemeral": True}
    asked = event("user.message", content="look", attachments=[{"type": "file", "path": "a.png"}])
    loaded = load(asked, start("a", "x", {}), piece, piece, event("hook.start", input={}))
    assert len(loaded.trajectories[0].calls) == 1
    assert loaded.notes == (
        "1 attachment left out.",
        "2 streamed pieces left out.",
        "1 event that says nothing of the run left out.",
    )


def test_lines_that_say_nothing_are_counted_and_not_kept() -> None:
    loaded = load(start("a", "x", {}), {}, {"data": {}}, event("of.the.future", a=1))
    assert [told.kind for told in loaded.trajectories[0].events] == ["of.the.future"]
    assert loaded.notes == ("2 events without a type left out.",)


def test_what_is_told_beside_calls() -> None:
    trajectory = only(
        event("session.start", sessionId="s", selectedModel="m"),
        event("user.message", content="go", transformedContent="<now>go"),
        event("assistant.reasoning", content="hm"),
        event("session.error", message="no answer", errorType="query"),
        event("session.truncation", messagesRemovedDuringTruncation=3),
        event("session.compaction_complete", summaryContent="so far"),
        event("skill.invoked", name="tidy"),
        event("something.new", content="?"),
        event("abort", reason="user"),
    )
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("user", "go"),
        ("reasoning", "hm"),
        ("error", "no answer"),
        ("cut", "The context was cut: 3 messages were removed."),
        ("compaction", "so far"),
        ("skill", "tidy"),
        ("something.new", "?"),
        ("error", "user"),
    ]
    assert (trajectory.model, trajectory.prompt, trajectory.end_reason) == ("m", "go", "aborted")


def test_tokens_are_counted_once_a_response() -> None:
    usage = event("assistant.usage", apiCallId="r1", inputTokens=10, outputTokens=5, model="m")
    trajectory = only(BEGIN, message(outputTokens=5, apiCallId="r1"), usage, message(outputTokens=7, apiCallId="r2"))
    assert [(use.input_tokens, use.output_tokens) for use in trajectory.usage] == [(10, 5), (None, 7)]


def test_totals_count_where_no_response_says() -> None:
    shutdown = event("session.shutdown", modelMetrics={"m": {"usage": {"inputTokens": 10, "outputTokens": 5}}, "n": 1})
    assert only(start("a", "x", {}), shutdown).total_tokens == 15


@pytest.mark.parametrize("usage_first", [False, True], ids=["the message comes first", "its usage comes first"])
@pytest.mark.parametrize("ids", [{}, {"apiCallId": "r1"}], ids=["without ids", "with the id of the request alone"])
def test_a_message_and_its_usage_are_one_response(usage_first: bool, ids: Json) -> None:
    usage = event("assistant.usage", inputTokens=10, outputTokens=5, **ids)
    said, other = (event("assistant.message", messageId=name, outputTokens=n) for name, n in (("m1", 5), ("m2", 7)))
    records = [usage, said] if usage_first else [said, usage]
    trajectory = only(BEGIN, *records, END, BEGIN, other, END)
    assert [(use.input_tokens, use.output_tokens) for use in trajectory.usage] == [(10, 5), (None, 7)]


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(event("assistant.turn_start", turnId="0", model="m"), id="the start of a turn"),
        pytest.param(complete("a", {"content": "a"}) | {"data": {"toolCallId": "a", "model": "m"}}, id="a result"),
    ],
)
def test_who_names_the_model(said: Json) -> None:
    assert only(start("a", "x", {}), said).model == "m"


def test_a_result_that_names_no_agent_is_of_the_one_that_called() -> None:
    main, other = load(
        start("a", "task", {}), start("b", "x", {}, parentToolCallId="a"), complete("b", "1")
    ).trajectories
    assert (observations(main), observations(other)) == ([ABSENT], ["1"])


def test_warnings_and_what_went_wrong_are_told() -> None:
    trajectory = only(
        event("session.warning", message="slow"),
        event("session.compaction_complete", success=False, error="no answer"),
        event("subagent.failed", agentName="explore", error="limit"),
    )
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("system", "slow"),
        ("error", "The context could not be compacted: no answer."),
        ("agent", "explore: failed: limit"),
    ]

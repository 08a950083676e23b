"""Claude Code's lines: what is one turn, what is one run, and what only looks like one."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.claude_by_hand import answered, line, lines, result, said, text, use
from tests.readers.stories import found

USAGE = {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 5}


def read(*values: Json) -> Loaded:
    loaded = read_bytes(lines(*values), "a.jsonl")
    assert loaded.source.format == "claude.session"
    return loaded


def only(*values: Json) -> Trajectory:
    (trajectory,) = read(*values).trajectories
    return trajectory


def stream(*values: Json) -> Loaded:
    init = {"type": "system", "subtype": "init", "session_id": "s1", "model": "claude", "tools": []}
    loaded = read_bytes(lines(init, *values), "a.jsonl")
    assert loaded.source.format == "claude.stream"
    return loaded


def calls(trajectory: Trajectory) -> list[tuple[int, str, Any]]:
    return [(call["turn"], call["id"], call["observation"]) for call in found(trajectory)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param([said("m1", text("hello"))], [], id="no call"),
        pytest.param([said("m1", use("a")), answered("a", "x")], [(0, "a", "x")], id="one call"),
        pytest.param(
            [said("m1", text("I look.")), said("m1", use("a")), said("m1", use("b")), answered("b"), answered("a")],
            [(0, "a", "a.txt"), (0, "b", "a.txt")],
            id="one response over several lines",
        ),
        pytest.param(
            [said("m1", use("a")), answered("a", "x"), said("m1", use("b")), answered("b", "y")],
            [(0, "a", "x"), (0, "b", "y")],
            id="a result between the lines of one response",
        ),
        pytest.param(
            [said("m1", use("a")), said("m2", use("b")), said("m1", use("c"))],
            [(0, "a", None), (1, "b", None), (2, "c", None)],
            id="an id that comes again later joins nothing",
        ),
        pytest.param(
            [line("assistant", [use("a")]), line("assistant", [use("b")])],
            [(0, "a", None), (1, "b", None)],
            id="responses without an id are one each",
        ),
        pytest.param(
            [said("m1", use("a")), line("user", [{"type": "tool_result", "tool_use_id": "a"}])],
            [(0, "a", None)],
            id="a result without content is missing",
        ),
        pytest.param(
            [said("m1", use("a")), line("user", [result("a", [text("x"), text("y")])])],
            [(0, "a", "x\ny")],
            id="a result in blocks",
        ),
        pytest.param(
            [
                said("m1", {"type": "server_tool_use", "id": "w", "name": "web_search", "input": {"query": "q"}}),
                said("m1", {"type": "web_search_tool_result", "tool_use_id": "w", "content": [{"title": "t"}]}),
            ],
            [(0, "w", [{"title": "t"}])],
            id="a tool of the server",
        ),
    ],
)
def test_turns_and_results(told: list[Json], expected: list[tuple[int, str, Any]]) -> None:
    assert calls(only(*told)) == expected


def test_failures_are_marked() -> None:
    cancelled = result("b", "<tool_use_error>Sibling tool call errored</tool_use_error>", is_error=True)
    trajectory = only(said("m1", use("a"), use("b")), line("user", [result("a", "ok", is_error=False), cancelled]))
    assert trajectory.calls.failed.tolist() == [False, True]


def test_tokens_count_once_a_response_as_its_last_line_states_them() -> None:
    trajectory = only(
        said("m1", text("x"), usage=USAGE),
        said("m1", use("a"), usage={**USAGE, "output_tokens": 165}),
        answered("a"),
        said("m2", text("y"), usage={"input_tokens": -1, "output_tokens": 7}),
    )
    assert [(use.input_tokens, use.output_tokens, use.cache_read_tokens) for use in trajectory.usage] == [
        (10, 165, 100),
        (None, 7, None),
    ]
    assert trajectory.usage[0].cache_write_tokens == 5


def test_what_claude_code_says_itself_is_no_turn() -> None:
    error = line("assistant", [text("API Error: 529")], message={"id": "x", "model": "<synthetic>"})
    trajectory = only(said("m1", use("a")), {**error, "isApiErrorMessage": True}, error)
    assert trajectory.n_turns == 1
    assert [told.kind for told in trajectory.events] == ["error", "system"]
    assert trajectory.model == "claude"


@pytest.mark.parametrize(
    ("more", "content", "kind"),
    [
        pytest.param({}, "fix it", "user", id="a request"),
        pytest.param({}, [text("fix it")], "user", id="a request in blocks"),
        pytest.param({"isMeta": True}, "fix it", "system", id="marked as no request"),
        pytest.param({}, "<command-name>/clear</command-name>", "system", id="a command"),
        pytest.param({}, "<local-command-stdout></local-command-stdout>", "system", id="what a command printed"),
        pytest.param({}, "[Request interrupted by user for tool use]", "system", id="an interruption"),
        pytest.param({"isCompactSummary": True}, "We did this.", "compaction", id="a summary"),
    ],
)
def test_only_requests_make_the_prompt(more: dict[str, Json], content: Json, kind: str) -> None:
    trajectory = only(line("user", content, **more))
    assert [told.kind for told in trajectory.events] == [kind]
    assert trajectory.prompt == ("fix it" if kind == "user" else None)


def test_one_compaction_is_told_once() -> None:
    boundary = {
        "type": "system", "subtype": "compact_boundary", "sessionId": "s1", "uuid": "b", "parentUuid": None,
        "logicalParentUuid": "u1", "content": "Conversation compacted",
        "compactMetadata": {"trigger": "auto", "preTokens": 155000},
    }  # fmt: skip
    summary = line("user", "We did this.", "u3", "b", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    trajectory = only(said("m1", use("a"), uuid="u1"), boundary, summary, said("m2", use("c"), uuid="u4", parent="u3"))
    assert [(told.kind, told.call) for told in trajectory.events] == [("compaction", 1), ("system", 1)]
    assert trajectory.events[0].text == "The context was compacted (auto) at 155,000 tokens."
    assert [call["id"] for call in found(trajectory)] == ["a", "c"]
    assert trajectory.prompt is None


def test_lines_that_stand_in_the_file_twice_count_once() -> None:
    told = [
        line("user", "go", "u1"),
        said("m1", use("a"), uuid="u2", parent="u1"),
        answered("a", uuid="u3", parent="u2"),
    ]
    loaded = read(*told, *({**each, "sessionId": "s2"} for each in told), said("m2", use("b"), uuid="u4", parent="u3"))
    (trajectory,) = loaded.trajectories
    assert [call["id"] for call in found(trajectory)] == ["a", "b"]
    assert trajectory.prompt == "go"
    assert "3 lines that stand in the file twice left out." in loaded.notes
    assert not trajectory.problems


def test_a_uuid_that_comes_again_with_another_message_is_kept() -> None:
    trajectory = only(said("m1", use("a"), uuid="u"), said("m1", use("b"), uuid="u"), answered("a", uuid="u"))
    assert calls(trajectory) == [(0, "a", "a.txt"), (0, "b", None)]


def test_a_resumed_session_goes_on_and_another_does_not() -> None:
    one, other = read(
        line("user", "go", "u1"),
        said("m1", use("a"), uuid="u2", parent="u1", sessionId="s2"),
        answered("a", uuid="u3", parent="u2", sessionId="s2"),
        said("m9", use("x"), uuid="v1", sessionId="s3"),
        said("m2", use("b"), uuid="u4", parent="u3", sessionId="s2"),
    ).trajectories
    assert (one.run, other.run) == ("s1", "s3")
    assert [[call["id"] for call in found(each)] for each in (one, other)] == [["a", "b"], ["x"]]


def side(kind: str, content: Json, uuid: str, parent: str | None, response: str | None = None) -> Json:
    message = {} if response is None else {"id": response}
    return line(kind, content, uuid, parent, isSidechain=True, message=message)


def test_sidechains_are_runs_of_their_own() -> None:
    """The oldest way: in the same file, told apart by the line that each goes back to."""
    main, one, other = read(
        line("user", "go", "u1"),
        said("m1", use("t1", "Task"), use("t2", "Task"), uuid="u2", parent="u1"),
        side("user", "look here", "a1", None),
        side("user", "look there", "b1", None),
        side("assistant", [use("a")], "a2", "a1", "ma"),
        side("assistant", [use("b")], "b2", "b1", "mb"),
        side("user", [result("b", "from b")], "b3", "b2"),
        side("user", [result("a", "from a")], "a3", "a2"),
        line("user", [result("t1", "done"), result("t2", "done")], "u3", "u2"),
    ).trajectories
    assert [each.run for each in (main, one, other)] == ["s1", "s1/sidechain 1", "s1/sidechain 2"]
    assert [call["id"] for call in found(main)] == ["t1", "t2"]
    assert (calls(one), one.prompt) == ([(0, "a", "from a")], "look here")
    assert (calls(other), other.prompt) == ([(0, "b", "from b")], "look there")


def test_a_sidechain_begins_with_a_request_alone() -> None:
    """What goes on from a line that is not in the file, or answers nothing, is of the sidechain before."""
    one, other = read(
        side("user", "look here", "a1", None),
        side("assistant", [use("a")], "a2", "gone", "ma"),
        side("assistant", [use("b")], "a3", None, "mb"),
        side("user", "look there", "b1", None),
        side("user", [result("c", "x")], "b2", "gone"),
        side("assistant", [use("c")], "b3", "b2", "mc"),
    ).trajectories
    assert [[call["id"] for call in found(each)] for each in (one, other)] == [["a", "b"], ["c"]]


def progress(agent: str, nested: Json, kind: str = "agent_progress") -> Json:
    data = {"type": kind, "agentId": agent, "message": nested}
    return {"type": "progress", "parentUuid": "u2", "isSidechain": False, "sessionId": "s1", "uuid": "p", "data": data}


def bare(role: str, uuid: str, *blocks: Json, **message: Json) -> Json:
    return {"type": role, "uuid": uuid, "message": {"role": role, "content": list(blocks), **message}}


def test_messages_in_lines_of_progress_are_runs_of_their_own() -> None:
    ticks = {"type": "progress", "sessionId": "s1", "data": {"type": "bash_progress", "output": "…"}}
    loaded = read(
        said("m1", use("t", "Task"), uuid="u2"),
        ticks,
        progress("ag1", bare("user", "n1", text("look"))),
        progress("ag2", bare("assistant", "n9", use("z"), id="mz")),
        progress("ag1", bare("assistant", "n2", use("a"), id="ma")),
        progress("ag1", bare("user", "n3", result("a", "x"))),
        answered("t", "done"),
    )
    main, one, other = loaded.trajectories
    assert [each.run for each in (main, one, other)] == ["s1", "s1/ag1", "s1/ag2"]
    assert calls(main) == [(0, "t", "done")]
    assert (calls(one), one.prompt) == ([(0, "a", "x")], "look")
    assert calls(other) == [(0, "z", None)]
    assert "1 line that says nothing of the run left out." in loaded.notes


def test_a_file_of_a_sub_agent_is_named_for_its_session_and_itself() -> None:
    loaded = read(
        line("user", "look", "u1", isSidechain=True, agentId="ag1"),
        said("m1", use("a"), uuid="u2", parent="u1", isSidechain=True, agentId="ag1"),
    )
    assert [(each.run, len(each.calls)) for each in loaded.trajectories if len(each.calls)] == [("s1/ag1", 1)]


def test_a_file_of_a_sub_agent_holds_no_other_run() -> None:
    loaded = read(said("m1", use("a"), isSidechain=True, agentId="ag1"))
    assert [each.run for each in loaded.trajectories] == ["s1/ag1"]


def test_a_stream_tells_sub_agents_and_how_it_ended() -> None:
    end = {
        "type": "result", "subtype": "error_max_turns", "is_error": False, "num_turns": 3, "session_id": "s1",
        "total_cost_usd": 0.5, "duration_ms": 2500, "result": "I gave up.",
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }  # fmt: skip
    known = {"session_id": "s1", "parent_tool_use_id": None}
    inner = {"session_id": "s1", "parent_tool_use_id": "t"}
    main, inner_run = stream(
        {**bare("assistant", "1", use("t", "Task"), id="m1"), **known},
        {**bare("assistant", "2", use("a"), id="m2"), **inner},
        {**bare("user", "3", result("a", "x")), **inner},
        {"type": "stream_event", "event": {}, "session_id": "s1"},
        {**bare("user", "4", result("t", "done")), "session_id": "s1"},
        end,
    ).trajectories
    assert (main.run, inner_run.run) == ("s1", "s1/t")
    assert (calls(main), calls(inner_run)) == ([(0, "t", "done")], [(0, "a", "x")])
    assert (main.status, main.end_reason, main.outcome) == ("error", "error_max_turns", False)
    assert (main.output, main.total_cost, main.total_tokens, main.duration_s) == ("I gave up.", 0.5, 7, 2.5)
    assert main.model == "claude"


def test_a_run_that_ended_well_has_no_outcome() -> None:
    end = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "session_id": "s1"}
    (trajectory,) = stream({**bare("assistant", "1", text("done"), id="m1"), "session_id": "s1"}, end).trajectories
    assert (trajectory.status, trajectory.outcome) == ("success", None)


def test_what_happy_wraps_is_read_alike() -> None:
    told = [line("user", "go", "u1"), said("m1", use("a"), uuid="u2", parent="u1"), answered("a", uuid="u3")]
    wrapped = [
        {
            "id": "x",
            "createdAt": 1700000000000 + at,
            "content": {"role": "agent", "content": {"type": "output", "data": each}},
        }
        for at, each in enumerate(told)
    ]
    typed = {"createdAt": 1700000000500, "content": {"role": "user", "content": {"type": "text", "text": "and now?"}}}
    plain, one = only(*told), only(*wrapped, typed)
    assert found(one) == found(plain)
    assert one.prompt is not None and "go" in one.prompt and "and now?" in one.prompt
    assert (one.started_s, one.last_event_s) == (1700000000.0, 1700000000.5)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        pytest.param({"silly": "this"}, "no `type`", id="no line of ours"),
        pytest.param({**line("user", "x"), "message": "error"}, "no message", id="no message"),
        pytest.param(line("user", None), "no content", id="no content"),
        pytest.param([1], "not a JSON object", id="no object"),
    ],
)
def test_what_is_broken_is_a_problem_and_the_rest_is_kept(broken: Json, message: str) -> None:
    loaded = read(said("m1", use("a")), broken, answered("a", "x"))
    assert calls(loaded.trajectories[0]) == [(0, "a", "x")]
    (problem,) = loaded.problems
    assert (problem.where, message in problem.message) == ("line 2", True)


@pytest.mark.parametrize("kind", [pytest.param({"a": 1}, id="an object"), pytest.param(["text"], id="a list")])
def test_a_block_whose_type_is_no_text_says_nothing(kind: Json) -> None:
    block = {"type": kind, "text": "x"}
    trajectory = only(line("user", [block]), said("m1", block, use("a")), line("user", [result("a", [block])]))
    assert [told.kind for told in trajectory.events] == []
    assert calls(trajectory) == [(0, "a", [block])]


def test_a_session_that_begins_in_the_middle_says_so() -> None:
    trajectory = only(answered("gone", "x"), said("m1", use("a")))
    assert calls(trajectory) == [(0, "a", None)]
    assert "'gone', which is not in the file" in trajectory.problems[0].message


def test_qwen_code_is_not_taken_for_claude_code() -> None:
    qwen = {
        "parentUuid": None,
        "sessionId": "q",
        "type": "user",
        "message": {"role": "user", "parts": [{"text": "hi"}]},
    }
    from loopviz.readers.base import heads
    from loopviz.readers.claude import sniff_session

    assert sniff_session(next(heads(lines(qwen)))) == 0


def test_a_response_that_was_cut_off_is_told_once() -> None:
    first, second = said("m1", text("I")), said("m1", text("look"))
    for value in (first, second):
        value["message"]["stop_reason"] = "max_tokens"
    trajectory = only(said("m0", text("a")), first, second)
    assert [told.kind for told in trajectory.events] == ["assistant", "assistant", "cut", "assistant"]


def test_the_cost_of_the_first_versions_counts_once_a_response() -> None:
    values = [
        said("m1", use("a"), usage=USAGE) | {"costUSD": 0.5},
        said("m1", use("b"), usage=USAGE) | {"costUSD": 0.5},
    ]
    assert [used.cost for used in only(*values).usage] == [0.5]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param([said("m1", use("a")), said("m2", use("a"))], ["a"], id="before its result"),
        pytest.param(
            [said("m1", use("a")), answered("a"), said("m2", use("a"))],
            ["a", "a"],
            id="behind its result: another call",
        ),
        pytest.param(
            [said("m1", use("a")), said("m2", use("a", arguments={"command": "pwd"}))],
            ["a", "a"],
            id="with other arguments: another call",
        ),
    ],
)
def test_a_call_that_is_written_again(told: list[Json], expected: list[str]) -> None:
    loaded = read(*told)
    assert [call_id for _, call_id, _ in calls(loaded.trajectories[0])] == expected
    assert ("1 call that is written again left out." in loaded.notes) == (len(expected) == 1)

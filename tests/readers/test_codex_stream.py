"""What `codex exec --json` prints: which items are calls, and what the stream does not say."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.codex_by_hand import lines, of_item
from tests.readers.stories import found


def read(*values: Json) -> Loaded:
    loaded = read_bytes(lines({"type": "thread.started", "thread_id": "t1"}, *values), "a.jsonl")
    assert loaded.source.format == "codex.exec"
    return loaded


def only(*values: Json) -> Trajectory:
    (trajectory,) = read(*values).trajectories
    return trajectory


def command(event: str, item_id: str, **more: Any) -> Json:
    return of_item(event, "command_execution", id=item_id, command="ls", **more)


def turns(trajectory: Trajectory) -> list[tuple[int, str, Any]]:
    return [(one["turn"], one["id"], one["observation"]) for one in found(trajectory)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param([of_item("completed", "agent_message", id="m", text="hello")], [], id="no call"),
        pytest.param([command("completed", "a", aggregated_output="x")], [(0, "a", "x")], id="only its end"),
        pytest.param(
            [command("started", "a", aggregated_output=""), command("completed", "a", aggregated_output="x")],
            [(0, "a", "x")],
            id="its beginning and its end",
        ),
        pytest.param([command("started", "a", aggregated_output="")], [(0, "a", None)], id="never ended"),
        pytest.param(
            [
                *(command("started", each) for each in "ab"),
                *(command("completed", each, aggregated_output=each) for each in "ba"),
                command("completed", "c", aggregated_output="c"),
            ],
            [(0, "a", "a"), (0, "b", "b"), (1, "c", "c")],
            id="calls that begin before one has ended are parallel",
        ),
        pytest.param(
            [command("completed", "a", aggregated_output="x"), command("completed", "b", aggregated_output="y")],
            [(0, "a", "x"), (1, "b", "y")],
            id="one after the other",
        ),
    ],
)
def test_turns(told: list[Json], expected: list[tuple[int, str, Any]]) -> None:
    assert turns(only(*told)) == expected


@pytest.mark.parametrize(
    ("more", "failed"),
    [
        pytest.param({"exit_code": 0, "status": "completed"}, False, id="well"),
        pytest.param({"exit_code": None}, False, id="no exit code"),
        pytest.param({"exit_code": 1, "status": "failed"}, True, id="an exit code"),
        pytest.param({"status": "declined"}, True, id="declined"),
    ],
)
def test_commands_that_failed(more: dict[str, Json], failed: bool) -> None:
    assert only(command("completed", "a", aggregated_output="", **more)).calls.failed.tolist() == [failed]


MCP = {"id": "a", "server": "files", "tool": "find", "arguments": {"q": 1}}


@pytest.mark.parametrize(
    ("told", "tool", "arguments", "observation"),
    [
        pytest.param(
            of_item(
                "completed", "mcp_tool_call", **MCP, result={"content": [{"type": "text", "text": "x"}]}, error=None
            ),
            "files.find",
            '{"q":1}',
            "x",
            id="MCP",
        ),
        pytest.param(
            of_item("completed", "mcp_tool_call", **MCP, result=None, error={"message": "no"}),
            "files.find",
            '{"q":1}',
            "no",
            id="MCP that failed",
        ),
        pytest.param(
            of_item("completed", "collab_tool_call", id="a", tool="wait", prompt=None, agents_states={"t": "done"}),
            "wait",
            '{"prompt":null,"receiver_thread_ids":null}',
            {"t": "done"},
            id="another agent",
        ),
        pytest.param(
            of_item("completed", "of_the_future", id="a", size=3, aggregated_output="x"),
            "of_the_future",
            '{"aggregated_output":"x","size":3}',
            "x",
            id="a kind of the future",
        ),
    ],
)
def test_items(told: Json, tool: str, arguments: str, observation: Json) -> None:
    (one,) = found(only(told))
    assert (one["tool"], one["arguments"], one["observation"]) == (tool, arguments, observation)


@pytest.mark.parametrize(
    ("told", "unknown"),
    [
        pytest.param(
            of_item("completed", "file_change", id="a", changes=[{"path": "a.py"}]), (True, True), id="a change"
        ),
        pytest.param(of_item("completed", "web_search", id="a", query="q"), (False, True), id="a search"),
        pytest.param(of_item("started", "todo_list", id="a", items=[]), (False, True), id="a list"),
    ],
)
def test_what_the_stream_does_not_say_is_unknown(told: Json, unknown: tuple[bool, bool]) -> None:
    calls = only(told).calls
    assert (bool(calls.unknown_arguments[0]), bool(calls.unknown_observation[0])) == unknown


def test_each_state_of_the_list_is_a_call_and_its_end_is_none() -> None:
    states = [of_item(event, "todo_list", id="a", items=[event]) for event in ("started", "updated", "completed")]
    assert [one["arguments"] for one in found(only(*states))] == ['{"items":["started"]}', '{"items":["updated"]}']


def test_tokens_are_those_of_the_last_end() -> None:
    ends = [{"type": "turn.completed", "usage": {"input_tokens": count, "output_tokens": 5}} for count in (10, 30)]
    trajectory = only(command("completed", "a", aggregated_output="x"), *ends)
    assert (trajectory.total_tokens, trajectory.usage, trajectory.end_reason) == (35, (), "complete")


def test_a_failure_is_told() -> None:
    trajectory = only({"type": "turn.failed", "error": {"message": "limit"}})
    assert [(told.kind, told.text) for told in trajectory.events] == [("error", "limit")]
    assert (trajectory.status, trajectory.end_reason) == ("error", "error")


def test_a_thread_that_is_resumed_goes_on() -> None:
    loaded = read(
        command("completed", "a", aggregated_output="x"),
        {"type": "thread.started", "thread_id": "t2"},
        command("completed", "a", aggregated_output="y"),
        {"type": "thread.started", "thread_id": "t1"},
        command("completed", "a", aggregated_output="z"),
    )
    assert [(each.run, [one["observation"] for one in found(each)]) for each in loaded.trajectories] == [
        ("t1", ["x", "z"]),
        ("t2", ["y"]),
    ]


def test_the_first_names_of_the_events() -> None:
    told = [
        {"type": "session.created", "session_id": "s"},
        {"type": "item.completed", "item": {"id": "a", "item_type": "assistant_message", "text": "hello"}},
    ]
    (trajectory,) = read_bytes(lines(*told), "a.jsonl", format="codex.exec").trajectories
    assert (trajectory.run, trajectory.output) == ("s", "hello")


def test_a_status_of_the_wrong_sort_is_none() -> None:
    assert only(command("completed", "a", aggregated_output="x", status={"a": 1})).calls.failed.tolist() == [False]


def test_what_a_search_looks_for_stands_where_it_ends() -> None:
    trajectory = only(
        of_item("started", "web_search", id="a", query=""),
        of_item("started", "web_search", id="b", query=""),
        of_item("completed", "web_search", id="a", query="q"),
    )
    assert [(one["tool"], one["arguments"]) for one in found(trajectory)] == [
        ("web_search", '{"query":"q"}'),
        ("web_search", '{"query":""}'),
    ]
    assert trajectory.calls.unknown_arguments.tolist() == [False, True]
    assert trajectory.calls.line.tolist() == [4, 3]

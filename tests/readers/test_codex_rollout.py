"""Sessions of Codex: where a response ends, what is a call, what a result is and what is only said about it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.codex_by_hand import call, event, item, line, lines, message, output, tokens
from tests.readers.stories import found


def read(*values: Json) -> Loaded:
    loaded = read_bytes(lines(line("session_meta", id="s1"), *values), "a.jsonl")
    assert loaded.source.format == "codex.rollout"
    return loaded


def only(*values: Json) -> Trajectory:
    (trajectory,) = read(*values).trajectories
    return trajectory


def turns(trajectory: Trajectory) -> list[tuple[int, str]]:
    return [(one["turn"], one["id"]) for one in found(trajectory)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param([message("assistant", "hello")], [], id="no call"),
        pytest.param([call("a"), output("a")], [(0, "a")], id="one call"),
        pytest.param(
            [message("assistant", "I look."), call("a"), call("b"), output("b"), output("a"), call("c")],
            [(0, "a"), (0, "b"), (1, "c")],
            id="calls before any result are parallel",
        ),
        pytest.param(
            [call("a"), message("user", "stop"), call("b")], [(0, "a"), (1, "b")], id="a request begins a new one"
        ),
        pytest.param(
            [call("a"), tokens(1, input_tokens=1), call("b"), tokens(2, input_tokens=1)],
            [(0, "a"), (1, "b")],
            id="a count of tokens ends a response",
        ),
        pytest.param(
            [tokens(1, input_tokens=1), call("a"), tokens(1, input_tokens=1), call("b")],
            [(0, "a"), (0, "b")],
            id="a count that says nothing new does not",
        ),
        pytest.param(
            [call("a"), event("turn_aborted", reason="interrupted"), call("b")],
            [(0, "a"), (1, "b")],
            id="an abort ends it",
        ),
        pytest.param(
            [call("a"), event("agent_message", message="x"), event("exec_command_begin", call_id="a"), call("b")],
            [(0, "a"), (0, "b")],
            id="events that repeat items end nothing",
        ),
    ],
)
def test_turns(told: list[Json], expected: list[tuple[int, str]]) -> None:
    assert turns(only(*told)) == expected


WRAPPED = json.dumps({"output": "a.txt\n", "metadata": {"exit_code": 2, "duration_seconds": 0.25}})
SHELL = "Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: 1\nOutput:\na.txt\n"
UNIFIED = "Chunk ID: 5f2c\nWall time: 1.2 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\nno\n"


@pytest.mark.parametrize(
    ("content", "expected", "failed"),
    [
        pytest.param("a.txt\n", "a.txt\n", False, id="a text"),
        pytest.param("", "", False, id="the empty text"),
        pytest.param(
            "the Exit code: 1\nOutput:\n", "the Exit code: 1\nOutput:\n", False, id="a text that talks of one"
        ),
        pytest.param('{"output": "x"}', '{"output": "x"}', False, id="JSON of a tool's own"),
        pytest.param(WRAPPED, "a.txt\n", True, id="JSON with an exit code"),
        pytest.param(SHELL, "a.txt\n", False, id="lines on exit code and time"),
        pytest.param(UNIFIED, "no\n", True, id="lines of the newer shell"),
        pytest.param({"type": "input_text", "text": SHELL}, "a.txt\n", False, id="a block"),
        pytest.param(
            [{"type": "input_text", "text": "x"}, {"type": "input_text", "text": "y"}], "x\ny", False, id="two"
        ),
        pytest.param({"content": "no", "success": False}, "no", True, id="content and success"),
        pytest.param(None, None, False, id="null"),
    ],
)
def test_results(content: Json, expected: Json, failed: bool) -> None:
    trajectory = only(call("a"), output("a", content))
    assert json.loads(trajectory.observation_json(0) or b"") == expected
    assert trajectory.calls.failed.tolist() == [failed]


@pytest.mark.parametrize(
    ("said", "failed"),
    [
        pytest.param("command exited with code 3\nmore", True, id="in the first line"),
        pytest.param("command exited with code 0", False, id="with 0"),
        pytest.param("log:\nit exited with code 3", False, id="further down"),
    ],
)
def test_a_text_may_say_that_the_command_failed(said: str, failed: bool) -> None:
    trajectory = only(call("a"), output("a", said))
    assert trajectory.calls.failed.tolist() == [failed]
    assert found(trajectory)[0]["observation"] == said


def test_equal_outputs_are_equal_however_long_they_took() -> None:
    slow = WRAPPED.replace("0.25", "3.5")
    loaded = read(call("a"), output("a", WRAPPED), call("b"), output("b", slow))
    one, other = loaded.trajectories[0].calls.observation
    assert one == other
    assert loaded.notes == ("2 results without their exit code and time, which would make equal outputs differ.",)


@pytest.mark.parametrize(
    ("told", "tool", "arguments"),
    [
        pytest.param(call("a", "shell", {"x": 1}), "shell", '{"x":1}', id="a function"),
        pytest.param(
            item("function_call", name="find", namespace="mcp__x", arguments="{}", call_id="a"),
            "mcp__x.find",
            "{}",
            id="a function of a namespace",
        ),
        pytest.param(
            item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="a"),
            "apply_patch",
            '"*** Begin Patch"',
            id="a custom tool",
        ),
        pytest.param(
            item("local_shell_call", id="a", call_id=None, action={"type": "exec", "command": ["ls"]}),
            "local_shell",
            '{"command":["ls"],"type":"exec"}',
            id="the local shell",
        ),
        pytest.param(
            item("tool_search_call", call_id="a", arguments={"query": "q"}),
            "tool_search",
            '{"query":"q"}',
            id="a search",
        ),
    ],
)
def test_calls(told: Json, tool: str, arguments: str) -> None:
    (one,) = found(only(told, output("a", "x")))
    assert (one["tool"], one["arguments"], one["observation"]) == (tool, arguments, "x")


def test_a_search_of_the_web_has_an_unknown_result() -> None:
    trajectory = only(item("web_search_call", status="completed", action={"type": "search", "query": "q"}))
    assert (trajectory.tool(0), trajectory.calls.unknown_observation.tolist()) == ("web_search", [True])


def test_a_picture_is_a_mark() -> None:
    loaded = read(item("image_generation_call", id="ig", revised_prompt="a cat", result="aGk="))
    (one,) = found(loaded.trajectories[0])
    assert one["arguments"] == '{"prompt":"a cat"}'
    assert one["observation"].startswith("[image ")
    assert "1 image left out." in loaded.notes


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(event("exec_command_end", call_id="a", exit_code=1), id="a command"),
        pytest.param(event("patch_apply_end", call_id="a", success=False), id="a patch"),
        pytest.param(event("mcp_tool_call_end", call_id="a", result={"Err": "no"}), id="no answer"),
        pytest.param(event("mcp_tool_call_end", call_id="a", result={"Ok": {"isError": True}}), id="an error"),
    ],
)
def test_events_tell_what_failed(failure: Json) -> None:
    trajectory = only(call("a"), call("b"), failure, output("a"), output("b"))
    assert trajectory.calls.failed.tolist() == [True, False]


def test_tokens_count_once_a_response() -> None:
    context = line("turn_context", model="gpt-5")
    trajectory = only(
        context, call("a"), tokens(10, input_tokens=7, output_tokens=3, cached_input_tokens=5), output("a"),
        tokens(10, input_tokens=7, output_tokens=3), event("token_count", info=None),
        call("b"), tokens(20, input_tokens=8, output_tokens=2), output("b"),
    )  # fmt: skip
    assert [(use.turn, use.input_tokens, use.output_tokens, use.cache_read_tokens) for use in trajectory.usage] == [
        (0, 7, 3, 5),
        (1, 8, 2, None),
    ]
    assert {use.model for use in trajectory.usage} == {"gpt-5"}
    assert trajectory.model == "gpt-5"


def test_only_requests_make_the_prompt() -> None:
    trajectory = only(
        message("developer", "Be good."),
        message("user", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>"),
        message("user", "<environment_context>\n</environment_context>"),
        message("user", "fix it"),
        event("user_message", message="fix it"),
        message("assistant", "done"),
    )
    assert trajectory.prompt == "fix it"
    assert [told.kind for told in trajectory.events] == ["system", "system", "system", "user", "assistant"]
    assert trajectory.output == "done"


def test_thoughts_are_read_where_they_can_be() -> None:
    loaded = read(
        item("reasoning", summary=[{"type": "summary_text", "text": "I look."}], encrypted_content="x"),
        item("reasoning", summary=[], content=[{"type": "reasoning_text", "text": "I see."}]),
        item("reasoning", summary=[], content=None, encrypted_content="x"),
    )
    assert [(told.kind, told.text) for told in loaded.trajectories[0].events] == [
        ("reasoning", "I look."),
        ("reasoning", "I see."),
    ]
    assert "1 encrypted thought left out." in loaded.notes


def test_a_compaction_is_told_and_its_history_is_not() -> None:
    again = [{"type": "function_call", "name": "shell", "call_id": "a", "arguments": "{}"}] * 3
    loaded = read(
        call("a"), output("a"), event("context_compacted"),
        line("compacted", message="Sum.", replacement_history=again), call("b"),
    )  # fmt: skip
    (trajectory,) = loaded.trajectories
    assert [(told.kind, told.text, told.call) for told in trajectory.events] == [("compaction", "Sum.", 1)]
    assert len(trajectory.calls) == 2
    assert "3 items that compactions repeat left out." in loaded.notes


def test_a_fork_is_one_run_named_for_itself() -> None:
    trajectory = only(line("session_meta", id="s0", forked_from_id=None), call("a"), output("a"))
    assert (trajectory.run, len(trajectory.calls)) == ("s1", 1)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        pytest.param(event("task_complete", last_agent_message="x"), "complete", id="complete"),
        pytest.param(event("task_complete", error={"message": "no"}), "error", id="an error"),
        pytest.param(event("turn_aborted", reason="interrupted"), "interrupted", id="an abort"),
    ],
)
def test_why_it_ended(end: Json, reason: str) -> None:
    trajectory = only(call("a"), end)
    assert (trajectory.end_reason, trajectory.outcome) == (reason, None)


def bare(*items: Any) -> Trajectory:
    header = {"id": "old", "timestamp": "2025-06-01T08:00:00.000Z", "instructions": None}
    loaded = read_bytes(lines(header, {"record_type": "state"}, *items), "a.jsonl")
    assert loaded.source.format == "codex.rollout"
    return loaded.trajectories[0]


def test_old_files_without_payload() -> None:
    told = [message("user", "go"), call("a"), output("a", WRAPPED), call("b"), output("b"), message("assistant", "ok")]
    trajectory, new = bare(*(each["payload"] for each in told)), only(*told)
    assert found(trajectory) == found(new)
    assert (trajectory.run, trajectory.prompt, trajectory.output) == ("old", "go", "ok")


def test_the_oldest_items() -> None:
    trajectory = bare(
        {"type": "tool_call", "id": "a", "name": "shell", "arguments": {"command": "ls"}},
        {"type": "tool_result", "id": "a", "output": "a.txt"},
    )
    assert [(one["tool"], one["arguments"], one["observation"]) for one in found(trajectory)] == [
        ("shell", '{"command":"ls"}', "a.txt")
    ]


def test_documents_of_the_first_versions() -> None:
    told = [message("user", "go"), call("a"), output("a", WRAPPED), message("assistant", "ok")]
    document = {
        "session": {"id": "old", "timestamp": "x", "instructions": ""},
        "items": [one["payload"] for one in told],
    }
    loaded = read_bytes(json.dumps(document, indent=2).encode(), "rollout.json")
    assert loaded.source.format == "codex.document"
    (trajectory,) = loaded.trajectories
    assert (trajectory.run, trajectory.prompt, trajectory.output) == ("old", "go", "ok")
    assert found(trajectory) == found(only(*told))


def test_a_document_without_items_is_not_judged() -> None:
    (trajectory,) = read_bytes(b'{"session": {"id": "s"}}', "a.json", format="codex.document").trajectories
    assert trajectory.not_judged == "The record has no list of items."


@pytest.mark.parametrize(
    ("told", "unknown"),
    [
        pytest.param(item("web_search_call", status="completed"), True, id="a search for nothing"),
        pytest.param(item("web_search_call", action=None), True, id="a search for null"),
        pytest.param(item("web_search_call", action={"query": "q"}), False, id="a search"),
        pytest.param(item("image_generation_call", id="ig", revised_prompt=None), True, id="a picture of nothing"),
        pytest.param(item("image_generation_call", id="ig", revised_prompt="a cat"), False, id="a picture"),
    ],
)
def test_arguments_that_were_not_recorded_are_unknown(told: Json, unknown: bool) -> None:
    assert only(told).calls.unknown_arguments.tolist() == [unknown]


def test_images_of_a_request_are_counted() -> None:
    request = message("user", "look")
    request["payload"]["content"].append({"type": "input_image", "image_url": "data:image/png;base64,AAAA"})
    assert "1 image left out." in read(request).notes


def test_a_function_whose_arguments_are_no_json_never_ran() -> None:
    trajectory = only(
        item("function_call", name="shell", call_id="a", arguments='{"command": ["ls"'),
        item("custom_tool_call", call_id="b", input="{not json"),
    )
    assert trajectory.calls.executed.tolist() == [False, True]

"""Runs of mini-swe-agent: both versions, and what is odd about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Json, Trajectory
from loopviz.readers import read_bytes, read_path
from tests.readers.mini_swe_agent_by_hand import assistant, call, document, result, user
from tests.readers.stories import found

REAL = Path(__file__).resolve().parents[3] / "shared" / "real" / "mini_swe_agent"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")

BLOCK = "THOUGHT: look\n\n```{}\nls\n```"
OLD = "```mswea_bash_command\n{}\n```".format


def read(value: Json) -> Trajectory:
    loaded = read_bytes(json.dumps(value).encode(), "run.json", format="mini-swe-agent")
    (trajectory,) = loaded.trajectories
    return trajectory


def calls(trajectory: Trajectory, *fields: str) -> list[Any]:
    """The fields asked for, of each call; a single one by itself."""
    told = [tuple(call[field] for field in fields) for call in found(trajectory)]
    return [fields_of[0] for fields_of in told] if len(fields) == 1 else told


LS = '{"command":"ls"}'

SHAPES = [
    pytest.param([assistant("", call("bash", {"command": "ls"})), result("a")], [("bash", LS, "a")], id="a call"),
    pytest.param([assistant(BLOCK.format("bash")), user("a")], [("bash", LS, "a")], id="version 1: a bash block"),
    pytest.param([assistant(OLD("ls")), user("a")], [("bash", LS, "a")], id="version 1: a block of its own"),
    pytest.param([assistant(OLD("ls"))], [("bash", LS, None)], id="version 1: no answer"),
    pytest.param([assistant(OLD("ls")), user("")], [("bash", LS, "")], id="version 1: an empty answer"),
    pytest.param(
        [assistant(OLD("ls") + OLD("pwd")), user("EXACTLY ONE")],
        [("message", json.dumps(OLD("ls") + OLD("pwd")), "EXACTLY ONE")],
        id="version 1: two blocks are none",
    ),
    pytest.param([assistant("I give up")], [], id="version 1: no block, and nobody minds"),
    pytest.param(
        [assistant("x", extra={"actions": [{"command": "ls"}, {"command": "pwd"}]}), user("a"), user("b")],
        [("bash", LS, "a"), ("bash", '{"command":"pwd"}', "b")],
        id="version 2: commands from a text",
    ),
    pytest.param(
        [assistant("", call("bash", {"command": "ls"})), result("a"), assistant("fine"), user("go on")],
        [("bash", LS, "a")],
        id="version 2: an answer to words is no result",
    ),
    pytest.param(
        [
            {"object": "response", "output": [{"type": "function_call"}],
             "extra": {"actions": [{"command": "ls", "tool_call_id": "f"}]}},
            {"type": "function_call_output", "call_id": "f", "output": "a"},
        ],
        [("bash", LS, "a")],
        id="version 2: items of the Responses API",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "expected"), SHAPES)
def test_calls(messages: list[Json], expected: list[Json]) -> None:
    assert calls(read(document(*messages)), "tool", "arguments", "observation") == expected


@pytest.mark.parametrize(("messages", "expected"), SHAPES)
def test_the_bare_list_gives_the_same(messages: list[Json], expected: list[Json]) -> None:
    assert calls(read([user("Do it."), *messages]), "tool", "arguments", "observation") == expected


def test_calls_that_are_none_are_calls_of_an_unknown_tool() -> None:
    trajectory = read(document(assistant("", {"function": 3}, 4, call("bash", {})), "x", None))
    assert calls(trajectory, "tool") == ["unknown", "unknown", "bash"]
    assert {problem.where for problem in trajectory.problems} == {"message 1", "message 2", "message 3"}


FAILED = [
    pytest.param(result("a", 0), False, id="code 0"),
    pytest.param(result("a", 1), True, id="code 1"),
    pytest.param(result("a", -1), True, id="cut short"),
    pytest.param({"role": "tool", "content": "<returncode>2</returncode>\n<output>\n"}, True, id="in the text alone"),
    pytest.param({"role": "tool", "content": "<returncode>0</returncode>"}, False, id="0 in the text alone"),
    pytest.param({"role": "tool", "content": "x <returncode>2</returncode>"}, False, id="further on in the text"),
    pytest.param({"role": "tool", "content": "a", "extra": {"returncode": "1"}}, False, id="no number"),
]


@pytest.mark.parametrize(("message", "failed"), FAILED)
def test_failed(message: Json, failed: bool) -> None:
    message = {"tool_call_id": "c", **message}
    assert calls(read(document(assistant("", call("bash", {})), message)), "failed") == [failed]


def test_what_could_not_be_parsed_never_ran() -> None:
    trajectory = read(document(user("Do it."), assistant("no block"), user("EXACTLY ONE"), assistant(OLD("ls"))))
    assert trajectory.calls.executed.tolist() == [False, True]
    assert trajectory.prompt == "Do it."


def test_a_refused_answer_that_was_not_kept_is_an_error_not_a_request() -> None:
    refused = user("Tool call error", extra={"interrupt_type": "FormatError"})
    trajectory = read(document(user("Do it."), assistant("", call("bash", {})), result("a"), refused))
    assert trajectory.prompt == "Do it."
    assert [(told.kind, told.text) for told in trajectory.events][1:] == [("error", "Tool call error")]


def test_times_tokens_and_cost() -> None:
    response = {"model": "m", "usage": {"prompt_tokens": 9, "completion_tokens": 2,
                                        "prompt_tokens_details": {"cached_tokens": 4}}}  # fmt: skip
    answer = assistant("", call("bash", {}), extra={"response": response, "cost": 0.5, "timestamp": 1_776_226_220.5})
    answered = result("a")
    answered["extra"]["timestamp"] = 1_776_226_222.5
    trajectory = read(document(user("Do it."), answer, answered))
    (used,) = trajectory.usage
    assert (used.input_tokens, used.output_tokens, used.cache_read_tokens, used.cost, used.turn) == (9, 2, 4, 0.5, 0)
    assert (trajectory.started_s, trajectory.duration_s, trajectory.model) == (1_776_226_220.5, 2.0, "m")


def test_what_is_known_of_the_run() -> None:
    info = {
        "exit_status": "LimitsExceeded",
        "submission": "diff",
        "model_stats": {"instance_cost": 0.25, "api_calls": 3},
        "config": {"model": {"model_name": "p/m"}},
    }
    trajectory = read(document(assistant("hm"), info=info, instance_id="x__1"))
    assert (trajectory.run, trajectory.model, trajectory.end_reason) == ("x__1", "p/m", "LimitsExceeded")
    assert (trajectory.output, trajectory.total_cost, trajectory.outcome) == ("diff", 0.25, None)


def test_the_last_message_tells_the_end_where_nothing_else_does() -> None:
    leave = {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted", "submission": ""}}
    trajectory = read(document(assistant("", call("bash", {})), leave, info={}))
    assert (trajectory.end_reason, trajectory.output) == ("Submitted", "diff")
    assert calls(trajectory, "observation") == [None]


def test_several_documents_are_several_runs() -> None:
    lines = b"\n".join(json.dumps(document(assistant("hm"), instance_id=name)).encode() for name in "ab")
    loaded = read_bytes(lines, "runs.jsonl")
    assert [trajectory.run for trajectory in loaded.trajectories] == ["a", "b"]


def test_a_document_without_messages_is_not_judged() -> None:
    assert read({"info": {"mini_version": "2"}, "messages": None}).not_judged == "The record has no list of messages."


@real
def test_a_run_of_version_2() -> None:
    loaded = read_path(REAL / "mini-swe-agent__pvlib__pvlib-python-1606.traj.json")
    (trajectory,) = loaded.trajectories
    assert (loaded.source.format, loaded.problems, trajectory.problems) == ("mini-swe-agent", (), ())
    assert (len(trajectory.calls), trajectory.n_turns, trajectory.run) == (84, 84, "pvlib__pvlib-python-1606")
    assert (int(trajectory.calls.failed.sum()), calls(trajectory, "observation").count(None)) == (11, 1)
    assert sum(used.input_tokens or 0 for used in trajectory.usage) == 2_068_628
    assert sum(used.output_tokens or 0 for used in trajectory.usage) == 18_874
    assert sum(used.cache_read_tokens or 0 for used in trajectory.usage) == 2_044_736
    assert sum(used.cost or 0 for used in trajectory.usage) == pytest.approx(0.071869448)
    asked = calls(trajectory, "arguments")
    assert [at for at in range(1, 84) if asked[at] == asked[at - 1]] == [25]
    assert asked[25] == '{"command":"cp ./pvlib/tools.py ./pvlib/tools.py.backup"}'
    assert [told.kind for told in trajectory.events].count("error") == 1


@real
def test_a_bare_list_of_version_1() -> None:
    loaded = read_path(REAL / "mini-swe-agent__github_issue.traj.json")
    (trajectory,) = loaded.trajectories
    assert (loaded.source.format, loaded.problems, trajectory.problems) == ("mini-swe-agent", (), ())
    assert (len(trajectory.calls), trajectory.n_turns) == (10, 10)
    assert calls(trajectory, "failed") == [at in (0, 7) for at in range(10)]
    assert calls(trajectory, "arguments")[1] == '{"command":"ls -la"}'
    assert calls(trajectory, "observation")[4] == "<returncode>0</returncode>\n<output>\n</output>"


def test_a_response_that_was_cut_off_is_told() -> None:
    response = {"choices": [{"finish_reason": "length"}]}
    trajectory = read(document(assistant("I", extra={"response": response})))
    assert [told.kind for told in trajectory.events] == ["assistant", "cut"]

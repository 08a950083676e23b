"""Events of OpenHands: what is odd about version 0.x and about the SDK."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes, read_path
from tests.readers.openhands_by_hand import (
    action,
    asked,
    lines,
    observation,
    sdk,
    sdk_call,
    sdk_message,
    sdk_result,
)
from tests.readers.stories import found

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")


def load(value: Json, **options: Any) -> Loaded:
    return read_bytes(json.dumps(value).encode(), "run.json", **options)


def read(*events: Json, format: str = "openhands") -> Trajectory:
    (trajectory,) = load({"history": list(events)}, format=format).trajectories
    return trajectory


def calls(trajectory: Trajectory, *fields: str) -> list[Any]:
    told = [tuple(call[field] for field in fields) for call in found(trajectory)]
    return [fields_of[0] for fields_of in told] if len(fields) == 1 else told


def told(trajectory: Trajectory) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in trajectory.events]


RUN = action("run", 1, command="ls", thought="Look.", is_confirmed="confirmed", security_risk=-1, hidden=False)
LS = ("run", '{"command":"ls"}')

SHAPES = [
    pytest.param([RUN, observation("run", 1, "a")], [(*LS, "a")], id="a call"),
    pytest.param([RUN], [(*LS, None)], id="no observation"),
    pytest.param([RUN, observation("run", 1, "")], [(*LS, "")], id="an empty observation"),
    pytest.param([[RUN, observation("run", 1, "a")]], [(*LS, "a")], id="a pair"),
    pytest.param([[RUN, {"observation": "null", "content": "", "extras": {}}]], [(*LS, None)], id="a pair without one"),
    pytest.param(
        [{"action": "run", "command": "ls", "thought": "Look.", "is_confirmed": "confirmed", "keep_prompt": True},
         {"observation": "run", "command": "ls", "exit_code": 0, "content": "a"}],
        [(*LS, "a")],
        id="arguments among the members",
    ),
    pytest.param(
        [RUN, action("run", 2, command="pwd"), observation("run", 2, "/"), observation("run", 1, "a")],
        [(*LS, "a"), ("run", '{"command":"pwd"}', "/")],
        id="observations in another order",
    ),
    pytest.param(
        [action("run", 1, asked=asked("bash", "c", "r", {"command": "ls", "security_risk": "LOW"}), command="x"),
         observation("run", 1, "a")],
        [("bash", '{"command":"ls"}', "a")],
        id="what the model asked for",
    ),
    pytest.param(
        [action("edit", 1, asked=asked("editor", "c", "r"), path="a", thought="So.")],
        [("editor", '{"path":"a"}', None)],
        id="a response that was not kept",
    ),
    pytest.param([action("think", 1, thought="hm")], [("think", '{"thought":"hm"}', None)], id="a thought it takes"),
    pytest.param([action("finish", 1, thought="done", outputs={})], [("finish", '{"outputs":{}}', None)], id="finish"),
    pytest.param([action("run", 1, "user", command="ls"), observation("run", 1, "a")], [], id="a command of the user"),
    pytest.param(
        [action("recall", 1, "environment", query="x"), observation("recall", 1, "Added"),
         observation("agent_state_changed", None, "", agent_state="running")],
        [],
        id="the environment's own",
    ),
    pytest.param([action("message", 1), 3, None, [], [1, "x"], {}, {"observation": ["x"]}, {"action": None}],
                 [("unknown", "{}", None)],
                 id="events that are none"),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), SHAPES)
def test_calls(events: list[Json], expected: list[Json]) -> None:
    assert calls(read(*events), "tool", "arguments", "observation") == expected


def test_forms_give_the_same() -> None:
    events = [action("message", 0, "user", content="Do it."), RUN, observation("run", 1, "a")]
    forms = (
        {"history": events},
        events,
        {"history": [[events[0], {"observation": "null", "content": ""}], events[1:]]},
    )
    for form in forms:
        loaded = load(form)
        (trajectory,) = loaded.trajectories
        assert loaded.source.format == "openhands"
        assert calls(trajectory, "tool", "arguments", "observation") == [(*LS, "a")]
        assert (trajectory.prompt, told(trajectory)) == ("Do it.", [("user", "Do it."), ("assistant", "Look.")])


def test_one_response_is_one_turn_and_is_counted_once() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
    trajectory = read(
        action("run", 1, asked=asked("x", "a", "r1", {}, usage=usage, model="m")),
        observation("run", 1, "1"),
        action("run", 3, asked=asked("y", "b", "r1", {}, usage=usage, model="m")),
        observation("run", 3, "2"),
        action("run", 5, asked=asked("z", "c", "r2", {})),
        action("run", 6),
        action("run", 7),
    )
    assert trajectory.calls.turn.tolist() == [0, 0, 1, 2, 3]
    (used,) = trajectory.usage
    assert (used.input_tokens, used.output_tokens, used.cache_read_tokens, used.turn) == (9, 2, 4, 0)
    assert trajectory.model == "m"


FAILED = [
    pytest.param(observation("run", 1, "a", metadata={"exit_code": 0}), False, id="code 0"),
    pytest.param(observation("run", 1, "a", metadata={"exit_code": 1}), True, id="code 1"),
    pytest.param(observation("run", 1, "a", metadata={"exit_code": -1}), False, id="it still runs"),
    pytest.param(observation("run", 1, "a", exit_code=2), True, id="an older place"),
    pytest.param({"observation": "run", "content": "a", "exit_code": 2}, True, id="the oldest place"),
    pytest.param(observation("error", 1, "a"), True, id="an error"),
    pytest.param(observation("run", 1, "a", metadata=[1]), False, id="metadata that is a list"),
]


@pytest.mark.parametrize(("event", "failed"), FAILED)
def test_failed(event: Json, failed: bool) -> None:
    assert calls(read(RUN, event), "failed") == [failed]


def test_a_thought_that_a_tool_takes_is_an_argument() -> None:
    own = asked("sequentialthinking", "c", "r", {"thought": "first"})
    trajectory = read(action("call_tool_mcp", 1, asked=own, name="sequentialthinking", thought="Let me think."))
    assert calls(trajectory, "arguments") == ['{"thought":"first"}']
    assert told(trajectory) == [("assistant", "Let me think.")]
    trajectory = read(action("call_tool_mcp", 1, name="fetch", thought="Let me look."))
    assert calls(trajectory, "arguments") == ['{"name":"fetch"}']


def test_what_another_agent_did_is_a_run_of_its_own() -> None:
    events = [
        action("delegate", 1, agent="BrowsingAgent", inputs={"task": "x"}, thought=""),
        action("browse", 2, url="u"),
        observation("browse", 2, "page"),
        action("delegate", 3, agent="Inner", inputs={}),
        action("run", 4, command="ls"),
        observation("delegate", 3, "inner done"),
        action("finish", 5),
        observation("delegate", 1, "done"),
        RUN | {"id": 6},
        action("delegate", 7, agent="Idle", inputs={}),
        observation("error", 7, "no such agent"),
    ]
    loaded = load({"instance_id": "i1", "history": events})
    assert [(run.run, calls(run, "tool", "observation")) for run in loaded.trajectories] == [
        ("i1", [("delegate", "done"), ("run", None), ("delegate", "no such agent")]),
        ("i1/BrowsingAgent", [("browse", "page"), ("delegate", "inner done"), ("finish", None)]),
        ("i1/BrowsingAgent/Inner", [("run", None)]),
    ]


def test_what_a_response_says_of_itself_and_images_of_a_request_are_told_of_once() -> None:
    own = asked("bash", "c", "r")
    own["model_response"]["choices"] = [{"finish_reason": "length", "message": {"reasoning_content": "hm"}}]
    request = action("message", 1, "user", content="look", image_urls=["data:,a", "data:,b"])
    loaded = load({"history": [request, action("run", 2, asked=own), action("run", 3, asked=own)]})
    assert told(loaded.trajectories[0]) == [
        ("user", "look"),
        ("reasoning", "hm"),
        ("cut", "The response was cut off at the limit of its length."),
    ]
    assert loaded.notes == ("2 images left out.",)


def test_an_error_of_no_call_is_told() -> None:
    trajectory = read(RUN, observation("run", 1, "a"), observation("error", None, "Agent got stuck in a loop"))
    assert told(trajectory)[-1] == ("error", "Agent got stuck in a loop")
    assert calls(trajectory, "observation") == ["a"]


def test_an_observation_of_an_unknown_cause_is_a_problem() -> None:
    trajectory = read(RUN, observation("run", 77, "a"))
    assert [problem.where for problem in trajectory.problems] == ["event 2"]


def test_compaction_and_state() -> None:
    trajectory = read(
        action("condensation", 1, "agent", summary="So far."),
        action("condensation", 2, "agent", forgotten_event_ids=[1]),
        observation("agent_state_changed", None, "", agent_state="error", reason="STUCK"),
    )
    assert told(trajectory) == [("compaction", "So far."), ("compaction", "Earlier events were forgotten.")]
    assert trajectory.end_reason == "STUCK"


RECORDS = [
    pytest.param({"report": {"resolved": True}}, True, id="the report"),
    pytest.param({"test_result": {"report": {"resolved": False}}}, False, id="a report within the result"),
    pytest.param({"test_result": {"result": False}}, False, id="the test"),
    pytest.param({"success": True}, True, id="a judge"),
    pytest.param({"success": True, "report": {"resolved": False}}, False, id="the report before the judge"),
    pytest.param({"test_result": {"git_patch": "diff"}}, None, id="a patch alone"),
    pytest.param({"report": [1], "success": "yes"}, None, id="no yes or no"),
]


@pytest.mark.parametrize("format", ["openhands", "openhands.sdk"])
@pytest.mark.parametrize(("record", "outcome"), RECORDS)
def test_outcomes(record: dict[str, Json], outcome: bool | None, format: str) -> None:
    (trajectory,) = load({"history": [], **record}, format=format).trajectories
    assert trajectory.outcome is outcome


@pytest.mark.parametrize("format", ["openhands", "openhands.sdk"])
def test_what_is_known_of_the_run(format: str) -> None:
    record = {
        "instance_id": "x__1",
        "metadata": {"llm_config": {"model": "m"}, "dataset": "d"},
        "metrics": {"accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 9, "completion_tokens": 2}},
        "error": "AgentStuckInLoopError: Agent got stuck in a loop",
        "history": [],
    }
    (trajectory,) = load(record, format=format).trajectories
    assert (trajectory.run, trajectory.model, trajectory.eval_name) == ("x__1", "m", "d")
    assert (trajectory.total_cost, trajectory.total_tokens) == (0.5, 11)
    assert (trajectory.error or "").startswith("AgentStuckInLoopError")


def test_the_last_event_tells_the_totals_where_nothing_else_does() -> None:
    metrics = [{"accumulated_cost": cost, "accumulated_token_usage": {"prompt_tokens": cost * 10}} for cost in (1, 2)]
    trajectory = read(*({**RUN, "llm_metrics": each} for each in metrics))
    assert (trajectory.total_cost, trajectory.total_tokens) == (2, 20)


def test_a_record_without_events_is_not_judged() -> None:
    (trajectory,) = load({"history": None, "error": "no"}, format="openhands").trajectories
    assert trajectory.not_judged == "The record has no list of events."


def test_a_file_of_a_single_event_alone() -> None:
    (trajectory,) = read_bytes(json.dumps(RUN).encode(), "7.json").trajectories
    assert calls(trajectory, "tool") == ["run"]


SDK_SHAPES = [
    pytest.param([sdk_call("x", {"a": 1}), sdk_result("r")], [("x", '{"a":1}', "r", False)], id="a call"),
    pytest.param([sdk_call("x", {"a": 1, "summary": "s", "security_risk": "LOW"})], [("x", '{"a":1}', None, False)],
                 id="what is no argument"),
    pytest.param([sdk_call("x", {}), sdk_result("r", is_error=True)], [("x", "{}", "r", True)], id="an error"),
    pytest.param([sdk_call("x", {}), sdk_result("r", exit_code=1)], [("x", "{}", "r", True)], id="an exit code"),
    pytest.param([sdk_call("x", {}), sdk_result("r", exit_code=-1)], [("x", "{}", "r", False)], id="it still runs"),
    pytest.param([sdk_call("x", {}), sdk("AgentErrorEvent", tool_call_id="c", error="no")], [("x", "{}", "no", True)],
                 id="an error of the agent"),
    pytest.param([sdk_call("x", {}), sdk("UserRejectObservation", tool_call_id="c", rejection_reason="no")],
                 [("x", "{}", "no", False)], id="a refusal"),
    pytest.param([sdk("ActionEvent", tool_name="x", action={"kind": "A", "a": 1})], [("x", '{"a":1}', None, False)],
                 id="an action without the call"),
    pytest.param([sdk_call("x", {}), sdk("ObservationEvent", tool_call_id="c", observation=3)],
                 [("x", "{}", None, False)], id="an observation that is a number"),
    pytest.param([3, None, {}, sdk("PauseEvent"), sdk("ConversationStateUpdateEvent")], [], id="events that are none"),
]  # fmt: skip


@pytest.mark.parametrize(("events", "expected"), SDK_SHAPES)
def test_calls_of_the_sdk(events: list[Json], expected: list[Json]) -> None:
    assert calls(read(*events, format="openhands.sdk"), "tool", "arguments", "observation", "failed") == expected


def test_lines_and_records_of_the_sdk_give_the_same() -> None:
    events = [sdk_message("user", "Do it."), sdk_call("x", {}), sdk_result("r"), sdk_message("agent", "done", "r2")]
    for form in (lines(*events), json.dumps(events).encode(), json.dumps({"events": events}).encode()):
        loaded = read_bytes(form, "run")
        (trajectory,) = loaded.trajectories
        assert loaded.source.format == "openhands.sdk"
        assert calls(trajectory, "tool", "observation") == [("x", "r")]
        assert (trajectory.prompt, trajectory.output, trajectory.n_turns) == ("Do it.", "done", 2)


def test_one_response_of_the_sdk_is_one_turn() -> None:
    trajectory = read(
        sdk_message("agent", "Both.", "r1"),
        sdk_call("x", {}, "a", "r1"),
        sdk_result("1", "a"),
        sdk_call("y", {}, "b", "r1"),
        sdk_call("z", {}, "c", "r2"),
        sdk_call("z", {}, "d", None),
        format="openhands.sdk",
    )
    assert trajectory.calls.turn.tolist() == [0, 0, 1, 2]


def test_a_call_that_could_not_be_made_of_what_was_asked_for_never_ran() -> None:
    trajectory = read({**sdk_call("x", {}), "action": None}, sdk_call("x", {}, "d"), format="openhands.sdk")
    assert trajectory.calls.executed.tolist() == [False, True]


def test_the_story_of_the_sdk() -> None:
    usage = {"model_name": "m", "accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 9}}
    trajectory = read(
        sdk("SystemPromptEvent", system_prompt={"type": "text", "text": "Be good."}),
        sdk("Condensation", summary="So far."),
        sdk("ConversationErrorEvent", code="Stuck", detail="in a loop"),
        sdk("ConversationStateUpdateEvent", key="stats", value={"usage_to_metrics": {"a": usage, "b": usage}}),
        sdk("ConversationStateUpdateEvent", key="full_state", value={"id": "s", "execution_status": "stuck"}),
        sdk("OfTheFuture", x=1),
        format="openhands.sdk",
    )
    assert [kind for kind, _ in told(trajectory)] == ["system", "compaction", "error", "OfTheFuture"]
    assert (trajectory.run, trajectory.end_reason, trajectory.error) == ("s", "stuck", "in a loop")
    assert (trajectory.model, trajectory.total_cost, trajectory.total_tokens) == ("m", 1.0, 18)


@real
def test_the_oldest_form() -> None:
    loaded = read_path(REAL / "openhands/OpenHands__mock_output.jsonl")
    small, large = loaded.trajectories
    assert calls(small, "tool") == ["run", "run_ipython", "run", "finish"]
    assert [calls(large, "tool").count(tool) for tool in ("run", "run_ipython", "finish")] == [1, 20, 1]
    assert [at for at, seen in enumerate(calls(large, "observation")) if seen is None] == [21]
    assert (small.outcome, large.outcome, small.total_cost, large.total_cost) == (True, True, 0.070713, 1.152933)
    asked_for = calls(large, "arguments")
    assert [at for at in range(1, 22) if asked_for[at] == asked_for[at - 1]] == [16]
    assert not [*loaded.problems, *small.problems, *large.problems]


@real
def test_pairs() -> None:
    loaded = read_path(REAL / "openhands/OpenHands__prontoqa_output.jsonl")
    assert [run.run for run in loaded.trajectories] == [f"ProntoQA_{number}" for number in range(1, 7)]
    assert [run.outcome for run in loaded.trajectories] == [False, True, True, True, True, True]
    assert [run.n_turns for run in loaded.trajectories] == [4, 4, 4, 4, 4, 3]
    first = loaded.trajectories[0]
    assert calls(first, "tool") == ["run_ipython", "run_ipython", "finish"]
    assert calls(first, "observation")[1] == "'A'"
    assert not any(run.problems for run in loaded.trajectories)


@real
def test_a_bare_list() -> None:
    (trajectory,) = read_path(REAL / "openhands/OpenHands__basic.json").trajectories
    assert calls(trajectory, "tool", "id") == [
        ("str_replace_editor", "toolu_017nBp7UfiGqyrA7j77HgtFP"),
        ("finish", "toolu_01BUKu3B7nY574atNECkBiFk"),
    ]
    edit = json.loads(calls(trajectory, "arguments")[0])
    assert (edit["command"], edit["path"]) == ("create", "/workspace/game_2048.py")
    first, _ = trajectory.usage
    assert (first.input_tokens, first.output_tokens, first.cache_read_tokens, first.cache_write_tokens) == (
        3486, 1135, 0, 3482,
    )  # fmt: skip


@real
def test_events_of_the_sdk() -> None:
    (trajectory,) = read_path(REAL / "openhands_sdk_v1/software-agent-sdk__events.jsonl").trajectories
    assert calls(trajectory, "tool", "failed") == [("terminal", True), ("terminal", True)]
    assert trajectory.calls.line.tolist() == [4, 9]
    assert (trajectory.total_tokens, trajectory.model) == (107_458 + 1_347, "litellm_proxy/minimax-m2.7")
    # The fixture lacks the action that line 7 answers.
    assert [problem.where for problem in trajectory.problems] == ["line 7"]

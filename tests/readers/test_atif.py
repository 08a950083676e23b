"""ATIF: steps, results that name no call, parts that are joined, sub-agents, and the outcome beside the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.atif_by_hand import agent, call, document
from tests.readers.packing import in_memory
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns

LS = {"command": "ls"}


def load(*documents: Json, name: str = "trajectory.json", beside: dict[str, bytes] | None = None) -> Loaded:
    data = json.dumps(documents[0] if len(documents) == 1 else list(documents)).encode()
    return read_bytes(data, name, format="atif", beside=in_memory(beside))


def only(*documents: Json, **how: Any) -> Trajectory:
    (trajectory,) = load(*documents, **how).trajectories
    return trajectory


def steps(*those: Json) -> Trajectory:
    return only(document(*those))


RESULTS = [
    pytest.param([call("x", {})], None, [ABSENT], id="no observation"),
    pytest.param([call("x", {})], [], [ABSENT], id="no results"),
    pytest.param([call("x", {})], [{"source_call_id": "c"}], [ABSENT], id="a result without content"),
    pytest.param([call("x", {})], [{"source_call_id": "c", "content": None}], [None], id="null"),
    pytest.param([call("x", {})], [{"source_call_id": "c", "content": ""}], [""], id="empty"),
    pytest.param([call("x", {})], [{"content": "a"}], ["a"], id="one without an id"),
    pytest.param(
        [call("x", {}, "1"), call("y", {}, "2")], [{"content": "a"}], ["a", ABSENT], id="one screen after several calls"
    ),
    pytest.param(
        [call("x", {}, "1"), call("y", {}, "2")],
        [{"content": "a"}, {"content": "b"}],
        ["a", "b"],
        id="several without an id, in order",
    ),
    pytest.param(
        [call("x", {}, "1"), call("y", {}, "2")],
        [{"content": "a"}, {"source_call_id": "1", "content": "b"}],
        ["b", "a"],
        id="one without an id belongs to the call that no other answers",
    ),
    pytest.param(
        [call("x", {}, "1"), call("y", {}, "1")],
        [{"source_call_id": "1", "content": "a"}, {"source_call_id": "1", "content": "b"}],
        ["a", "b"],
        id="two calls of one id",
    ),
    pytest.param(
        [call("x", {}, ""), call("y", {}, "")],
        [{"source_call_id": "", "content": "a"}, {"source_call_id": "", "content": "b"}],
        ["a", "b"],
        id="empty ids are none",
    ),
    pytest.param(
        [call("x", {})],
        [{"source_call_id": "c", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}],
        ["a\nb"],
        id="content parts",
    ),
]


@pytest.mark.parametrize(("calls", "results", "expected"), RESULTS)
def test_results_find_their_calls(calls: list[Json], results: list[Json] | None, expected: list[Json]) -> None:
    trajectory = steps(agent(*calls, results=results))
    assert observations(trajectory) == expected
    assert not trajectory.problems


def test_results_by_place_are_marked_as_such() -> None:
    loaded = load(document(agent(call("x", {}), results=[{"content": "a"}])))
    assert loaded.notes == ("1 result names no call; it was given to the call at its place in the step.",)


def test_ids_that_come_again_in_a_later_step_do_not_mix() -> None:
    step = agent(call("x", {}), results=[{"source_call_id": "c", "content": "a"}])
    other = agent(call("x", {}), results=[{"source_call_id": "c", "content": "b"}])
    assert observations(steps(step, agent(call("x", {})), other)) == ["a", ABSENT, "b"]


def test_a_result_without_a_call_is_no_call() -> None:
    loaded = load(document(agent(results=[{"content": "Previous response had parsing errors: no JSON"}], message="{")))
    (trajectory,) = loaded.trajectories
    assert tools(trajectory) == []
    assert ("system", "Previous response had parsing errors: no JSON") in [(e.kind, e.text) for e in trajectory.events]
    assert loaded.notes == ("1 result stands in a step without a call for it; it is shown as a message.",)


def test_only_agents_take_turns() -> None:
    trajectory = steps(
        {"source": "user", "message": "go"},
        agent(call("x", {}, "1"), call("y", {}, "2")),
        {"source": "system", "message": "Performed context summarization."},
        {"source": "system", "message": "note"},
        agent(message="done", reasoning_content="enough"),
    )
    assert turns(trajectory) == [0, 0]
    assert trajectory.n_turns == 2
    assert [(told.kind, told.text, told.turn) for told in trajectory.events] == [
        ("user", "go", -1),
        ("compaction", "Performed context summarization.", 0),
        ("system", "note", 0),
        ("reasoning", "enough", 1),
        ("assistant", "done", 1),
    ]
    assert (trajectory.prompt, trajectory.output) == ("go", "done")


def test_copied_context_is_left_out() -> None:
    copied = agent(call("x", {}), results=[{"content": "a"}], is_copied_context=True)
    loaded = load(document(copied, copied, agent(call("y", {}))))
    assert tools(loaded.trajectories[0]) == ["y"]
    assert loaded.notes == ("2 steps copied from an earlier part left out.",)


def test_parts_are_joined() -> None:
    first = document(agent(call("x", {})), continued_trajectory_ref="trajectory.cont-1.json")
    second = document(agent(call("x", {}), is_copied_context=True), agent(call("y", {})), {"source": "agent"})
    beside = {"trajectory.cont-1.json": json.dumps(second).encode(), "trajectory.json": json.dumps(first).encode()}
    joined = only(first, beside=beside)
    assert tools(joined) == ["x", "y"]
    assert joined.calls.event.tolist() == [0, 2]
    data = json.dumps(first).encode()
    place = slice(int(joined.calls.offset[1]), int(joined.calls.offset[1] + joined.calls.length[1]))
    assert data[place] == b'"trajectory.cont-1.json"'
    part = load(second, name="agent/trajectory.cont-1.json", beside=beside)
    assert part.trajectories == ()
    assert part.notes == ("1 part left out: it is read with trajectory.json.",)


def test_a_part_alone_is_a_run() -> None:
    assert tools(only(document(agent(call("y", {}))), name="trajectory.cont-1.json")) == ["y"]


@pytest.mark.parametrize("beside", [{}, {"trajectory.json": b"[]"}], ids=["not there", "no document"])
def test_a_part_that_is_missing_is_a_problem(beside: dict[str, bytes]) -> None:
    trajectory = only(document(agent(call("x", {})), continued_trajectory_ref="trajectory.json"), beside=beside)
    assert [problem.message for problem in trajectory.problems] == [
        "The run goes on in 'trajectory.json', which is not beside this file."
    ]


def test_parts_in_a_circle_end() -> None:
    round_and_round = document(agent(call("x", {})), continued_trajectory_ref="a.json")
    joined = only(round_and_round, beside={"a.json": json.dumps(round_and_round).encode()})
    assert len(joined.calls) == 2
    assert len(joined.problems) == 1


def test_sub_agents_are_runs_of_their_own() -> None:
    inner = document(agent(call("y", {})), trajectory_id="t2")
    dispatch = agent(
        call("task", {}),
        results=[{"source_call_id": "c", "subagent_trajectory_ref": [{"trajectory_id": "t2"}]}],
    )
    main, other = load(document(dispatch, trajectory_id="t1", subagent_trajectories=[inner])).trajectories
    assert (main.run, tools(main), other.run, tools(other)) == ("t1", ["task"], "t2", ["y"])
    assert observations(main) == [ABSENT]
    assert main.calls.unknown_observation.tolist() == [True]


def test_runs_of_one_session_bear_names_of_their_own() -> None:
    loaded = load(document(agent(call("x", {}))), document(agent(call("y", {}))))
    assert [trajectory.run for trajectory in loaded.trajectories] == ["s1", "s1 (2)"]


def test_a_bundle_of_documents_by_name() -> None:
    bundle = {"first": document(agent(call("x", {}))), "second": document(agent(call("y", {})))}
    loaded = read_bytes(json.dumps(bundle).encode(), "bundle.json")
    assert loaded.source.format == "atif"
    assert [tools(trajectory) for trajectory in loaded.trajectories] == [["x"], ["y"]]


def test_tokens_are_counted_once_a_step() -> None:
    metrics = {"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 4, "cost_usd": 0.5, "logprobs": [0.1]}
    loaded = load(
        document(
            agent(call("x", {}), call("y", {}, "d"), metrics=metrics, model_name="m2"),
            agent(metrics={"prompt_tokens": -1}),
            agent(usage={"prompt_tokens": 7}),
            final_metrics={"total_prompt_tokens": 99, "total_completion_tokens": 1, "total_cost_usd": 9.0},
        )
    )
    (trajectory,) = loaded.trajectories
    assert [(use.input_tokens, use.output_tokens, use.cache_read_tokens, use.cost) for use in trajectory.usage] == [
        (10, 2, 4, 0.5),
        (7, None, None, None),
    ]
    assert (trajectory.total_tokens, trajectory.total_cost, trajectory.model) == (None, None, "m")
    assert loaded.notes == ("1 list of token ids or probabilities left out.",)


def test_totals_count_where_no_step_says() -> None:
    totals = {"total_prompt_tokens": 99, "total_completion_tokens": 1, "total_cost_usd": 9.0}
    trajectory = only(document(agent(call("x", {})), final_metrics=totals))
    assert (trajectory.total_tokens, trajectory.total_cost) == (100, 9.0)


@pytest.mark.parametrize(
    ("beside", "outcome"),
    [
        pytest.param({}, None, id="nothing beside"),
        pytest.param({"result.json": b"[1]"}, None, id="another file"),
        pytest.param({"result.json": b'{"verifier_result": null}'}, None, id="no verdict"),
        pytest.param({"result.json": b'{"verifier_result": {"rewards": {"reward": 1.0}}}'}, True, id="good"),
        pytest.param({"result.json": b'{"verifier_result": {"rewards": {"reward": 0}}}'}, False, id="not good"),
        pytest.param({"result.json": b'{"verifier_result": {"rewards": {"a": 1, "b": 0.5}}}'}, False, id="in part"),
        pytest.param({"result.json": b'{"verifier_result": {"reward": 1}}'}, True, id="a single reward"),
        pytest.param({"verifier/reward.txt": b"1\n"}, True, id="a reward alone"),
        pytest.param({"verifier/reward.txt": b"one"}, None, id="no number"),
    ],
)
def test_the_outcome_lies_beside_the_file(beside: dict[str, bytes], outcome: bool | None) -> None:
    trajectory = only(document(agent(call("x", {}))), beside=beside)
    assert trajectory.outcome is outcome
    assert (trajectory.grade is None) == (outcome is None)


def test_versions_are_told_by_their_content() -> None:
    for version in (0, 1, 2, 3, 4, 5, 6, 7, 8):
        data = json.dumps(document(agent(call("x", LS)), schema_version=f"ATIF-v1.{version}")).encode()
        assert read_bytes(data, "a").source.format == "atif"
    nameless = document(agent(call("x", LS)))
    del nameless["schema_version"]
    assert read_bytes(json.dumps(nameless).encode(), "a").source.format == "atif"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        pytest.param(lambda d: d.update(steps=3), "The record has no list of steps.", id="steps that are no list"),
        pytest.param(lambda d: d.pop("steps"), "The record has no list of steps.", id="no steps"),
    ],
)
def test_without_steps_it_is_not_judged(spoil: Callable[[Json], None], message: str) -> None:
    spoilt = document()
    spoil(spoilt)
    assert only(spoilt).not_judged == message


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(3, id="a number"),
        pytest.param(None, id="null"),
        pytest.param([], id="a list"),
        pytest.param({}, id="nothing in it"),
        pytest.param({"source": 1, "message": {"a": 1}}, id="a source that is no text"),
        pytest.param({"source": "agent", "tool_calls": {"a": 1}}, id="calls that are no list"),
        pytest.param({"source": "agent", "tool_calls": [1, None]}, id="calls that are no objects"),
        pytest.param({"source": "agent", "observation": [1]}, id="an observation that is a list"),
        pytest.param({"source": "agent", "observation": {"results": [1]}}, id="results that are no objects"),
        pytest.param({"source": "agent", "metrics": [1], "timestamp": "then"}, id="metrics that are a list"),
        pytest.param(agent(call(1, "{", [2])), id="a tool that is a number, an id that is a list"),
        pytest.param(
            agent(call("x", {}), results=[{"source_call_id": {}, "content": 1}]), id="an id that is an object"
        ),
    ],
)
def test_odd_steps_do_no_harm(step: Json) -> None:
    trajectory = steps(agent(call("a", {})), step, agent(call("b", {})))
    named = tools(trajectory)
    assert (named[0], named[-1]) == ("a", "b")


FAILED = {"tool_result_is_error": True}


@pytest.mark.parametrize(
    ("extra", "step", "result", "failed"),
    [
        pytest.param({}, {}, {"content": "Error: no such file"}, False, id="a text that only speaks of an error"),
        pytest.param(FAILED, {}, {"content": "a"}, True, id="the call"),
        pytest.param({}, FAILED, {"content": "a"}, True, id="its step"),
        pytest.param({}, {}, {"content": "a", "extra": {"is_error": True}}, True, id="its result"),
        pytest.param({}, {}, {"content": "<tool_use_error>No.</tool_use_error>"}, True, id="the mark of Claude Code"),
        pytest.param({}, {}, {"content": "No.\n\n[error] tool reported failure\n\n{}"}, True, id="the mark of Harbor"),
        pytest.param({}, {}, {"content": "1: say '[error] tool reported failure'"}, False, id="a text that quotes it"),
    ],
)
def test_who_says_that_a_call_failed(extra: Json, step: Json, result: Json, failed: bool) -> None:
    trajectory = steps(agent(call("x", {}) | {"extra": extra}, results=[{"source_call_id": "c", **result}], extra=step))
    assert trajectory.calls.failed.tolist() == [failed]


def test_what_a_system_step_observes_is_told() -> None:
    seen = {"source": "system", "message": "", "observation": {"results": [{"content": "The screen."}, {}]}}
    assert [(told.kind, told.text) for told in steps(seen).events] == [("system", "The screen.")]


def test_a_sub_agent_in_a_file_of_its_own_has_no_outcome() -> None:
    reference = {"subagent_trajectory_ref": [{"trajectory_path": "trajectory.summary.json"}]}
    main = document(agent(call("x", {}), results=[reference]))
    beside = {
        "trajectory.json": json.dumps(main).encode(),
        "result.json": b'{"verifier_result": {"rewards": {"reward": 1}}}',
    }
    own = document(agent(call("y", {})))
    assert only(main, name="agent/trajectory.json", beside=beside).outcome is True
    assert only(own, name="agent/trajectory.summary.json", beside=beside).outcome is None
    assert only(own, name="agent/trajectory.other.json", beside=beside).outcome is True


def test_images_of_a_request_are_counted() -> None:
    image = {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}}
    loaded = load(document({"source": "user", "message": [{"type": "text", "text": "look"}, image]}))
    assert loaded.notes == ("1 image left out.",)

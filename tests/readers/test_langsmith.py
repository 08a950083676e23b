"""Runs of LangSmith: models, tools, runs inside runs, tokens."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import find_reader, langsmith, read_bytes
from tests.readers.langsmith_by_hand import answered, asked, generated, human, lines, run
from tests.readers.vally_by_hand import observations, tools, turns


def load(*runs: Json) -> Loaded:
    return read_bytes(lines(*runs), "a.jsonl", format="langsmith")


def only(*runs: Json) -> Trajectory:
    (trajectory,) = load(*runs).trajectories
    assert not trajectory.problems
    return trajectory


def test_is_told_from_langchain() -> None:
    asking = run("llm", 1, inputs=human("Go"), outputs=generated({"content": "Hi"}))
    assert find_reader(lines(asking)) is langsmith.READER


def test_a_turn_and_its_calls() -> None:
    calls = [asked("1", "ls", {"p": 1}), asked("2", "ls", {"p": 2})]
    trajectory = only(
        run("tool", 3, name="ls", inputs={"input": '{"p": 2}'}, outputs=answered("2", "two")),
        run("tool", 2, name="ls", inputs={"input": '{"p": 1}'}, outputs=answered("1", "one", status="error")),
        run("llm", 1, inputs=human("Go"), outputs=generated({"content": "", "tool_calls": calls})),
    )
    assert (tools(trajectory), turns(trajectory), observations(trajectory)) == (["ls", "ls"], [0, 0], ["one", "two"])
    assert trajectory.calls.failed.tolist() == [True, False]
    assert trajectory.calls.ids[0] == "1"
    assert (trajectory.run, trajectory.prompt) == ("s1", "Go")


def test_runs_inside_runs() -> None:
    inner = run("tool", 2, id="t", parent_run_id="c", name="ls", inputs={"p": 1}, outputs={"output": "x"})
    child = run("chain", 1, id="c", parent_run_id="top", child_runs=[inner])
    loaded = read_bytes(json.dumps(run("chain", 0, id="top", child_runs=[child])).encode(), "a.json")
    assert loaded.source.format == "langsmith"
    (trajectory,) = loaded.trajectories
    assert (tools(trajectory), observations(trajectory)) == (["ls"], ["x"])
    assert trajectory.arguments_json(0) == b'{"p":1}'


@pytest.mark.parametrize(
    ("fields", "result", "failed", "unknown"),
    [
        ({"outputs": {"output": ""}}, "", False, False),
        ({"outputs": {"rows": 2}}, {"rows": 2}, False, False),
        ({"outputs": None, "error": "boom"}, "boom", True, False),
        ({"outputs": None}, None, False, True),
    ],
)
def test_results(fields: dict[str, Any], result: Json, failed: bool, unknown: bool) -> None:
    trajectory = only(run("tool", 1, name="ls", inputs={"input": "x"}, **fields))
    raw = trajectory.observation_json(0)
    assert (None if raw is None else json.loads(raw)) == result
    assert trajectory.calls.failed.tolist() == [failed]
    assert trajectory.calls.unknown_observation.tolist() == [unknown]


USED = {"input_tokens": 9, "output_tokens": 5, "input_token_details": {"cache_read": 4}}


@pytest.mark.parametrize(
    ("fields", "used"),
    [
        ({"outputs": generated({"content": "", "usage_metadata": USED})}, (9, 5, 4, None)),
        ({"prompt_tokens": 9, "completion_tokens": 5, "total_cost": 0.5}, (9, 5, None, 0.5)),
        ({"outputs": {"llm_output": {"token_usage": {"prompt_tokens": 9}}}}, (9, None, None, None)),
    ],
)
def test_tokens(fields: dict[str, Any], used: tuple[Any, ...]) -> None:
    (use,) = only(run("llm", 1, extra={"metadata": {"ls_model_name": "m"}}, **fields)).usage
    assert (use.input_tokens, use.output_tokens, use.cache_read_tokens, use.cost) == used
    assert use.model == "m"

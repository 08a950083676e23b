"""Who&When: what counts as a call, ledgers, the outcome."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns
from tests.readers.who_and_when_by_hand import document, dump, says


def load(*messages: Json, **fields: Any) -> Loaded:
    return read_bytes(dump(document(*messages, **fields)), "a.json", format="who-and-when")


def only(*messages: Json, **fields: Any) -> Trajectory:
    (trajectory,) = load(*messages, **fields).trajectories
    return trajectory


def test_thoughts_and_the_end_are_no_calls() -> None:
    trajectory = only(
        says("human", "go"),
        says("Orchestrator (thought)", "plan"),
        says("Orchestrator (termination condition)", "end\nof it"),
    )
    assert trajectory.end_reason == "end"
    assert [(told.kind, told.text) for told in trajectory.events] == [
        ("user", "go"),
        ("reasoning", "plan"),
        ("system", "end\nof it"),
    ]
    assert len(trajectory.calls) == 0


def test_what_an_orchestrator_asks_for_is_a_call() -> None:
    trajectory = only(
        says("Orchestrator (-> Web)", "open it"),
        says("Orchestrator (thought)", "hm"),
        says("Web", "opened"),
        says("Orchestrator (-> Web)", "scroll"),
        says("Orchestrator (-> Assistant)", "write"),
        says("Assistant", "written"),
    )
    assert tools(trajectory) == ["Web", "Web", "Assistant"]
    assert turns(trajectory) == [0, 1, 2]
    assert observations(trajectory) == ["opened", ABSENT, "written"]
    assert trajectory.arguments_json(0) == b'"open it"'


def test_without_an_orchestrator_the_terminal_answers() -> None:
    trajectory = only(
        says("assistant", "code", name="Expert"),
        says("user", "exitcode: 1 (execution failed)", name="Computer_terminal"),
        says("user", "better", name="Expert"),
        says("user", "exitcode: 0 (execution succeeded)", name="Computer_terminal"),
        says("user", "TERMINATE", name="Checker"),
    )
    assert tools(trajectory) == ["Expert", "Expert", "Checker"]
    assert observations(trajectory)[2] is ABSENT
    assert trajectory.calls.failed.tolist() == [True, False, False]


def test_ledgers_that_find_a_loop_are_counted() -> None:
    def ledger(answer: Json) -> Json:
        content = f"Updated Ledger:\n{json.dumps({'is_in_loop': {'reason': 'r', 'answer': answer}})}"
        return says("Orchestrator (thought)", content)

    assert load(ledger(True), ledger(False), ledger(True)).notes == ("2 ledgers find the run in a loop.",)


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [({"is_correct": True}, True), ({"is_correct": None, "is_corrected": False}, False), ({"is_correct": "no"}, None)],
)
def test_the_outcome(fields: dict[str, Json], outcome: bool | None) -> None:
    trajectory = only(**fields)
    assert trajectory.outcome is outcome
    assert trajectory.grade is not None
    assert trajectory.grade.evidence == "The mistake is made by a in step 1: r"


@pytest.mark.parametrize(
    "odd", [3, None, [], {}, {"role": 3, "name": [], "content": {}}, {"role": "x"}], ids=json.dumps
)
def test_odd_messages_do_no_harm(odd: Json) -> None:
    named = tools(only(says("Orchestrator (-> a)", "x"), odd, says("Orchestrator (-> b)", [1])))
    assert (named[0], named[-1]) == ("a", "b")


def test_what_the_grade_says_can_be_shown() -> None:
    data = dump(document(says("human", "go"), mistake_reason="LOST")).replace(b"LOST", rb"lost \ud800 half")
    (trajectory,) = read_bytes(data, "a.json", format="who-and-when").trajectories
    assert trajectory.grade is not None
    assert "lost \N{REPLACEMENT CHARACTER} half" in str(trajectory.grade.evidence)

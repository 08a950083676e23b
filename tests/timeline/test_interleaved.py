"""Turns of two agents that interleave: a copy ends where the last of its steps does, in every place that tells it."""

from __future__ import annotations

import pytest

from loopviz.analysis.asking import ask
from loopviz.analysis.boundaries import gaps
from loopviz.analysis.tool_rules import leave_out
from loopviz.report.choosing import choose, role
from loopviz.timeline.answering import show_answers
from loopviz.timeline.asking import tell_answer
from loopviz.timeline.evidence import show_evidence
from loopviz.timeline.verdict import judge_in_words
from loopviz.timeline.words import plain
from tests.analysis.inspections import look, run_of
from tests.detectors.test_max_repeat import call

CALLS = [
    one
    for turn in range(0, 8, 2)
    for one in (
        call("main", f"{turn}", turn=turn),
        call("sub", f"{turn}", turn=turn + 1),
        call("main", "z", turn=turn),
    )
]
"""A main turn opens, a sub-agent's turn with one call lies inside it, and the main turn goes on."""
FOUND = look(CALLS, match="name", max_cycle_period=2)


def test_the_verdict() -> None:
    assert "The 4 copies are calls 1–12." in plain(judge_in_words(FOUND, None)["rows"][0]["parts"])


def test_the_cycles_with_their_turns() -> None:
    cells = show_evidence(FOUND, None, raw=None, whole=frozenset())["cycles"]["rows"][0]["cells"]
    assert cells[:6] == ["4", "main → sub", "2", "1–12", "1–8", "1–8"]


def test_the_answers() -> None:
    grader = show_answers(FOUND)["columns"][0]
    assert "in calls 1–12; 3 are allowed." in plain(grader["lines"][0])


@pytest.mark.parametrize("first", [0, 10])
def test_a_marked_stretch(first: int) -> None:
    told = tell_answer(ask(run_of(CALLS), FOUND, first, 11), n_runs=0)
    assert "(calls 1–12)" in plain(told["reason"])


def test_a_tool_left_out() -> None:
    assert [(c.fate, c.first_call, c.last_call) for c in leave_out(run_of(CALLS), FOUND, "sub").cycles] == [
        ("appears", 0, 11),
        ("goes", 0, 11),
    ]


def test_a_report() -> None:
    assert choose(FOUND) == [0, 1, 2, 10, 11]
    assert role(FOUND, 11) == "a, copy 4 of 4: the last"
    assert role(FOUND, 10) == "b, copy 4 of 4: over the limit"


def test_unwatched_calls_up_to_the_end() -> None:
    calls = [*CALLS[:-1], call("wait", turn=20), CALLS[-1]]
    found = look(calls, match="name", max_cycle_period=2, tools=("main", "sub"))
    (cycle,) = found.finding.cycles
    assert [call for gap in gaps(found.grader, 0, cycle) for call in gap.calls] == [11]

"""Three questions to one run: each answer with its figure, its place, and what comes after."""

from __future__ import annotations

import pytest

from loopviz.analysis.answers import three_answers
from loopviz.detectors.escalation import Level
from loopviz.detectors.thrash import Kind
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import A, B, call


def test_a_run_without_calls_has_three_noes() -> None:
    answers = three_answers(look([]))
    assert [answer.yes for answer in (answers.grader, answers.ladder, answers.thrash)] == [False] * 3
    assert [answer.first for answer in (answers.grader, answers.ladder, answers.thrash)] == [None] * 3
    assert answers.partings == ()


def test_noes_name_the_most_there_is() -> None:
    answers = three_answers(look([B, A, A, B]))
    assert (answers.grader.occurrences, answers.ladder.longest, answers.thrash.most) == (2, 2, 2)
    for answer in (answers.grader, answers.ladder, answers.thrash):
        assert (answer.yes, answer.first, answer.last, answer.call) == (False, 1, 2, None)


def test_a_loop_is_found_by_all_three() -> None:
    answers = three_answers(look([B, *[A] * 9, B]))
    grader, ladder, thrash = answers.grader, answers.ladder, answers.thrash
    assert (grader.yes, grader.occurrences, grader.first, grader.last, grader.call) == (True, 9, 1, 9, 4)
    assert (ladder.level, ladder.longest, ladder.first, ladder.last, ladder.call) == (3, 9, 1, 9, 3)
    assert [(firing.level, firing.call) for firing in ladder.strongest] == [
        (Level.REPLAN, 3),
        (Level.EXPLORE, 5),
        (Level.FORCE_DONE, 8),
    ]
    assert ladder.after is not None and ladder.after.calls == 3, "force-done acts before its call"
    assert (thrash.kind, thrash.most, thrash.first, thrash.last, thrash.call) == (Kind.IDENTICAL, 3, 1, 3, 3)
    assert thrash.after is not None and thrash.after.calls == 7
    assert (ladder.tool, thrash.tool) == ("bash", "bash")


def test_the_strongest_stretch_need_not_be_the_first() -> None:
    ladder = three_answers(look([*[A] * 3, B, *[A] * 6])).ladder
    assert (ladder.call, ladder.first, ladder.last) == (2, 4, 9)
    assert [firing.call for firing in ladder.strongest] == [6, 8]


def test_two_that_take_turns_are_told_by_their_four_calls() -> None:
    thrash = three_answers(look([call("plan", "p"), *[A, B] * 4])).thrash
    assert (thrash.kind, thrash.first, thrash.last, thrash.call, thrash.tool) == (Kind.PING_PONG, 1, 4, 4, None)


def test_calls_that_differ_in_what_is_left_out_are_not_identical_to_the_letter() -> None:
    calls = [call("get", {"id": n}) for n in range(3)]
    thrash = three_answers(look(calls, thrash={"ignore_args": ("id",)})).thrash
    assert (thrash.yes, thrash.to_the_letter) == (True, False)
    assert three_answers(look([calls[0]] * 3, thrash={"ignore_args": ("id",)})).thrash.to_the_letter


@pytest.mark.parametrize("outcome", [True, False, None])
def test_the_recorded_outcome_stands_beside_the_answers(outcome: bool | None) -> None:
    assert three_answers(look([A], fields={"outcome": outcome})).outcome is outcome

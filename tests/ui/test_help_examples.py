"""The worked cases of Help give what their names promise; the figures are those of the real detectors."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.inspection import GuardSettings, inspect
from loopviz.settings import EscalationSettings, LoopOutcomeSettings, MaxRepeatSettings, ThrashSettings, describe, load
from loopviz.timeline.contract import CallFlag, CycleState, decode
from loopviz.timeline.words import plain
from loopviz.ui.help_controls import Case, Example
from loopviz.ui.help_examples import OUTCOME, REPEAT, retries_in_words
from loopviz.ui.help_guards import LADDER, MOST_LINES, THRASH, compare, ladder_in_words, read_commands, thrash_in_words
from loopviz.ui.help_notation import WATCHED, NotationError, run_of_line
from loopviz.ui.help_picture import picture

REPEATS = {
    "One step, four times": (4, 1),
    "Two steps that take turns": (4, 2),
    "The same, but only single steps are looked for": (1, 1),
    "A copy that was only started": (2, 2),
    "A start in the middle of the pattern": (3, 2),
    "Three steps": (2, 3),
    "Three steps, patterns of two looked for": (1, 1),
    "A repeat inside a pattern": (3, 3),
    "An empty output in between": (2, 1),
    "Nothing but empty outputs": (0, None),
    "A single step": (1, 1),
    "Calls at once have no order": (4, 1),
    "A tool in between that is not watched": (4, 1),
    "The output changes each time": (1, 1),
    "The arguments change each time": (1, 1),
    "No call at all": (0, None),
}
"""Times in a row and pattern length of each case, worked out by hand."""

STOPS = {
    "The same call again": (3, "3 identical calls in a row"),
    "Another call in between": None,
    "The same, counted over the whole run": (4, "3 identical calls in the run"),
    "Two calls that take turns": (4, "two calls took turns twice, each with the same output as before"),
    "The same, but the outputs change": None,
    "A fresh id each time": None,
    "The same, with the id left out": (3, "3 identical calls in a row"),
    "Empty outputs retried": (2, "2 nearly empty outputs of identical calls in a row"),
    "A finishing tool in between": (4, "3 identical calls in a row"),
}
"""The call that stops the run, from 1, and why; None where none does."""

LADDERS = {
    "Only the folder differs": (1, ["", "1.00", "1.00"]),
    "Another file each time": (0, ["", "0.50", "0.50"]),
    "One flag of many": (2, ["", *4 * ["0.78"]]),
    "Only times and ids differ": (1, ["", "1.00", "1.00"]),
    "No space in it: one single word": (0, ["", "0.00", "0.00"]),
    "The same, split at every sign": (1, ["", "0.67", "0.67"]),
    "Another tool in between": (0, ["", "1.00", "1.00", "1.00"]),
    "Slow drift": (0, ["", "0.71", "0.50", "0.71"]),
}
"""Highest level, and the score of each line."""


def settings(example: Example, case: Case) -> dict[str, Any]:
    given = {**example.shown, **case.settings}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


@pytest.mark.parametrize("case", REPEAT.cases, ids=lambda case: case.name)
def test_repeats(case: Case) -> None:
    asked = load(MaxRepeatSettings, {**settings(REPEAT, case), "tools": list(WATCHED)})
    found = inspect(run_of_line(case.text), asked).finding
    assert (found.occurrences, found.period) == REPEATS[case.name]


@pytest.mark.parametrize("case", THRASH.cases, ids=lambda case: case.name)
def test_stops(case: Case) -> None:
    asked = GuardSettings(thrash=load(ThrashSettings, settings(THRASH, case)))
    verdict = thrash_in_words(inspect(run_of_line(case.text), MaxRepeatSettings(max=3, tools=WATCHED), asked))
    if STOPS[case.name] is None:
        assert (verdict["badge"], verdict["passed"], verdict["rows"]) == ("NO STOP", True, [])
    else:
        call, why = STOPS[case.name]
        assert (verdict["badge"], plain(verdict["sentence"])) == ("STOP", f"Stops at call {call}: {why}.")


@pytest.mark.parametrize("case", LADDER.cases, ids=lambda case: case.name)
def test_levels(case: Case) -> None:
    run = read_commands(case.text)
    asked = GuardSettings(escalation=load(EscalationSettings, settings(LADDER, case)))
    found = inspect(run, MaxRepeatSettings(max=3), asked)
    level, scores = LADDERS[case.name]
    assert [row["score"] for row in compare(run, found.ladder)] == scores
    assert ladder_in_words(found)["badge"] == f"LEVEL {level}"


def test_a_line_shows_what_is_compared_word_by_word() -> None:
    run = read_commands("cat a/x.md now\n\nread> cat b/x.md later")
    rows = compare(run, run.escalation(EscalationSettings()))
    assert [row["tool"] for row in rows] == ["bash", "read"]
    assert rows[0]["words"] == [['{"command":"cat', False], ["x.md", False], ['now"}', False]]
    assert rows[1]["words"] == [['{"command":"cat', True], ["x.md", True], ['later"}', False]]
    assert (rows[1]["score"], rows[1]["against"], rows[1]["stretch"]) == ("0.50", "held against 1, another tool", "1")


def test_the_level_that_fires_is_named() -> None:
    run = read_commands("ls\n" * 8)
    named = [row["level"] for row in compare(run, run.escalation(EscalationSettings()))]
    assert named == ["", "", "replan", "", "explore", "", "", "force-done"]


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(NotationError, match=f"more than {MOST_LINES} lines"):
        read_commands("ls\n" * (MOST_LINES + 1))
    assert len(read_commands("").trajectories[0].calls) == 0


@pytest.mark.parametrize(
    ("case", "sentence", "passed"),
    list(
        zip(
            OUTCOME.cases,
            (
                "3 retries in a row; 2 are allowed.",
                "2 retries in a row; 2 are allowed.",
                "0 retries in a row; 2 are allowed.",
            ),
            (False, True, True),
            strict=True,
        )
    ),
    ids=lambda part: part.name if isinstance(part, Case) else None,
)
def test_retries(case: Case, sentence: str, passed: bool) -> None:
    asked = load(LoopOutcomeSettings, settings(OUTCOME, case))
    verdict = retries_in_words(inspect(run_of_line(case.text), asked.as_max_repeat()), asked)
    assert (plain(verdict["sentence"]), verdict["passed"]) == (sentence, passed)


@pytest.mark.parametrize("example", [REPEAT, OUTCOME, LADDER, THRASH], ids=lambda example: example.key)
def test_every_setting_on_screen_is_declared(example: Example) -> None:
    declared = describe(example.model)
    assert set(example.fields) <= set(declared)
    for case in example.cases:
        assert set(case.settings) <= set(example.fields)
    assert {name for name, field in declared.items() if field.required} <= set(example.shown)


def test_the_picture_holds_every_mark() -> None:
    shown = picture()
    assert set(decode(shown["cycles"]["state"]).tolist()) == {int(state) for state in CycleState}
    flags = decode(shown["calls"]["flags"])
    for flag in (CallFlag.ERROR, CallFlag.EMPTY, CallFlag.SEEN_ARGUMENTS, CallFlag.SEEN_OUTPUT):
        assert (flags & flag).any()
    assert [row["name"] for row in shown["tools"] if not row["watched"]] == ["update_plan"]
    assert [row["name"] for row in shown["tools"]][:3] == ["read_file", "edit", "run_tests"]
    assert len(decode(shown["ladder"]["fire_calls"])) == 2 and shown["thrash"]["stop"] is not None
    assert shown["would_be"] and shown["break_notes"] and shown["flag"] is not None
    assert [event["kind"] for event in shown["events"]] == ["user", "compaction"]

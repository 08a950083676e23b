"""The verdict in words, over runs written by hand."""

from typing import Any

import pytest

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.model import GraderResult
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.verdict import judge_in_words, trial_in_words
from loopviz.timeline.words import plain
from tests.detectors.test_max_repeat import A, B, call
from tests.detectors.trajectories_by_hand import trajectory_of

EMPTY = call(out=None)
ODD = [call("a", "a", "1"), call("b", "b", "2"), call("c", "c", "3")]


def in_words(calls: list[dict[str, Any]], recorded: GraderResult | None = None, **settings: Any) -> dict[str, str]:
    calls = [{**c, "turn": number if c["turn"] is None else c["turn"]} for number, c in enumerate(calls)]
    trajectory = trajectory_of(calls)
    found = inspect(RunSet([trajectory]), MaxRepeatSettings(**{"max": 3, **settings}))
    verdict = judge_in_words(found, recorded)
    rows = {row["label"]: plain(row["parts"]) for row in verdict["rows"]}
    return {"badge": verdict["badge"], "sentence": plain(verdict["sentence"]), **rows}


@pytest.mark.parametrize(
    ("calls", "settings", "sentence"),
    [
        pytest.param([], {}, "This run holds no call, so nothing can repeat.", id="no call"),
        pytest.param(
            ODD,
            {"tools": ["plan"]},
            "The tool filter matches none of its calls, so nothing can repeat.",
            id="a filter that matches nothing",
        ),
        pytest.param(ODD, {}, "At most 1 in a row; 3 are allowed.", id="nothing repeats"),
        pytest.param(ODD, {"max": 1}, "At most 1 in a row; 1 is allowed.", id="one allowed"),
        pytest.param(
            [EMPTY] * 3, {}, "Every step holds an empty output, so there is nothing to compare.", id="all outputs empty"
        ),
        pytest.param(
            [EMPTY] * 4,
            {},
            "Every step holds an empty output, so there is nothing to compare. But with same arguments it would be 4, "
            "and 4 if empty outputs counted.",
            id="empty outputs that hide a loop",
        ),
        pytest.param(
            [call(args=n % 2, out=None) for n in range(8)],
            {"match": "observation", "max": 3, "max_cycle_period": 2},
            "Every step holds an empty output, so there is nothing to compare. But with same arguments it would be 4, "
            "and 4 if empty outputs counted.",
            id="empty outputs that hide a loop of two",
        ),
        pytest.param(
            [A, B] * 4,
            {},
            "At most 1 in a row; 3 are allowed. But 6 of 8 calls repeat an earlier one, and with patterns of length 2 "
            "it would be 4.",
            id="a pass that hides a loop of two",
        ),
        pytest.param(
            [call(out=str(n)) for n in range(5)],
            {},
            "At most 1 in a row; 3 are allowed. But 4 of 5 calls repeat an earlier one, and with same arguments it "
            "would be 5, each with a new output.",
            id="same arguments that bring something new each time",
        ),
        pytest.param(
            [call(out=str(n % 2)) for n in range(5)],
            {},
            "At most 1 in a row; 3 are allowed. But 4 of 5 calls repeat an earlier one, and with same arguments it "
            "would be 5.",
            id="a pass that hides same arguments",
        ),
        pytest.param([A] * 5, {}, "`bash` gave the same output 5 times in a row; 3 are allowed.", id="a plain repeat"),
        pytest.param(
            [A, B] * 4,
            {"max_cycle_period": 2},
            "`bash` → `read` gave the same outputs 4 times in a row; 3 are allowed.",
            id="two in turn",
        ),
        pytest.param(
            [call(out=str(n)) for n in range(5)],
            {"match": "name-args"},
            "`bash` was called with the same arguments 5 times in a row; 3 are allowed.",
            id="same arguments",
        ),
        pytest.param(
            [call(args=n, out=str(n)) for n in range(5)],
            {"match": "name"},
            "`bash` was called 5 times in a row; 3 are allowed.",
            id="same tool",
        ),
    ],
)
def test_sentence(calls: list[dict[str, Any]], settings: dict[str, Any], sentence: str) -> None:
    assert in_words(calls, **settings)["sentence"] == sentence


def test_a_fail_says_where_and_what_would_pass() -> None:
    words = in_words([*ODD, *[A, B] * 4, A, *ODD], max_cycle_period=3)
    assert words["badge"] == "FAIL"
    assert words["Where"] == (
        "Over the limit at turn 11 (call 11). The 4 copies are calls 4–11; "
        "a fifth starts at call 12 and does not count."
    )
    assert words["Would pass with"] == "4 allowed or longest pattern 1 (1 in a row)"


def test_a_pass_says_what_would_fail() -> None:
    words = in_words([A, A, *ODD])
    assert words["Would fail with"] == "1 allowed"
    assert words["Where"] == "The 2 steps are calls 1–2."


def test_a_pass_that_nothing_would_fail_says_nothing_of_it() -> None:
    assert "Would fail with" not in in_words(ODD)


def test_calls_left_out_in_between_are_named() -> None:
    assert (
        "Calls of plan in between are not watched"
        in in_words([A, call("plan", watched=False), A], tools=["bash"])["Where"]
    )


@pytest.mark.parametrize(
    ("calls", "settings", "where"),
    [
        pytest.param(
            [A, call("plan", watched=False), A],
            {"tools": ["bash"]},
            "The 2 steps are calls 1–3. Calls of plan in between are not watched, so they do not separate it. "
            "With every tool watched it would be 1.",
            id="a tool left out joins what it would part",
        ),
        pytest.param(
            [{**A, "turn": turn} for turn in range(2) for _ in range(3)],
            {},
            "The 2 steps are calls 1–6. All calls of one turn are one step: these 6 calls count as 2.",
            id="several calls in a turn",
        ),
        pytest.param(
            [*[A] * 4, ODD[1], *[ODD[0], B] * 5],
            {"max_cycle_period": 2},
            "Over the limit first at turn 4 (call 4), by another loop: `bash` × 4. The 5 copies are calls 6–15.",
            id="another loop is over the limit first",
        ),
    ],
)
def test_where(calls: list[dict[str, Any]], settings: dict[str, Any], where: str) -> None:
    assert in_words(calls, **settings)["Where"] == where


@pytest.mark.parametrize("turn", [(A, ODD[0]), (ODD[0], A), (A, ODD[0], B)])
def test_calls_left_out_of_a_step_of_the_loop_lie_not_in_between(turn: tuple[dict[str, Any], ...]) -> None:
    calls = [{**one, "turn": n} for n in range(4) for one in turn]
    assert "in between" not in in_words(calls, tools=("bash", "read"))["Where"]


def test_one_call_that_repeats_an_earlier_one() -> None:
    words = in_words([A, B, call(out="other"), call("ls", out="c")])["sentence"]
    assert words == "At most 1 in a row; 3 are allowed. But 1 of 4 calls repeats an earlier one."


def test_empty_outputs_that_hide_a_loop_are_said() -> None:
    words = in_words([A, A, A, EMPTY, A, A, A])
    assert words["Empty outputs"].startswith("Missing or empty outputs hide a loop. If empty steps were left out: 6")
    assert "Empty outputs" not in in_words([A, EMPTY, A])


def test_unknown_values_are_a_caution_with_the_other_figure() -> None:
    words = in_words([call() | {"unknown": True}] * 4)
    assert words["Caution"] == (
        "4 of 4 outputs are redacted or were never recorded. They are taken as equal; taken as different it would be "
        "1 in a row."
    )


def said(passed: bool) -> GraderResult:
    return GraderResult(name="max-repeat", type="max-repeat", passed=passed, evidence="because")


@pytest.mark.parametrize(
    ("recorded", "row"),
    [
        pytest.param(None, "nothing about max-repeat in this file · recomputed here: FAIL, 5 in a row", id="nothing"),
        pytest.param(said(False), "FAIL because · recomputed here: FAIL, 5 in a row", id="the same"),
        pytest.param(said(True), "≠ PASS because · recomputed here: FAIL, 5 in a row", id="the other"),
    ],
)
def test_what_vally_said_stands_beside_ours(recorded: GraderResult | None, row: str) -> None:
    assert in_words([A] * 5, recorded)["Vally said"] == row


def test_a_verdict_under_other_settings_is_no_disagreement() -> None:
    trajectory = trajectory_of([{**A, "turn": turn} for turn in range(5)])
    found = inspect(RunSet([trajectory]), MaxRepeatSettings(max=3))
    verdict = judge_in_words(found, said(True), comparable=False)
    words = plain(verdict["rows"][-1]["parts"])
    assert words == "PASS because (judged by other settings) · with these settings: FAIL, 5 in a row"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        pytest.param({}, "", id="not recorded"),
        pytest.param({"outcome": False}, "trial failed", id="no score"),
        pytest.param(
            {"outcome": True, "threshold": 0.7}, "trial passed 0.83\u00a0≥\u00a00.70", id="passed on its score"
        ),
        pytest.param(
            {"outcome": False, "threshold": 0.9}, "trial failed 0.83\u00a0<\u00a00.90", id="failed on its score"
        ),
        pytest.param({"outcome": True}, "trial passed, 0.83", id="no threshold recorded"),
    ],
)
def test_trial(fields: dict[str, Any], words: str) -> None:
    grade = GraderResult(name="trial", type=None, passed=False, score=0.83) if words != "trial failed" else None
    assert trial_in_words(trajectory_of([A], grade=grade, **fields)) == words

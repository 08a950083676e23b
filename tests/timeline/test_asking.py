"""The answer about a stretch in words: the card, the section, and what a click sends."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest

from loopviz.analysis.asking import Answer, ask
from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.analysis.set_effects import Effect
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.asking import ask_form, card_lines, tell_answer, tell_effects
from loopviz.timeline.words import plain
from tests.detectors.trajectories_by_hand import trajectory_of

Call = dict[str, Any]


def call(tool: str, output: str | None = "same", arguments: str = "same") -> Call:
    return {"tool": tool, "arguments": arguments, "observation": output, "turn": None, "watched": True}


def answer_about(calls: list[Call], **fields: Any) -> Answer:
    """What is said of a whole run."""
    runs = RunSet([trajectory_of(calls)])
    return ask(runs, inspect(runs, MaxRepeatSettings(**{"max": 3, **fields})), 0, len(calls) - 1)


def section(calls: list[Call], n_runs: int = 0, **fields: Any) -> dict[str, Any]:
    return tell_answer(answer_about(calls, **fields), n_runs=n_runs)


A, B = call("read", "x"), call("edit", "y")
CLOCK = [call("bash", f"at {n}") for n in range(5)]
MANY = [call("read", "x"), call("edit", None)]
DIFFERENT = [call(f"tool {n}", f"out {n}") for n in range(4)]


@pytest.mark.parametrize(
    ("calls", "fields", "lead", "reason"),
    [
        pytest.param(
            DIFFERENT,
            {},
            "Does not count.",
            "Its 4 counted steps all differ: no two gave the same output.",
            id="different",
        ),
        pytest.param(
            [A, B] * 3,
            {},
            "Does not count.",
            "Of its 6 counted steps 2 are different ones, and no step follows itself directly.",
            id="alternating",
        ),
        pytest.param(
            [A] * 3, {"tools": ("^edit$",)}, "Does not count.", "None of its 3 calls is watched.", id="unwatched"
        ),
        pytest.param(
            [call("a", None)] * 3,
            {},
            "Does not count.",
            "Each of its 3 counted steps holds an empty output, and an empty step starts no pattern.",
            id="empty",
        ),
        pytest.param(
            [A] * 3,
            {},
            "Does not count.",
            "`read` gave the same output 3 times in a row (calls 1–3); 3 are allowed.",
            id="at the limit",
        ),
        pytest.param(
            [A, B] * 4,
            {"max_cycle_period": 2},
            "Counts.",
            "`read` → `edit` gave the same outputs 4 times in a row (calls 1–8); 3 are allowed. "
            "With 4 allowed it would not.",
            id="counted",
        ),
        pytest.param(
            [A] * 4 + DIFFERENT + [B],
            {},
            "Counts in part.",
            "`read` gave the same output 4 times in a row (calls 1–4); 3 are allowed. "
            "Only 4 of the 9 marked calls lie there.",
            id="a part",
        ),
    ],
)
def test_the_reason_in_words(calls: list[Call], fields: dict[str, Any], lead: str, reason: str) -> None:
    told = section(calls, **fields)
    assert (told["lead"], plain(told["reason"])) == (lead, reason)


@pytest.mark.parametrize(
    ("calls", "fields", "facts"),
    [
        pytest.param(DIFFERENT, {}, [], id="nothing to say"),
        pytest.param(
            CLOCK,
            {},
            [
                "`bash` was called with the same arguments 5 times in a row (calls 1–5), "
                "but the outputs differ, first between call 1 and call 2."
            ],
            id="outputs differ",
        ),
        pytest.param(
            [A, A, call("read", None), A],
            {"max": 4, "match": "observation"},
            [
                "Call 3 gave an empty output, which ends the pattern. That is within the limit of 4. "
                "Left out: `read` gave the same output 3 times in a row (calls 1–4).",
                "`read` was called with the same arguments 4 times in a row (calls 1–4), "
                "but some outputs are empty. That is within the limit of 4.",
            ],
            id="an empty output",
        ),
        pytest.param(
            [A, B] * 3,
            {"max": 2},
            [
                "`read` → `edit` gave the same outputs 3 times in a row (calls 1–6): "
                "a pattern of 2 steps, longer than the longest pattern, 1.",
                "Calls of `read` stand between. "
                "Without them: `edit` gave the same output 3 times in a row (calls 2–6).",
            ],
            id="a longer pattern",
        ),
        pytest.param(
            [A] * 4,
            {"tools": ("^edit$",)},
            ["Tools of it are not watched. With them: `read` gave the same output 4 times in a row (calls 1–4)."],
            id="left out",
        ),
    ],
)
def test_what_would_count_more(calls: list[Call], fields: dict[str, Any], facts: list[str]) -> None:
    assert [plain(fact) for fact in section(calls, **fields)["facts"]] == facts


def test_neighbours_are_told_where_steps_differ() -> None:
    assert plain(section(CLOCK)["neighbours"]) == "All 4 pairs of neighbours differ in the output only."
    assert plain(section([*CLOCK, A])["neighbours"]) == (
        "Of 5 pairs of neighbours 4 differ in the output only (first calls 1 and 2) "
        "· 1 differs in the tool (calls 5 and 6)"
    )
    assert section([A] * 3)["neighbours"] is None


def test_a_suggestion_says_what_changes_and_sends_only_that() -> None:
    told = section([A, B] * 4, tools=("^(?:read|edit)$",))["suggestions"]
    assert [[plain(change) for change in one["changes"]] for one in told] == [
        ["longest pattern 2 now 1"],
        ["without `read` `^(?!read$)(?:read|edit)$`"],
    ]
    assert [parse_qs(one["action"]) for one in told] == [
        {"max_cycle_period": ["2"]},
        {"tools": ["^(?!read$)(?:read|edit)$"]},
    ]
    assert plain(told[0]["loop"]) == "`read` → `edit` 4 in a row, calls 1–8"
    assert plain(told[0]["here"]) == "Nothing else in this run."


def test_every_tool_is_sent_as_an_empty_pattern() -> None:
    (suggestion,) = section([A] * 4, tools=("^edit$",))["suggestions"][:1]
    assert suggestion["action"] == "tools="


def test_the_card_is_short_and_its_setting_can_be_clicked() -> None:
    lines = card_lines(answer_about([A, B] * 4))
    assert [plain(line) for line in lines] == [
        "Does not count.",
        "`read` → `edit` gave the same outputs 4 times in a row (calls 1–8): "
        "a pattern of 2 steps, longer than the longest pattern, 1.",
        "Would count: longest pattern 2",
    ]
    assert lines[2][-1]["action"] == "max_cycle_period=2"
    assert plain(card_lines(answer_about(DIFFERENT))[-1]) == "No setting counts it."


def test_other_runs_are_looked_at_only_when_asked() -> None:
    assert section(CLOCK, n_runs=9)["look"]["action"] == "asked=runs"
    assert section(CLOCK, n_runs=0)["look"] is None
    assert section(DIFFERENT, n_runs=9)["look"] is None
    assert tell_answer(answer_about(CLOCK), n_runs=9, others={"head": "", "effects": []})["look"] is None


def test_what_happens_in_the_other_runs_is_counted_and_the_first_are_named() -> None:
    effect = Effect(n_judged=9, newly_fail=np.array([2, 4, 5, 7, 8]), newly_pass=np.array([1]))
    told = tell_effects(
        [effect], lambda run: f"run {run}", lambda place, run: {"href": f"./?{run}", "action": f"{place}"}
    )
    assert told["head"] == "In the other 9 judged runs"
    fail, passed = told["effects"][0]
    assert (fail["words"], fail["more"]) == ("5 newly fail", "and 2 more")
    assert [run["text"] for run in fail["runs"]] == ["run 2", "run 4", "run 5"]
    assert (passed["words"], passed["more"]) == ("1 newly passes", "")


def test_one_other_run_is_no_number() -> None:
    effect = Effect(n_judged=1, newly_fail=np.array([0]), newly_pass=np.array([], dtype=np.int64))
    assert tell_effects([effect], str, lambda place, run: {})["head"] == "In the other judged run"


def test_one_marked_call_lies_in_a_loop() -> None:
    runs = RunSet([trajectory_of([*[A] * 5, *DIFFERENT])])
    told = tell_answer(ask(runs, inspect(runs, MaxRepeatSettings(max=3)), 4, 7), n_runs=0)
    assert plain(told["reason"]).endswith("Only 1 of the 4 marked calls lies there.")


def test_the_form_counts_from_one() -> None:
    assert ask_form(0, None) is None
    assert ask_form(9, None) == {"calls": 9, "first": None, "last": None}
    assert ask_form(9, (2, 4)) == {"calls": 9, "first": 3, "last": 5}

"""What stands below the timeline: funnel, grid, cycles, the chosen call, what the file records."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.model import Event, GraderResult, Problem
from loopviz.timeline.evidence import FIRST_CYCLES, MOST_CYCLES, show_evidence
from loopviz.timeline.telling import MOST, SHOWN, as_text, decoded
from tests.detectors.test_max_repeat import CALLS, A, B, call
from tests.timeline.test_picture import look

NOTHING = frozenset[str]()


def below(
    calls: list[dict[str, Any]], chosen: int | None = None, fields: Any = None, **settings: Any
) -> dict[str, Any]:
    return show_evidence(look(calls, fields, **settings), chosen, raw=None, whole=NOTHING)


def funnel(shown: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(row["n"], row["label"], row["note"]) for row in shown["figures"]["funnel"]]


def test_the_funnel_of_a_run_without_calls() -> None:
    assert [row[:2] for row in funnel(below([]))] == [
        ("0", "calls"),
        ("0", "watched"),
        ("0", "counted steps"),
        ("0", "non-empty"),
        ("0", "longest pattern"),
    ]
    unwatched = funnel(below([A], tools=("read",)))
    assert unwatched[1:3] == [("0", "watched", "1 bash left out"), ("0", "counted steps", "")]


def test_the_empty_output_of_a_turn_is_named() -> None:
    shown = below([{**A, "turn": 0}, {**call("read", out=None), "turn": 0}, A], max_cycle_period=2)
    assert funnel(shown)[3] == ("1", "non-empty", "call 2 gave an empty output")


def test_the_funnel_says_what_fell_away_at_each_stage() -> None:
    calls = [call("plan", out="p"), {**A, "turn": 9}, {**B, "turn": 9}, call(out=None), *[A] * 4]
    assert funnel(below(calls, tools=("bash", "read"))) == [
        ("8", "calls", ""),
        ("7", "watched", "1 plan left out"),
        ("6", "counted steps", "one turn held 2 calls"),
        ("5", "non-empty", "call 4 gave an empty output"),
        ("4", "longest pattern", "1 step × 4 in a row"),
    ]


@pytest.mark.parametrize(
    ("turns", "note"),
    [
        pytest.param([0, 1, 2], "one call in each turn", id="a turn each"),
        pytest.param([-1, -1], "calls that stand alone, in no turn", id="no turn at all"),
        pytest.param([0, -1, 1], "one call in each turn; 1 stands alone, in no turn", id="one in none"),
        pytest.param([0, 0, 1], "one turn held 2 calls", id="two in one"),
    ],
)
def test_the_funnel_says_how_calls_stand_in_turns(turns: list[int], note: str) -> None:
    shown = below([{**A, "turn": turn} for turn in turns])
    assert funnel(shown)[2][2] == note


def test_a_longer_bound_that_lowers_a_count_is_explained() -> None:
    calls = [part for turn in range(4) for part in ({**A, "turn": turn}, {**call("read", out=None), "turn": turn})]
    foot = below(calls, max_cycle_period=2)["figures"]["foot"]
    assert any("Longest pattern 1 gives 4" in line for line in foot)
    assert any("Longest pattern 2 gives 0" in line for line in below(calls)["figures"]["foot"])
    assert not any("Longest pattern" in line for line in below([A, A], max_cycle_period=2)["figures"]["foot"])


def test_the_grid_has_three_ways_of_same_by_ten_and_frames_the_one_in_force() -> None:
    rows = below([A, B] * 4, max_cycle_period=2)["figures"]["grid"]["rows"]
    assert [row["match"] for row in rows] == ["observation", "name-args", "name"]
    assert [cell["n"] for cell in rows[0]["cells"]] == ["1", *["4"] * 9]
    framed = [(row["match"], place + 1) for row in rows for place, cell in enumerate(row["cells"]) if cell["now"]]
    assert framed == [("observation", 2)]


def test_the_cycles_begin_with_what_is_over_and_end_with_what_is_not_counted() -> None:
    clock = [call("date", "now", str(n)) for n in range(4)]
    rows = below([*clock, *[B] * 2, *[A] * 5])["cycles"]["rows"]
    assert [row["cells"][-1] for row in rows] == [
        "over the limit at call 10",
        "counted",
        "not counted; it would be with same arguments",
    ]


@pytest.mark.parametrize(
    ("n_cycles", "all_cycles", "rows", "caption", "more"),
    [
        pytest.param(FIRST_CYCLES, False, FIRST_CYCLES, "", None, id="few"),
        pytest.param(20, False, FIRST_CYCLES, "the strongest 12 of 20", "Show all 20", id="more than at first"),
        pytest.param(20, True, 20, "", "Show fewer", id="all"),
        pytest.param(205, False, FIRST_CYCLES, "the strongest 12 of 205", "Show the strongest 200", id="very many"),
        pytest.param(205, True, MOST_CYCLES, "the strongest 200 of 205", "Show fewer", id="more than are shown"),
    ],
)
def test_many_cycles_are_cut_and_it_says_so(
    n_cycles: int, all_cycles: bool, rows: int, caption: str, more: str | None
) -> None:
    found = look([step for n in range(n_cycles) for step in [call(f"tool {n}")] * 2])
    shown = show_evidence(found, None, raw=None, whole=NOTHING, all_cycles=all_cycles)["cycles"]
    assert (len(shown["rows"]), shown["caption"]) == (rows, caption)
    assert (shown["more"] or {}).get("label") == more


def test_a_call_tells_where_it_stands_and_what_was_said_before_it() -> None:
    events = (
        Event(kind="reasoning", text="hm", call=1, turn=1),
        Event(kind="assistant", text="I look.", call=1, turn=1),
        Event(kind="reasoning", text="later", call=2, turn=2),
    )
    told = below([B, {**A, "failed": True}, A, A, A], 1, {"events": events})["call"]
    assert (told["title"], told["tool"]) == ("Call 2", "bash")
    assert [chip["text"] for chip in told["chips"]] == [
        "turn 2", "step 2 of 5", "copy 1 of 4", "× error", "byte 1", "call_1",
    ]  # fmt: skip
    assert [(block["title"], block.get("text")) for block in told["blocks"]] == [
        ("Reasoning", "hm"),
        ("Message", "I look."),
        ("Arguments", "a"),
        ("Output", "a"),
    ]
    assert told["blocks"][-1]["aside"] == "same as calls 3, 4, 5"


def test_missing_and_empty_outputs_are_told_apart() -> None:
    told = [below([A, call(out=None), call(out="")], chosen)["call"]["blocks"][-1]["text"] for chosen in (1, 2)]
    assert told == ["no result in the file", "empty"]


@pytest.mark.parametrize(
    ("length", "whole", "shown", "more", "note"),
    [
        pytest.param(SHOWN, False, SHOWN, None, None, id="short enough"),
        pytest.param(SHOWN + 1, False, SHOWN, "Show all 20,001 characters", None, id="cut at first"),
        pytest.param(SHOWN + 1, True, SHOWN + 1, None, None, id="shown in full when asked"),
        pytest.param(MOST + 1, False, SHOWN, "Show 500,000 characters", None, id="too long to show in full"),
        pytest.param(MOST + 1, True, MOST, None, "The first 500,000 of 500,001", id="as much as can be shown"),
    ],
)
def test_a_long_text_is_cut_and_says_so(length: int, whole: bool, shown: int, more: Any, note: Any) -> None:
    names = frozenset({"output"}) if whole else NOTHING
    block = show_evidence(look([call(out="x" * length)]), 0, raw=None, whole=names)["call"]["blocks"][-1]
    assert len(block["text"]) == shown
    assert block.get("more", {}).get("label") == more
    assert block.get("note", "").startswith(note) if note else "note" not in block


def test_every_recorded_result_is_shown_with_its_depth_and_every_problem() -> None:
    inner = GraderResult(name="max-repeat", type="max-repeat", passed=False, score=0.0, evidence="no")
    grade = GraderResult(name="all", type=None, passed=True, score=0.83, details=(inner,))
    problem = Problem(where="event 3", message="It has no type.")
    told = below([A], 0, {"grade": grade, "problems": (problem,)})["run"]
    assert [(row["depth"], row["cells"]) for row in told["recorded"]] == [
        (0, ["all", "", "✓ pass", "0.83", ""]),
        (1, ["max-repeat", "max-repeat", "✗ fail", "0.00", "no"]),
    ]
    assert told["problems"] == ["event 3: It has no type."]


def test_the_graders_sibling_is_shown_as_recorded_and_marked() -> None:
    grade = GraderResult(name="loop-outcome", type="loop-outcome", passed=True)
    told = below([A], 0, {"grade": grade})["run"]
    assert told["recorded"][0]["cells"][2] == "✓ pass, not judged here"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        pytest.param(b'"a\\nb"', "a\nb", id="a text stands as it is"),
        pytest.param(b'{"a": 1}', '{\n  "a": 1\n}', id="anything else is indented JSON"),
        pytest.param(b"not json", "not json", id="what is no JSON stands as it is"),
        pytest.param(b"NaN", "NaN", id="not a number"),
        pytest.param(b'"\xff"', '"\ufffd"', id="bytes that are no text"),
    ],
)
def test_values_are_shown_as_a_person_reads_them(raw: bytes, words: str) -> None:
    assert as_text(decoded(raw)) == words


@given(CALLS, st.integers(0, 15))
def test_every_call_of_every_run_can_be_told(calls: list[dict[str, Any]], chosen: int) -> None:
    shown = below(calls, chosen if chosen < len(calls) else None, max_cycle_period=3)
    assert (shown["call"] is None) == (chosen >= len(calls))

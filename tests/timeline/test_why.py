"""Why here, and why not there, in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.difference import MOST_FIELDS
from loopviz.analysis.inspection import Inspection
from loopviz.timeline.evidence import show_cycles
from loopviz.timeline.why import LONGEST_CELL, show_why
from loopviz.timeline.words import plain
from tests.detectors.test_max_repeat import CALLS, A, B, call
from tests.timeline.test_picture import look

PLAN = call("plan", out="p")
WIDE = [0] * (MOST_FIELDS + 1)
CLOCK = [call("sh", "health", f"at {n}") for n in range(5)]


HALF_EMPTY = [{**call(args=n), "turn": n} for n in range(8)]
HALF_EMPTY.insert(4, {**call("read", out=""), "turn": 3})


def why(found: Inspection, chosen: int) -> list[str]:
    return [plain(line) for line in show_why(found, chosen)["lines"]]


@pytest.mark.parametrize(
    ("calls", "settings", "chosen", "lines"),
    [
        pytest.param([A], {}, 0, ["In no pattern. No other step of this run gave the same output."], id="alone"),
        pytest.param(
            [B, A, call("ls")],
            {},
            1,
            [
                "In no pattern. No other step of this run gave the same output.",
                "Around it stand `read` (call 1) and `ls` (call 3), which are different.",
            ],
            id="between other tools",
        ),
        pytest.param(
            [A, B] * 3,
            {},
            2,
            [
                "In no pattern. The same step comes 3 times in this run, nearest at call 1, 2 steps before; "
                "but it never comes twice in a row.",
                "Around it stand `read` (call 2) and `read` (call 4), which are different.",
            ],
            id="always something in between",
        ),
        pytest.param(
            [call(out="1 of 9"), call(out="2 of 9")],
            {},
            1,
            [
                "In no pattern. No other step of this run gave the same output.",
                "The step before (call 1, `bash`) gave another output: it differs in 1 number.",
            ],
            id="another output before it",
        ),
        pytest.param(
            CLOCK,
            {},
            2,
            [
                "Not counted here. With same arguments calls 1–5 would be 5 in a row.",
                "One copy away, at call 2, the output differs in 1 number.",
                "The run ends with it.",
            ],
            id="found, not counted",
        ),
        pytest.param(
            [A, A, B],
            {},
            1,
            ["The next step (call 3, `read`) is different and ends the pattern."],
            id="a loop",
        ),
        pytest.param(
            [A, A, call(out="")],
            {},
            0,
            [
                "The next step (call 3, `bash`) gave an empty output and ends the pattern: "
                "an empty step matches no other."
            ],
            id="ended by an empty output",
        ),
        pytest.param(
            [A, A, call(out="")],
            {},
            2,
            [
                "Its output is empty: an empty step matches no other, so it ends any pattern and starts none.",
                "It ends `bash`, 2 times in a row.",
            ],
            id="the empty output itself",
        ),
        pytest.param(
            [A, PLAN, A],
            {"tools": ("bash",)},
            0,
            ["Turn 2 held only `plan`, which is not watched: copies 1 and 2 join across it.", "The run ends with it."],
            id="joined across an unwatched turn",
        ),
        pytest.param(
            [A, PLAN, A, PLAN, A, PLAN, A],
            {"tools": ("bash",)},
            0,
            [
                "3 calls in between are not watched (calls 2, 4, 6: `plan`), so they do not keep the copies apart.",
                "The run ends with it.",
            ],
            id="joined in many places",
        ),
        pytest.param(
            [A, PLAN, A],
            {"tools": ("bash",)},
            1,
            [
                "`plan` is not watched: it neither counts nor keeps others apart.",
                "Calls 1 and 3 are neighbours for the grader, and a pattern goes on across it.",
            ],
            id="an unwatched call",
        ),
        pytest.param(
            [PLAN, A], {"tools": ("bash",)}, 0, ["`plan` is not watched: it neither counts nor keeps others apart."],
            id="an unwatched call at the edge",
        ),
        pytest.param(
            [{**one, "turn": turn} for turn in range(2) for one in (A, B)],
            {},
            0,
            ["Its turn holds 2 watched calls: one step, in which the same call counts once.", "The run ends with it."],
            id="several calls in a turn",
        ),
        pytest.param(
            [call(args={"q": "a b", "n": 1}), *[call(args={"q": "c", "n": 1})] * 2],
            {"match": "name-args"},
            1,
            [
                "The step before (call 1, `bash`) has other arguments, so the pattern begins after it: "
                "against call 2 it differs in `q`.",
                "The run ends with it.",
            ],
            id="what stood before",
        ),
        pytest.param(
            [A, A, B, PLAN],
            {"tools": ("bash",)},
            0,
            ["No watched call comes after it; 2 calls that are not watched follow."],
            id="only what is watched ends",
        ),
        pytest.param(
            [{**one, "turn": turn} for turn in range(2) for one in (A, PLAN)],
            {"tools": ("bash",)},
            0,
            ["No watched call comes after it; 1 call that is not watched follows."],
            id="unwatched calls of its own turns lie not between",
        ),
        pytest.param(
            [A, PLAN, {**PLAN, "turn": 1}, A],
            {"tools": ("bash",)},
            0,
            ["Turn 2 held only `plan`, which is not watched: copies 1 and 2 join across it.", "The run ends with it."],
            id="joined across a turn of two calls",
        ),
        pytest.param(
            [call(out=WIDE), call(out=[*WIDE[1:], 1])],
            {},
            0,
            [
                "In no pattern. No other step of this run gave the same output.",
                "The step after (call 2, `bash`) gave another output: "
                "it differs in what lies beyond the first 2,000 fields.",
            ],
            id="beyond what is compared",
        ),
        pytest.param(
            [call(out=dict.fromkeys("abcde", n)) for n in (1, 2)],
            {},
            1,
            [
                "In no pattern. No other step of this run gave the same output.",
                "The step before (call 1, `bash`) gave another output: it differs in "
                "`a` (1 number), `b` (1 number), `c` (1 number), `d` (1 number) and 1 more field.",
            ],
            id="one more field",
        ),
        pytest.param(
            [{**call(args={"k": k}), "turn": n} for n, some in enumerate(((1,), (1, 2), (1,), (1, 3))) for k in some],
            {"match": "name-args"},
            1,
            [
                "Not counted here. With same output calls 1–6 would be 4 in a row.",
                "One copy away, call 3 against call 1, the arguments differ in `k` (1 number).",
                "Its turn holds 2 watched calls: one step, in which the same call counts once.",
                "The run ends with it.",
            ],
            id="the call of a turn that differs",
        ),
        pytest.param(
            [call(), call(out=""), call(), call()],
            {},
            0,
            [
                "Not counted here. With same arguments calls 1–4 would be 4 in a row.",
                "One copy away, the output of call 2 is empty, and an empty output matches nothing.",
                "The run ends with it.",
            ],
            id="an empty output one copy away",
        ),
        pytest.param(
            HALF_EMPTY,
            {"match": "name-args"},
            5,
            ["Not counted here. With same output calls 1–9 would be 8 in a row.", "The run ends with it."],
            id="a turn with some empty outputs, longest pattern 1",
        ),
        pytest.param(
            HALF_EMPTY[1:6],
            {"match": "name-args", "max_cycle_period": 2},
            0,
            [
                "Not counted here. With same output and longest pattern 1 calls 1–5 would be 4 in a row.",
                "One copy away, at call 2, the arguments differ in 1 number.",
                "The run ends with it.",
            ],
            id="longest pattern 1 would count more",
        ),
    ],
)  # fmt: skip
def test_why(calls: list[dict[str, Any]], settings: dict[str, Any], chosen: int, lines: list[str]) -> None:
    assert why(look(calls, **settings), chosen) == lines


def test_a_cycle_that_two_settings_keep_from_counting_names_both() -> None:
    calls = [call("sh", n % 2, f"at {n}") for n in range(10)]
    found = look(calls)
    assert why(found, 2)[0] == (
        "Not counted here. With same arguments and longest pattern 2 calls 1–10 would be 5 in a row."
    )
    shown = [row["cells"][-1] for row in show_cycles(found)["rows"]]
    assert "not counted; it would be with same arguments and longest pattern 2" in shown


@pytest.mark.parametrize(
    ("calls", "settings", "cell"),
    [
        pytest.param([A, A], {}, "end of the run", id="the end"),
        pytest.param([A, A, B], {"tools": ("bash",)}, "no watched call after it", id="the end of what is watched"),
        pytest.param(
            [call(out=WIDE), call(out=WIDE), call(out=[*WIDE[1:], 1])],
            {},
            "other output at call 3: beyond the first 2,000 …",
            id="beyond what is compared",
        ),
        pytest.param([A, A, B], {}, "different step: call 3, read", id="another tool"),
        pytest.param([A, A, call(out="")], {}, "empty output at call 3", id="an empty output"),
        pytest.param([A, A, call(out="x y\n1")], {}, "other output at call 3: no word in common", id="another output"),
        pytest.param(
            [call(out="a\n1"), call(out="a\n1"), call(out="a\n2")],
            {},
            "other output at call 3: 1 number in line 2",
            id="a number in it",
        ),
        pytest.param(
            [call(args={"q": "a", "id": n}) for n in (1, 1, 2)],
            {"match": "name-args"},
            "other arguments at call 3: id: 1 number",
            id="one argument",
        ),
        pytest.param(
            [A, A, call("a tool with a very, very, very long name of its own")],
            {},
            "different step: call 3, a tool with a very, ver…",
            id="cut",
        ),
    ],
)
def test_the_cell_that_says_what_ended_a_cycle(
    calls: list[dict[str, Any]], settings: dict[str, Any], cell: str
) -> None:
    row = show_cycles(look(calls, **settings))["rows"][0]
    assert row["cells"][6] == cell
    assert len(cell) <= LONGEST_CELL
    assert row["tip"].endswith(".")


@given(CALLS, st.sampled_from(["observation", "name-args", "name"]), st.booleans())
def test_every_call_is_given_a_reason(calls: list[dict[str, Any]], match: str, few: bool) -> None:
    found = look(calls, match=match, max_cycle_period=3, tools=("a",) if few else None)
    for chosen in range(len(calls)):
        assert all(why(found, chosen))
        assert len(why(found, chosen)) >= 1
    assert all(row["tip"] and row["cells"][6] for row in show_cycles(found, all_cycles=True)["rows"])

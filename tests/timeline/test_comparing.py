"""Two calls set against each other, in words and line by line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.difference import MOST_FIELDS, MOST_LINES
from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.timeline.comparing import MOST_SHOWN, compare_calls, show_comparison, tell_pair
from loopviz.timeline.words import plain
from tests.detectors.test_max_repeat import CALLS, A, B, call
from tests.timeline.test_picture import look


def edit(old: Any, out: Any = "error: not found", **more: Any) -> dict[str, Any]:
    return call("edit", {"path": "a.py", "old": old, **more}, out)


def against(found: Inspection, chosen: int, other: int) -> str:
    return plain(tell_pair(found, compare_calls(found, chosen, other)))


@pytest.mark.parametrize(
    ("before", "after", "settings", "words"),
    [
        pytest.param(
            A,
            A,
            {},
            "Same tool, same arguments, same output. "
            "So it counts as the same output, and would as the same arguments too.",
            id="nothing differs",
        ),
        pytest.param(
            edit("  if ch:"),
            edit("    if ch:"),
            {},
            "Same tool, same output. Arguments differ in 1 of 2 fields, `old`, and there in white space only. "
            "So it counts as the same output, and would not as the same arguments.",
            id="white space in one field",
        ),
        pytest.param(
            call(out="a\nb\n1 of 3, 5 %"),
            call(out="a\nb\n2 of 3, 9 %"),
            {},
            "Same tool, same arguments. Outputs are equal but for 2 numbers in line 3. "
            "So it does not count as the same output, and would as the same arguments.",
            id="two numbers in line 3",
        ),
        pytest.param(
            call(args="x", out="p"),
            call(args="y", out="q"),
            {},
            "Same tool. Arguments have no word in common. Outputs have no word in common. "
            "So it does not count as the same output, and would as the same tool.",
            id="nothing in common",
        ),
        pytest.param(
            call(args={"q": "x"}, out="p"),
            call(args={"q": "x", "n": 1}, out="p"),
            {"match": "name-args"},
            "Same tool, same output. Arguments differ in 1 of 2 fields, `n`, only in this one. "
            "So it does not count as the same arguments, and would as the same output.",
            id="a field more",
        ),
        pytest.param(
            edit("x y", n=1),
            edit("z", n=2),
            {"match": "name"},
            "Same tool, same output. Arguments differ in 2 of 3 fields: `n` (1 number), `old`. "
            "So it counts as the same tool, and would not as the same arguments.",
            id="several fields",
        ),
        pytest.param(
            call(out=None),
            call(out=None),
            {},
            "Same tool, same arguments. Both outputs are empty, and an empty output matches nothing, not even another "
            "empty one. So it does not count as the same output, and would as the same arguments.",
            id="both empty",
        ),
        pytest.param(
            A,
            call(out=""),
            {},
            "Same tool, same arguments. This one's output is empty, and an empty output matches nothing. "
            "So it does not count as the same output, and would as the same arguments.",
            id="one empty",
        ),
        pytest.param(
            call(out="the file a.py was not found on disk"),
            call(out="the tool b.py could be reached via net"),
            {},
            "Same tool, same arguments. Outputs differ in 7 of 9 words. "
            "So it does not count as the same output, and would as the same arguments.",
            id="two words in common",
        ),
        pytest.param(
            call(out=[0] * (MOST_FIELDS + 1)),
            call(out=[*[0] * MOST_FIELDS, 1]),
            {},
            "Same tool, same arguments. Outputs differ beyond the first 2,000 fields. "
            "So it does not count as the same output, and would as the same arguments.",
            id="beyond what is compared",
        ),
        pytest.param(
            call(out=[0] * (MOST_FIELDS + 1)),
            call(out=[1, "x", *[0] * (MOST_FIELDS - 1)]),
            {},
            "Same tool, same arguments. Outputs differ in 2 of the first 2,000 fields: `#1` (1 number), "
            "`#2` (another kind of value). So it does not count as the same output, and would as the same arguments.",
            id="among the first and perhaps beyond",
        ),
        pytest.param(
            call(out="\n".join(["head"] * 500 + [f"x {n}" for n in range(2 * MOST_LINES)])),
            call(out="\n".join(["head"] * 500 + [f"y {n} z" for n in range(2 * MOST_LINES)])),
            {},
            "Same tool, same arguments. Outputs differ in 2,000 of the 2,500 lines compared. "
            "So it does not count as the same output, and would as the same arguments.",
            id="more lines than are compared",
        ),
        pytest.param(A, B, {}, "Another tool: `read` instead of `bash`.", id="another tool"),
        pytest.param(
            call(args=None),
            call(args={}),
            {"match": "name-args"},
            "Same tool, same output. Arguments are of different kinds. "
            "So it does not count as the same arguments, and would as the same output.",
            id="missing arguments and empty ones",
        ),
    ],
)
def test_the_sentence(before: dict[str, Any], after: dict[str, Any], settings: dict[str, Any], words: str) -> None:
    assert against(look([before, after], **settings), 1, 0) == words


@pytest.mark.parametrize(
    ("unknown", "words"),
    [
        pytest.param(
            (True, True),
            "Arguments were not recorded, and are taken as different. Outputs were not recorded, and are taken as "
            "different. So it does not count as the same output, and would as the same tool.",
            id="of neither",
        ),
        pytest.param(
            (True, False),
            "The arguments of call 1 were not recorded, and are taken as different. The output of call 1 was not "
            "recorded, and is taken as different. So it does not count as the same output, and would as the same tool.",
            id="of the other",
        ),
        pytest.param(
            (False, True),
            "This one's arguments were not recorded, and are taken as different. This one's output was not recorded, "
            "and is taken as different. So it does not count as the same output, and would as the same tool.",
            id="of this one",
        ),
    ],
)
def test_what_was_not_recorded_and_is_taken_as_different(unknown: tuple[bool, bool], words: str) -> None:
    run = look([{**A, "unknown": missing} for missing in unknown])
    apart = inspect(RunSet([run.trajectory]), run.finding.settings, unknown="distinct")
    assert against(apart, 1, 0) == f"Same tool. {words}"
    assert against(run, 1, 0).startswith("Same tool, same arguments, same output.")


@pytest.mark.parametrize(
    ("calls", "chosen", "title", "choices"),
    [
        pytest.param([A], 0, None, [], id="the first call"),
        pytest.param([B, A], 1, None, [], id="the first of its tool"),
        pytest.param([A, A], 1, "Against call 1, the same call before it", [], id="the same call"),
        pytest.param(
            [call(out="at 1"), A, call(out="at 2")], 2, "Against call 2, the near-repeat before it", [], id="near"
        ),
        pytest.param(
            [edit("x y"), call("edit", {"path": "b", "k": "z", "n": 0}, "q r"), edit("z")],
            2,
            "Against call 1, the near-repeat before it",
            ["call 1, the near-repeat before it", "call 2, the call before it of this tool"],
            id="another in between",
        ),
        pytest.param(
            [call(args="x", out="p"), call(args="y", out="q")],
            1,
            "Against call 1, the call before it of this tool",
            [],
            id="nothing near",
        ),
    ],
)
def test_what_it_is_set_against(
    calls: list[dict[str, Any]], chosen: int, title: str | None, choices: list[str]
) -> None:
    blocks = show_comparison(look(calls), chosen, None)
    assert [f"{block['title']}, {block['aside']}" for block in blocks] == ([title] if title else [])
    assert [choice["label"] for block in blocks for choice in block["choices"]] == choices


def test_the_same_place_in_the_copy_before_can_be_chosen() -> None:
    step = [{**A, "turn": 0}, {**call(args="b", out="b"), "turn": 0}]
    calls = [{**one, "turn": turn} for turn in range(3) for one in step]
    (block,) = show_comparison(look(calls), 5, None)
    assert [choice["action"] for choice in block["choices"]] == ["compare=3", "compare=4"]
    (other,) = show_comparison(look(calls), 5, 4)
    assert [choice["now"] for choice in other["choices"]] == [False, True]


def test_any_call_can_be_asked_for_and_one_that_is_not_there_is_not() -> None:
    found = look([A, B, A])
    assert show_comparison(found, 2, 1)[0]["title"] == "Against call 2"
    assert [show_comparison(found, 2, other)[0]["title"] for other in (2, 3, -1)] == ["Against call 1"] * 3


def test_the_lines_of_each_field_that_differs() -> None:
    found = look([edit("  if ch:\n    a"), edit("    if ch:\n    a")])
    (block,) = show_comparison(found, 1, None)
    assert block["signs"] == ["− call 1", "+ call 2"]
    (text,) = block["texts"]
    assert text["title"] == "old"
    assert [(row["sign"], row["pieces"]) for row in text["rows"]] == [
        ("−", [["  ", False], ["if ch:", False]]),
        ("+", [["  ", False], ["  ", True], ["if ch:", False]]),
        (" ", [["    a", False]]),
    ]


def test_very_many_fields_are_cut_and_it_says_so() -> None:
    many = [{f"f{n:02}": f"{n} {word}" for n in range(MOST_SHOWN + 4)} for word in ("x y", "z")]
    (block,) = show_comparison(look([call(args=one, out="o") for one in many]), 1, None)
    assert [text["title"] for text in block["texts"]] == [f"f{n:02}" for n in range(MOST_SHOWN)]
    assert block["note"] == "4 more fields that differ are not shown."
    assert "and 9 more" in plain(block["sentence"])


@given(CALLS, st.sampled_from(["observation", "name-args", "name"]))
def test_every_pair_of_calls_can_be_told_and_sent(calls: list[dict[str, Any]], match: str) -> None:
    found = look(calls, match=match, max_cycle_period=3)
    for chosen in range(min(len(calls), 5)):
        for other in range(len(calls)):
            json.dumps(show_comparison(found, chosen, other))
            pair = compare_calls(found, chosen, other)
            assert pair.same["name"] == (calls[chosen]["tool"] == calls[other]["tool"])
            assert pair.same["name-args"] == (pair.same["name"] and not pair.arguments)

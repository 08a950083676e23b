"""What was seen before, as a person reads it."""

from __future__ import annotations

from typing import Any

from loopviz.timeline.seeing import NAMED, POINTS, PREVIEW, show_seen
from loopviz.timeline.words import plain
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import A, B, call


def seen(calls: list[dict[str, Any]], **settings: Any) -> dict[str, Any]:
    shown = show_seen(look(calls, **settings))
    assert shown is not None
    return shown


def test_without_a_watched_call_there_is_nothing_to_see() -> None:
    assert show_seen(look([])) is None
    assert show_seen(look([A], tools=["read"])) is None


def test_a_run_that_repeats_nothing_says_so() -> None:
    shown = seen([A, B])
    assert [plain(line) for line in shown["lines"]] == [
        "No call repeats an earlier one by its tool and arguments.",
        "No call gave an output that the same tool gave before.",
    ]
    assert shown["rows"] == []


def test_always_something_in_between() -> None:
    shown = seen([part for n in range(4) for part in (A, call("edit", f"{n}", f"{n}"))])
    assert [plain(line) for line in shown["lines"]] == [
        "3 of 8 calls (38 %) repeat an earlier one by tool and arguments: first call 3, which was seen before as "
        "call 1.",
        "3 of 8 calls (38 %) gave an output that the same tool gave before.",
    ]
    assert [(row["times"], plain(row["what"]), plain(row["calls"]), row["row"]) for row in shown["rows"]] == [
        ("4", '`bash` "a"', "1, 3, 5, 7", "never twice in a row")
    ]
    assert [part["action"] for part in shown["rows"][0]["calls"] if "action" in part] == [
        f"call={n}" for n in (0, 2, 4, 6)
    ]


def test_one_call_repeats() -> None:
    assert plain(seen([A, A, B])["lines"][0]).startswith("1 of 3 calls (33 %) repeats an earlier one by tool")


def test_the_line_is_level_where_a_call_was_seen_before() -> None:
    line = seen([A, A, B, A])["line"]
    assert (line["x"], line["y"], line["label"]) == ([0.25, 0.5, 0.75, 1], [0.25, 0.25, 0.5, 0.5], "2 distinct of 4")


def test_a_long_run_is_drawn_by_evenly_spaced_calls_with_the_last() -> None:
    line = seen([call(args=n % 700) for n in range(1_000)])["line"]
    assert len(line["x"]) == POINTS
    assert (line["x"][-1], line["y"][-1], line["label"]) == (1, 0.7, "700 distinct of 1,000")


def test_many_calls_and_long_arguments_are_cut_and_say_so() -> None:
    row = seen([call(args="x" * 500)] * (NAMED + 3))["rows"][0]
    assert plain(row["calls"]).endswith("12 and 3 more")
    assert row["row"] == "at most 15 in a row"
    assert plain(row["what"]).endswith("x…")
    assert len(plain(row["what"])) < PREVIEW + 20

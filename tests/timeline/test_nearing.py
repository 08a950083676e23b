"""The section of near-repeats."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.difference import MOST_FIELDS
from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import Unknown
from loopviz.timeline import nearing
from loopviz.timeline.nearing import FIRST_GROUPS, show_near
from loopviz.timeline.words import plain
from tests.detectors.test_max_repeat import A, B, call
from tests.timeline.test_picture import look

CLOCK = [call("sh", "health", f"at {n}") for n in range(4)]
IDS = [call("find", {"q": "how", "request_id": word}, "hits") for word in ("p q", "r s", "t u", "v w")]


def told(calls: list[dict[str, Any]], **settings: Any) -> list[tuple[str, ...]]:
    section = show_near(look(calls, **settings), None)
    rows = section["rows"] if section else []
    sides = ("arguments", "outputs", "same")
    return [(row["tool"], row["n"], row["row"], *(plain(row[side]) for side in sides)) for row in rows]


@pytest.mark.parametrize(
    ("calls", "rows"),
    [
        pytest.param([A, B], [], id="nothing repeats"),
        pytest.param([A, B] * 4, [("bash", "4", "never two", "same", "same", "same output · same arguments"),
                                  ("read", "4", "never two", "same", "same", "same output · same arguments")],
                     id="two take turns, and longest pattern 1 counts nothing"),
        pytest.param(
            CLOCK, [("sh", "4", "4", "same", "equal but for 1 number · 4 values", "same arguments")], id="a clock"
        ),
        pytest.param(IDS, [("find", "4", "4", "only `request_id` differs · 4 values", "same", "same output")], id="id"),
        pytest.param(
            [call("sh", {"command": f"trace tile{n}"}, f"tile{n} ok") for n in range(4)],
            [("sh", "4", "4", "only `command` differs in 1 word · 4 values", "equal but for 1 word · 4 values",
              "same tool only")],
            id="both",
        ),
        pytest.param(
            [part for n in range(4) for part in (call("sh", "x", None), call("sh", f"{n} y", "z"))][:-1],
            [("sh", "4", "never two", "same", "empty", "same arguments")],
            id="empty outputs are not the same output",
        ),
        pytest.param(
            [call("get", {"page": n, "q": "v1" if n < 13 else "v2"}, "ok") for n in range(20)],
            [("get", "20", "20", "only `page` and `q` differ · 20 values", "same", "same output")],
            id="what differs late",
        ),
        pytest.param(
            [call("t", "c", out) for out in ("a 1\nb 1\nc", "a 2\nb 1\nc", "a 2\nb 2\nc")],
            [("t", "3", "3", "same", "equal but for 2 numbers in lines 1 and 2 · 3 values", "same arguments")],
            id="what differs one at a time",
        ),
        pytest.param(
            [call("t", {"q": 1, "x": x}, "o") for x in (1, "s")] + [B, call("t", {"q": 1, "x": [1]}, "o")],
            [("t", "3", "2", "only `x` differs, also in the kind of value · 3 values", "same", "same output")],
            id="kinds of value",
        ),
        pytest.param(
            [call("t", "c", [0] * MOST_FIELDS + [n]) for n in range(3)],
            [("t", "3", "3", "same", "differ beyond the first 2,000 fields · 3 values", "same arguments")],
            id="beyond what is compared",
        ),
        pytest.param(
            [call("t", "c", out) for out in ("", None) * 3],
            [("t", "6", "6", "same", "empty", "same arguments")],
            id="empty in two ways",
        ),
    ],
)  # fmt: skip
def test_rows(calls: list[dict[str, Any]], rows: list[tuple[str, ...]]) -> None:
    assert told(calls)[: len(rows)] == rows
    assert bool(told(calls)) == bool(rows)


@pytest.mark.parametrize(
    ("unknown", "cells"),
    [
        pytest.param("equal", ("not recorded · taken as equal", "same output · same arguments"), id="as equal"),
        pytest.param("distinct", ("not recorded · taken as different", "same tool only"), id="as different"),
    ],
)
def test_what_was_not_recorded(unknown: Unknown, cells: tuple[str, str]) -> None:
    run = look([part for _ in range(4) for part in ({**A, "unknown": True}, B)])
    apart = inspect(RunSet([run.trajectory]), run.finding.settings, unknown=unknown)
    section = show_near(apart, None)
    assert section is not None
    row = next(row for row in section["rows"] if row["tool"] == "bash")
    assert (plain(row["arguments"]), plain(row["outputs"]), plain(row["same"])) == (cells[0], cells[0], cells[1])


def test_some_that_were_not_recorded_are_counted() -> None:
    section = show_near(look([{**one, "unknown": n < 2} for n, one in enumerate(CLOCK)]), None)
    assert section is not None
    assert plain(section["rows"][0]["arguments"]) == "same · 2 not recorded"


def test_what_the_cycles_tell_is_not_told_again() -> None:
    assert told([A, B] * 4, max_cycle_period=2) == []


def test_the_way_of_same_in_force_is_set_in_semibold() -> None:
    section = show_near(look(IDS), None)
    assert section is not None
    assert [part["kind"] for part in section["rows"][0]["same"]] == ["strong"]


def test_a_row_opens_the_comparison_of_the_first_two() -> None:
    section = show_near(look([B, *CLOCK]), None)
    assert section is not None
    assert section["rows"][0]["action"] == "call=2&compare=1"


def test_many_groups_are_cut_and_it_says_so() -> None:
    calls = [call(f"t{n % 8}", n % 8, f"{n} o'clock") for n in range(32)]
    few, every = show_near(look(calls), None), show_near(look(calls), "all")
    assert few is not None and every is not None
    assert (len(few["rows"]), few["caption"]) == (FIRST_GROUPS, "the strongest 6 of 8")
    assert (few["more"]["action"], len(every["rows"]), every["more"]["label"]) == ("near=all", 8, "Show fewer")


def test_a_run_of_very_many_calls_is_looked_through_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearing, "AT_ONCE", 3)
    at_first, asked = show_near(look(CLOCK), None), show_near(look(CLOCK), "look")
    assert at_first is not None and asked is not None
    assert (at_first["rows"], at_first["more"]["label"]) == ([], "Look through 4 calls")
    assert len(asked["rows"]) == 1
    nothing = show_near(look([A, B] * 2), "look")
    assert nothing is not None and nothing["caption"] == "none found"

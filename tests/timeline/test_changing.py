"""What would change it, in words: which rows, what they say, what a click asks for."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from loopviz.analysis import changes
from loopviz.timeline.changing import FEW, show_changes
from loopviz.timeline.words import plain
from tests.detectors.test_max_repeat import call
from tests.timeline.test_picture import look

LOOP = [call("edit", out="a"), *[call("run_tests", out="failed")] * 5, call("bash", out="b")]
MANY = [call(f"tool {n}", out=str(n)) for n in range(20)]

Row = tuple[str, str, str, str]


def told(rows: list[dict[str, Any]]) -> list[Row]:
    """(setting, times in a row, verdict and what it is instead of, action)."""
    return [
        (
            plain(row["parts"]),
            row["n"],
            " ".join(filter(None, (row["verdict"], row.get("aside")))),
            row.get("action", ""),
        )
        for row in rows
    ]


def test_a_run_without_calls_has_no_row_about_tools() -> None:
    shown = show_changes(look([]))
    assert shown["tools"] == []
    assert shown["more"] is None


def test_the_only_watched_tool_alone_is_a_row_about_tools() -> None:
    shown = show_changes(look([call("bash"), call("edit")], tools=("^bash$",)))
    assert not [row for row in told(shown["settings"]) if "alone" in row[0]]
    assert ("`bash` alone", "1", "PASS", "tools=%5Ebash%24") in told(shown["tools"])


def test_settings_of_a_failing_run() -> None:
    assert told(show_changes(look(LOOP, match="name-args"))["settings"]) == [
        ("as now 3 allowed, longest pattern 1, same arguments", "5", "FAIL", ""),
        ("5 allowed the least that passes", "5", "PASS instead of FAIL", "max=5"),
        ("same output observation", "5", "FAIL", "match=observation"),
        ("same tool name", "5", "FAIL", "match=name"),
        ("longest pattern 2 to 10", "5", "FAIL", "max_cycle_period=2"),
    ]


def test_tools_of_a_failing_run() -> None:
    rows = told(show_changes(look(LOOP))["tools"])
    assert rows[0] == ("without `run_tests`", "1", "PASS instead of FAIL", "tools=%5E%28%3F%21run_tests%24%29")
    assert [row[0] for row in rows[1:3]] == ["without `edit`", "without `bash`"]
    assert parse_qs(rows[0][3]) == {"tools": ["^(?!run_tests$)"]}


def test_every_tool_again_where_some_are_left_out() -> None:
    shown = show_changes(look(LOOP, tools=("edit", "bash")))
    assert told(shown["settings"])[0][0].endswith("same output, 2 tool patterns")
    assert told(shown["tools"])[0] == ("every tool watched", "5", "FAIL instead of PASS", "tools=")


def test_rows_that_change_nothing_fold_away_where_there_are_many() -> None:
    few, everything = show_changes(look([*MANY, *LOOP])), show_changes(look([*MANY, *LOOP]), everything=True)
    assert [row[0] for row in told(few["tools"])] == ["without `run_tests`"]
    assert few["more"] == {"label": "Show all 46 rows about tools", "action": "changes=all"}
    assert len(everything["tools"]) == 46
    assert everything["more"] == {"label": "Show fewer", "action": "changes=few"}


def test_a_few_rows_have_no_button() -> None:
    shown = show_changes(look(LOOP))
    assert len(shown["tools"]) <= FEW
    assert shown["more"] is None


def test_rows_that_take_long_wait_for_a_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "AT_ONCE", 10)
    shown = show_changes(look(LOOP))
    assert shown["tools"] == []
    assert shown["more"] == {"label": "Show what each tool does", "action": "changes=all"}
    assert show_changes(look(LOOP), everything=True)["tools"]

"""A tool ignored, or with a limit of its own, in words."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.analysis.tool_rules import leave_out, limit_apart
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.tool_rules import SHOWN, tell_left_out, tell_others, tell_own_limit, tool_buttons
from loopviz.timeline.words import plain
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of

KEPT_APART = [call("bash", out="x"), call("wait", out="w")] * 4


def look(calls: list[dict[str, Any]], **settings: Any) -> tuple[RunSet, Inspection]:
    runs = RunSet([trajectory_of(calls)])
    return runs, inspect(runs, MaxRepeatSettings(**{"max": 3, **settings}))


def ignored(calls: list[dict[str, Any]], tool: str, **settings: Any) -> dict[str, Any]:
    runs, found = look(calls, **settings)
    return tell_left_out(found, leave_out(runs, found, tool), None)


def limited(calls: list[dict[str, Any]], tool: str, limit: int | None = None, **settings: Any) -> dict[str, Any]:
    runs, found = look(calls, **settings)
    return tell_own_limit(found, limit_apart(runs, found, tool, limit), None)


def rows(told: dict[str, Any]) -> dict[str, str]:
    return {row["label"]: plain(row["parts"]) for row in told["rows"]}


def test_an_unwatched_tool_can_be_neither_ignored_nor_limited() -> None:
    _, found = look(KEPT_APART, tools=("bash",))
    assert tool_buttons(found, 1) == []
    assert [button["label"] for button in tool_buttons(found, 0)] == ["Ignore this tool", "Own limit for this tool"]


def test_ignoring_what_changes_nothing() -> None:
    told = ignored([call("bash", out="x"), call("edit", out="y"), call("wait", out="w")], "wait")
    assert plain(told["title"]) == "Without `wait`"
    assert rows(told) == {
        "This run": "PASS, 1 in a row → PASS, 1 in a row; 3 are allowed",
        "No longer watched": "1 of 3 calls",
    }
    assert told["warning"] is None
    assert told["cycles"]["rows"] == [] and told["cycles"]["foot"] == "No cycle changes."
    assert told["written"]["text"] == "^(?!wait$)"
    assert parse_qs(told["apply"]["action"]) == {"tools": ["^(?!wait$)"]}


def test_ignoring_the_only_tool_leaves_nothing_to_count() -> None:
    assert (
        rows(ignored([call(out="x")] * 4, "bash"))["This run"]
        == "FAIL, 4 in a row → PASS, no watched call; 3 are allowed"
    )


def test_a_new_loop_is_warned_of_where_the_tool_waits_in_a_loop_of_its_own() -> None:
    calls = [*[call("bash", out="x")] * 2, *[call("wait", out="w")] * 4, *[call("bash", out="x")] * 2]
    told = ignored(calls, "wait")
    assert plain(told["warning"]).startswith("This makes a new loop. `bash` 4 times in a row, calls 1–8,")
    assert [(row["fate"], row["pattern"], row["was"], row["then"]) for row in told["cycles"]["rows"]] == [
        ("joined, new loop", "bash", "2 + 2", "4"),
        ("goes", "wait", "4", "–"),
    ]
    assert limited(calls, "wait")["warning"] == told["warning"]


def test_names_that_begin_with_a_closing_sign_are_set_apart() -> None:
    assert plain(ignored([call(".x")] * 2, ".x")["title"]) == "Without `.x`"


def test_a_new_loop_is_warned_of() -> None:
    told = ignored(KEPT_APART, "wait")
    assert plain(told["warning"]) == (
        "This makes a new loop. `bash` 4 times in a row, calls 1–7, is over the limit. "
        "Now calls of `wait` keep it apart."
    )
    assert told["cycles"]["rows"][0] | {"action": ""} == {
        "fate": "appears, new loop",
        "strong": True,
        "pattern": "bash",
        "was": "–",
        "then": "4",
        "calls": "1–7",
        "action": "",
    }


def test_the_strongest_changes_are_shown() -> None:
    calls = [
        one for n in range(9) for one in (call("bash", out=str(n)), call("wait", out="w"), call("bash", out=str(n)))
    ]
    told = ignored(calls, "wait")["cycles"]
    assert len(told["rows"]) == SHOWN
    assert told["foot"] == "and 3 more"


def test_a_limit_of_its_own() -> None:
    told = limited([call("wait", out="w")] * 5 + [call("bash", out="x")], "wait")
    assert rows(told) == {
        "This run": "FAIL, 5 in a row → PASS: both graders pass",
        "wait": "PASS, 5 in a row; 5 are allowed",
        "Everything else": "PASS, 1 in a row; 3 are allowed",
    }
    assert told["limit"] == {"n": "5", "less": "treat=limit&name=0&limit=4", "more": "treat=limit&name=0&limit=6"}
    assert told["apply"] is None
    assert told["cycles"]["rows"] == [], "its own cycle is judged by the other grader"


def test_a_limit_of_one_cannot_be_lowered() -> None:
    assert limited([call("wait", out="w")], "wait", 1)["limit"]["less"] is None


def test_a_tool_watched_alone_may_stand_side_by_side() -> None:
    told = limited(KEPT_APART, "wait", 3)
    assert rows(told)["wait"] == "FAIL, 4 in a row; 3 are allowed · other calls stand in between and do not separate it"
    assert rows(told)["This run"].endswith("→ FAIL: both graders fail")


@pytest.mark.parametrize(
    ("n_judged", "changed", "lead"),
    [
        (1, False, "The other run, judged by the settings on this page with and without it, keeps its verdict."),
        (7, False, "7 other runs, judged by the settings on this page with and without it: none changes its verdict."),
        (7, True, "7 other runs, judged by the settings on this page with and without it:"),
    ],
)
def test_other_runs(n_judged: int, changed: bool, lead: str) -> None:
    groups = [{"words": "1 newly fail", "runs": [{"text": "a"}] if changed else [], "more": ""}]
    told = tell_others(n_judged, groups, n_graders=1)
    assert told == {"lead": lead, "groups": groups if changed else []}

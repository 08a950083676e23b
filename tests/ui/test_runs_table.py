"""The cells of the table of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loopviz.timeline.contract import CycleState
from loopviz.ui.runs_facts import facts_of
from loopviz.ui.runs_table import FIXED, GROUPS, Sort, clock, columns_of, money, show_table
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial, without_trajectory

pytestmark = pytest.mark.usefixtures("as_recorded")

COUNTED, OVER = int(CycleState.COUNTED), int(CycleState.OVER)


def cells(folder: Path, *records: dict[str, Any]) -> list[dict[str, Any]]:
    """Each row of the table, by column."""
    opened, judged = judged_runs(folder, records)
    table = show_table(opened, judged, range(len(records)), Sort())
    names = [column["name"] for column in table["columns"]]
    return [dict(zip(names, row["cells"], strict=True)) for row in table["rows"]]


def test_a_run_that_passes(tmp_path: Path) -> None:
    record = trial("abca", number=1, said=True, score=0.75, tokens=147_000, cost=0.456, duration_s=115)
    assert cells(tmp_path, record) == [
        {
            "name": "fix-failing-test",
            "trial": "2",
            "model": "large-3",
            "status": "success",
            "verdict": {"text": "✓ pass", "look": "pass", "tip": ""},
            "row": "1",
            "pattern": "–",
            "said": {"text": "✓ pass", "apart": False},
            "score": "✓ 0.75",
            "turns": "4",
            "calls": "4",
            "ladder": {"level": 0, "text": "0"},
            "thrash": "–",
            "share": "0 %",
            "tokens": "147 k",
            "cost": "0.46",
            "time": "1:55",
        }
    ]


def test_a_run_that_fails_and_of_which_vally_said_otherwise(tmp_path: Path) -> None:
    record = trial(
        "ababababcc", graders=({"max": 3, "max_cycle_period": 2},), said=True, score=0.58, tools="search read"
    )
    row = cells(tmp_path, record)[0]
    assert row["verdict"] == {"text": "✗ FAIL", "look": "fail", "tip": ""}
    assert row["row"] == {"text": "4", "strong": True}
    assert row["pattern"] == {
        "letters": ["a", "b"],
        "period": 2,
        "state": OVER,
        "text": "× 4",
        "tip": "search → read",
    }
    assert row["said"] == {"text": "≠ ✓ pass", "apart": True}
    assert row["score"] == "✗ 0.58"


def test_a_run_that_could_not_be_judged(tmp_path: Path) -> None:
    row = cells(tmp_path, without_trajectory(graders=({"max": 3},)), trial("ab", said=True))[0]
    assert row.pop("verdict") == {"text": "– not judged", "look": "none", "tip": "The record holds no trajectory."}
    recorded = {"name": "update-dependency", "trial": "1", "model": "large-3", "status": "error", "time": "10:00"}
    assert row == {**dict.fromkeys(row, "–"), **recorded}


@pytest.mark.parametrize(
    ("steps", "bound", "letters", "state"),
    [
        pytest.param("aabc", 1, ["a"], COUNTED, id="one letter, within the limit"),
        pytest.param("abcd" * 5, 4, list("abcd"), OVER, id="four letters"),
        pytest.param("abcdefg" * 4, 7, ["a", "b", "…", "g"], OVER, id="a long pattern is cut in its middle"),
    ],
)
def test_a_pattern_shows_its_letters(steps: str, bound: int, letters: list[str], state: int, tmp_path: Path) -> None:
    pattern = cells(tmp_path, trial(steps, graders=({"max": 3, "max_cycle_period": bound},)))[0]["pattern"]
    assert (pattern["letters"], pattern["state"]) == (letters, state)


def test_what_no_run_has_is_no_column(tmp_path: Path) -> None:
    bare = trial("ab")
    bare["trajectory"]["metrics"] = {}
    for field in ("model", "status", "durationMs"):
        del bare[field]
    opened, _ = judged_runs(tmp_path, [bare])
    names = [column.name for column in columns_of(facts_of(opened.runs))]
    assert names == ["name", "trial", "verdict", "row", "pattern", "turns", "calls", "ladder", "thrash", "share"]


def test_groups_that_the_person_hid_are_gone(tmp_path: Path) -> None:
    opened, judged = judged_runs(tmp_path, [trial("ab", said=True)])
    hidden = [group for group in GROUPS if group not in FIXED]
    table = show_table(opened, judged, [0], Sort(), hidden)
    assert {column["group"] for column in table["columns"]} == set(FIXED)


def test_a_row_links_to_the_grader_that_decides(tmp_path: Path) -> None:
    record = trial("abbbbb", graders=({"max": 3, "tools": ["^tool_a$"]}, {"max": 3}))
    opened, judged = judged_runs(tmp_path, [record])
    row = show_table(opened, judged, [0], Sort())["rows"][0]
    assert row["href"] == f"./?run={opened.key(0)}&grader=2"
    assert row["action"] == "run=0"


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (7.4, "0:07"), (196, "3:16"), (600, "10:00"), (3725, "1:02:05")]
)
def test_time_as_a_clock_shows_it(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


@pytest.mark.parametrize(
    ("cost", "shown"),
    [(0, "0.00"), (0.0001, "< 0.001"), (0.0044, "0.004"), (0.01, "0.01"), (1.474, "1.47"), (1e4, "10,000.00")],
)
def test_small_costs_do_not_vanish(cost: float, shown: str) -> None:
    assert money(cost) == shown

"""The list of runs worth a look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loopviz.timeline.words import plain
from loopviz.ui.runs_findings import show_findings
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial, without_trajectory

pytestmark = pytest.mark.usefixtures("as_recorded")


def shown(folder: Path, *records: dict[str, Any]) -> dict[str, Any]:
    return show_findings(*judged_runs(folder, records))


@pytest.mark.parametrize(
    ("records", "title", "names"),
    [
        pytest.param([trial("abc")], "", [], id="nothing repeats"),
        pytest.param([without_trajectory()], "", [], id="not judged"),
        pytest.param([trial("ab", graders=({"max": 1},))], "", [], id="once, as one is allowed"),
        pytest.param(
            [trial("aabc", number=0), trial("aaabc", number=1)],
            "At the limit",
            ["trial 2"],
            id="one stands at its limit",
        ),
        pytest.param(
            [trial("aaa", number=0), trial("aab", number=1, said=False)], "", ["trial 2"], id="Vally said FAIL, we pass"
        ),
        pytest.param(
            [trial("aaaa", number=0), trial("aab", number=1, said=False), trial("a" * 9, number=2)],
            "",
            ["trial 3", "trial 1", "trial 2"],
            id="failing ones first, the highest figure first",
        ),
    ],
)
def test_which_runs_are_listed(records: list[dict[str, Any]], title: str, names: list[str], tmp_path: Path) -> None:
    found = shown(tmp_path, *records)
    assert found["title"] == title
    assert [item["title"] for item in found["items"]] == [f"fix-failing-test, {name}" for name in names]


def test_what_is_said_of_a_failing_run(tmp_path: Path) -> None:
    item = shown(tmp_path, trial("cdaaaaab", number=3, said=True, score=0.83, tools="npm_test"))["items"][0]
    assert item["title"] == "fix-failing-test, trial 4"
    assert item["pattern"]["text"] == "× 5"
    assert item["mark"] == "≠ Vally said PASS"
    assert plain(item["sentence"]) == "`npm_test` gave the same output 5 times in a row; 3 are allowed."
    assert item["place"]["text"] == "turn 6 (call 6)"
    assert item["place"]["action"] == "run=0&call=5"
    assert "call=6" in item["place"]["href"]
    assert item["trial"] == "max-repeat ✗ · trial passed 0.83\u00a0≥\u00a00.70"


def test_what_is_said_of_a_pass_that_vally_failed(tmp_path: Path) -> None:
    item = shown(tmp_path, trial("aab", said=False, tools="npm_test"))["items"][0]
    assert item["mark"] == "≠ Vally said FAIL"
    assert plain(item["sentence"]) == "`npm_test` at most 2 in a row; 3 are allowed."
    assert item["place"] is None
    assert item["trial"] == "max-repeat ✓ · trial passed"


def test_a_grader_among_several_is_named(tmp_path: Path) -> None:
    item = shown(tmp_path, trial("aaaab", graders=({"max": 9}, {"max": 3})))["items"][0]
    assert item["trial"] == "grader-1 ✗"


@pytest.mark.parametrize(("failing", "more"), [(5, ""), (6, "1 more fails"), (1_007, "1,002 more fail")])
def test_more_failing_runs_are_counted(failing: int, more: str, tmp_path: Path) -> None:
    found = shown(tmp_path, *[trial("aaaa", number=number) for number in range(failing)])
    assert len(found["items"]) == 5
    assert found["more"] == more

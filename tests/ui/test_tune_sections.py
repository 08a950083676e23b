"""What the sections of the Tune page show: the settings box, graders, grids, flips, groups, pins and the queue."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Trajectory
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, label_of
from loopviz.ui.tune.fit import show_counts, show_curve, show_fit
from loopviz.ui.tune.flips import show_flips, show_groups
from loopviz.ui.tune.graders import show_graders
from loopviz.ui.tune.grids import show_grids
from loopviz.ui.tune.pins import pins_in_words, show_pins, show_queue
from loopviz.ui.tune.settings_box import current_in_words, failing
from loopviz.ui.tune.watching import tools_in_words
from tests.ui.tune_by_hand import grader, said_of, tuned_of
from tests.ui.vally_trials import trial

TOOLS = "search read_page edit_file"
RUNS = [
    trial("aaaaaac", stimulus="fix", number=0, model="small", score=0.2, tools=TOOLS),
    trial("abcabc", stimulus="fix", number=1, model="large", score=0.9, tools=TOOLS),
    trial("bbbbac", stimulus="ship", number=0, model="small", score=0.9, tools=TOOLS),
    trial("abc", stimulus="ship", number=1, model="large", score=0.9, tools=TOOLS),
]
"""Six, one, four and one in a row; all are judged by max 3."""


def pinned(trajectory: Trajectory) -> Iterable[Label]:
    """Pins the first four calls: a loop in `fix`, none in `ship`; the first trial of each alone."""
    if trajectory.trial == 0:
        yield label_of(trajectory, LOOP if trajectory.stimulus == "fix" else NOT_A_LOOP, calls=(1, 4), pin=True)


class TestSettingsBox:
    def test_current_settings_stand_in_the_columns(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        assert current_in_words(tuned) == {
            "max": "3",
            "max_cycle_period": "1",
            "match": "same output",
            "tools": "every tool",
            "fails": "2 of 4 · 50.0 %",
        }
        assert failing(tuned, candidate=True) == "1 of 4 · 25.0 %"

    def test_what_differs_between_runs_varies(self, tmp_path: Path) -> None:
        others = trial("ab", stimulus="other", graders=({"max": 5, "tools": ["^x$"]},))
        told = current_in_words(tuned_of(tmp_path, [*RUNS, others], grader(5)))
        assert (told["max"], told["match"], told["tools"]) == ("varies", "same output", "varies")

    @pytest.mark.parametrize(
        ("watched", "words"),
        [
            pytest.param(["a", "b"], "every tool (2)", id="all"),
            pytest.param([], "none of 2 tools", id="none"),
            pytest.param(["b"], "b (1 of 2)", id="some"),
        ],
    )
    def test_watched_tools(self, watched: list[str], words: str) -> None:
        assert tools_in_words(watched, 2) == words

    def test_many_watched_tools_are_counted(self) -> None:
        assert tools_in_words([f"t{n}" for n in range(9)], 12) == "t0, t1, t2, t3, t4, t5 and 3 more (9 of 12)"


class TestGraders:
    def test_one_grader_is_folded(self, tmp_path: Path) -> None:
        shown = show_graders(tuned_of(tmp_path, RUNS, grader(5)))
        assert (shown["open"], shown["together"], shown["warnings"]) == (False, "", [])
        assert shown["rows"][0]["tools"] == "every tool (3)"

    def test_several_are_judged_each_and_together(self, tmp_path: Path) -> None:
        entries = (grader(3, tools=("^search$",)), grader(3, name="reads", tools=("^read",)))
        shown = show_graders(tuned_of(tmp_path, RUNS, *entries))
        assert [row["fails"] for row in shown["rows"]] == ["1 of 4", "1 of 4"]
        assert (shown["open"], shown["together"], shown["summary"]) == (True, "2 of 4", "2, of which 2 on")

    def test_one_that_is_off_does_not_count(self, tmp_path: Path) -> None:
        entries = (grader(3, tools=("^search$",)), grader(3, name="reads", tools=("^read",), on=False))
        assert show_graders(tuned_of(tmp_path, RUNS, *entries))["together"] == "1 of 4"

    def test_a_name_that_vally_refuses_is_told(self, tmp_path: Path) -> None:
        shown = show_graders(tuned_of(tmp_path, RUNS, grader(5, name="No Loops")))
        assert shown["warnings"] == [
            "The name of the grader is 'No Loops'; it must be small letters, digits and single hyphens: no-loops."
        ]


class TestGrids:
    def cells(self, tmp_path: Path, *, everything: bool = False) -> list[dict[str, Any]]:
        shown = show_grids(tuned_of(tmp_path, RUNS, grader(3)), None, everything=everything)
        return [cell for grid in shown["grids"] for row in grid["rows"] for cell in row["cells"]]

    def test_both_rings_may_stand_on_one_cell(self, tmp_path: Path) -> None:
        rings = [(cell["current"], cell["candidate"]) for cell in self.cells(tmp_path)]
        assert [ring for ring in rings if any(ring)] == [(True, True)]

    def test_a_cell_says_its_exact_number(self, tmp_path: Path) -> None:
        ringed = next(cell for cell in self.cells(tmp_path) if cell["candidate"])
        assert ringed["tip"] == ["max 3 · longest pattern 1", "2 of 4 runs fail (50.0 %)"]
        assert (ringed["text"], ringed["action"]) == ("50", "max=3&max_cycle_period=1&match=observation")


class TestFlips:
    def test_none(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        shown = show_flips(tuned, [()] * 4, "all", everything=False)
        assert (shown["title"], shown["rows"], shown["tabs"]) == ("No run flips", [], [])

    def test_each_says_where_it_goes_over_and_opens_there(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        shown = show_flips(tuned, [()] * 4, "all", everything=False)
        assert shown["title"] == "1 run flips: 1 now passes"
        (row,) = shown["rows"]
        told = {key: row[key] for key in ("flip", "stimulus", "call", "current", "candidate", "ended", "action")}
        assert told == {
            "flip": "✓ now passes",
            "stimulus": "ship",
            "call": "4",
            "current": "4",
            "candidate": "4",
            "ended": "✓ well",
            "action": "run=2&call=3",
        }

    @pytest.mark.parametrize(
        ("limit", "pins"),
        [
            pytest.param(5, {"ship": "✓ must not be flagged"}, id="kept"),
            pytest.param(9, {"fix": "✗ must be caught", "ship": "✓ must not be flagged"}, id="one is broken"),
        ],
    )
    def test_a_pin_says_whether_it_holds(self, limit: int, pins: dict[str, str], tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(limit))
        rows = show_flips(tuned, said_of(tuned, pinned).labels, "all", everything=False)["rows"]
        assert {row["stimulus"]: row["pin"] for row in rows} == pins

    def test_one_direction_at_a_time(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        shown = show_flips(tuned, [()] * 4, "fail", everything=False)
        assert shown["rows"] == []
        assert [tab["on"] for tab in shown["tabs"]] == [False, True, False]

    def test_groups_say_k_of_n_now_and_then(self, tmp_path: Path) -> None:
        shown = show_groups(tuned_of(tmp_path, RUNS, grader(5)))
        models, stimuli = (table["rows"] for table in shown["tables"])
        assert models[0] == {"name": "small", "current": "2 of 2", "candidate": "1 of 2", "differs": True}
        assert stimuli[1] == {"name": "ship", "current": "1 of 2", "candidate": "0 of 2", "differs": True}
        assert shown["summary"] == "small 1 of 2 · large 0 of 2; fix 1 of 2 · ship 0 of 2"


class TestPins:
    def test_none(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        assert pins_in_words(tuned, said_of(tuned)) == ""
        assert show_pins(tuned, said_of(tuned))["rows"] == []

    @pytest.mark.parametrize(
        ("limit", "words"),
        [
            pytest.param(3, "✗ still flagged", id="as now"),
            pytest.param(5, "✓ now left alone", id="mended"),
        ],
    )
    def test_they_are_told_as_the_controls_move(self, limit: int, words: str, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(limit))
        told = pins_in_words(tuned, said_of(tuned, pinned))
        assert f"no loop at 1–4 of ship, trial 1 {words}" in told
        assert "loop at 1–4 of fix, trial 1 ✓ still caught" in told

    def test_a_loop_that_is_no_longer_caught(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(6))
        assert pins_in_words(tuned, said_of(tuned, pinned)).startswith("loop at 1–4 of fix, trial 1 ✗ now missed · ")


class TestQueue:
    def test_flips_come_first(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        shown = show_queue(tuned, said_of(tuned), frozenset())
        assert shown["count"] == "0 runs labelled. 1 of 1 flip has no label."
        assert (shown["next"]["run"], shown["next"]["figures"]) == (
            2,
            "fails now, passes under the candidate with 4 in a row",
        )

    def test_nothing_is_left(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        shown = show_queue(tuned, said_of(tuned), frozenset(range(4)))
        assert (shown["count"], shown["next"]) == ("0 runs labelled.", None)


class TestFit:
    def test_nothing_without_evidence(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        said = said_of(tuned)
        assert show_fit(tuned, said) is None and show_curve(tuned, said.evidence) is None

    def test_outcomes_are_named_as_what_they_are(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        said = said_of(tuned, outcomes=True)
        fit, curve = show_fit(tuned, said), show_curve(tuned, said.evidence)
        assert fit is not None and curve is not None
        assert [row["title"] for row in fit["rows"]] == [
            "Ended badly, flagged",
            "Flags that are right",
            "Ended well, flagged",
        ]
        assert "loop" not in f"{curve['title']} {curve['x']} {curve['y']}".lower()

    def test_counts_mark_what_fails(self, tmp_path: Path) -> None:
        shown = show_counts(tuned_of(tmp_path, RUNS, grader(3)))
        assert shown["line"] == "max 3: 2 of 4 runs fail →"
        assert [bar["figure"] for bar in shown["bars"] if bar["fails"] and bar["count"]] == [4, 6]

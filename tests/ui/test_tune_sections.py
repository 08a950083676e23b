"""What the sections of the Tune page show: the settings box, graders, grids, flips, groups, pins and the queue."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from loopviz.model import Trajectory, Usage
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Book, Label, label_of
from loopviz.tuning.stops import cost_of
from loopviz.ui.tune import fit
from loopviz.ui.tune.answering import Answers
from loopviz.ui.tune.fit import show_counts, show_curve, show_fit
from loopviz.ui.tune.flips import show_flips, show_groups
from loopviz.ui.tune.graders import show_graders
from loopviz.ui.tune.grids import show_grids
from loopviz.ui.tune.guards import show_guards
from loopviz.ui.tune.head import head
from loopviz.ui.tune.home import pull_request
from loopviz.ui.tune.pins import pins_in_words, show_pins, show_queue
from loopviz.ui.tune.settings_box import current_in_words, failing
from loopviz.ui.tune.watching import tools_in_words
from tests.tuning.sets_by_hand import run_of, set_of
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


def whole(trajectory: Trajectory) -> Iterable[Label]:
    """The first trial of `fix` is a loop, the first of `ship` none."""
    if trajectory.trial == 0:
        yield label_of(trajectory, LOOP if trajectory.stimulus == "fix" else NOT_A_LOOP)


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

    def test_the_same_settings_under_several_names_are_one(self, tmp_path: Path) -> None:
        named = trial("aab", stimulus="other", graders=())  # Vally's example stands in.
        tuned = tuned_of(tmp_path, [*RUNS, named], grader(3))
        assert len(tuned.graders_now) == 2 and tuned.current == grader(3).settings
        shown = show_grids(tuned, None, everything=False)
        assert shown["rings"] == ["current", "candidate"] and "more than one" not in shown["caption"]

    def test_the_legend_names_no_ring_that_is_not_there(self, tmp_path: Path) -> None:
        varied = tuned_of(tmp_path, [*RUNS, trial("ab", stimulus="other", graders=({"max": 5},))], grader(3))
        elsewhere = tuned_of(tmp_path, RUNS, grader(3, tools=("^search$",)))
        for tuned, why in ((varied, "current is more than one setting"), (elsewhere, "current watches other tools")):
            shown = show_grids(tuned, None, everything=False)
            assert shown["rings"] == ["candidate"] and why in shown["caption"]
            assert not any(cell["current"] for grid in shown["grids"] for row in grid["rows"] for cell in row["cells"])

    def test_a_limit_beyond_the_columns_has_one_of_its_own(self, tmp_path: Path) -> None:
        shown = show_grids(tuned_of(tmp_path, RUNS, grader(14)), None, everything=False)
        assert shown["limits"] == [*range(1, 11), 14]

    def test_recorded_outcomes_are_never_called_loops(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        for outcomes, words in (
            (False, "1 of 1 loop, 1 of 1 good run"),
            (True, "1 of 1 that ended badly, 1 of 3 that ended well"),
        ):
            evidence = said_of(tuned, whole, outcomes=outcomes).evidence
            shown = show_grids(tuned, evidence, everything=False)
            cells = [cell for grid in shown["grids"] for row in grid["rows"] for cell in row["cells"]]
            assert next(cell for cell in cells if cell["candidate"])["tip"][-1] == words

    def test_a_cell_says_its_exact_number(self, tmp_path: Path) -> None:
        ringed = next(cell for cell in self.cells(tmp_path) if cell["candidate"])
        assert ringed["tip"] == ["max 3 · longest pattern 1", "2 of 4 runs fail (50.0 %)"]
        assert (ringed["text"], ringed["action"]) == ("50", "max=3&max_cycle_period=1&match=observation")


class TestFlips:
    def test_none(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        shown = show_flips(tuned, [()] * 4, "all")
        assert (shown["title"], shown["rows"], shown["tabs"]) == ("No run flips", [], [])

    def test_each_says_where_it_goes_over_and_opens_there(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        shown = show_flips(tuned, [()] * 4, "all")
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
        rows = show_flips(tuned, said_of(tuned, pinned).labels, "all")["rows"]
        assert {row["stimulus"]: row["pin"] for row in rows} == pins

    def test_one_direction_at_a_time(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        shown = show_flips(tuned, [()] * 4, "fail")
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
        assert f"no loop at 1–4 of ship, trial 1, small {words}" in told
        assert "loop at 1–4 of fix, trial 1, small ✓ still caught" in told

    def test_a_loop_that_is_no_longer_caught(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(6))
        told = pins_in_words(tuned, said_of(tuned, pinned))
        assert told.startswith("loop at 1–4 of fix, trial 1, small ✗ now missed · ")


class TestQueue:
    def test_flips_come_first(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        shown = show_queue(tuned, said_of(tuned), Answers())
        assert shown["count"] == "0 runs labelled. 1 of 1 flip has no label."
        assert shown["next"]["why"] == (
            "current and candidate disagree on it · fails now, passes under the candidate with 4 in a row"
        )

    def test_nothing_is_left(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        skipped = frozenset(tuned.opened.key(run) for run in range(4))
        shown = show_queue(tuned, said_of(tuned), Answers(skipped=skipped))
        assert (shown["count"], shown["next"]) == ("0 runs labelled.", None)


class TestFit:
    def test_nothing_without_evidence(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        said = said_of(tuned)
        assert show_fit(tuned, said) is None and show_curve(tuned, said) is None

    def test_outcomes_are_named_as_what_they_are(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3))
        said = said_of(tuned, outcomes=True)
        fit, curve = show_fit(tuned, said), show_curve(tuned, said)
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

    def test_graders_that_differ_between_runs_are_held_against_labels_too(self, tmp_path: Path) -> None:
        runs = [*RUNS[:2], trial("bbbbac", stimulus="ship", graders=({"max": 5}, {"max": 9, "match": "name"}))]
        tuned = tuned_of(tmp_path, runs, grader(3))
        said = said_of(tuned, whole)
        fit, curve = show_fit(tuned, said), show_curve(tuned, said)
        assert fit is not None and curve is not None
        lines = [{line["name"]: line["count"] for line in row["lines"]} for row in fit["rows"]]
        assert lines[0] == {"current": "1 of 1", "candidate": "1 of 1"}
        assert lines[2] == {"current": "0 of 1", "candidate": "1 of 1"}
        assert "Current: each run under the graders that it has now." in fit["foot"]
        (dot,) = next(one for one in curve["curves"] if one["name"] == "current")["dots"]
        assert (dot["x"], dot["y"], dot["tip"]) == (0, 1, "current: 1 of 1 loop, 0 of 1 good run")
        assert "Hollow dot: what is in force now." in curve["caption"]

    def test_current_is_known_whatever_tools_the_candidate_watches(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(3, tools=("^search$",)))
        said = said_of(tuned, whole)
        assert (said.now.hits, said.now.false_alarms) == (1, 1)
        assert head(tuned, said).title == "1 of 4 runs would fail; 2 fail now"
        assert "| loops found            |  1 of 1 |" in pull_request(tuned, said, Book())

    def test_pins_say_what_is_in_force_now_in_any_case(self, tmp_path: Path) -> None:
        runs = [*RUNS[:3], trial("ab", stimulus="other", number=1, graders=({"max": 5},))]
        tuned = tuned_of(tmp_path, runs, grader(5))
        said = said_of(tuned, pinned)
        rows = show_pins(tuned, said)["rows"]
        assert [(row["current"], row["candidate"]) for row in rows] == [
            ("✓ caught", "✓ caught"),
            ("✗ flagged", "✓ left alone"),
        ]
        assert "✓ now left alone" in pins_in_words(tuned, said)

    def test_a_pin_of_one_call(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, RUNS, grader(5))
        said = said_of(tuned, lambda run: [label_of(run, LOOP, calls=(2, 2), pin=True)] if run.trial == 0 else [])
        assert [row["pinned"] for row in show_pins(tuned, said)["rows"]] == ["loop at call 2"] * 2

    def test_signs_that_turn_the_direction_are_spelled_out(self, tmp_path: Path) -> None:
        tuned = tuned_of(tmp_path, [trial("aaaa", stimulus="a\u202eb", number=0)], grader(5))
        assert "\u202e" not in pins_in_words(tuned, said_of(tuned, pinned))
        assert "a\\u202eb, trial 1" in pins_in_words(tuned, said_of(tuned, pinned))

    def test_the_last_grader_that_is_on_cannot_be_switched_off(self, tmp_path: Path) -> None:
        entries = (grader(3, tools=("^search$",)), grader(3, name="reads", on=False))
        assert [row["locked"] for row in show_graders(tuned_of(tmp_path, RUNS, *entries))["rows"]] == [True, False]

    def test_tokens_and_money_say_of_how_many_runs_they_are(self) -> None:
        paid = run_of("aaaaab", usage=(Usage(call=5, turn=-1, input_tokens=700, output_tokens=51, cost=0.06),))
        for runs, tokens, money in (
            (set_of(paid, "bbbbc", "bbbbd"), "751 of 1 that tells it", "$0.06 of 1 that tells it"),
            (set_of(paid), "751", "$0.06"),
            (set_of("bbbbc"), "not recorded", "not recorded"),
        ):
            cost = cost_of(runs, np.arange(len(runs)), lambda _: [grader(3).settings], n_well=len(runs))
            assert (fit.in_tokens(cost), fit.in_money(cost)) == (tokens, money)


def test_similarities_that_are_alike_are_one_row(tmp_path: Path) -> None:
    rows = show_guards(tuned_of(tmp_path, RUNS, grader(3)), everything=True)["grids"][0]["rows"]
    labels = [row["label"] for row in rows]
    assert labels[0].startswith("0.5") and labels[-1].endswith("1")
    for before, after in pairwise(rows):
        assert [cell["text"] for cell in before["cells"]] != [cell["text"] for cell in after["cells"]]

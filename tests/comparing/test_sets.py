"""Two sets of runs: which belong together, what became of each, and how that is told."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.comparing import sets_words
from loopviz.comparing.sets import Fate, Paired, pair_up, values_of, ways_of
from loopviz.comparing.sets_words import Verdicts, set_name, show_groups, show_shares, show_trend, tally, title
from loopviz.model import Source, Trajectory
from tests.comparing.runs_by_hand import run_of


def run(file: str, stimulus: str = "fix", **fields: Any) -> Trajectory:
    source = Source(name=file, format="test", digest="0", size=0)
    return run_of("a", source=source, stimulus=stimulus, **{"trial": 0, "model": "m", **fields})


def fates(runs: list[Trajectory], passed: list[bool | None], by: str = "file") -> list[tuple[Any, ...]]:
    sets = list(values_of(runs, by).values())
    pairs = pair_up(runs, sets[0], sets[1], by, passed.__getitem__)
    return [(pair.a, pair.b, pair.fate) for pair in pairs]


@pytest.mark.parametrize(
    ("before", "after", "fate"),
    [
        pytest.param(True, True, Fate.STILL_PASSING, id="passes in both"),
        pytest.param(True, False, Fate.NEWLY_FAILING, id="fails anew"),
        pytest.param(False, True, Fate.PASSING_AGAIN, id="passes again"),
        pytest.param(False, False, Fate.STILL_FAILING, id="still fails"),
        pytest.param(None, False, Fate.NOT_JUDGED, id="was not judged"),
        pytest.param(True, None, Fate.NOT_JUDGED, id="is not judged"),
    ],
)
def test_what_became_of_a_run(before: bool | None, after: bool | None, fate: Fate) -> None:
    assert fates([run("a"), run("b")], [before, after]) == [(0, 1, fate)]


def test_runs_belong_together_by_stimulus_trial_variant_and_model() -> None:
    runs = [run("a"), run("a", trial=1), run("b", trial=1), run("b", model="other")]
    assert fates(runs, [True] * 4) == [
        (0, None, Fate.ONLY_A),
        (1, 2, Fate.STILL_PASSING),
        (None, 3, Fate.ONLY_B),
    ]


def test_what_tells_the_sets_apart_is_no_part_of_a_name() -> None:
    runs = [run("a", model="small"), run("a", model="large")]
    assert fates(runs, [True, False], by="model") == [(0, 1, Fate.NEWLY_FAILING)]


def test_runs_of_one_name_go_in_their_order() -> None:
    runs = [run("a"), run("a"), run("b"), run("b"), run("b")]
    assert [(a, b) for a, b, _ in fates(runs, [True] * 5)] == [(0, 2), (1, 3), (None, 4)]


def test_sets_stand_in_the_order_of_their_start() -> None:
    runs = [run("late", started_s=30.0), run("early", started_s=10.0), run("untimed"), run("late", started_s=20.0)]
    assert values_of(runs, "file") == {"untimed": [2], "early": [1], "late": [0, 3]}


def test_only_ways_that_tell_something_apart_are_offered() -> None:
    assert ways_of([run("x/a"), run("x/b")]) == ["file"]
    assert ways_of([run("x/a", model="s"), run("y/a", model="l")]) == ["file", "folder", "model"]
    assert ways_of([run("x/a")]) == []


@pytest.mark.parametrize(
    ("counted", "words"),
    [
        pytest.param({Fate.STILL_PASSING: 3}, "No trial fails in either set", id="all pass"),
        pytest.param({Fate.STILL_FAILING: 1}, "1 trial still fails in B, and nothing changed", id="as before"),
        pytest.param({Fate.NEWLY_FAILING: 3}, "3 trials newly fail in B", id="newly failing"),
        pytest.param(
            {Fate.NEWLY_FAILING: 1, Fate.PASSING_AGAIN: 2}, "1 trial newly fails in B, 2 pass again", id="both"
        ),
        pytest.param({Fate.PASSING_AGAIN: 1}, "1 trial passes again", id="better"),
        pytest.param({Fate.NOT_JUDGED: 2}, "No trial is judged in both sets", id="not judged"),
    ],
)
def test_title(counted: dict[Fate, int], words: str) -> None:
    pairs = [Paired(a=0, b=1, fate=fate) for fate, count in counted.items() for _ in range(count)]
    assert title(pairs, "trial", lambda _: None if Fate.NOT_JUDGED in counted else True) == words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        pytest.param("+", "+--", "No trial judged in both sets fails; 2 that are only in B fail", id="new ones fail"),
        pytest.param("++", "+", "No trial fails in either set", id="one is gone"),
        pytest.param("+-", "+", "No trial judged in both sets fails; 1 that is only in A fails", id="the failing gone"),
        pytest.param("+?", "+-", "No trial judged in both sets fails; 1 not judged in A fails in B", id="unknown A"),
        pytest.param("+-", "+?", "No trial judged in both sets fails; 1 that failed in A is not judged in B", id="B"),
        pytest.param("+?", "++", "No trial that is judged fails in either set", id="not judged and no failure"),
        pytest.param(
            "--", "-?-", "1 trial still fails in B; 1 that is only in B fails; 1 that failed in A is not judged in B",
            id="still failing beside others",
        ),
        pytest.param("-+", "-", "1 trial still fails in B", id="something changed"),
        pytest.param("+-", "--", "1 trial newly fails in B", id="newly"),
        pytest.param("+", "--", "1 trial newly fails in B; 1 that is only in B fails", id="newly and anew"),
    ],
)  # fmt: skip
def test_a_headline_forgets_no_failure(before: str, after: str, words: str) -> None:
    told: dict[str, bool | None] = {"+": True, "-": False, "?": None}
    runs = [run(name, trial=trial) for name, signs in (("a", before), ("b", after)) for trial in range(len(signs))]
    passed = [told[sign] for sign in before + after]
    sets = list(values_of(runs, "file").values())
    pairs = pair_up(runs, sets[0], sets[1], "file", passed.__getitem__)
    assert title(pairs, "trial", passed.__getitem__) == words


def test_new_ones_that_fail_are_in_sight() -> None:
    runs = [run("b", trial=trial) for trial in range(3)]
    pairs = [Paired(a=None, b=place, fate=Fate.ONLY_B) for place in range(3)]
    (group,) = show_groups(verdicts(runs, [True, False, True]), pairs, "file", None)
    assert [row["name"] for row in group["rows"]] == ["fix, trial 2"]
    assert group["more"]["label"] == "Show all 3"


def test_sets_without_a_run_in_common() -> None:
    assert title([Paired(a=0, b=None, fate=Fate.ONLY_A)], "run", lambda _: True) == "The two sets have no run in common"


def verdicts(runs: list[Trajectory], passed: list[bool | None]) -> Verdicts:
    return Verdicts(runs=runs, passed=passed.__getitem__, occurrences=lambda place: 7 if passed[place] is False else 1)


def test_each_row_leads_to_both_runs_and_their_comparison() -> None:
    runs = [run("a"), run("b")]
    found = verdicts(runs, [True, False])
    (group,) = show_groups(found, [Paired(a=0, b=1, fate=Fate.NEWLY_FAILING)], "file", None)
    (row,) = group["rows"]
    assert (group["title"], row["name"], row["compare"]) == ("Newly failing", "fix, trial 1", "pair=0.1")
    assert row["a"] == {"words": "✓ 1 in a row", "over": False, "action": "open=0"}
    assert row["b"] == {"words": "✗ 7 in a row", "over": True, "action": "open=1"}


def test_a_long_list_is_cut_until_it_is_asked_for() -> None:
    runs = [run("a"), run("b")]
    pairs = [Paired(a=0, b=1, fate=Fate.NEWLY_FAILING)] * (sets_words.FIRST_ROWS + 5)
    found = verdicts(runs, [True, False])
    (group,) = show_groups(found, pairs, "file", None)
    assert (len(group["rows"]), group["more"]["label"]) == (12, "Show all 17")
    (group,) = show_groups(found, pairs, "file", "NEWLY_FAILING")
    assert (len(group["rows"]), group["more"]) == (17, None)


def test_shares_count_what_was_judged() -> None:
    runs = [run("a"), run("a"), run("a"), run("b")]
    found = verdicts(runs, [True, False, None, True])
    assert tally(found, [0, 1, 2]).share == 0.5
    rows = {row["name"]: (row["a"], row["b"], row["more"]) for row in show_shares(found, [0, 1, 2], [3])}
    assert rows["Failing"] == ("1", "0", "−1")
    assert rows["Share failing"] == ("50.0 %", "0.0 %", "−50.0 points")


def test_the_share_over_time_needs_three_nights() -> None:
    runs = [run(f"night-{day}", started_s=86_400.0 * day) for day in range(3)]
    found = verdicts(runs, [True, False, True])
    sets = values_of(runs, "file")
    trend = show_trend(found, sets, "night-1", "night-2", "file")
    assert trend is not None
    assert [(point["share"], point["letter"], point["label"]) for point in trend["points"]] == [
        (0.0, "", "1 Jan"),
        (1.0, "A", ""),
        (0.0, "B", "3 Jan"),
    ]
    assert show_trend(found, dict(list(sets.items())[:2]), "night-0", "night-1", "file") is None


def test_the_line_of_sets_says_how_it_is_ordered_and_what_is_left_out() -> None:
    starts = [0.0, 86_400.0, 400 * 86_400.0, None]
    runs = [run(f"night-{at}", started_s=start) for at, start in enumerate(starts)]
    trend = show_trend(verdicts(runs, [True] * 4), values_of(runs, "file"), "night-1", "night-2", "file")
    assert trend is not None
    assert [point["label"] for point in trend["points"]] == ["1 Jan 1970", "", "5 Feb 1971"]
    assert trend["note"] == ("In the order of their start, evenly spaced. Left out: 1 set without a time or a verdict.")


def test_costs_below_a_cent_are_not_nothing() -> None:
    runs = [run("a", total_cost=0.0004), run("b", total_cost=0.001)]
    rows = {row["name"]: (row["a"], row["b"], row["more"]) for row in show_shares(verdicts(runs, [True] * 2), [0], [1])}
    assert rows["Recorded cost"] == ("$0.0004", "$0.0010", "+$0.0006")


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    names = ["/x/mon/results.jsonl", "/x/tue/results.jsonl", "/x/other.jsonl"]
    assert [set_name(name, "file", names) for name in names] == [
        "mon/results.jsonl",
        "tue/results.jsonl",
        "other.jsonl",
    ]

"""The order of the flips: what a click on a column does, and where rows stand then."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, label_of
from loopviz.ui.tune.flip_columns import COLUMNS, Order, headings, in_order, turned
from loopviz.ui.tune.flip_figures import in_force, under_candidate
from loopviz.ui.tune.flips import _more, finding_under, show_flips
from tests.ui.tune_by_hand import grader, tuned_of
from tests.ui.vally_trials import trial

RUNS = [
    trial("aaaaaac", stimulus="fix", number=0, model="small", score=0.2),
    trial("bbbbac", stimulus="ship", number=0, model="large", score=0.9),
    trial("caaaaa", stimulus="Fix", number=1, model="", score=0.9),
    trial("abc", stimulus="ship", number=1, model="large", score=0.9),
    trial("abababab", stimulus="port", number=0, model="small"),
]
"""Six, four, five, one and one in a row, four of a pattern of two: under max 3 the first three fail."""
NOW_PASS = 9
"""A limit under which the three that fail now pass."""


def shown(folder: Path, order: Order, *said: int) -> dict[str, object]:
    tuned = tuned_of(folder, RUNS, grader(NOW_PASS))
    labels: list[Sequence[Label]] = [
        [label_of(each, NOT_A_LOOP)] if run in said else () for run, each in enumerate(tuned.opened.runs.trajectories)
    ]
    return show_flips(tuned, labels, "all", order)


def stimuli(folder: Path, order: Order, *said: int) -> list[str]:
    rows = shown(folder, order, *said)["rows"]
    assert isinstance(rows, list)
    return [row["stimulus"] for row in rows]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        pytest.param(Order(), ["ship", "fix", "Fix"], id="labelled first"),
        pytest.param(Order("stimulus"), ["fix", "Fix", "ship"], id="by name, then trial"),
        pytest.param(Order("stimulus", descending=True), ["ship", "Fix", "fix"], id="by name, backwards"),
        pytest.param(Order("candidate", descending=True), ["fix", "Fix", "ship"], id="most in a row first"),
        pytest.param(Order("current"), ["ship", "Fix", "fix"], id="fewest in a row first"),
        pytest.param(Order("call"), ["ship", "fix", "Fix"], id="by the call over the limit"),
        pytest.param(Order("model"), ["ship", "fix", "Fix"], id="no model last"),
        pytest.param(Order("model", descending=True), ["fix", "ship", "Fix"], id="no model last, backwards too"),
        pytest.param(Order("ended"), ["fix", "ship", "Fix"], id="those that ended badly first"),
        pytest.param(Order("label"), ["ship", "fix", "Fix"], id="by label"),
    ],
)
def test_rows_stand_in_the_order_that_was_asked_for(order: Order, expected: list[str], tmp_path: Path) -> None:
    assert stimuli(tmp_path, order, 1) == expected


@pytest.mark.parametrize("column", [column.key for column in COLUMNS])
@pytest.mark.parametrize("descending", [False, True])
def test_every_column_keeps_every_row(column: str, descending: bool, tmp_path: Path) -> None:
    assert sorted(stimuli(tmp_path, Order(column, descending), 0)) == ["Fix", "fix", "ship"]


def test_the_caption_says_which_order(tmp_path: Path) -> None:
    assert "of 3, labelled first." in str(shown(tmp_path, Order())["caption"])
    assert "of 3, sorted as marked." in str(shown(tmp_path, Order("trial"))["caption"])


def test_the_columns_do_not_depend_on_the_order(tmp_path: Path) -> None:
    told = [shown(tmp_path, order, 1)["columns"] for order in (Order(), Order("trial"))]
    keys = [[column["key"] for column in columns] for columns in told if isinstance(columns, list)]
    assert keys[0] == keys[1]
    assert "label" in keys[0] and "pin" not in keys[0]


def test_the_head_says_what_is_sorted_by() -> None:
    first, second = headings(["trial", "model"], Order("model", descending=True))
    assert (first["sorted"], second["sorted"]) == ("none", "descending")
    assert (second["title"], second["label"], second["action"]) == ("Model", "Sort by Run, Model", "flipsort=model")


def test_names_of_heads_differ() -> None:
    labels = [head["label"] for head in headings([column.key for column in COLUMNS], Order())]
    assert len(set(labels)) == len(COLUMNS)


@pytest.mark.parametrize(
    ("column", "first"), [("trial", False), ("current", True)], ids=["smallest first", "largest first"]
)
def test_a_third_click_goes_back(column: str, first: bool) -> None:
    once = turned(Order(), column)
    twice = turned(once, column)
    assert (once, twice, turned(twice, column)) == (Order(column, first), Order(column, not first), Order())


def test_another_column_begins_anew_and_an_unknown_one_changes_nothing() -> None:
    assert turned(Order("trial", descending=True), "model") == Order("model")
    assert turned(Order("trial"), "no such column") == Order("trial")


@given(st.lists(st.one_of(st.none(), st.integers(0, 3))), st.booleans())
def test_the_order_is_that_of_single_comparisons(values: list[int | None], descending: bool) -> None:
    ordered = in_order(range(len(values)), lambda run: values[run], descending=descending)
    assert sorted(ordered) == list(range(len(values)))
    for before, after in pairwise(ordered):
        one, other = values[before], values[after]
        if one is None or other is None:
            assert other is None and (one is not None or before < after)
        elif one == other:
            assert before < after
        else:
            assert (one > other) is descending


def test_a_pin_can_be_sorted_by(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, RUNS, grader(NOW_PASS))
    pin = label_of(tuned.opened.runs.trajectories[2], LOOP, calls=(2, 6), pin=True)
    labels = [(), (), (pin,), (), ()]
    rows = show_flips(tuned, labels, "all", Order("pin"))["rows"]
    assert [row["pin"] for row in rows] == ["✗ must be caught", "", ""]


@pytest.mark.parametrize("limits", [(NOW_PASS,), (9, 5), (1, 2)], ids=["one grader", "two graders", "now fail"])
def test_figures_of_all_at_once_are_those_of_each_finding(limits: tuple[int, ...], tmp_path: Path) -> None:
    graders = [
        grader(limit, name=f"g-{place}", max_cycle_period=1 + place, match="name-args" if place else "observation")
        for place, limit in enumerate(limits)
    ]
    tuned = tuned_of(tmp_path, RUNS, *graders)
    then, now = under_candidate(tuned), in_force(tuned, range(len(RUNS)))
    for run in range(len(RUNS)):
        for figures, finding in ((then, finding_under(tuned, run)), (now, tuned.judged.finding(run))):
            assert finding is not None
            call = -1 if finding.first_failing_call is None else finding.first_failing_call
            told = int(figures.occurrences[run]), int(figures.period[run]), int(figures.call[run])
            assert told == (finding.occurrences, finding.period or 0, call)


@pytest.mark.parametrize(
    ("n_shown", "n_rows", "more"),
    [
        pytest.param(12, 12, None, id="all are shown"),
        pytest.param(12, 212, ("Show all 212", "rows=212"), id="the rest fits"),
        pytest.param(12, 213, ("Show 200 more of 213", "rows=212"), id="the rest is long"),
    ],
)
def test_more_rows_come_in_portions(n_shown: int, n_rows: int, more: tuple[str, str] | None) -> None:
    told = _more(n_shown, n_rows)
    assert (None if told is None else (told["label"], told["action"])) == more

"""The strip of trials: what each card says, and what the caption says of all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from loopviz.analysis.trials import Trial
from loopviz.timeline.trials import BLOCKS, LISTED, show_trials
from tests.detectors.trajectories_by_hand import SOURCE, trajectory_of


def trial(occurrences: int | None, number: int | None = 0, **fields: Any) -> Trial:
    return Trial(trajectory=trajectory_of([], trial=number, **fields), limit=3, occurrences=occurrences, period=1)


def strip(*trials: Trial, here: int = 0, n_trials: int | None = None) -> dict[str, Any]:
    shown = show_trials(trials, here, range(10, 10 + len(trials)), n_trials or len(trials))
    assert shown is not None
    return shown


def test_a_trial_alone_has_no_strip() -> None:
    assert show_trials([trial(3)], 0, [0], 1) is None


def test_the_caption_lists_the_others_and_this_one() -> None:
    figures = [trial(n, place) for place, n in enumerate((1, 1, 2, 7, 3, None))]
    assert strip(*figures, here=3)["caption"] == "times in a row: 1 1 2 3 –; this one 7"


def test_the_caption_of_many_gives_their_spread() -> None:
    many = [trial(1 + place % 3, place) for place in range(LISTED + 2)]
    assert strip(*many)["caption"] == "times in a row: 1 to 3, half of them at most 2 in 25 others; this one 1"
    assert "none of the 25 others can be judged" in strip(*[trial(None, n) for n in range(LISTED + 2)])["caption"]


def test_each_card_says_how_its_trial_came_out() -> None:
    cards = strip(trial(1, 0, outcome=True), trial(3, 1), trial(4, 2, outcome=False), trial(None, None), here=1)[
        "cards"
    ]
    assert [(card["name"], card["figure"], card["verdict"], card["over"]) for card in cards] == [
        ("trial 1", "1", "within · trial passed", False),
        ("trial 2 · this one", "3", "at the limit", False),
        ("trial 3", "4", "✕ over · trial failed", True),
        ("by-hand", "–", "not judged", False),
    ]


def test_every_card_but_this_one_can_be_clicked() -> None:
    assert [card["action"] for card in strip(trial(1), trial(2, 1), here=1)["cards"]] == ["trial=10", ""]


def test_a_long_row_of_blocks_is_cut() -> None:
    assert [card["blocks"] for card in strip(trial(2), trial(99, 1))["cards"]] == [2, BLOCKS]


def test_what_differs_between_trials_is_said_and_nothing_else() -> None:
    alike = strip(trial(1, 0, model="m"), trial(1, 1, model="m"))["cards"]
    apart = strip(trial(1, 0, model="m", variant="a"), trial(1, 0, model="n", variant="a"))["cards"]
    assert [card["aside"] for card in alike] == ["", ""]
    assert [card["aside"] for card in apart] == ["m", "n"]


def test_trials_that_nothing_else_tells_apart_name_their_files() -> None:
    night = replace(SOURCE, name="runs/tuesday.jsonl")
    assert [card["aside"] for card in strip(trial(1), trial(1, source=night))["cards"]] == [
        "by-hand.json",
        "tuesday.jsonl",
    ]


def test_of_very_many_it_says_how_many_are_left_out() -> None:
    assert strip(trial(1), trial(1, 1))["more"] == ""
    assert strip(trial(1), trial(1, 1), n_trials=500)["more"] == (
        "Shown: the 2 around this one; 498 more are on the Runs page."
    )


def test_every_other_trial_can_be_set_beside_this_one() -> None:
    compare = [card["compare"] for card in strip(trial(1, 0), trial(4, 1), here=1)["cards"]]
    assert compare == [{"label": "Compare with", "action": "versus=10"}, None]

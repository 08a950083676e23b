"""The first sentences of the Tune page, for every amount of knowledge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Trajectory
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Label, label_of
from loopviz.ui.tune.head import head
from loopviz.ui.tune.judging import worth_taking
from tests.ui.tune_by_hand import grader, said_of, tuned_of
from tests.ui.vally_trials import trial, without_trajectory

LOOPS, FINE = "abaaaaaa", "abcdefgh"


def records(n: int, *, stimuli: int = 4, **more: Any) -> list[dict[str, Any]]:
    """As many loops as fine runs, of some stimuli."""
    return [
        trial(steps, stimulus=f"s{number % stimuli}", number=2 * number + place, **more)
        for number in range(n)
        for place, steps in enumerate((LOOPS, FINE))
    ]


def by_length(trajectory: Trajectory) -> Iterable[Label]:
    """Calls a run a loop where its last two calls are the same."""
    calls = trajectory.calls
    yield label_of(trajectory, LOOP if calls.tool[-1] == calls.tool[-2] else NOT_A_LOOP)


def test_nothing_said(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, records(2), grader(3))
    told = head(tuned, said_of(tuned))
    assert told.title == "2 of 4 runs fail"
    assert told.rest.startswith("Nothing is labelled yet.")
    assert told.caption == "4 runs judged."


def test_one_run(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, [trial(LOOPS)], grader(3))
    assert head(tuned, said_of(tuned)).title == "The only run fails"


def test_a_candidate_that_differs(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, records(2), grader(9))
    assert head(tuned, said_of(tuned)).title == "0 of 4 runs would fail; 2 fail now"


def test_no_run_judged(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, [without_trajectory()], grader(3))
    told = head(tuned, said_of(tuned))
    assert (told.title, told.caption) == ("No run could be judged", "0 of 1 run judged; 1 not (1 no trajectory).")


TOO_FEW = [
    pytest.param(
        2,
        4,
        "Too few labels to tell: 2 loops and 2 good runs; 5 of each are the least. "
        "Label 3 more loops and 3 more good runs.",
        id="few labels",
    ),
    pytest.param(5, 1, "Too few stimuli to tell: 1; 3 are the least.", id="one stimulus"),
]


@pytest.mark.parametrize(("n", "stimuli", "why"), TOO_FEW)
def test_too_little_to_suggest(n: int, stimuli: int, why: str, tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, records(n, stimuli=stimuli), grader(3))
    told = head(tuned, said_of(tuned, by_length))
    assert told.title == f"{n} of {2 * n} runs fail"
    assert told.strong == why
    assert told.rest.startswith("Best so far: max 3, longest pattern 1, same tool and output. Finds ")


def test_outcomes_that_stand_in_are_never_called_labels(tmp_path: Path) -> None:
    some = [trial(LOOPS, number=0, score=0.1), trial(FINE, number=1, score=0.9)]
    tuned = tuned_of(tmp_path, some, grader(3))
    told = head(tuned, said_of(tuned, outcomes=True))
    assert told.strong == (
        "Too few outcomes to tell: 1 run that ended badly and 1 run that ended well; 5 of each are the least."
    )
    assert "Finds 1 of 1 run that ended badly" in told.rest
    assert "loop" not in f"{told.strong} {told.caption}" and "labelled" not in f"{told.strong} {told.caption}"
    assert told.rest.endswith(
        "That is no advice yet: label a few runs, below or on Inspect, and it rests on what you say of them."
    )


def test_a_suggestion(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, records(12), grader(5))
    told = head(tuned, said_of(tuned, by_length))
    assert told.title == "Suggested: max 3, longest pattern 1, same tool and output"
    assert told.strong == "Finds 12 of 12 labelled loops and flags 0 of 12 good runs."
    assert told.rest == "The current settings find 12 and flag none."
    assert "Each stimulus left out in turn, 4 times" in told.caption and "Fits equally well: " in told.caption


def test_patterns_of_a_file_stay_out_of_the_sentences(tmp_path: Path) -> None:
    """They are read as markup, and a pattern may come from a file."""
    tuned = tuned_of(tmp_path, records(12), grader(5, tools=("tool_[a-h]|!\\[x\\]\\(y\\)",)))
    told = head(tuned, said_of(tuned, by_length))
    assert told.title.startswith("Suggested: ")
    assert "tool_" not in f"{told.title} {told.strong} {told.rest} {told.caption}"


def test_nothing_that_is_labelled_is_a_loop(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, records(2), grader(3))
    told = head(tuned, said_of(tuned, lambda each: [label_of(each, NOT_A_LOOP)]))
    assert told.rest == "No run is labelled a loop yet, so no setting can be suggested."


def test_the_best_so_far_is_not_offered_where_it_flags_most_good_runs(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, [trial(LOOPS, number=number) for number in range(4)], grader(3))
    said = said_of(tuned, lambda each: [label_of(each, LOOP if each.trial == 0 else NOT_A_LOOP)])
    assert not worth_taking(said)
    assert head(tuned, said).rest.endswith("That flags most of the good runs, so it is not offered.")


@pytest.mark.parametrize("outcomes", [True, False], ids=["outcomes", "labels"])
def test_few_labels_are_offered_with_a_warning_and_few_outcomes_not_at_all(outcomes: bool, tmp_path: Path) -> None:
    some = [trial(LOOPS, number=0, score=0.1), trial(FINE, number=1, score=0.9)]
    said = said_of(tuned_of(tmp_path, some, grader(3)), by_length, outcomes=outcomes)
    assert said.suggestion is not None and not said.suggestion.enough
    assert worth_taking(said) is not outcomes


def test_a_suggestion_that_breaks_pins_says_so(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, records(12), grader(5))

    def labels(each: Trajectory) -> Iterable[Label]:
        yield from by_length(each)
        if each.calls.tool[-1] == each.calls.tool[-2]:
            yield label_of(each, NOT_A_LOOP, calls=(3, 8), pin=True)

    told = head(tuned, said_of(tuned, labels))
    assert "No setting that finds a loop keeps every pin; this one breaks " in told.rest


def test_outcomes_that_nothing_flags_are_not_called_loops(tmp_path: Path) -> None:
    tuned = tuned_of(tmp_path, [trial("abcd", number=0, score=0.1), trial("abce", number=1, score=0.9)], grader(3))
    rest = head(tuned, said_of(tuned, outcomes=True)).rest
    assert "loop" not in rest

"""The comparison in words: the headline is the finding, whatever the two runs are."""

from __future__ import annotations

import pytest

from loopviz.comparing.heading import files_in_words, line, scale_in_words, title
from loopviz.timeline.words import plain
from tests.comparing.runs_by_hand import compared, run_of, trials


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        pytest.param("", "", "Neither of the two trials makes a call", id="no calls"),
        pytest.param("", "abc", "A makes no call, B makes 3", id="one without calls"),
        pytest.param("abc", "abc", "The two trials take the same 3 steps, with the same outputs", id="alike"),
        pytest.param("a", "a", "The two trials take the same single step, with the same outputs", id="one step"),
        pytest.param("abc", "aBc", "The two trials take the same 3 steps, and first differ at turn 2", id="outputs"),
        pytest.param("ab", "cd", "The two trials have no step in common", id="nothing in common"),
        pytest.param("ab", "abc", "A ends after turn 2, where B goes on", id="A ends"),
        pytest.param("abc", "ab", "B ends after turn 2, where A goes on", id="B ends"),
        pytest.param("abxd", "abyd", "The two trials part at turn 3", id="they part"),
        pytest.param("abxcd", "abcd", "The two trials part at turn 3", id="a missing step"),
        pytest.param("xab", "yab", "The two trials part at turn 1", id="from the start"),
    ],
)
def test_title(a: str, b: str, words: str) -> None:
    assert title(*trials(a, b)) == words


def test_a_run_without_a_trajectory_is_said_to_be_one() -> None:
    empty = run_of("", not_judged="It holds no trajectory.")
    assert title(*compared(run_of("abc"), empty)) == "B holds no trajectory, so there is nothing to align"


def test_runs_of_two_stimuli_are_no_trials() -> None:
    found = compared(run_of("ab", stimulus="one", trial=0), run_of("ac", stimulus="two", trial=0))
    assert title(*found) == "The two runs part at turn 2"


def test_the_line_says_what_each_did_from_there_on() -> None:
    told = plain(line(*trials("abcxd", "abyyyyyd")))
    assert told == (
        "Trial 2 goes on with `tool_c`, `tool_x`, `tool_d`, and passes max-repeat. "
        "Trial 4 goes on with `tool_y` 5 times, `tool_d`, and fails max-repeat with 5 in a row."
    )


def test_the_line_of_one_that_ends() -> None:
    told = plain(line(*trials("ab", "abc")))
    assert told == "Trial 2 ends there, and passes max-repeat. Trial 4 goes on with `tool_c`, and passes max-repeat."


def test_the_line_of_two_that_took_the_same_steps() -> None:
    assert plain(line(*trials("abc", "abc"))) == "Trial 2 passes max-repeat. Trial 4 passes max-repeat."


def test_no_word_speaks_of_causes() -> None:
    words = title(*trials("abx", "aby")) + plain(line(*trials("abx", "aby")))
    assert not any(word in words.lower() for word in ("because", "caused", "waste"))


def test_the_scale_counts_all_that_is_drawn() -> None:
    sides, found, _ = trials("abxc", "aByyc")
    assert scale_in_words(sides, found) == (
        "3 steps are in both, of 4 in A and 5 in B. 1 is only in A, 2 are only in B. "
        "Upright line: same call, same output. ≠ same call, other output (1). Hatched: not in this run."
    )


def test_places_in_files() -> None:
    sides, _, _ = compared(run_of("a", line=2), run_of("a", line=4))
    assert files_in_words(sides) == "A is line 2, B line 4 of by-hand.json; bytes count from the start of the file."
    sides, _, _ = compared(run_of("a"), run_of("a"))
    assert files_in_words(sides) == ""

"""The comparison in words: the headline is the finding, whatever the two runs are."""

from __future__ import annotations

import pytest

from loopviz.comparing.heading import files_in_words, line, marked_in_words, scale_in_words, title
from loopviz.timeline.words import plain
from tests.comparing.runs_by_hand import compared, run_of, trials
from tests.detectors.trajectories_by_hand import trajectory_of


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
        pytest.param("aBxd", "abyd", "The two trials part at turn 3; first other output at turn 2", id="output before"),
        pytest.param("abxD", "abyd", "The two trials part at turn 3", id="output after"),
        pytest.param("A", "ab", "A ends after turn 1, where B goes on; first other output at turn 1", id="output, end"),
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


def test_what_was_not_recorded_is_not_claimed_to_be_the_same() -> None:
    calls = [{"tool": "t", "arguments": {}, "observation": "x", "turn": turn, "unknown": True} for turn in range(2)]
    sides, found, names = compared(trajectory_of(calls), trajectory_of(calls))
    assert title(sides, found, names) == "The two runs take the same 2 steps, as far as they are recorded"
    assert scale_in_words(sides, found, 0) == (
        "2 steps are in both, of 2 in A and 2 in B. ? same as far as recorded (2). "
        "Values that were not recorded count as equal; told apart, 0 steps would be in both."
    )


def test_what_is_marked_is_called_what_it_is() -> None:
    marked = [marked_in_words(trials(*words)[1]) for words in (("ab", "ab"), ("aBx", "aby"), ("aB", "ab"))]
    assert marked == ["", "where they part", "the first other output"]


def test_a_long_name_of_a_tool_is_cut_and_turns_no_words_around() -> None:
    named = [{"tool": "\u202e" + "x" * 5_000, "arguments": {}, "observation": "", "turn": 0}]
    told = plain(line(*compared(trajectory_of([]), trajectory_of(named))))
    assert "`\ufffd" in told and "x…`" in told
    assert len(told) < 200


def test_of_many_tools_in_one_turn_a_few_are_named() -> None:
    assert "`tool_x + tool_y + tool_z + tool_u + …`" in plain(line(*trials("ab", "a(xyzuvw)")))


def test_places_in_files() -> None:
    sides, _, _ = compared(run_of("a", line=2), run_of("a", line=4))
    assert files_in_words(sides) == "A is line 2, B line 4 of by-hand.json; bytes count from the start of the file."
    sides, _, _ = compared(run_of("a"), run_of("a"))
    assert files_in_words(sides) == ""

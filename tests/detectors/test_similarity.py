"""Jaccard scores of normalised arguments, and that each is worked out once."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.similarity import Similarity, Tokens, jaccard, split_words
from tests import oracles_guards as oracles
from tests.detectors.guard_columns import guard_columns


def similarity(*arguments: Any, tokens: Tokens = "space") -> Similarity:
    """Scores between values; identity 0 is null, the others are 1, 2, … in the order given."""
    columns, _ = guard_columns([[oracles.call(arguments=value, observation=None) for value in arguments]])
    return Similarity(columns, tokens)


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [
        pytest.param("", "space", set(), id="nothing"),
        pytest.param(" \t\n", "space", set(), id="white space"),
        pytest.param('{"a":"b"}', "space", {'{"a":"b"}'}, id="no white space"),
        pytest.param("a b a", "space", {"a", "b"}, id="a word twice"),
        pytest.param("a\u00a0b", "space", {"a", "b"}, id="any white space"),
        pytest.param("{}", "word", set(), id="signs are no words"),
        pytest.param('{"a_1":"b-c.d2"}', "word", {"a", "1", "b", "c", "d2"}, id="words between signs"),
        pytest.param("é٣-日本_ß", "word", {"é٣", "日本", "ß"}, id="letters and digits of any script"),
        pytest.param("x²y", "word", {"x", "y"}, id="a raised two is no digit"),
    ],
)
def test_splits_words(text: str, tokens: Tokens, words: set[str]) -> None:
    assert split_words(text, tokens) == words


@pytest.mark.parametrize(
    ("some", "others", "score"),
    [
        pytest.param("a", "b", 0.0, id="nothing in common"),
        pytest.param("", "a", 0.0, id="one is empty"),
        pytest.param("", "", 1.0, id="both are empty"),
        pytest.param("abc", "bcd", 0.5, id="two of four"),
        pytest.param("abc", "abc", 1.0, id="all"),
    ],
)
def test_scores(some: str, others: str, score: float) -> None:
    assert jaccard(set(some), set(others)) == score


def test_missing_arguments_are_like_anything_that_normalises_to_nothing() -> None:
    scores = similarity("1714557630", 1714557630, {})
    assert [scores.score(0, other) for other in range(4)] == [1.0, 1.0, 1.0, 0.0]


def test_equal_identities_need_no_text() -> None:
    class Unread(Similarity):
        def text(self, code: int) -> str:
            raise AssertionError(f"text {code} was read")

    columns, _ = guard_columns([[oracles.call(arguments="a")]])
    assert Unread(columns, "space").score(1, 1) == 1.0


def test_a_score_is_worked_out_once() -> None:
    compared = []

    class Counting(Similarity):
        def _compare(self, some: str, other: str) -> float:
            compared.append((some, other))
            return super()._compare(some, other)

    columns, _ = guard_columns([[oracles.call(arguments="a b", observation="b c")]])
    scores = Counting(columns, "space")
    assert [scores.score(1, 2) for _ in range(3)] == [1 / 3] * 3
    assert compared == [("a b", "b c")]


SHORT = st.text("aé1 -", max_size=6)


@given(
    st.lists(SHORT | st.lists(SHORT, max_size=2), min_size=2, max_size=2, unique_by=repr),
    st.sampled_from(get_args(Tokens)),
)
def test_agrees_with_the_definition(values: list[Any], tokens: Tokens) -> None:
    assert similarity(*values, tokens=tokens).score(1, 2) == oracles.score(*values, tokens)

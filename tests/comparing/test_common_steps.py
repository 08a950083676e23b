"""The longest common sequence of steps: against the classic table, and the ties that were decided."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.comparing.common_steps import common_steps, shared_ends

CODES = st.lists(st.integers(0, 3), max_size=24)


def matched(a: str, b: str) -> str:
    """The matches of two words, one letter a step: `00 12` for the first with the first, the second with the third."""
    pairs = common_steps(*(np.array([ord(letter) for letter in word], dtype=np.int64) for word in (a, b)))
    return " ".join(f"{one}{other}" for one, other in pairs.tolist())


def longest(a: list[int], b: list[int]) -> int:
    """The length by the table of the textbook."""
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            rows[i + 1][j + 1] = rows[i][j] + 1 if one == other else max(rows[i][j + 1], rows[i + 1][j])
    return rows[-1][-1]


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        pytest.param("", "", "", id="nothing at all"),
        pytest.param("abc", "", "", id="one side empty"),
        pytest.param("abc", "xyz", "", id="nothing in common"),
        pytest.param("abc", "abc", "00 11 22", id="all alike"),
        pytest.param("ab", "abab", "00 11", id="one is the beginning of the other"),
        pytest.param("ab", "xab", "01 12", id="one is the end of the other"),
        pytest.param("axb", "ayb", "00 22", id="one step differs"),
        pytest.param("abpq", "abxaypq", "00 11 25 36", id="both ends before anything between them"),
        pytest.param("xny", "xrnnnsy", "00 12 26", id="of a loop the first round"),
        pytest.param("xyzw", "xqyrsyzv", "00 15 26", id="a step moves to its neighbour"),
        pytest.param("abc", "cba", "20", id="reversed: of ties the earliest of B"),
    ],
)
def test_matches(a: str, b: str, pairs: str) -> None:
    assert matched(a, b) == pairs


@given(CODES, CODES)
def test_is_as_long_as_the_table_says(a: list[int], b: list[int]) -> None:
    pairs = common_steps(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64)).tolist()
    assert len(pairs) == longest(a, b)
    assert all(a[one] == b[other] for one, other in pairs)
    assert all(before[0] < after[0] and before[1] < after[1] for before, after in pairwise(pairs))


@given(CODES, CODES)
def test_follows_both_for_as_long_as_it_can(a: list[int], b: list[int]) -> None:
    head = next(
        (place for place, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b))
    )
    one, other = np.array(a, dtype=np.int64), np.array(b, dtype=np.int64)
    assert shared_ends(one, other)[0] == head
    assert common_steps(one, other)[:head].tolist() == [[place, place] for place in range(head)]


@given(CODES, CODES, st.permutations(range(4)))
def test_other_names_for_the_codes_change_nothing(a: list[int], b: list[int], names: list[int]) -> None:
    plain = common_steps(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64))
    renamed = common_steps(*(np.array([names[code] for code in codes], dtype=np.int64) for codes in (a, b)))
    assert plain.tolist() == renamed.tolist()


def test_long_ones_cross_many_kept_rows() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.integers(0, 5, 700), rng.integers(0, 5, 650)
    assert len(common_steps(a, b)) == longest(a.tolist(), b.tolist())

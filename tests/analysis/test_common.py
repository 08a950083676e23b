"""The longest part that two sequences have in common."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.common import common_places, n_common

ITEMS = st.text(alphabet="abc", max_size=12)


@pytest.mark.parametrize(
    ("old", "new", "length"),
    [
        pytest.param("", "", 0, id="nothing"),
        pytest.param("abc", "", 0, id="something and nothing"),
        pytest.param("abc", "def", 0, id="nothing in common"),
        pytest.param("abc", "cba", 1, id="turned round"),
        pytest.param("abcab", "acb", 3, id="some left out"),
        pytest.param("aaaa", "aa", 2, id="one item again and again"),
    ],
)
def test_its_length(old: str, new: str, length: int) -> None:
    assert n_common(old, new) == length


@given(ITEMS, ITEMS)
def test_agrees_with_the_definition(old: str, new: str) -> None:
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, one in enumerate(old):
        for j, other in enumerate(new):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    places = common_places(old, new)
    assert n_common(old, new) == len(places) == table[-1][-1]
    assert all(old[i] == new[j] for i, j in places)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(places))


def test_items_that_come_often_do_not_make_it_slow() -> None:
    sides = [["ok" if n % 2 else f"{side} {n}" for n in range(2_000)] for side in ("old", "new")]
    began = time.process_time()
    assert len(common_places(*sides)) == n_common(*sides) == 1_000
    assert time.process_time() - began < 1  # difflib, item by item, takes minutes

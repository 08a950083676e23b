"""What varies among several values, all of them taken together."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.difference import MOST_FIELDS, Kind, compare_values
from loopviz.analysis.varying import MOST_CELLS, vary
from loopviz.canonical import canonical

WORDS = ("alpha", "beta gamma", "delta", "epsilon zeta")


@pytest.mark.parametrize(
    ("values", "changes"),
    [
        pytest.param([{"a": 1, "b": 2}] * 3, [], id="nothing"),
        pytest.param([1, 1.0, 1], [], id="one number, written in two ways"),
        pytest.param([*({"n": n, "q": "v1"} for n in range(13)), {"n": 13, "q": "v2"}],
                     [("n", Kind.NUMBERS, 1, (0,)), ("q", Kind.APART, 1, ())], id="the last one alone"),
        pytest.param([f"row {n} of {9 - n // 13}" for n in range(20)], [("", Kind.NUMBERS, 2, (0,))],
                     id="a second number, late"),
        pytest.param(["a 1\nb 1\nc", "a 2\nb 1\nc", "a 2\nb 2\nc"], [("", Kind.NUMBERS, 2, (0, 1))],
                     id="one number at a time"),
        pytest.param(["a b", "a  b", "ab"], [("", Kind.SPACE, 0, ())], id="white space"),
        pytest.param(["Ab", "aB", "ab"], [("", Kind.CASE, 0, ())], id="case"),
        pytest.param(["a+b", "a-b", "a*b"], [("", Kind.SIGNS, 0, ())], id="signs"),
        pytest.param([f"see {word}" for word in "pqr"], [("", Kind.WORDS, 1, (0,))], id="a word"),
        pytest.param(["1", "2", "x"], [("", Kind.APART, 1, ())], id="nothing but a word"),
        pytest.param(["a p\nb c d\nz\n", "a q r\ne f\nz\n", "z\n"], [("", Kind.LINES, 2, ())], id="a line of three"),
        pytest.param(["see p q", "see r", "and see it"], [("", Kind.PART, 2, ())], id="one word of three"),
        pytest.param(list(WORDS), [("", Kind.APART, 2, ())], id="nothing in common"),
        pytest.param([1, "1", True], [("", Kind.TYPE, 0, ())], id="kinds of value"),
        pytest.param([{"a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 3}], [("b", Kind.REMOVED, 0, ())], id="some lack it"),
        pytest.param([[1, {"n": n}] for n in range(3)], [("#2.n", Kind.NUMBERS, 1, (0,))], id="inside a list"),
        pytest.param([[1], [1, 2], [1, 2, 3]], [("", Kind.LINES, 3, ())], id="longer and longer lists"),
    ],
)  # fmt: skip
def test_some_values(values: list[Any], changes: list[tuple[str, Kind, int, tuple[int, ...]]]) -> None:
    found = [(one.path, one.contrast.kind, one.contrast.count, one.contrast.lines) for one in vary(values).changes]
    assert found == changes


VALUES = st.lists(
    st.fixed_dictionaries(
        {"a": st.integers(0, 2), "l": st.lists(st.booleans(), min_size=2, max_size=2)},
        optional={"b": st.sampled_from(["x", "y 1", "y 2"]), "c": st.none()},
    ),
    min_size=1,
    max_size=6,
)


@given(VALUES)
def test_a_member_is_named_exactly_where_two_of_the_values_differ_in_it(values: list[dict[str, Any]]) -> None:
    differing = {change.path for one in values for other in values for change in compare_values(one, other).changes}
    assert {change.path for change in vary(values).changes} == differing


@given(st.lists(st.lists(st.sampled_from("012"), min_size=4, max_size=4), min_size=3, max_size=6))
def test_numbers_are_counted_over_all_values(rows: list[list[str]]) -> None:
    distinct = list(dict.fromkeys("a {} b {}\nc {}\nd\ne{}".format(*row[:3], " " + row[3]) for row in rows))
    columns = list(zip(*(re.findall(r"\d", text) for text in distinct), strict=True))
    apart = [place for place, column in enumerate(columns) if len(set(column)) > 1]
    changes = vary(distinct).changes
    if not apart:
        assert changes == ()
        return
    (change,) = changes
    lines = tuple(dict.fromkeys((0, 0, 1, 3)[place] for place in apart))
    assert (change.contrast.kind, change.contrast.count, change.contrast.lines) == (Kind.NUMBERS, len(apart), lines)


@given(VALUES)
def test_two_values_are_told_apart_as_a_pair_is(values: list[dict[str, Any]]) -> None:
    for one in values:
        if canonical(one) != canonical(values[0]):
            assert vary([values[0], one]) == compare_values(values[0], one)


def test_what_is_too_much_to_look_at_is_cut_and_it_says_so() -> None:
    wide = [[0] * MOST_FIELDS + [n] for n in range(3)]
    assert (vary(wide).cut, vary(wide).beyond) == (True, True)
    unlike = [{f"{n} {m}": 0 for m in range(10)} for n in range(1_000)]
    assert vary(unlike).cut and vary(unlike).n_fields <= MOST_CELLS // 1_000 + 1

"""What differs between two values, in a few facts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.difference import (
    MOST_FIELDS,
    MOST_LINES,
    Kind,
    compare_texts,
    compare_values,
    shared_ends,
)
from loopviz.canonical import canonical

TEXTS = st.text(alphabet="ab1 2\n.", max_size=24)


@pytest.mark.parametrize(
    ("before", "after", "kind", "count", "lines"),
    [
        pytest.param("", "", Kind.SAME, 0, (), id="two empty texts"),
        pytest.param("a b", "a b", Kind.SAME, 0, (), id="equal texts"),
        pytest.param("if a:\n  b", "if a:\n    b", Kind.SPACE, 0, (), id="deeper indentation"),
        pytest.param("a\n", "a", Kind.SPACE, 0, (), id="a line break at the end"),
        pytest.param("Teal", "teal", Kind.CASE, 0, (), id="a capital"),
        pytest.param("ΟΔΟΣ", "οδος", Kind.CASE, 0, (), id="a letter that has two small forms"),
        pytest.param("straße", "strasse", Kind.APART, 1, (), id="another spelling is not another case"),
        pytest.param("\u212a", "k", Kind.APART, 1, (), id="the sign for kelvin and a letter"),
        pytest.param("14 tiles", "15 tiles", Kind.NUMBERS, 1, (0,), id="one number"),
        pytest.param("a\nb\n1 of 14, 7 %", "a\nb\n2 of 14, 14 %", Kind.NUMBERS, 2, (2,), id="two numbers in line 3"),
        pytest.param("at 10:25:13\nx", "at 10:26:44\nx", Kind.NUMBERS, 1, (0,), id="a time is one number"),
        pytest.param("2026-11-08 ok", "2026-11-09 ok", Kind.NUMBERS, 1, (0,), id="a date is one number"),
        pytest.param("7", "12", Kind.NUMBERS, 1, (0,), id="nothing but a number"),
        pytest.param("cat a.txt", "cat b.txt", Kind.WORDS, 1, (0,), id="one word"),
        pytest.param("tile01 ok", "tile02 ok", Kind.WORDS, 1, (0,), id="a word with a number in it"),
        pytest.param("yes", "no", Kind.APART, 1, (), id="two words"),
        pytest.param("", "a", Kind.APART, 1, (), id="nothing and something"),
        pytest.param("one two three", "one two four five", Kind.PART, 2, (), id="some words of a line"),
        pytest.param("a\nb c d\nz", "a\ne f\nz", Kind.LINES, 1, (), id="one line of three"),
        pytest.param("a b c\nd", "e f\ng h i", Kind.APART, 5, (), id="no line"),
        pytest.param("a to b was c", "d be e or f", Kind.APART, 5, (), id="five words"),
        pytest.param("the a.py was not", "the b.js can be", Kind.PART, 4, (), id="one word of five"),
        pytest.param("a b c\n\nd", "e f\n\ng h i", Kind.APART, 5, (), id="only a blank line"),
        pytest.param("a + b", "a - b", Kind.SIGNS, 0, (), id="a sign"),
        pytest.param("x = _alpha(1)", "x=_beta(1)", Kind.PART, 1, (), id="words that begin with a line"),
        pytest.param("x = _a(1)", "x = _a[1]", Kind.SIGNS, 0, (), id="signs around such a word"),
        pytest.param("x \ud800", "x \ud801", Kind.SIGNS, 0, (), id="lone surrogates"),
    ],
)
def test_two_texts(before: str, after: str, kind: Kind, count: int, lines: tuple[int, ...]) -> None:
    found = compare_texts(before, after)
    assert (found.kind, found.lines) == (kind, lines)
    assert count in (0, found.count)


@pytest.mark.parametrize("often", [3, 150, 250, MOST_LINES - 4])
def test_lines_that_come_often_are_counted_like_others(often: int) -> None:
    same = ["ok"] * often
    found = compare_texts("\n".join(["a", *same, "b", "u"]), "\n".join(["c", "c2", *same, "d", "u"]))
    assert (found.kind, found.count, found.of, found.cut) == (Kind.LINES, 3, often + 4, False)


def test_the_end_of_the_last_line_is_no_line() -> None:
    found = compare_texts("a b\nc d\n", "a b\ne f g\n")
    assert (found.kind, found.count, found.of) == (Kind.LINES, 1, 2)


def test_long_texts_of_one_line_that_differ_in_a_sign() -> None:
    words = " ".join(f"word{n}" for n in range(2_000))
    found = compare_texts(f"{words}, and {words}", f"{words}; and {words}")
    assert (found.kind, found.cut) == (Kind.SIGNS, False)


def test_lines_are_counted_over_the_whole_text() -> None:
    text = [f"line {n} of the file" for n in range(40)]
    found = compare_texts("\n".join(text), "\n".join([*text[:10], "something else", "and more of it", *text[11:]]))
    assert (found.kind, found.count, found.of) == (Kind.LINES, 2, 41)


@pytest.mark.parametrize(
    ("before", "after", "changes", "n_fields"),
    [
        pytest.param({}, {}, {}, 1, id="two empty objects"),
        pytest.param(None, {}, {"": Kind.TYPE}, 1, id="missing and empty"),
        pytest.param({"a": 1}, {"a": 1.0}, {}, 1, id="one number, written in two ways"),
        pytest.param({"a": 1}, {"a": True}, {"a": Kind.TYPE}, 1, id="one and true"),
        pytest.param({"a": 1}, {"a": 2}, {"a": Kind.NUMBERS}, 1, id="two numbers"),
        pytest.param({"a": 1, "b": "x"}, {"b": "x", "a": 1}, {}, 2, id="another order of keys"),
        pytest.param({"a": 1}, {"b": 1}, {"a": Kind.REMOVED, "b": Kind.ADDED}, 2, id="another key"),
        pytest.param({"a": None}, {}, {"a": Kind.REMOVED}, 1, id="null and absent"),
        pytest.param({"f": {"id": "x y", "q": 1}}, {"f": {"id": "z", "q": 1}}, {"f.id": Kind.APART}, 2, id="inside"),
        pytest.param([1, {"n": "A"}], [1, {"n": "a"}], {"#2.n": Kind.CASE}, 2, id="inside a list"),
        pytest.param({"l": [1]}, {"l": [1, 2]}, {"l": Kind.LINES}, 1, id="a longer list"),
        pytest.param({"a.b": 1}, {"a.b": "x"}, {'"a.b"': Kind.TYPE}, 1, id="a key with a point"),
        pytest.param({"": 1}, {"": 2}, {'""': Kind.NUMBERS}, 1, id="an empty key"),
        pytest.param("a", "b", {"": Kind.APART}, 1, id="no object"),
        pytest.param("1", 1, {"": Kind.TYPE}, 1, id="a text and a number"),
    ],
)
def test_two_values(before: Any, after: Any, changes: dict[str, Kind], n_fields: int) -> None:
    found = compare_values(before, after)
    assert ({change.path: change.contrast.kind for change in found.changes}, found.n_fields) == (changes, n_fields)
    assert bool(found) == bool(changes)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, 0.5]) | st.text("aA ", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", ""]), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_no_difference_exactly_for_what_the_grader_calls_equal(before: Any, after: Any) -> None:
    assert bool(compare_values(before, after)) == (canonical(before) != canonical(after))


@given(TEXTS, TEXTS)
def test_a_contrast_is_what_it_says(before: str, after: str) -> None:
    found = compare_texts(before, after)
    assert (found.kind is Kind.SAME) == (before == after)
    if found.kind is Kind.SPACE:
        assert "".join(before.split()) == "".join(after.split())
    if found.kind is Kind.CASE:
        assert before.lower() == after.lower() and before.upper() == after.upper()
    words = [set(re.findall(r"\w+", text)) for text in (before, after)]
    if found.kind is Kind.SIGNS:
        assert words[0] == words[1]
    if found.kind is Kind.PART:
        assert words[0] & words[1]
    if found.kind is Kind.NUMBERS:
        assert all(line < after.count("\n") + 1 for line in found.lines) and found.count >= len(found.lines) > 0
        other = [i for i, (a, b) in enumerate(zip(before.split("\n"), after.split("\n"), strict=True)) if a != b]
        assert list(found.lines) == other
    if found.kind in (Kind.LINES, Kind.PART):
        assert 0 < found.count <= found.of


@given(TEXTS, TEXTS)
def test_shared_ends_are_the_longest(before: str, after: str) -> None:
    head, tail = shared_ends(before, after)
    shorter = min(len(before), len(after))
    assert head == next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = shorter - head
    assert tail == next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)


MEGABYTE = {
    "one character in the middle": ("x" * 500_000 + "a" + "y" * 500_000, "x" * 500_000 + "b" + "y" * 500_000),
    "every line": tuple("\n".join(f"{n * n % k} and so on" for n in range(80_000)) for k in (7919, 7907)),
    "no space at all": ("ab1c" * 250_000, "ba2c" * 250_000),
    "numbers with joints": ("1-" * 500_000, "1-" * 499_999 + "x"),
}


@pytest.mark.parametrize("name", MEGABYTE)
def test_of_megabytes_a_part_is_compared_and_it_says_so(name: str) -> None:
    found = compare_texts(*MEGABYTE[name])  # a way that is quadratic would not come back
    assert found.kind is not Kind.SAME
    assert found.cut


def test_what_is_cut_says_so() -> None:
    texts = ["\n".join(f"{word} {n}x" for n in range(MOST_LINES + 50)) for word in ("old words", "new ones here")]
    assert compare_texts(*texts).cut
    many = [{str(n): value for n in range(MOST_FIELDS + 1)} for value in ("a", "b")]
    found = compare_values(*many)
    assert (found.cut, found.beyond, found.n_fields) == (True, False, MOST_FIELDS)


@pytest.mark.parametrize("last", [0, 1])
def test_what_differs_beyond_the_members_that_are_compared(last: int) -> None:
    found = compare_values([0] * (MOST_FIELDS + 1), [0] * MOST_FIELDS + [last])
    assert (bool(found), found.beyond, found.cut, found.changes) == (bool(last), bool(last), True, ())

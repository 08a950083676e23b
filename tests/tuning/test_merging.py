"""Taking the labels of one file into another."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Book, Label, Verdict, read
from loopviz.tuning.merging import merge


def label(run: str, verdict: Verdict = LOOP, *, calls: tuple[int, int] | None = None, note: str = "") -> Label:
    return Label(run=run, digest=f"digest-{run}", label=verdict, calls=calls, stimulus="s", note=note)


def book(*labels: Label) -> Book:
    return read(one.line() for one in labels)


def test_the_same_labels_change_nothing() -> None:
    one = book(label("a"), label("b", NOT_A_LOOP))
    merged = merge(one, one)
    assert (merged.book, merged.n_new, merged.unlike) == (one, 0, ())


def test_new_ones_come_in_where_they_belong() -> None:
    merged = merge(book(label("a"), label("c")), book(label("d"), label("b")))
    assert [one.run for one in merged.book.labels] == ["a", "b", "c", "d"]
    assert merged.n_new == 2


@pytest.mark.parametrize(
    ("replace", "stays"),
    [pytest.param(False, LOOP, id="the book's own"), pytest.param(True, NOT_A_LOOP, id="the other")],
)
def test_of_two_that_differ_one_stays(replace: bool, stays: Verdict) -> None:
    merged = merge(book(label("a", LOOP)), book(label("a", NOT_A_LOOP)), replace=replace)
    assert [one.label for one in merged.book.labels] == [stays]
    assert (merged.n_new, len(merged.unlike)) == (0, 1)


def test_a_note_is_a_difference() -> None:
    assert len(merge(book(label("a")), book(label("a", note="no, look"))).unlike) == 1


def test_lines_that_are_no_label_stay_where_they_are() -> None:
    lines = ["# ours", label("b").line(), "", label("a").line()]
    merged = merge(read(lines), book(label("c")))
    assert [line for line in merged.book.lines if line in lines] == lines
    assert len(merged.book.labels) == 3


RUNS = st.lists(
    st.builds(
        label,
        st.sampled_from("abcdef"),
        st.sampled_from((LOOP, NOT_A_LOOP)),
        calls=st.one_of(st.none(), st.tuples(st.just(1), st.integers(1, 3))),
    ),
    max_size=8,
)


@given(RUNS, RUNS, st.booleans())
def test_it_says_what_putting_them_one_by_one_says(ours: list[Label], theirs: list[Label], replace: bool) -> None:
    one, other = book(*ours), book(*theirs)
    expected = {said.key: said.label for said in one.labels}
    for said in other.labels:
        if replace or said.key not in expected:
            expected[said.key] = said.label
    merged = merge(one, other, replace=replace).book
    assert {said.key: said.label for said in merged.labels} == expected
    assert not merged.is_torn
    assert all(json.loads(line) for line in merged.lines)

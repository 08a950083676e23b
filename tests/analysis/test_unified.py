"""Two texts as the lines of one comparison."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.unified import CONTEXT, MOST_LINES, WIDE, Unified, mark_words, unify

LINES = st.lists(st.sampled_from(["a", "b", "  a", "}", "", "a b c"]), max_size=14).map("\n".join)


def shown(unified: Unified) -> list[str]:
    """Rows as text: marked pieces in braces."""
    return [
        f"… {row.skipped}"
        if row.sign == "…"
        else row.sign + "".join(f"{{{text}}}" if marked else text for text, marked in row.pieces)
        for row in unified.rows
    ]


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        pytest.param("a", "b", ["-a", "+b"], id="nothing in common"),
        pytest.param("if ch:", "  if ch:", ["-if ch:", "+{  }if ch:"], id="white space alone is marked"),
        pytest.param("1 of 4", "2 of 4", ["-{1} of 4", "+{2} of 4"], id="a number is marked"),
        pytest.param("a\nb", "a\nb\nc", [" a", " b", "+c"], id="a line more"),
        pytest.param("a\n", "a", [" a", "-"], id="a line break at the end"),
        pytest.param("x y\np q", "k l\nm n", ["-x y", "-p q", "+k l", "+m n"], id="unlike lines are not paired"),
        pytest.param("", "", [" "], id="two empty texts"),
    ],
)
def test_rows(before: str, after: str, rows: list[str]) -> None:
    assert shown(unify(before, after)) == rows


def test_equal_lines_far_from_a_difference_are_left_out() -> None:
    same = [f"line {n}" for n in range(30)]
    changed = [*same[:15], "line fifteen", *same[16:]]
    rows = shown(unify("\n".join(same), "\n".join(changed)))
    assert rows == [
        "… 13", " line 13", " line 14", "-line {15}", "+line {fifteen}", " line 16", " line 17", "… 12",
    ]  # fmt: skip


def test_of_a_long_line_a_window_around_the_difference_is_shown() -> None:
    rows = unify("x" * 1_000 + " one " + "y" * 1_000, "x" * 1_000 + " two " + "y" * 1_000).rows
    for row, word in zip(rows, ("one", "two"), strict=True):
        text = "".join(piece for piece, _ in row.pieces)
        assert word in text and text[0] == text[-1] == "…" and len(text) <= WIDE + 2


@given(LINES, LINES)
def test_the_rows_are_the_two_texts(before: str, after: str) -> None:
    rows = unify(before, after).rows
    skipped = sum(row.skipped for row in rows)
    for sign, text in (("-", before), ("+", after)):
        lines = ["".join(piece for piece, _ in row.pieces) for row in rows if row.sign in (sign, " ")]
        assert len(lines) + skipped == text.count("\n") + 1
        if not skipped:
            assert lines == text.split("\n")
    assert all(row.skipped != 1 for row in rows)
    assert skipped == 0 or skipped > 1


@given(LINES, LINES)
def test_context_is_short(before: str, after: str) -> None:
    run = 0
    for row in unify(before, after).rows:
        run = run + 1 if row.sign == " " else 0
        assert run <= 2 * CONTEXT + 1


@given(st.text("ab 1", max_size=30), st.text("ab 1", max_size=30))
def test_what_is_not_marked_is_in_both_lines(before: str, after: str) -> None:
    old, new = mark_words(before, after)
    assert ("".join(text for text, _ in old), "".join(text for text, _ in new)) == (before, after)
    if any(marked for _, marked in (*old, *new)):
        plain = ["".join(text for text, marked in side if not marked) for side in (old, new)]
        assert plain[0] == plain[1]


def test_huge_texts_are_cut_and_it_says_so() -> None:
    before, after = ("\n".join(f"{n * step} words" for n in range(20_000)) for step in (3, 5))
    unified = unify(before, after)
    assert unified.cut and len(unified.rows) < MOST_LINES


def test_lines_that_come_often_are_lines_in_common_all_the_same() -> None:
    often = ["ok"] * 250
    rows = unify("\n".join(["a", *often, "b"]), "\n".join(["c", "c2", *often, "d"])).rows
    assert [(row.sign, row.skipped) for row in rows if row.sign != " "] == [
        *[("-", 0), ("+", 0), ("+", 0)],
        ("…", 246),
        *[("-", 0), ("+", 0)],
    ]

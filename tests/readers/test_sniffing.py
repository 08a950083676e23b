"""Looking into the first objects of a file."""

from __future__ import annotations

import pytest

from loopviz.readers.base import Head, heads
from loopviz.readers.sniffing import best, first, inside, is_list, is_object, text

DATA = b'{"a": "x", "b": {"c": {"d": "y"}}, "l": [{"role": "user"}, 1], "n": 3, "cut": [{"k": {"z": 1'
(RECORD,) = next(heads(DATA)).objects


def test_members() -> None:
    assert (text(RECORD, "a"), text(RECORD, "n"), text(RECORD, "b"), text(RECORD, "none")) == ("x", "", "", "")
    assert (is_list(RECORD, "l"), is_list(RECORD, "b"), is_list(RECORD, "none")) == (True, False, False)
    assert (is_object(RECORD, "b"), is_object(RECORD, "l"), is_object(RECORD, "none")) == (True, False, False)


def test_inside_objects() -> None:
    assert text(inside(RECORD, "b", "c"), "d") == "y"
    assert inside(RECORD, "b", "x") == inside(RECORD, "a") == inside(RECORD, "l") == {}


def test_the_first_element_of_a_list_even_where_it_is_cut() -> None:
    assert text(first(RECORD, "l"), "role") == "user"
    assert "k" in first(RECORD, "cut")
    assert first(RECORD, "b") == first(RECORD, "none") == {}


@pytest.mark.parametrize(("data", "score"), [(b"", 0.0), (b'{"n": 1}\n{"n": 3}\n{"n": 2}', 3.0)])
def test_the_surest_object_decides(data: bytes, score: float) -> None:
    head: Head = next(heads(data))
    assert best(head, lambda record: float(record["n"])) == score

"""Looking into the first objects of a file."""

from __future__ import annotations

import pytest

from loopviz.readers.base import MOST_SHAPES, OFTEN, Head, heads
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


def test_of_many_objects_that_are_alike_only_some_are_looked_at() -> None:
    data = b'{"level":"info","n":1}\n' * 5_000 + b'{"other":1}\n'
    objects = [each for head in heads(data) for each in head.objects]
    assert len(objects) == OFTEN + 1
    assert objects[-1] == {"other": b"1"}


def test_a_file_of_ever_other_objects_is_given_up() -> None:
    data = b"".join(b'{"a%d":1}\n' % number for number in range(2 * MOST_SHAPES))
    assert sum(len(head.objects) for head in heads(data)) <= MOST_SHAPES + 1

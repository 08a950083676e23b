"""A file's bytes as text, and the way back to its places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.readers.encoding import MOST_INVALID, as_text, display

texts = st.text(st.sampled_from("a\né€\U0001f600"), max_size=40)


@given(texts)
def test_utf8_is_taken_as_it_is(text: str) -> None:
    data = text.encode()
    assert as_text(data).data is data
    assert as_text(data).start == 0
    assert list(as_text(data).invalid) == []
    assert as_text(data).offset(len(data)) == len(data)


def test_a_mark_is_passed_over() -> None:
    text = as_text(b"\xef\xbb\xbf{}")
    assert text.data[text.start :] == b"{}"
    assert text.offset(text.start) == 3


@pytest.mark.parametrize(("mark", "encoding"), [(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
@given(text=texts, repeat=st.sampled_from([1, 1, 500]))
def test_places_in_utf16_are_those_of_the_file(mark: bytes, encoding: str, text: str, repeat: int) -> None:
    text *= repeat
    read = as_text(mark + text.encode(encoding))
    assert read.data == text.encode()
    last = range(max(0, len(text) - 20), len(text) + 1)
    places = [(len(text[:at].encode()), len(mark + text[:at].encode(encoding))) for at in last]
    for inside, in_file in places:
        assert read.offset(inside) == in_file
    assert read.offsets(np.array([inside for inside, _ in places])).tolist() == [in_file for _, in_file in places]


def test_half_a_pair_in_utf16_keeps_its_place() -> None:
    data = b"\xff\xfe" + "a".encode("utf-16-le") + b"\x00\xd8" + "b".encode("utf-16-le")
    text = as_text(data)
    assert text.offset(text.data.index(b"b")) == data.index(b"b")
    assert text.n_invalid(0, len(text.data)) > 0


def test_an_odd_byte_at_the_end_of_utf16_is_dropped() -> None:
    assert as_text(b"\xff\xfe" + "ab".encode("utf-16-le") + b"c").data == b"ab"


@pytest.mark.parametrize(
    ("data", "invalid"),
    [
        pytest.param("é".encode() * 3_000_000, [], id="pieces cut within a character"),
        pytest.param("\U0001f600".encode() * 600_000 + b"a", [], id="and within a longer one"),
        pytest.param(b"a\xffb\xfe", [1, 3], id="two bytes"),
        pytest.param(b"\xc3", [0], id="half a character at the end"),
        pytest.param(b"a" * (1 << 20) + b"\xff" + "é".encode(), [1 << 20], id="in the second piece"),
        pytest.param(b"a" * ((1 << 20) - 1) + b"\xc3" + b"a", [(1 << 20) - 1], id="half a character between pieces"),
        pytest.param(b"\xed\xa0\x80", [0, 1, 2], id="a surrogate in UTF-8"),
    ],
)
def test_finds_what_is_not_utf8(data: bytes, invalid: list[int]) -> None:
    assert list(as_text(data).invalid) == invalid


def test_stops_looking_after_many() -> None:
    text = as_text(b"\xff" * 1_000_000)
    assert len(text.invalid) == MOST_INVALID


def test_counts_what_is_not_utf8_in_a_piece() -> None:
    text = as_text(b"a\xffb\xfec")
    assert [text.n_invalid(0, 1), text.n_invalid(1, 3), text.n_invalid(0, 5), text.n_invalid(2, 3)] == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("data", "like", "shown"),
    [
        pytest.param("é".encode(), b"{", "é", id="UTF-8"),
        pytest.param("é".encode("utf-16-le"), b"\xff\xfe{\0", "é", id="UTF-16, little end first"),
        pytest.param("é".encode("utf-16-be"), b"\xfe\xff\0{", "é", id="UTF-16, big end first"),
        pytest.param(b"a\xffb", b"{", "a\ufffdb", id="not UTF-8"),
        pytest.param(b"a\x00b", b"\xff\xfe{\0", "a\ufffd", id="half a character"),
    ],
)
def test_shows_a_piece_of_a_file(data: bytes, like: bytes, shown: str) -> None:
    assert display(data, like=like) == shown

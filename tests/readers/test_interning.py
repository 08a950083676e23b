"""The codebook: one integer for each text, one for each identity, and what counts as empty."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.canonical import canonical_text, decode
from loopviz.model import MISSING, NULL_VALUE
from loopviz.readers.interning import Interner, is_empty, is_near_empty

CONTENT = [
    pytest.param(b'" "', id="a blank"),
    pytest.param(b'"[]x"', id="a text that begins like nothing"),
    pytest.param(b"0", id="zero"),
    pytest.param(b"false", id="false"),
    pytest.param(b"[null]", id="a list of null"),
    pytest.param(b'{"x":""}', id="an object without content"),
    pytest.param(b'{"x":null,"y":""}', id="the same with two members"),
    pytest.param(b'{"content":" "}', id="a content that is a blank"),
    pytest.param(b'{"content":"","x":0}', id="an empty content and a zero"),
    pytest.param(b'{"content":"","x":false}', id="an empty content and a false"),
    pytest.param(b'{"content":{"x":null}}', id="a content that is empty only two levels down"),
    pytest.param(b'{"content":[""]}', id="a content that is a list of nothing"),
    pytest.param(b'{"Content":""}', id="another case"),
]
EMPTY = [
    pytest.param(b"null", id="null"),
    pytest.param(b'""', id="an empty text"),
    pytest.param(b"{}", id="an empty object"),
    pytest.param(b"[]", id="an empty list"),
    pytest.param(b"{ }", id="an empty object with a blank"),
    pytest.param(b'{"content":""}', id="an empty content"),
    pytest.param(b'{"content":null}', id="a content of null"),
    pytest.param(b'{"content":[]}', id="a content without parts"),
    pytest.param(b'{"content":{}}', id="a content without members"),
    pytest.param(b'{"content":"","detailedContent":"","contents":[]}', id="all members empty"),
]
NEARLY = [
    pytest.param(b'" "', id="a blank"),
    pytest.param(rb'"\n\t"', id="line ends"),
    pytest.param(b'"[]"', id="an empty list as a text"),
    pytest.param(rb'" {}\n"', id="an empty object as a text, with blanks"),
    pytest.param(b'"null"', id="null as a text"),
    pytest.param(rb'"\"\""', id="an empty text as a text"),
    pytest.param(b'"' + b" " * 500 + b'"', id="a long blank"),
]
NOT_EVEN_NEARLY = [
    pytest.param(b'"[ ]"', id="a list with a blank, as a text"),
    pytest.param(b'"0"', id="zero as a text"),
    pytest.param(b'"NULL"', id="null in capitals"),
    pytest.param(b"0", id="zero"),
    pytest.param(b'{"content":" "}', id="a blank content"),
    pytest.param(b'["[]"]', id="a list of such a text"),
]


@pytest.mark.parametrize("raw", CONTENT)
def test_is_content(raw: bytes) -> None:
    assert not is_empty(decode(raw))


@pytest.mark.parametrize("raw", EMPTY)
def test_is_empty(raw: bytes) -> None:
    assert is_empty(decode(raw))
    assert is_near_empty(decode(raw))


@pytest.mark.parametrize("raw", NOT_EVEN_NEARLY)
def test_is_not_even_nearly_empty(raw: bytes) -> None:
    assert not is_near_empty(decode(raw))


@pytest.mark.parametrize("raw", NEARLY)
def test_is_nearly_empty(raw: bytes) -> None:
    assert is_near_empty(decode(raw))
    assert not is_empty(decode(raw))


@pytest.mark.parametrize("raw", [*CONTENT, *EMPTY, *NEARLY, *NOT_EVEN_NEARLY])
def test_the_codebook_knows_what_is_empty(raw: bytes) -> None:
    interner = Interner()
    value = interner.value(raw)
    book = interner.codebook()
    code = book.codes[value]
    assert book.empty[code] == is_empty(decode(raw))
    assert book.near_empty[code] == is_near_empty(decode(raw))


def test_null_comes_first() -> None:
    book = Interner().codebook()
    assert book.values == book.keys == (b"null",)
    assert book.codes.tolist() == [0]
    assert Interner().value(b"null") == NULL_VALUE
    assert Interner().key(MISSING) == b"null"


def test_texts_keep_their_spelling_and_share_their_identity() -> None:
    interner = Interner()
    raws = [b'{"b":1,"a":2}', b'{"a":2,"b":1.0}', b'{"b":1,"a":2}', b'{"a":2,"b":true}']
    values = [interner.value(raw) for raw in raws]
    book = interner.codebook()

    assert [book.values[value] for value in values] == raws
    assert values[0] == values[2]
    assert book.codes[values[0]] == book.codes[values[1]] != book.codes[values[3]]
    assert book.keys[book.codes[values[0]]] == b'{"a":2,"b":1}'


def test_a_text_that_is_canonical_already_is_held_once() -> None:
    interner = Interner()
    value = interner.value(b'"a long text"')
    book = interner.codebook()
    assert book.values[value] is book.keys[book.codes[value]]


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        pytest.param(rb'"\ud800"', True, id="a lone surrogate"),
        pytest.param(b"NaN", True, id="NaN"),
        pytest.param(b"1e400", True, id="beyond the range"),
        pytest.param(b"9" * 400, True, id="400 digits"),
        pytest.param(b"9" * 5_000, False, id="5,000 digits"),
        pytest.param(b'"\xff"', False, id="a byte that is not UTF-8"),
        pytest.param(b'"a\nb"', False, id="a line end as it stands"),
        pytest.param(b"[" * 5_000 + b"]" * 5_000, False, id="very deep"),
    ],
)
def test_every_value_can_be_read_by_the_standard_library(raw: bytes, kept: bool) -> None:
    interner = Interner()
    value = interner.value(raw)
    assert interner.value(raw) == value
    book = interner.codebook()
    json.loads(book.values[value].decode())
    assert (book.values[value] == raw) is kept
    assert book.keys[book.codes[value]] == canonical_text(raw)


@pytest.mark.parametrize("deep_first", [True, False])
def test_a_very_deep_list_is_not_the_text_that_spells_it(deep_first: bool) -> None:
    deep = b"[" * 300 + b"]" * 300
    raws = [deep, b'"' + deep + b'"']
    interner = Interner()
    values = [interner.value(raw) for raw in (raws if deep_first else raws[::-1])]
    assert interner.key(values[0]) != interner.key(values[1])
    assert [interner.value(raw) for raw in (raws if deep_first else raws[::-1])] == values


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match=r"."):
        Interner().value(b"{")


def test_redacted_values_are_known_by_their_index() -> None:
    interner = Interner()
    values = np.array([MISSING, interner.value(b'"x"'), interner.value(b'"[REDACTED]"'), MISSING])
    assert interner.redacted(values).tolist() == [False, False, True, False]


def test_a_tool_has_one_number() -> None:
    interner = Interner()
    assert [interner.tool(name) for name in ("bash", "view", "bash")] == [0, 1, 0]
    assert interner.codebook().tools == ("bash", "view")


raws = st.sampled_from(
    [b"1", b"1.0", b"true", b'"a"', rb'"\u0061"', b"[]", b"[ ]", b"null", b'{"x":1,"y":2}', b'{"y":2,"x":1}', b"1e400"]
)


@given(st.lists(raws, max_size=20))
def test_codes_are_equal_where_canonical_texts_are(texts: list[bytes]) -> None:
    interner = Interner()
    values = [interner.value(raw) for raw in texts]
    book = interner.codebook()
    for value, raw in zip(values, texts, strict=True):
        assert book.keys[book.codes[value]] == canonical_text(raw)
    assert len(set(book.keys)) == len(book.keys) == len(book.empty) == len(book.near_empty)
    assert len(set(book.values)) == len(book.values) == len(book.codes)

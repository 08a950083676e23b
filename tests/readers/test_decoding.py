"""Pieces of a file, decoded tolerantly and spelled again."""

from __future__ import annotations

import json
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz import canonical
from loopviz.canonical import MAX_DEPTH
from loopviz.model import Json
from loopviz.readers.decoding import LEVELS, decode, decode_text, spell


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        pytest.param(b"1", 1, id="a number"),
        pytest.param(b'{"a":1,"a":2}', {"a": 2}, id="a key given twice: the last"),
        pytest.param(b'"\\ud800"', "\ud800", id="a lone surrogate"),
        pytest.param(b'"\xff"', "\udcff", id="a byte that is not UTF-8"),
        pytest.param(b'{"a":Infinity}', {"a": math.inf}, id="infinity"),
        pytest.param(b"1" * 5_000, math.inf, id="an integer of 5,000 digits"),
    ],
)
def test_decodes_what_strict_libraries_refuse(raw: bytes, value: Json) -> None:
    assert decode(raw) == value


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"{", b'{"a":}', b"[1", b"nil", b'"a', b"1 2"),
        pytest.param(b"[" * 100_000, id="deep and cut off"),
        pytest.param(b'{"a":' * 100_000 + b'"x', id="deep and cut off in a text"),
        pytest.param(b'{"a": oops, "b":' + b"[" * 300 + b"]" * 300 + b"}", id="broken beside what is deep"),
    ],
)
def test_refuses_what_is_no_json(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(raw)


def test_a_message_is_not_lost_for_one_deep_argument() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    message = decode(b'{"role":"assistant","calls":[{"name":"x","arguments":{"a":' + deep + b"}}]}")
    assert message["role"] == "assistant"
    assert message["calls"][0]["name"] == "x"
    inside = message["calls"][0]["arguments"]["a"]
    while isinstance(inside, list):
        (inside,) = inside
    assert set(inside) == {"[", "]"}
    assert len(inside) > 2 * (100_000 - LEVELS)


def test_what_is_too_deep_takes_time_in_proportion() -> None:
    def cost(depth: int) -> float:
        raw = b'{"a":' * depth + b"1" + b"}" * depth
        began = time.process_time()
        decode(raw)
        return (time.process_time() - began) / depth

    assert min(cost(100_000) for _ in range(3)) < 10 * max(cost(10_000) for _ in range(3))


def test_what_is_just_not_too_deep_stays_a_value() -> None:
    value: Json = 1
    for _ in range(MAX_DEPTH - 3):
        value = [value]
    assert decode(json.dumps({"a": {"b": value}}).encode()) == {"a": {"b": value}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param('{"a": 1}', {"a": 1}, id="an object"),
        pytest.param(" [1] ", [1], id="a list, with blanks"),
        pytest.param("ls -l", "ls -l", id="a command"),
        pytest.param("", "", id="nothing"),
        pytest.param("1", "1", id="a number stays a text"),
        pytest.param('"a"', '"a"', id="a text in quotes stays what it is"),
        pytest.param('{"a": ', '{"a": ', id="cut off"),
        pytest.param("[ -f a ] && b", "[ -f a ] && b", id="a command that begins like a list"),
    ],
)
def test_only_what_spells_an_object_or_a_list_is_read(text: str, value: Json) -> None:
    assert decode_text(text) == value


@pytest.mark.parametrize("value", [math.nan, {"a": [math.inf, None]}, 10**400, {"a\ud800": "\udcff"}, -(2**70), "null"])
def test_spells_what_json_cannot_hold(value: Json) -> None:
    raw = spell(value)
    json.loads(raw.decode())
    assert canonical.canonical_text(raw) == canonical.canonical(value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_spelling_keeps_the_identity(value: Json) -> None:
    assert canonical.canonical_text(spell(value)) == canonical.canonical(value)


@given(VALUES)
def test_decoding_undoes_spelling(value: Json) -> None:
    assert canonical.canonical(decode(spell(value))) == canonical.canonical(value)

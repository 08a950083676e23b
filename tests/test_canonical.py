"""Canonical JSON: equal spellings exactly for values that are deep-equal in the grader's language."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loopviz.canonical import MAX_DEPTH, Json, canonical, canonical_text, decode, is_deep, read, read_strictly

DIFFERENT = [
    pytest.param(b"1", b"2", id="two numbers"),
    pytest.param(b"true", b"1", id="true is no number"),
    pytest.param(b"false", b"0", id="nor is false"),
    pytest.param(b"null", b"0", id="null is no number"),
    pytest.param(b"null", b'""', id="null is no text"),
    pytest.param(b"{}", b"[]", id="an empty object is no empty list"),
    pytest.param(b"{}", b"null", id="an empty object is not null"),
    pytest.param(b'{"a":null}', b"{}", id="null is not an absent key"),
    pytest.param(b'"1"', b"1", id="texts are never parsed"),
    pytest.param(b'"{}"', b"{}", id="nor those that hold JSON"),
    pytest.param(b"[1,2]", b"[2,1]", id="the order of a list counts"),
    pytest.param(b'"a"', b'"a "', id="blanks count"),
    pytest.param(b'"a"', b'"A"', id="case counts"),
    pytest.param('"é"'.encode(), '"e\u0301"'.encode(), id="no Unicode folding"),
    pytest.param(b"9007199254740992", b"9007199254740994", id="two doubles beyond 2^53"),
    pytest.param(b"1e999", b"-1e999", id="the two infinities"),
    pytest.param(b"1e999", b"1.7976931348623157e308", id="infinity and the largest double"),
    pytest.param(b"NaN", b"null", id="NaN is not null"),
    pytest.param(b"NaN", b'"NaN"', id="nor a text"),
    pytest.param(b"1e999", b'"1e999"', id="nor is infinity"),
    pytest.param(rb'"\ud800"', rb'"\ud801"', id="two lone surrogates"),
    pytest.param(b'"\xff"', b'"\xfe"', id="two bytes that are not UTF-8"),
    pytest.param(rb'"\ud800"', '"\ufffd"'.encode(), id="a lone surrogate and the character shown for it"),
    pytest.param(b'{"a":1,"a":2}', b'{"a":1}', id="of a key given twice the last one wins"),
]
EQUAL = [
    pytest.param(b'{"a":1,"b":2}', b'{ "b" : 2, "a" : 1 }', id="the order of keys"),
    pytest.param(b'{"a":1,"a":2}', b'{"a":2}', id="a key given twice"),
    pytest.param(b"1", b"1.0", id="a point"),
    pytest.param(b"1", b"1e0", id="an exponent"),
    pytest.param(b"100", b"1E2", id="a capital exponent"),
    pytest.param(b"-0", b"0", id="minus zero"),
    pytest.param(b"-0.0", b"0", id="minus zero with a point"),
    pytest.param(b"1e-400", b"0", id="too small for a double"),
    pytest.param(b"0.1", b"0.1000000000000000055511151231257827", id="digits beyond a double"),
    pytest.param(b"9007199254740993", b"9007199254740992", id="beyond 2^53, one double"),
    pytest.param(b"9007199254740993.0", b"9007199254740992", id="the same with a point"),
    pytest.param(b"10000000000000000", b"1e16", id="16 zeros"),
    pytest.param(b"12345678901234567890", b"12345678901234567000", id="20 digits"),
    pytest.param(b"1" + b"0" * 400, b"9" * 5_000, id="beyond the range"),
    pytest.param(b"1e400", b"9" * 5_000, id="beyond the range, with an exponent"),
    pytest.param(b"-1e400", b"-" + b"9" * 400, id="below the range"),
    pytest.param(rb'"\u00e9\/"', '"é/"'.encode(), id="escapes"),
    pytest.param(rb'"\ud83d\ude00"', '"\U0001f600"'.encode(), id="a pair of surrogates"),
    pytest.param(rb'"\uD800"', rb'"\ud800"', id="a lone surrogate, whatever the case of its escape"),
    pytest.param(rb'{"b":"\ud800","a":1.0}', rb'{"a":1,"b":"\ud800"}', id="an odd text among others"),
    pytest.param(b"[NaN]", b"[ NaN ]", id="NaN"),
    pytest.param(b'"a\tb"', rb'"a\tb"', id="a control character as it stands"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_keeps_apart(one: bytes, other: bytes) -> None:
    assert canonical_text(one) != canonical_text(other)


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_brings_together(one: bytes, other: bytes) -> None:
    assert canonical_text(one) == canonical_text(other)


@pytest.mark.parametrize(
    ("raw", "spelled"),
    [
        pytest.param(b"null", b"null", id="null"),
        pytest.param(b'{ "b" : [1.0, 2.5], "a" : null }', b'{"a":null,"b":[1,2.5]}', id="sorted, without blanks"),
        pytest.param(b"1e400", b"1e999", id="infinity"),
        pytest.param(b"-1e400", b"-1e999", id="minus infinity"),
        pytest.param('"é"'.encode(), '"é"'.encode(), id="characters stand as they are"),
        pytest.param(b' "a" ', b'"a"', id="blanks around a text"),
        pytest.param(b'"\xff"', rb'"\udcff"', id="a byte that is not UTF-8 as the escape of a surrogate"),
    ],
)
def test_spells(raw: bytes, spelled: bytes) -> None:
    assert canonical_text(raw) == spelled


@pytest.mark.parametrize("raw", [b"", b"{", b"[1,]", b'"a', b"tru", b"01", b"{'a':1}", b"1 2"])
def test_refuses_what_is_no_json(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical_text(raw)


@pytest.mark.parametrize(("open_", "close"), [("[", "]"), ('{"a":', "}"), ('[{"a":[', "]}]")])
def test_a_deep_value_is_the_text_that_spells_it(open_: str, close: str) -> None:
    per_turn = sum(open_.count(bracket) for bracket in "[{")
    at_limit = MAX_DEPTH // per_turn
    within = (open_ * at_limit + "1" + close * at_limit).encode()
    beyond = (open_ * (at_limit + 1) + "1" + close * (at_limit + 1)).encode()

    assert not is_deep(within)
    assert not isinstance(decode(within), str)
    assert is_deep(beyond)
    assert decode(beyond) == beyond.decode()
    assert canonical_text(beyond).lstrip() == canonical(beyond.decode())


def test_a_deep_value_equals_itself_and_nothing_else() -> None:
    deep = b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1)
    others = [b"[" + deep + b"]", b"{" + b'"a":' + deep + b"}", json.dumps(deep.decode()).encode(), b'""', b"[]"]
    assert canonical_text(deep) == canonical_text(bytes(deep))
    assert canonical_text(deep) not in [canonical_text(other) for other in others]
    assert json.loads(canonical_text(deep)) == deep.decode()


@pytest.mark.parametrize(
    ("raw", "deep"),
    [
        pytest.param(b"[" + b"[],{}," * 5_000 + b"1]", False, id="many brackets, none deep"),
        pytest.param(b'"' + b"[" * 5_000 + b'"', False, id="brackets in a text"),
        pytest.param(rb'["\"' + b"[" * 5_000 + b'"]', False, id="behind an escaped quote"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, True, id="very deep"),
        pytest.param(b"[[]" * 100_000 + b"]" * 100_000, True, id="very deep and very wide"),
        pytest.param(b"[" * 100_000, True, id="never closed"),
        pytest.param(b"[" * 150 + b"]}" * 150, False, id="brackets that do not match"),
        pytest.param(b'{"a":{,"b":[' + b"{}," * 300 + b"1]}", False, id="many brackets and one that is missing"),
    ],
)
def test_measures_depth(raw: bytes, deep: bool) -> None:
    assert is_deep(raw) is deep


numbers = (
    st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.sampled_from([0.0, -0.0, 1, 1.0, 2**53, 2**53 + 1, 2.0**53, 10**400, -(10**400), math.inf])
)
texts = st.text(st.characters(), max_size=4) | st.sampled_from(["", "\ud800", "a\udcff", "1", "null", "é", "\u2028"])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def same(one: Json, other: Json) -> bool:
    """Deep equality as JavaScript sees it, by definition."""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return as_double(one) == as_double(other)
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def as_double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, 1 if number > 0 else -1)


@given(values, values)
@example(2**53, 2**53 + 1)
@example({"a": [1.0]}, {"a": [1]})
@example([math.inf], [10**400])
def test_equal_spellings_mean_deep_equal(one: Json, other: Json) -> None:
    assert (canonical(one) == canonical(other)) is same(one, other)


@given(values)
def test_a_value_and_its_text_are_spelled_alike(value: Json) -> None:
    text = json.dumps(value).encode()
    assert canonical_text(text) == canonical(value) == canonical(decode(text))


@given(values)
def test_spelling_twice_changes_nothing(value: Json) -> None:
    once = canonical(value)
    assert canonical_text(once) == once
    assert same(decode(once), value)


@given(values)
def test_the_quick_way_and_the_forgiving_way_agree(value: Json) -> None:
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        quick = read_strictly(text)
    except ValueError:
        return
    assert quick[1] == read(text)[1] == canonical(json.loads(text))
    assert same(quick[0], json.loads(text))

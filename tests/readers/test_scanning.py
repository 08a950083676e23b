"""The token scan: what it finds in broken JSON, and that it never takes long over it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.model import Json
from loopviz.readers.scanning import find_elements, find_members, find_value

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.sampled_from('a"\\{}[],: \n')),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.sampled_from('a"\\{'), max_size=3), inner),
    max_leaves=8,
)
styles = st.sampled_from([{}, {"separators": (",", ":")}, {"indent": 1}])


@given(values, styles)
def test_finds_where_a_value_ends(value: Json, style: dict[str, Json]) -> None:
    text = json.dumps(value, **style).encode()
    assert find_value(b"  " + text + b" , 1]", 2, len(text) + 7) == (len(text) + 2, True)


@pytest.mark.parametrize("text", [b"[1}, 2]", b'{"a":1], "b":2}'])
def test_a_bracket_of_the_other_kind_ends_nothing(text: bytes) -> None:
    assert find_value(text, 0, len(text)) == (len(text), True)


@given(st.dictionaries(st.text(max_size=3), values, max_size=4), styles)
def test_finds_the_members_of_an_object(value: dict[str, Json], style: dict[str, Json]) -> None:
    text = json.dumps(value, **style).encode()
    found = find_members(text + b"  ", 0, len(text) + 2)
    assert {key: json.loads(text[slice(*span)]) for key, span in found.spans.items()} == value
    assert (found.closed, found.clean, found.stop) == (True, True, len(text))


@given(st.lists(values, max_size=4), styles)
def test_finds_the_elements_of_a_list(value: list[Json], style: dict[str, Json]) -> None:
    text = json.dumps(value, **style).encode()
    found = list(find_elements(text, 0, len(text)))
    assert [json.loads(raw) for _, raw in found] == value
    assert all(text[at : at + len(raw)] == raw for at, raw in found)


@given(st.dictionaries(st.text(max_size=2), values, min_size=1, max_size=3), st.data())
def test_a_cut_object_is_not_closed(value: dict[str, Json], data: st.DataObject) -> None:
    text = json.dumps(value).encode()
    cut = data.draw(st.integers(1, len(text) - 1))
    assert not find_members(text[:cut], 0, cut).closed


@pytest.mark.parametrize(
    ("text", "keys", "clean"),
    [
        pytest.param(b'{"a":1,"b":2}', ["a", "b"], True, id="sound"),
        pytest.param(b'{"a":NaN,"b":1e400}', ["a", "b"], True, id="odd numbers"),
        pytest.param(b'{"a":1,"a":2}', ["a"], True, id="a key given twice"),
        pytest.param(b'{"a":1,,"b":2,}', ["a", "b"], True, id="commas too many"),
        pytest.param(b'{"a":1 "b":2}', ["a", "b"], True, id="a comma too few"),
        pytest.param(b'{"a":1, oops, "b":2}', ["a", "b"], False, id="a word between"),
        pytest.param(b'{"a":, "b":2}', ["b"], False, id="no value"),
        pytest.param(b'{"a":1, {"x":3}, "b":2}', ["a", "b"], False, id="an object between"),
        pytest.param(b'{"a":[1],], "b":2}', ["a", "b"], False, id="a bracket too many"),
    ],
)
def test_finds_what_there_is(text: bytes, keys: list[str], clean: bool) -> None:
    found = find_members(text, 0, len(text))
    assert list(found.spans) == keys
    assert found.clean is clean
    assert found.closed


EVENTS = [{"type": "x", "data": {"n": number}} for number in range(3)]
GOOD = [json.dumps(each, separators=(",", ":")).encode() for each in EVENTS]


@pytest.mark.parametrize(
    ("broken", "pieces"),
    [
        pytest.param(b"@@garbage@@", 4, id="a word"),
        pytest.param(b'{"type":"x","data":{"n":', 4, id="brackets too few"),
        pytest.param(b'{"type":"x","data":{"n":9}}}', 5, id="a bracket too many"),
        pytest.param(b'{"type":"x","data":{"n":"oops}}', 4, id="a quote too few"),
        pytest.param(b'{"type":"x","data":{"n":tru}}', 4, id="half a word"),
        pytest.param(b'{"type":"x" "data":{}}', 4, id="a comma too few"),
        pytest.param(b"\x00\x00", 3, id="zero bytes"),
        pytest.param(b'{"type":"x","data":' + b"[" * 300, 4, id="deep, and brackets too few"),
        pytest.param(b'{"type":"x","data":{"n":"a } b"c }]"}', 4, id="a quote too many, and a bracket in a text"),
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_keeps_the_good_elements_around_a_broken_one(broken: bytes, pieces: int, at: int) -> None:
    texts = [*GOOD[:at], broken, *GOOD[at:]]
    text = b"[" + b",".join(texts) + b"]"
    found = [raw for _, raw in find_elements(text, 0, len(text))]
    assert [raw for raw in found if raw in GOOD] == GOOD
    assert len(found) == pieces


def test_goes_on_behind_a_missing_quote_with_what_looks_like_the_last_element() -> None:
    inner = b'{"type":"x","data":{"parts":[{"type":"text","text":"oops}]}}'
    text = b"[" + GOOD[0] + b"," + inner + b"," + GOOD[1] + b"]"
    assert [raw for _, raw in find_elements(text, 0, len(text))][-1] == GOOD[1]


def test_parts_of_a_broken_element_are_not_taken_for_elements() -> None:
    message = b'{"role":"tool","content":"x } y"}'
    run = b'{"id":"1","messages":[' + b",".join([message] * 5) + b"]}"
    broken = run.replace(b'"content"', b'content"', 1)
    text = b"[" + broken + b"]"
    assert [at for at, _ in find_elements(text, 0, len(text))] == [1]
    text = b"[" + run + b"," + broken + b"," + run + b"]"
    assert [raw for _, raw in find_elements(text, 0, len(text))][::2] == [run, run]


BROKEN: list[Callable[[int], bytes]] = [
    lambda n: b"[" * n,
    lambda n: b"{" * n,
    lambda n: b'{"a":' * n,
    lambda n: b"[" + b'{"type":"x","data":{,' * n,
    lambda n: b'[{"type":"x","data":1},' + b'{"type":"x","data":"oops,' * n,
    lambda n: b'[{"type":"x","data":1},' + b'{"type":"x","data":{"n":1},' * n,
    lambda n: b"[" + b'"' * n,
    lambda n: b'["' + b'\\"' * n,
    lambda n: b'["' + b"\\" * n,
    lambda n: b"[" + b"}" * n,
    lambda n: b"[" + b":" * n,
    lambda n: b"[" + b"\x00" * n,
    lambda n: b"[" + b"a " * n,
]


@pytest.mark.parametrize("make", BROKEN)
def test_takes_time_in_proportion_however_broken(make: Callable[[int], bytes]) -> None:
    def elapsed_s(n: int) -> float:
        text = make(n)
        begin = time.process_time()
        for _ in find_elements(text, 0, len(text)):
            pass
        find_members(text, 0, len(text))
        return time.process_time() - begin

    assert elapsed_s(20_000) < 40 * max(elapsed_s(2_000), 0.002)

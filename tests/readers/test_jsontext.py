"""Splitting files into records, members and elements, with the place of each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.model import Json
from loopviz.readers.encoding import as_text
from loopviz.readers.jsontext import Record, elements, members, peek, records
from loopviz.readers.scanning import find_elements, find_members


def split(data: bytes, **options: bool) -> list[Record]:
    return list(records(as_text(data), **options))


def texts(data: bytes, **options: bool) -> list[bytes]:
    return [data[record.start : record.stop] for record in split(data, **options)]


@pytest.mark.parametrize(
    ("data", "places"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(b" \r\n\n", [], id="blanks"),
        pytest.param(b'{"a":1}', [""], id="a document"),
        pytest.param(b'\xef\xbb\xbf {"a":1}\r\n', [""], id="with a mark and blanks"),
        pytest.param(b'{\n"a":1}\n', [""], id="over two lines"),
        pytest.param(b'[{"a":1},{"b":2}]', ["record 1", "record 2"], id="a list"),
        pytest.param(b'{"a":1}\n{"b":2}', ["line 1", "line 2"], id="lines"),
        pytest.param(b'\r\n{"a":1}\r\n\r\n{"b":2}\r\n', ["line 2", "line 4"], id="lines with blank ones"),
        pytest.param(b'{\n"a":1}\n{\n"b":2}\n', ["", ""], id="one document after the other"),
        pytest.param(b'{"a":"\n', [""], id="a document cut off"),
        pytest.param(b'{"a":1}\n\x00\x00\x00', [""], id="zero bytes at the end"),
        pytest.param(b'{"a":1}\n\x00\n{"b":1}', ["line 1", "line 2", "line 3"], id="zero bytes between"),
        pytest.param(b'[\n{"a":1},\n{"b":2}\n', ["record 1", "record 2"], id="a list cut off"),
        pytest.param(b'Done:\n{\n "a":\n {"b":1}\n}\n', ["", ""], id="a document behind a word"),
        pytest.param(b'warn\nwarn\n{"a":1}\n', ["line 1", "line 2", "line 3"], id="a line behind two of a log"),
        pytest.param(b'[12:00] Go\n[12:01] Hm\n{"a":1}', ["line 1", "line 2", "line 3"], id="or three with clocks"),
        pytest.param(b'[{"a":1}]\n[{"b":2},{"c":3}]\n[]\n', ["line 1", "line 2", "line 3"], id="lists in lines"),
        pytest.param(b'[{"a":1}]\n[{"b":2}]\n[{"c":', ["line 1", "line 2", "line 3"], id="the last list cut off"),
        pytest.param(b'[{"a":1},{"b":2}]\noops', ["record 1", "record 2", ""], id="something behind a list"),
        pytest.param(b'[["a"],\n["b"],\n["c"]\n', ["record 1", "record 2", "record 3"], id="a list of lists cut off"),
        pytest.param(b"warn\n" * 30 + b'{"a":1}\n', [f"line {n}" for n in range(1, 32)], id="or many"),
    ],
)
def test_finds_the_records(data: bytes, places: list[str]) -> None:
    assert [record.where for record in split(data)] == places


def test_a_single_line_may_be_a_file_of_lines() -> None:
    assert [record.where for record in split(b'{"a":1}\n', one_line_is_lines=True)] == ["line 1"]
    assert [record.where for record in split(b'{\n"a":1}\n', one_line_is_lines=True)] == [""]


def test_a_record_is_its_bytes_without_the_blanks() -> None:
    assert texts(b'\xef\xbb\xbf {"a":1} \n\n\t{"b":2}\r\n') == [b'{"a":1}', b'{"b":2}']
    assert texts(b'[ {"a":1}, {"b":2} ]') == [b'{"a":1}', b'{"b":2}']


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        pytest.param(b'{"b":NaN}', None, id="NaN"),
        pytest.param(rb'{"b":"\ud800"}', None, id="a lone surrogate"),
        pytest.param(b'{"b":"\xff"}', None, id="not UTF-8"),
        pytest.param(b'{"b":' + b"[" * 5_000 + b"]" * 5_000 + b"}", None, id="very deep"),
        pytest.param(b'{"b":1', "is cut off", id="cut off"),
        pytest.param(b'{"b":"', "is cut off", id="cut off in a text"),
        pytest.param(b'{"b":1} {"c":2}', "holds something else after its JSON object", id="two objects"),
        pytest.param(b"oops", "is not a JSON object", id="a word"),
        pytest.param(b"[1]", "is not a JSON object", id="a list"),
        pytest.param(b"\x00\x00", "holds nothing but zero bytes", id="zero bytes"),
    ],
)
def test_a_bad_line_says_why_and_the_others_stay(line: bytes, fault: str | None) -> None:
    first, bad, last = split(b'{"a":1}\n' + line + b'\n{"c":3}\n')
    assert first.members
    assert last.members
    assert (None if bad.members else bad.fault) == fault
    assert bad.line == 2


objects = st.dictionaries(
    st.text(st.sampled_from('ab"\\é\u2028')),
    st.text(st.sampled_from('"\\{}[],:é')) | st.lists(st.integers()),
    max_size=4,
)
styles = st.sampled_from([{}, {"separators": (",", ":")}, {"indent": 1}, {"ensure_ascii": False}])


@given(objects, styles)
def test_the_quick_way_and_the_token_scan_find_the_same_members(value: Json, style: dict[str, Json]) -> None:
    text = b" " + json.dumps(value, **style).encode() + b"\n"
    found = members(text, 0, len(text))
    assert found is not None
    assert found.spans == find_members(text, 1, len(text) - 1).spans
    assert {key: json.loads(text[slice(*span)]) for key, span in found.spans.items()} == value


@given(st.lists(objects | st.integers(), max_size=5), styles)
def test_the_quick_way_and_the_token_scan_find_the_same_elements(value: Json, style: dict[str, Json]) -> None:
    text = json.dumps(value, **style).encode()
    quick = [(at, bytes(raw)) for at, raw in elements(text, 0, len(text))]
    assert quick == list(find_elements(text, 0, len(text)))
    assert [json.loads(raw) for _, raw in quick] == value


@pytest.mark.parametrize("text", [b"", b"[]", b"1", b'"a"', b"null"])
def test_what_is_no_object_has_no_members(text: bytes) -> None:
    assert members(text, 0, len(text)) is None


def test_of_a_key_given_twice_the_last_one_wins() -> None:
    text = b'{"a":1,"b":2,"a":3}'
    found = members(text, 0, len(text))
    assert found is not None
    assert {key: text[slice(*span)] for key, span in found.spans.items()} == {"a": b"3", "b": b"2"}


@pytest.mark.parametrize(
    ("head", "seen"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(b"oops", [], id="no JSON"),
        pytest.param(b'{"a":1}', [{"a": b"1"}], id="a document"),
        pytest.param(b'{"a":1,"b":[1,2', [{"a": b"1", "b": b"[1,2"}], id="the beginning of one"),
        pytest.param(b'[{"a":1},{"b":', [{"a": b"1"}, {}], id="the beginning of a list"),
        pytest.param(b'{"a":1}\n{"b":2}\n', [{"a": b"1"}, {"b": b"2"}], id="lines"),
        pytest.param(b'oops\n{"b":2}\n', [{"b": b"2"}], id="a bad line"),
        pytest.param(b'[{"a":1}]\n[{"b":2}]\n', [{"a": b"1"}, {"b": b"2"}], id="lists in lines"),
        pytest.param('{"a":1}'.encode("utf-16"), [{"a": b"1"}], id="UTF-16"),
    ],
)
def test_looks_at_the_beginning(head: bytes, seen: list[dict[str, bytes]]) -> None:
    assert list(peek(as_text(head))) == seen


def test_what_stands_behind_a_list_is_said() -> None:
    *_, last = split(b'[{"a":1}]\n{"b":2} oops\n')
    assert (last.start, last.members) == (10, None)
    assert last.fault == "stands behind the list that the file begins with"

"""Normalised arguments: what goes, what stays, and that a hostile text costs no more than its length."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.canonical import canonical
from loopviz.detectors.core import normalise
from loopviz.detectors.core.normalise import normalise_text, normalised
from tests import oracles_guards as oracles

UUID = "123e4567-e89b-12d3-a456-426614174000"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("npm test", id="plain words"),
        pytest.param("https://example.org/a/b?page=2", id="the path of a URL"),
        pytest.param("see https://a.org/x/y and c://d/e", id="two URLs"),
        pytest.param("12345", id="five digits"),
        pytest.param("a123456", id="digits behind a letter"),
        pytest.param("123456b", id="digits before a letter"),
        pytest.param("id_123456", id="digits behind an underscore"),
        pytest.param("deadbeef0123456789abcdef", id="a hex id"),
        pytest.param("12:30", id="hours and minutes"),
        pytest.param("2024-1-1", id="a date of another spelling"),
        pytest.param(UUID.replace("-", ""), id="a UUID without hyphens"),
        pytest.param("c:relative", id="a drive without a separator"),
        pytest.param("a\\b", id="a backslash alone"),
        pytest.param("x:/a", id="a slash behind a colon"),
    ],
)
def test_stays_as_it_is(text: str) -> None:
    assert normalised(canonical(text)) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param("NPM Test", "npm test", id="capitals"),
        pytest.param("cat /etc/hosts", "cat hosts", id="absolute path"),
        pytest.param("cat ~/notes.md", "cat notes.md", id="path at home"),
        pytest.param("vim src/app/main.py:12", "vim main.py:12", id="relative path"),
        pytest.param("ls src/", "ls src", id="closing separator"),
        pytest.param("ls /", "ls /", id="root alone"),
        pytest.param(r"type c:\users\me\a.txt", "type a.txt", id="Windows path"),
        pytest.param(r"dir \\server\share\x" + "\\", "dir x", id="UNC path"),
        pytest.param(r"c:\a b\c", r"a b\c", id="Windows path ends at a space"),
        pytest.param("at 2024-05-01t10:20:30.5z!", "at !", id="date and time"),
        pytest.param("at 2024-05-01 10:20:30,123+02:00!", "at !", id="date and time with a space and a zone"),
        pytest.param("on 2024-05-01.", "on .", id="date"),
        pytest.param("10:20:30.25 up", " up", id="time of day"),
        pytest.param(f"id={UUID.upper()}", "id=", id="UUID"),
        pytest.param("epoch 1714557630.123", "epoch ", id="epoch seconds"),
        pytest.param("epoch 1714557630123", "epoch ", id="epoch milliseconds"),
        pytest.param("v 123456.5.6", "v .6", id="only one fraction"),
        pytest.param("https://a.org/2024-05-01/x/1234567", "https://a.org//x/", id="dates and ids in a URL"),
        pytest.param("a/b https://c/d e/f", "b https://c/d f", id="paths around a URL"),
        pytest.param("12" + UUID + "3456", "", id="digits that a deletion joins are one number"),
        pytest.param("٣٣٣٣٣٣", "", id="digits of another script"),
    ],
)
def test_cuts_and_deletes(text: str, left: str) -> None:
    assert normalised(canonical(text)) == left


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(None, "", id="missing"),
        pytest.param("", "", id="empty text"),
        pytest.param({}, "{}", id="empty object"),
        pytest.param([], "[]", id="empty list"),
        pytest.param(True, "true", id="true"),
        pytest.param([None], "[null]", id="null inside"),
        pytest.param("a\nb", "a\nb", id="bare text stays bare"),
        pytest.param(["a\nb", 'say "x"'], r'["a\nb","say \"x\""]', id="texts inside are quoted"),
        pytest.param({"b": 1, "a": "É"}, '{"a":"é","b":1}', id="keys sorted, letters as they are"),
        pytest.param({"A": 1, "a": 2}, '{"a":2}', id="of keys made equal the last wins"),
        pytest.param({"src/App.py": 1, "1234567": 1}, '{"1234567":1,"src/app.py":1}', id="keys are only lowered"),
        pytest.param([99999, -99999.5], "[99999,-99999.5]", id="five digits"),
        pytest.param([100000, -1714557630, 1e21, 123456.5], '["","","",""]', id="six digits and more"),
        pytest.param(1714557630, "", id="a bare large number"),
        pytest.param([float("inf")], '[""]', id="a number beyond all range"),
        pytest.param([1.0, -0.0, 0.1, 1e-6, 1.5e-6, 1e-7], "[1,0,0.1,0.000001,0.0000015,1e-7]", id="as JSON.stringify"),
        pytest.param("x" * 300, "x" * 200, id="the first 200 code points"),
        pytest.param("\U0001f600" * 300, "\U0001f600" * 200, id="code points, not halves of them"),
        pytest.param({"a": "1714557630 " * 500 + "end"}, '{"a":"' + " " * 194, id="cut after deleting"),
        pytest.param(["\ud800"], '["\ud800"]', id="half a surrogate pair"),
    ],
)
def test_writes_compact_json(value: Any, text: str) -> None:
    assert normalised(canonical(value)) == text


SIGNS = [*"aZ1٣_.,:;-+~/\\@'\"<>|*? \n", "Σ", "İ", "é", "ſ"]
PATHS = ["\\\\", "c:\\", "\\a", "/b", "~/", "://", "http://", "x.y://"]
TIMES = ["2024-01-02", "t", "10:20", "10:20:30", ".5", ",25", "z", "+01:00", "-0100"]
IDS = ["12", "123456", "٣٣٣٣٣٣", UUID, "123e4567", "-e89b", "-426614174000", "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"]
TEXTS = st.lists(st.sampled_from([*SIGNS, *PATHS, *TIMES, *IDS]), max_size=14).map("".join)


@given(TEXTS)
def test_finds_what_the_published_patterns_find(text: str) -> None:
    assert normalise_text(text, len(text)) == oracles.normalised_leaf(text)


@given(text=TEXTS, chunk=st.integers(1, 12), room=st.integers(1, 20))
def test_working_in_pieces_changes_nothing(text: str, chunk: int, room: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normalise, "CHUNK", chunk)
        assert normalise_text(text, room)[:room] == oracles.normalised_leaf(text)[:room]


NUMBERS = st.integers(-(10**7), 10**7) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    TEXTS | st.none() | st.booleans() | NUMBERS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "A", "b", "É", "é", "x/y", "1234567", '"']), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_agrees_with_the_definition(value: Any) -> None:
    assert normalised(canonical(value)) == oracles.normalised(value)


SEPARATORS = ["/", "a/", "a/a ", "~/", "~", ".", "\\", "a\\", "c:\\a ", "://", "a://"]
DIGITS = ["1", "1a", "٣1", "1111-", "1:1:", "2024-01-01 ", "10:10:10", "123456.", "ffffffff-ffff-"]
REST = ["a", " ", "\n", "x 123456\n"]


@pytest.mark.parametrize("piece", [*SEPARATORS, *DIGITS, *REST])
def test_cost_is_in_proportion_to_length(piece: str) -> None:
    text = canonical({"a": "c:\\" + piece * (500_000 // len(piece)) + "a"})
    began = time.perf_counter()
    normalised(text)
    assert time.perf_counter() - began < 5  # anything that looks back over the whole text takes hours

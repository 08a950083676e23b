"""YAML 1.2: what a plain word means, what is refused, and that what is written is read back."""

import json
import math
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from loopviz import yaml12
from loopviz.yaml12 import YamlError, dump, load

REAL = Path(__file__).parents[2] / "shared" / "real" / "vally"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[
            pytest.param(word, word, id=f"a text: {word}")
            for word in (
                "no yes on off y n No ON tRUE nULL 1:30 1_000 0b11 0o8 -0o7 -0x1 0x 2024-01-01 2024-01-01T00:00:00Z "
                "1e 1.e.2 .e3 . -a + inf nan NaN .Nan +.nan <<x = 12a 1,000 1.2.3 ^bash$"
            ).split()
        ],
        pytest.param("'no'", "no", id="single quotes"),
        pytest.param('"010"', "010", id="double quotes"),
        pytest.param("'it''s'", "it's", id="a quote in quotes"),
        pytest.param('"\\x41\\u00e9\\U0001F600\\/\\t"', "Aé\U0001f600/\t", id="escapes"),
        pytest.param('"\\ud83d\\ude00"', "\U0001f600", id="a character as a pair of escapes"),
        pytest.param('"\\ud83d"', "\ud83d", id="half a pair"),
        pytest.param("|\n  a\n  b\n", "a\nb\n", id="a literal block"),
        pytest.param(">-\n  a\n  b\n", "a b", id="a folded block"),
        pytest.param("!!str 3", "3", id="a number said to be a text"),
        pytest.param("a\u2028b\x85c\u2029d", "a\u2028b\x85c\u2029d", id="line breaks of version 1.1, plain"),
        pytest.param('"a \u2028 b\x85"', "a \u2028 b\x85", id="in double quotes"),
        pytest.param("'a \u2028 b\x85'", "a \u2028 b\x85", id="in single quotes"),
        pytest.param(">-\n  a\u2028b\n  c\x85", "a\u2028b c\x85", id="in a folded block"),
        pytest.param("# a\u2028b\x85c\nd", "d", id="in a comment"),
        pytest.param("a\u2028b\ue000\ue001", "a\u2028b\ue000\ue001", id="beside private characters"),
        pytest.param('"\\L\\N"', "\u2028\x85", id="line breaks of version 1.1 as escapes"),
    ],
)
def test_texts(text: str, expected: str) -> None:
    assert load(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", None, id="nothing"),
        pytest.param("# only a comment\n", None, id="a comment"),
        pytest.param("~", None, id="a tilde"),
        pytest.param("null", None, id="null"),
        pytest.param("NULL", None, id="NULL"),
        pytest.param("true", True, id="true"),
        pytest.param("False", False, id="False"),
        pytest.param("010", 10, id="a leading zero"),
        pytest.param("0o10", 8, id="octal"),
        pytest.param("0x1F", 31, id="hexadecimal"),
        pytest.param("+1", 1, id="a plus sign"),
        pytest.param("-12", -12, id="negative"),
        pytest.param("!!int '3'", 3, id="a text said to be a number"),
        pytest.param("1e3", 1000.0, id="an exponent"),
        pytest.param("1.", 1.0, id="a point at the end"),
        pytest.param("-.5E-1", -0.05, id="a point at the start"),
        pytest.param(".inf", math.inf, id="infinity"),
        pytest.param("-.INF", -math.inf, id="minus infinity"),
        pytest.param("9007199254740991", 2**53 - 1, id="the last exact whole number"),
        pytest.param("9007199254740993", 9007199254740992.0, id="a whole number that a double rounds"),
        pytest.param("9" * 5000, math.inf, id="a number beyond all doubles"),
        pytest.param("0x" + "f" * 5000, math.inf, id="the same in hexadecimal"),
    ],
)
def test_what_is_no_text(text: str, expected: Any) -> None:
    value = load(text)
    assert value == expected
    assert type(value) is type(expected)


def test_not_a_number() -> None:
    assert math.isnan(load(".nan"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("{}", {}, id="empty mapping"),
        pytest.param("[]", [], id="empty list"),
        pytest.param("a:\nb: [1, x]", {"a": None, "b": [1, "x"]}, id="a key without a value"),
        pytest.param("<<: {a: 1}\nb: 2", {"<<": {"a": 1}, "b": 2}, id="no merging"),
        pytest.param(
            "010: a\ntrue: b\n~: c\n1.5: d", {"10": "a", "true": "b", "": "c", "1.5": "d"}, id="keys are texts"
        ),
        pytest.param("2.0: a", {"2": "a"}, id="a whole key"),
        pytest.param("a: &x [1]\nb: *x", {"a": [1], "b": [1]}, id="an alias"),
        pytest.param("a: &x 1\nb: *x\nc: &x 2\nd: *x", {"a": 1, "b": 1, "c": 2, "d": 2}, id="an anchor given anew"),
        pytest.param("a:\t1\t# note\nb: 2", {"a": 1, "b": 2}, id="tabs between"),
        pytest.param("a: 1\n\t\n\t# note\nb: 2", {"a": 1, "b": 2}, id="lines of tabs"),
        pytest.param('{\n\t"a": [1,2],\n\t"b":"x\\/y"\n}', {"a": [1, 2], "b": "x/y"}, id="JSON with tabs"),
        pytest.param("[1,\n\t2]", [1, 2], id="a list with tabs"),
        pytest.param("\ufeffa: 1\r\nb: 2\r\n", {"a": 1, "b": 2}, id="a file from Windows"),
        pytest.param('["\U0001f600", "\u0627"]', ["\U0001f600", "\u0627"], id="characters of all planes"),
        pytest.param("[NaN]", ["NaN"], id="not a number in JSON is a word"),
        pytest.param("%YAML 1.2\n---\na: no\n...\n", {"a": "no"}, id="document marks"),
    ],
)
def test_collections(text: str, expected: Any) -> None:
    assert load(text) == expected


DEEP_ALIASES = "\n".join(f"k{n}: &a{n} " + "[" * 20 + (f"*a{n - 1}" if n else "1") + "]" * 20 for n in range(12))
BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}, *a{n}]\n" for n in range(30))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: 1\nb: 2\na: 3", 'line 3, column 1: the key "a" is given twice in one mapping', id="twice"),
        pytest.param('{"a": 1,\n "a": 2}', 'line 2, column 2: the key "a" is given twice', id="twice in JSON"),
        pytest.param("1: a\n'1': b", 'line 2, column 1: the key "1" is given twice', id="twice once it is a text"),
        pytest.param("--- 1\n--- 2", "line 2, column 1: expected a single document", id="two documents"),
        pytest.param(
            "a: &x [*x]", "line 1, column 4: an alias refers to a value that it is itself a part of", id="loop"
        ),
        pytest.param("a: *x", "line 1, column 4: found undefined alias", id="an alias of nothing"),
        pytest.param(BOMB, "the aliases stand for more than 100,000 values", id="a bomb of aliases"),
        pytest.param(
            "a: !!python/name:os.system x", "line 1, column 4: the tag .*python/name:os.system", id="an object"
        ),
        pytest.param("a: !own x", "line 1, column 4: the tag !own", id="a tag of one's own"),
        pytest.param("a: !!set {b}", "line 1, column 4: the tag .*set is not supported", id="a set"),
        pytest.param("!!int x", "line 1, column 1: the tag .*int does not fit", id="a tag that does not fit"),
        pytest.param("? [a]\n: 1", "line 1, column 3: a key must be a text", id="a list for a key"),
        pytest.param(
            "a:\n\tb: 1", "line 2, column 1: .*a tab cannot indent a line; use spaces", id="a tab that indents"
        ),
        pytest.param("a: b: c", "line 1, column 5: a colon is not allowed here", id="two colons"),
        pytest.param("[1, 2", "line 1, column 6: while parsing a flow sequence", id="a list left open"),
        pytest.param(
            "x: y\na: \x01", r"line 2, column 4: the character U\+0001 is not allowed", id="a control character"
        ),
        pytest.param(DEEP_ALIASES, "nested too deeply", id="deep by aliases"),
        pytest.param("[" * 201 + "]" * 201, "nested too deeply", id="a list too deep by one"),
        pytest.param('{"a":' * 980 + "1" + "}" * 980, "nested too deeply", id="JSON that json can read"),
        pytest.param("[" * 5000, "nested too deeply", id="deep lists"),
        pytest.param('{"a":' * 100_000, "nested too deeply", id="deep JSON"),
    ],
)
def test_refuses(text: str, message: str) -> None:
    before_s = time.monotonic()
    with pytest.raises(YamlError, match=message) as refused:
        load(text)
    assert "\n" not in str(refused.value)
    assert time.monotonic() - before_s < 5


def test_a_value_may_be_nested_200_deep() -> None:
    text = "[" * 200 + "]" * 200
    assert load(text) == json.loads(text)


texts = st.text(max_size=12) | st.sampled_from(
    [
        "no",
        "010",
        "0o10",
        "1:30",
        "~",
        "null",
        "true",
        "<<",
        "",
        " ",
        "- a",
        "a: b",
        "#",
        "\\d",
        '"',
        "'",
        "\ud83d",
        "\x85",
    ]
)
whole = st.integers(-(2**53) + 1, 2**53 - 1)


def values(numbers: st.SearchStrategy[float]) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none() | st.booleans() | numbers | texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
        max_leaves=12,
    )


@given(values(whole | st.floats(allow_nan=False)))
def test_what_is_written_is_read_back(value: Any) -> None:
    assert _plain(load(dump(value))) == _plain(value)


@given(values(whole | st.floats(allow_nan=False, allow_infinity=False)))
def test_json_is_yaml(value: Any) -> None:
    assert _plain(load(json.dumps(value))) == _plain(value)


def _plain(value: Any) -> str:
    # In JSON's spelling, since for Python True equals 1; texts whose two halves make one character are that character.
    return json.dumps(json.loads(json.dumps(value)), sort_keys=True)


@given(st.dictionaries(st.text("abno019:.~<-", max_size=4), st.booleans() | st.text(max_size=8), max_size=4))
def test_older_readers_read_the_same(value: Any) -> None:
    assert yaml.safe_load(dump(value)) == value


def test_it_is_written_for_people() -> None:
    written = dump(
        {"tools": ["^bash$", "010"], "max_repeat": {"max": 3, "match": "name-args"}, "empty": {}, "no": "no"}
    )
    assert written == ('tools: ["^bash$", "010"]\nmax_repeat:\n  max: 3\n  match: name-args\nempty: {}\n"no": "no"\n')


@pytest.mark.parametrize("path", sorted(REAL.glob("*.yaml")) or [None], ids=lambda path: path.name if path else "none")
def test_real_files(path: Path | None) -> None:
    if path is None:
        pytest.skip("the folder of real runs is not beside the checkout")
    text = path.read_text(encoding="utf-8")
    # Written without anything that the two versions read differently, these mean the same to both.
    assert load(text) == yaml.safe_load(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("# only this\n", id="a comment"),
        pytest.param("a: &x [1, 'b']\nb: *x\n? c\n: |\n  d\n", id="a mapping with an alias"),
        pytest.param('{"a": [1, {"b": null}]}', id="JSON"),
        pytest.param("{a: b}\n", id="braces that are no JSON"),
        pytest.param("- \u2028x\n---\n"[:5], id="an old line break"),
    ],
)
def test_the_parts_and_the_value_at_once(text: str) -> None:
    value, events = yaml12.load_with_events(text)
    assert value == yaml12.load(text)
    assert list(map(told, events)) == list(map(told, yaml12.events(text)))


def told(event: Any) -> Any:
    marks = (event.start_mark.index, event.end_mark.index)
    return type(event), marks, getattr(event, "value", None), getattr(event, "anchor", None)


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "a: [\n", "---\na\n---\nb\n", "[" * 300 + "]" * 300])
def test_the_parts_of_what_is_refused_are_refused_alike(text: str) -> None:
    with pytest.raises(yaml12.YamlError) as alone:
        yaml12.load(text)
    with pytest.raises(yaml12.YamlError) as together:
        yaml12.load_with_events(text)
    assert str(alone.value) == str(together.value)

"""How words and patterns look at texts, held against reading every text of a value anew."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.matching import Query, finder_of, readable
from loopviz.analysis.searching import OUTPUT, excerpts, search_run
from tests.analysis.test_searching import places, run_of_outputs

ALPHABET = 'abuNnE0"\\/\n\té✓🙂:,'
JSON = st.recursive(
    st.text(ALPHABET, max_size=6) | st.booleans() | st.none() | st.integers(0, 99),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(ALPHABET, max_size=3), inner, max_size=3),
    max_leaves=5,
)


def leaves(value: Any) -> list[str]:
    """Every text of a value, said anew."""
    if isinstance(value, dict):
        return [text for name, member in value.items() for text in [name, *leaves(member)]]
    if isinstance(value, list):
        return [text for member in value for text in leaves(member)]
    if value is None or isinstance(value, bool):
        return ["null" if value is None else "true" if value else "false"]
    return [str(value)]


def fold(text: str) -> str:
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)


@given(st.lists(JSON, min_size=1, max_size=4), st.text(ALPHABET, min_size=1, max_size=3), st.booleans(), st.booleans())
def test_agrees_with_reading_every_text(values: list[Any], words: str, ascii_only: bool, slash: bool) -> None:
    spelled = [json.dumps(value, ensure_ascii=ascii_only) for value in values]
    if slash:
        spelled = [text.replace("/", "\\/") for text in spelled]
    run = run_of_outputs([text.encode() for text in spelled])
    hits = search_run(run, Query(words))
    found = {call for call, source in places(hits) if source == OUTPUT}
    assert found == {
        place for place, value in enumerate(values) if any(fold(words) in fold(text) for text in leaves(value))
    }


def spelled(value: Any, choose: Callable[[int], int]) -> str:
    """A JSON text as a file may hold it: spaces anywhere between signs, and members of one name."""
    gap = lambda: " " * choose(2)  # noqa: E731
    if isinstance(value, tuple):
        inside = ",".join(f"{gap()}{json.dumps(name)}{gap()}:{spelled(member, choose)}" for name, member in value)
        return f"{gap()}{{{inside}{gap()}}}{gap()}"
    if isinstance(value, list):
        return f"{gap()}[{','.join(spelled(member, choose) for member in value)}{gap()}]{gap()}"
    return f"{gap()}{json.dumps(value, ensure_ascii=bool(choose(2)))}{gap()}"


def texts_of(value: Any) -> list[str]:
    """Every text of a value whose objects are pairs."""
    if isinstance(value, tuple):
        return [text for name, member in value for text in (name, *texts_of(member))]
    return [text for member in value for text in texts_of(member)] if isinstance(value, list) else leaves(value)


SIGNS = "aiIıİsſSkK\u212aé ✓"
PAIRS = st.recursive(
    st.text(SIGNS, max_size=5) | st.none() | st.integers(0, 12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(st.tuples(st.text("a é", max_size=1), inner), max_size=3).map(tuple)
    ),
    max_leaves=4,
)


@given(PAIRS, st.text(SIGNS + "1n", min_size=1, max_size=3), st.randoms())
def test_a_value_is_found_where_one_of_its_texts_is_and_shown_with_it(value: Any, words: str, choices: Random) -> None:
    run = run_of_outputs([spelled(value, choices.randrange).encode()])
    hits = search_run(run, Query(words))
    expected = finder_of(Query(words)).spans(texts_of(value))
    at = [place for place, (call, source) in enumerate(places(hits)) if (call, source) == (0, OUTPUT)]
    assert bool(at) == any(expected)
    assert bool(at) == bool(finder_of(Query(words)).texts(texts_of(value)).any())
    assert all(one.hit for one in excerpts(hits, at))


@pytest.mark.parametrize("query", [Query("needle"), Query("needle", "pattern")])
def test_of_members_of_one_name_each_is_found(query: Query) -> None:
    hits = search_run(run_of_outputs([b'{"a":"needle","a":"other"}']), query)
    assert [(one.field, one.hit) for one in excerpts(hits, range(len(hits)))] == [("a", "needle")]


@pytest.mark.parametrize(
    ("words", "text"), [("İstanbul", "istanbul"), ("ſo", "so"), ("so", "ſo"), ("\u212a5", "k5"), ("é", "e")]
)
def test_a_text_is_found_whether_or_not_more_stands_beside_it(words: str, text: str) -> None:
    found = [
        len(search_run(run_of_outputs([json.dumps(value, ensure_ascii=False).encode()]), Query(words)))
        for value in (text, f"{text} ✓", [text, "✓"])
    ]
    assert found in ([0] * 3, [1] * 3)


def test_the_letters_beyond_ascii_that_stand_for_ascii_ones_are_known() -> None:
    ascii_signs = "".join(map(chr, range(128)))
    cased = [chr(code) for code in range(128, sys.maxunicode + 1) if chr(code).lower() != chr(code).upper()]
    assert {sign for sign in cased if re.search(re.escape(sign), ascii_signs, re.IGNORECASE)} == set("İıſ\u212a")


@given(JSON)
def test_what_can_be_read_in_a_value_is_all_of_its_texts(value: Any) -> None:
    assert sorted(text for _, text in readable(json.dumps(value).encode())) == sorted(leaves(value))


def test_what_no_decoder_reads_is_searched_as_it_stands() -> None:
    assert list(readable(b'{"cut": ')) == [("", '{"cut": ')]
    assert [text for _, text in readable(b"[" * 100_000)] == ["[" * 100_000]

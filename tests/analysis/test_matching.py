"""How words and patterns look at texts, held against reading every text of a value anew."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.matching import Query, readable
from loopviz.analysis.searching import OUTPUT, search_run
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


@given(JSON)
def test_what_can_be_read_in_a_value_is_all_of_its_texts(value: Any) -> None:
    assert sorted(text for _, text in readable(json.dumps(value).encode())) == sorted(leaves(value))


def test_what_no_decoder_reads_is_searched_as_it_stands() -> None:
    assert list(readable(b'{"cut": ')) == [("", '{"cut": ')]
    assert [text for _, text in readable(b"[" * 100_000)] == ["[" * 100_000]

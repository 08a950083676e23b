"""Outlines of texts, members of arguments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.likeness import members, outline
from loopviz.canonical import canonical


@pytest.mark.parametrize(
    ("key", "same"),
    [
        pytest.param(b'"2026-11-08 10:25:13 ok"', b'"0-0-0 0:0:0 ok"', id="a time"),
        pytest.param(b'"tile01 v2_beta"', b'"0 0"', id="words that hold a digit"),
        pytest.param(b'"plain words"', b'"plain words"', id="none"),
        pytest.param(b"{}", b"{}", id="an empty object"),
    ],
)
def test_outline(key: bytes, same: bytes) -> None:
    assert outline(key) == same


@pytest.mark.parametrize(
    ("key", "found"),
    [
        pytest.param(b'{"a":1,"b":{"c":[1]}}', [b"1", b"[1]"], id="inner objects are opened"),
        pytest.param(b'{"a":{}}', [b"{}"], id="an empty one is a value"),
        pytest.param(b"[1]", [], id="a list"),
        pytest.param(b'"{\\"a\\":1}"', [], id="a text"),
        pytest.param(b'{"a":"\\ud800"}', [], id="a lone surrogate"),
        pytest.param(b'{"a":' * 150 + b"1" + b"}" * 150, [b"1"], id="nested deeply"),
        pytest.param(b"NaN", [], id="no JSON"),
    ],
)
def test_members(key: bytes, found: list[bytes]) -> None:
    assert [raw for _, raw in members(key)] == found


@given(st.lists(st.text("a1_ .-\\é", max_size=8), max_size=6))
def test_the_outlines_of_several_texts_can_be_taken_in_one_go(texts: list[str]) -> None:
    keys = [canonical(text) for text in texts]
    assert outline(b"\n".join(keys)).split(b"\n") == [outline(key) for key in keys] or not keys


@given(
    st.recursive(
        st.integers(0, 3), lambda inner: st.dictionaries(st.sampled_from(["a", "b", "c.d"]), inner, max_size=3)
    )
)
def test_members_put_together_are_the_object(value: object) -> None:
    found = dict(members(canonical(value)))

    def leaves(inner: object, path: str) -> dict[str, bytes]:
        if isinstance(inner, dict) and inner:
            return {key: raw for name, one in inner.items() for key, raw in leaves(one, f"{path}\0{name}").items()}
        return {path: canonical(inner)}

    assert found == (leaves(value, "") if isinstance(value, dict) and value else {})

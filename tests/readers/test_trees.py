"""The tree of a trace: order, sub-agents, what is inside and what is repeated, on trees written as tables."""

from __future__ import annotations

import math

import pytest

from loopviz.readers.encoding import as_text
from loopviz.readers.nodes import Node, Origin
from loopviz.readers.problems import Problems
from loopviz.readers.trees import Kind, Place, Tree

M, T, A, O = Kind.MODEL, Kind.TOOL, Kind.AGENT, Kind.OTHER  # noqa: E741
NODE = Node(Origin(as_text(b"{}"), Problems()), 0, 2)

Row = tuple[str, str, Kind, float]
"""Id, parent, kind and beginning of a span."""


def settled(*rows: Row) -> list[Place]:
    tree = Tree()
    for id, parent, kind, start_s in rows:
        assert tree.add(NODE, kind, id, parent, start_s, math.nan)
    return tree.settled()


ORDERS = [
    pytest.param([], "", id="nothing"),
    pytest.param([("a", "", A, 0), ("b", "a", M, 1), ("c", "a", T, 2)], "abc", id="as they began"),
    pytest.param([("c", "a", T, 2), ("b", "a", M, 1), ("a", "", A, 0)], "abc", id="written as they ended"),
    pytest.param([("b", "a", M, 0), ("a", "", A, 0)], "ab", id="outer ones first where they began together"),
    pytest.param([("a", "", A, 0), ("c", "a", T, 1), ("b", "a", T, 1)], "acb", id="file order where all else is equal"),
    pytest.param([("a", "", A, math.nan), ("b", "a", M, math.nan), ("c", "", T, math.nan)], "abc", id="no times"),
    pytest.param([("a", "", A, 5), ("b", "a", M, math.nan), ("c", "", T, 9)], "abc", id="a time that is not known"),
    pytest.param([("a", "x", A, 1), ("b", "b", M, 2)], "ab", id="parents that are not there, and itself"),
    pytest.param([("a", "b", A, 1), ("b", "c", A, 2), ("c", "a", A, 3), ("d", "c", T, 4)], "abcd", id="a circle"),
]


@pytest.mark.parametrize(("rows", "order"), ORDERS)
def test_order(rows: list[Row], order: str) -> None:
    places = settled(*rows)
    assert "".join(place.id for place in places) == order
    assert [place.is_first for place in places] == [True, *[False] * (len(places) - 1)][: len(places)]


KINDS = [
    pytest.param([("m", "", M, 0), ("t", "m", T, 1)], {"m": M, "t": T}, {}, id="a call inside the request"),
    pytest.param([("t", "", T, 0), ("u", "t", T, 1)], {"t": T, "u": Kind.INNER}, {}, id="a call inside a call"),
    pytest.param([("t", "", T, 0), ("m", "t", M, 1)], {"t": T, "m": Kind.INNER}, {}, id="a request inside a call"),
    pytest.param(
        [("t", "", T, 0), ("m", "t", M, 1), ("u", "t", T, 2)],
        {"t": T, "m": M, "u": T},
        {"m": "t", "u": "t"},
        id="a sub-agent",
    ),
    pytest.param(
        [("t", "", T, 0), ("m", "t", M, 1), ("u", "t", T, 2), ("v", "u", O, 3)],
        {"t": T, "m": M, "u": T, "v": Kind.INNER},
        {"m": "t", "u": "t", "v": "t"},
        id="inside a call of a sub-agent",
    ),
    pytest.param(
        [("t", "", T, 0), ("a", "t", A, 1), ("m", "a", M, 2)],
        {"t": T, "a": A, "m": M},
        {"a": "t", "m": "t"},
        id="a sub-agent that calls nothing",
    ),
    pytest.param([("m", "", M, 0), ("n", "m", M, 1)], {"m": M, "n": Kind.REPEATED}, {}, id="a request seen twice"),
    pytest.param(
        [("m", "", M, 0), ("n", "m", M, 1), ("o", "n", M, 2)],
        {"m": M, "n": Kind.REPEATED, "o": Kind.REPEATED},
        {},
        id="a request seen three times",
    ),
    pytest.param(
        [("m", "", M, 0), ("n", "m", M, 1), ("o", "m", M, 2)], {"m": O, "n": M, "o": M}, {}, id="a loop of requests"
    ),
]


@pytest.mark.parametrize(("rows", "kinds", "owners"), KINDS)
def test_what_the_place_makes_of_a_span(rows: list[Row], kinds: dict[str, Kind], owners: dict[str, str]) -> None:
    places = settled(*rows)
    assert {place.id: place.kind for place in places} == kinds
    assert {place.id: place.owner for place in places if place.owner} == owners


def test_the_agent_is_the_nearest_one_that_no_tool_hides() -> None:
    places = settled(
        ("a", "", A, 0), ("b", "a", A, 1), ("c", "b", O, 2), ("m", "c", M, 3), ("t", "b", T, 4), ("n", "t", M, 5)
    )
    assert {place.id: place.agent for place in places} == {"a": "", "b": "a", "c": "b", "m": "b", "t": "b", "n": ""}


def test_an_id_counts_once_and_none_is_like_no_other() -> None:
    tree = Tree()
    added = [tree.add(NODE, T, id, "", 0, 1) is not None for id in ("a", "a", "", "")]
    assert added == [True, False, True, True]
    assert len(tree.settled()) == len(tree) == 3


def test_long_chains_and_circles_take_no_long() -> None:
    chain = [(f"{n}", f"{n - 1}", T if n % 2 else M, float(n)) for n in range(20_000)]
    pairs = [(f"x{n}", f"x{n ^ 1}", T, float(n)) for n in range(20_000)]
    assert len(settled(*chain, *pairs)) == 40_000

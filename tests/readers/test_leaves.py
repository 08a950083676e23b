"""Lists that are written flat are put together again, and what follows upon an earlier one is found."""

from __future__ import annotations

import pytest

from loopviz.model import Json
from loopviz.readers.leaves import Leaves, leaves_of

WHOLES = [
    pytest.param({}, [], id="nothing"),
    pytest.param({"0": "a"}, ["a"], id="a leaf"),
    pytest.param({"0.role": "user", "0.content": "go"}, [{"role": "user", "content": "go"}], id="a message"),
    pytest.param({"10.a": 2, "9.a": 1, "0.a": 0}, [{"a": 0}, {"a": 1}, {"a": 2}], id="by number, not by text"),
    pytest.param(
        {"0.calls.0.name": "x", "0.calls.1.name": "y"}, [{"calls": [{"name": "x"}, {"name": "y"}]}], id="inner"
    ),
    pytest.param({"0": 1, "0.role": "user"}, [1], id="a leaf before an object of its name"),
    pytest.param({"0.role": "user", "0": 1}, [{"role": "user"}], id="and after"),
    pytest.param({"0": {"1": "a", "0": "b"}}, [["b", "a"]], id="a leaf that is an object"),
    pytest.param({"role": "user"}, {"role": "user"}, id="no number"),
    pytest.param({"1" * 10: "a"}, {"1" * 10: "a"}, id="too large a number"),
    pytest.param({"²": "a"}, {"²": "a"}, id="a digit that is no number"),
    pytest.param({"0." * 1000 + "a": 1, "0.a": 2}, [{"a": 2}], id="too deep"),
]


@pytest.mark.parametrize(("by_name", "whole"), WHOLES)
def test_the_whole_of_its_leaves(by_name: dict[str, Json], whole: Json) -> None:
    assert Leaves(by_name).whole() == whole


def test_lists_are_found_among_the_attributes() -> None:
    given = {"llm.input_messages.0.a": 1, "llm.model_name": "m", "gen_ai.prompt.0": 2, "llm.input_messages.1.a": 3}
    found = leaves_of(given)
    assert {name: leaves.by_name for name, leaves in found.items()} == {
        "llm.input_messages": {"0.a": 1, "1.a": 3},
        "gen_ai.prompt": {"0": 2},
    }


AFTER = [
    pytest.param({"0": "a"}, {"0": "b"}, None, id="another list"),
    pytest.param({"0": "a", "1": "b"}, {"0": "a"}, None, id="a shorter one"),
    pytest.param({"0": "a"}, {"0": "a", "1": "b"}, {"1": "b"}, id="one that goes on"),
    pytest.param({}, {"0": "a"}, {"0": "a"}, id="one that begins"),
]


@pytest.mark.parametrize(("earlier", "later", "rest"), AFTER)
def test_what_follows_upon_an_earlier_list(
    earlier: dict[str, Json], later: dict[str, Json], rest: dict[str, Json] | None
) -> None:
    found = Leaves(later).after(Leaves(earlier))
    assert (found and found.by_name) == rest

"""What is left of arguments when names are left out, and that equal rests make equal keys."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.canonical import canonical
from loopviz.detectors.thrash_keys import Keys, declared, leave_out, make_keys
from loopviz.settings import ThrashSettings
from tests import oracles_guards as oracles
from tests.detectors.guard_columns import guard_columns
from tests.oracles_guards import call


def keys_of(*arguments: Any, **changes: Any) -> Keys:
    columns, _ = guard_columns([[call(arguments=value) for value in arguments]])
    return make_keys(columns, ThrashSettings(**changes))


@pytest.mark.parametrize(
    ("value", "left"),
    [
        pytest.param(None, None, id="nothing"),
        pytest.param("nonce", "nonce", id="a text"),
        pytest.param(["nonce"], ["nonce"], id="a text in a list"),
        pytest.param({"a": "nonce"}, {"a": "nonce"}, id="a text in a member"),
        pytest.param('{"nonce":1}', '{"nonce":1}', id="a text that holds JSON"),
        pytest.param({"Nonce": 1, "nonces": 1}, {"Nonce": 1, "nonces": 1}, id="other names"),
        pytest.param({"nonce": 1}, {}, id="the only member"),
        pytest.param({"a": 1, "nonce": {"b": 2}}, {"a": 1}, id="a member that holds others"),
        pytest.param({"a": [{"nonce": 1, "b": 2}]}, {"a": [{"b": 2}]}, id="at any depth"),
        pytest.param({"nonce": 1, "a": float("inf")}, {"a": float("inf")}, id="beside a number beyond all range"),
        pytest.param({"nonce": "\ud800", "a": "é"}, {"a": "é"}, id="half a surrogate pair"),
        pytest.param({"nonce": 1, "a": [2**53 + 1, 1e21, 0.1]}, {"a": [2**53, 1e21, 0.1]}, id="beside numbers"),
    ],
)
def test_leaves_out_names(value: Any, left: Any) -> None:
    keys = keys_of(value, left, "other", ignore_args=["nonce"])
    first, second, other = keys.code.tolist()
    assert first == second != other
    assert keys.text(0) == f"bash {canonical(left).decode()}"


@pytest.mark.parametrize("name", ['say "x"', "back\\slash", "line\nfeed", "é", "\ud800", ""])
def test_a_name_may_hold_anything(name: str) -> None:
    first, second = keys_of({name: 1, "a": 2}, {name: 3, "a": 2}, ignore_args=[name]).code.tolist()
    assert first == second


def test_tools_never_mix() -> None:
    columns, _ = guard_columns([[call("a", {"nonce": 1}), call("b", {"nonce": 2}), call("a", {"nonce": 3})]])
    first, second, third = make_keys(columns, ThrashSettings(ignore_args=("nonce",))).code.tolist()
    assert first == third != second


OBJECT = {"type": "object"}
NAMES_A = {"properties": {"a": {}}}


@pytest.mark.parametrize(
    ("value", "schema", "left"),
    [
        pytest.param({"b": 1}, True, {"b": 1}, id="true"),
        pytest.param({"b": 1}, {}, {"b": 1}, id="a schema that says nothing"),
        pytest.param({"b": 1}, {"$ref": "#/x"}, {"b": 1}, id="a schema that names no properties"),
        pytest.param("b", NAMES_A, "b", id="a text"),
        pytest.param(None, NAMES_A, None, id="no arguments"),
        pytest.param({"a": {"b": 1}}, NAMES_A, {"a": {"b": 1}}, id="inside a property that says nothing"),
        pytest.param({"b": 1}, NAMES_A | {"additionalProperties": True}, {"b": 1}, id="others allowed"),
        pytest.param({"b": 1}, NAMES_A | {"additionalProperties": {}}, {"b": 1}, id="others described"),
        pytest.param({"a": 1, "b": 1}, NAMES_A, {"a": 1}, id="not named"),
        pytest.param({"a": 1, "b": 1}, NAMES_A | {"additionalProperties": False}, {"a": 1}, id="others forbidden"),
        pytest.param({"b": 1}, OBJECT, {}, id="an object without properties"),
        pytest.param({"b": 1}, {"type": ["object", "null"]}, {}, id="an object or nothing"),
        pytest.param({"b": 1}, OBJECT | {"properties": None}, {}, id="properties that are no mapping"),
        pytest.param({"a": {"a": 1, "b": 1}}, {"properties": {"a": NAMES_A}}, {"a": {"a": 1}}, id="nested"),
        pytest.param(
            {"a": [{"a": 1, "b": 1}, "b"]},
            {"properties": {"a": {"items": NAMES_A}}},
            {"a": [{"a": 1}, "b"]},
            id="items",
        ),
        pytest.param({"x": {"a": 1, "b": 1}}, {"additionalProperties": NAMES_A}, {"x": {"a": 1}}, id="inside others"),
    ],
)
def test_leaves_out_what_a_schema_does_not_name(value: Any, schema: Any, left: Any) -> None:
    assert declared(value, schema) == left
    first, second = keys_of(value, left, schemas={"bash": schema}).code.tolist()
    assert first == second


def test_a_schema_is_of_one_tool() -> None:
    columns, _ = guard_columns([[call(tool, {"a": 1, "b": n}) for n, tool in enumerate(["bash", "read"] * 2)]])
    first, second, third, fourth = make_keys(columns, ThrashSettings(schemas={"bash": NAMES_A})).code.tolist()
    assert first == third
    assert second != fourth


VALUES = st.recursive(
    st.sampled_from([None, True, 1, 0.5, 1e21, "", "nonce", '"nonce":', ',"nonce":1', "\\"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "nonce", "nonces", 'a"nonce', "\n"]), inner, max_size=3)
    ),
    max_leaves=6,
)
NAMES = st.lists(st.sampled_from(["nonce", "a", "\n", 'a"nonce']), max_size=2, unique=True)
SCHEMAS = st.recursive(
    st.just({}),
    lambda inner: st.fixed_dictionaries(
        {"properties": st.dictionaries(st.sampled_from(["a", "nonce"]), inner, max_size=2)},
        optional={"items": inner, "additionalProperties": st.booleans() | inner},
    ),
    max_leaves=3,
)


@given(VALUES, NAMES, SCHEMAS)
def test_agrees_with_the_definition(value: Any, names: list[str], schema: Any) -> None:
    assert leave_out(value, names) == oracles.without(value, names)
    assert declared(value, schema) == oracles.only_declared(value, schema)


@given(st.lists(VALUES, min_size=2, max_size=2), NAMES, SCHEMAS)
def test_keys_are_equal_when_the_rests_are(values: list[Any], names: list[str], schema: Any) -> None:
    first, second = keys_of(*values, ignore_args=names, schemas={"bash": schema}).code.tolist()
    rests = [json.dumps(oracles.only_declared(oracles.without(v, names), schema), sort_keys=True) for v in values]
    assert (first == second) == (rests[0] == rests[1])

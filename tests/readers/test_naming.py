"""Runs of a file have names that differ, and that a link can hold."""

from __future__ import annotations

import pytest

from loopviz.readers.naming import LONGEST_NAME, distinguished


@pytest.mark.parametrize(
    ("names", "given"),
    [
        pytest.param([], [], id="none"),
        pytest.param(["a", "b"], ["a", "b"], id="different ones stay"),
        pytest.param(["a", "b", "a", "a"], ["a", "b", "a (2)", "a (3)"], id="the same ones are numbered"),
        pytest.param(["a", "a", "a (2)"], ["a", "a (2)", "a (2) (2)"], id="a numbered name that is taken already"),
        pytest.param(["a (2)", "a", "a"], ["a (2)", "a", "a (3)"], id="a number that is taken already"),
    ],
)
def test_names_differ(names: list[str], given: list[str]) -> None:
    assert distinguished(names) == given


def test_long_names_are_shortened_and_stay_apart() -> None:
    one, other = distinguished(["x" * 500 + "a", "x" * 500 + "b"])
    assert one != other
    assert len(one) <= LONGEST_NAME
    assert one.startswith("x" * 100)


def test_many_of_one_name_take_time_in_proportion() -> None:
    names = distinguished(["a"] * 50_000 + [f"a ({number})" for number in range(50_000)])
    assert len(set(names)) == 100_000

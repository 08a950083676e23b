"""Columns come back as they went in, as short as they can be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.timeline.contract import decode, encode

SMALL = st.integers(-(2**31), 2**31 - 1)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        pytest.param([], "u1", id="nothing"),
        pytest.param([0], "u1", id="one nought"),
        pytest.param([0, 255], "u1", id="a byte"),
        pytest.param([True, False], "u1", id="yes and no"),
        pytest.param([-1, 5], "i1", id="with a minus one"),
        pytest.param([0, 60_000, 3], "u2", id="two bytes"),
        pytest.param([-300, 300], "i2", id="two bytes with a sign"),
        pytest.param([0, 100_000, 3], "i4", id="four bytes"),
        pytest.param(list(range(1_000)), "d1", id="slowly rising"),
        pytest.param([1_000, 1_001], "u2", id="beginning too high for a small difference"),
        pytest.param([0.5, float("nan")], "f4", id="times, one unknown"),
    ],
)
def test_the_smallest_type_is_taken(values: list[float], kind: str) -> None:
    assert encode(np.array(values)).startswith(f"{kind}:")


@given(st.lists(SMALL))
def test_integers_come_back(values: list[int]) -> None:
    assert decode(encode(np.array(values, dtype=np.int64))).tolist() == values


@given(st.lists(st.floats(width=32)))
def test_floats_come_back(values: list[float]) -> None:
    column = np.array(values, dtype=np.float64)
    back = decode(encode(column)) if values else column
    np.testing.assert_array_equal(back.astype(np.float64), column)


@pytest.mark.parametrize("value", [pytest.param(2**31, id="too high"), pytest.param(-(2**31) - 1, id="too low")])
def test_what_needs_more_than_32_bits_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match=f"{value} needs more than 32 bits"):
        encode([0, value])


def test_a_hundred_thousand_steps_in_turn_take_a_byte_each() -> None:
    assert len(encode(np.arange(100_000))) < 134_000

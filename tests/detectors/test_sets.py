"""Sets of integers, numbered: equal codes for equal sets, whatever their size or order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core import sets
from loopviz.detectors.core.sets import number_sets

NONE = -1


def numbered(groups: list[list[int]]) -> list[int]:
    """Codes of groups, their members laid out in turn so that groups interleave."""
    longest = max((len(group) for group in groups), default=0)
    pairs = [(group[k], place) for k in range(longest) for place, group in enumerate(groups) if k < len(group)]
    member, group = (np.array(column, dtype=np.int64) for column in (zip(*pairs, strict=True) if pairs else ((), ())))
    return number_sets(member, group, len(groups), none=NONE).tolist()


@pytest.mark.parametrize(
    ("groups", "codes"),
    [
        pytest.param([], [], id="no group"),
        pytest.param([[]], [NONE], id="a group without members"),
        pytest.param([[7], [3]], [7, 3], id="a single member is its own code"),
        pytest.param([[7, 7, 7]], [7], id="said again, it counts once"),
    ],
)
def test_codes(groups: list[list[int]], codes: list[int]) -> None:
    assert numbered(groups) == codes


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), max_size=12), st.sampled_from([1, 2, 3, 16]))
def test_codes_are_equal_exactly_when_sets_are(groups: list[list[int]], folded: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "FOLDED", folded)  # so that both ways of numbering meet small sets
        codes = numbered(groups)
    for one, code in zip(groups, codes, strict=True):
        for other, other_code in zip(groups, codes, strict=True):
            assert (code == other_code) == (set(one) == set(other))

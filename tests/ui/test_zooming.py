"""The part of the timeline that an address names."""

from __future__ import annotations

import pytest

from loopviz.ui.zooming import read_zoom


@pytest.mark.parametrize(
    ("params", "part"),
    [
        pytest.param({}, None, id="none"),
        pytest.param({"from": "3"}, None, id="half of it"),
        pytest.param({"from": "3", "to": "x"}, None, id="no number"),
        pytest.param({"from": "0", "to": "3"}, None, id="nothing counts from 0"),
        pytest.param({"from": "5", "to": "4"}, None, id="the wrong way round"),
        pytest.param({"from": "11", "to": "12"}, None, id="beyond the end"),
        pytest.param({"from": "9" * 400, "to": "9" * 400}, None, id="beyond all numbers"),
        pytest.param({"from": "3", "to": "5"}, (2, 4), id="a part"),
        pytest.param({"from": "10", "to": "10"}, (9, 9), id="the last call"),
        pytest.param({"from": "8", "to": "40"}, (7, 9), id="up to the end"),
    ],
)
def test_a_part(params: dict[str, str], part: tuple[int, int] | None) -> None:
    assert read_zoom(params, 10) == part

"""Shares of few runs."""

from __future__ import annotations

import pytest

from loopviz.tuning.wilson import Share


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [
        pytest.param(Share(0, 0), 0.0, 1.0, id="a share of nothing says nothing"),
        pytest.param(Share(0, 10), 0.0, 0.2775, id="none of ten"),
        pytest.param(Share(10, 10), 0.7225, 1.0, id="all of ten"),
        pytest.param(Share(5, 10), 0.2366, 0.7634, id="half of ten"),
        pytest.param(Share(9, 10), 0.5958, 0.9821, id="nine of ten"),
        pytest.param(Share(81, 263), 0.2553, 0.3662, id="Newcombe's example"),
    ],
)
def test_the_interval(share: Share, low: float, high: float) -> None:
    assert share.interval() == pytest.approx((low, high), abs=5e-5)

"""Where each detector speaks: the stretch that it counts, and the call at which it does."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.voices import Detector, hear, thrash_counts
from loopviz.detectors.thrash import Kind
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import A, B, call

Spoken = list[tuple[int, int, int, int]]
READ = call("read", "z", "z")


def spoken(calls: list[dict[str, Any]], detector: Detector, **settings: Any) -> Spoken:
    """(first, last, call, period) of each stretch."""
    voice = hear(look(calls, **settings)).get(detector)
    if voice is None:
        return []
    columns = (voice.first, voice.last, voice.call, voice.period)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    ("calls", "settings", "grader", "ladder", "thrash"),
    [
        pytest.param([], {}, [], [], [], id="no call"),
        pytest.param([A, A], {}, [], [], [], id="below every limit"),
        pytest.param([B, *[A] * 5, B], {}, [(1, 5, 4, 1)], [(1, 5, 3, 1)], [(1, 5, 3, 1)], id="a plain loop"),
        pytest.param(
            [*[A] * 4, B, *[A] * 4],
            {"max": 2},
            [(0, 3, 2, 1), (5, 8, 7, 1)],
            [(0, 3, 2, 1), (5, 8, 7, 1)],
            [(0, 3, 2, 1)],
            id="thrash stops once, the others go on",
        ),
        pytest.param(
            [A, B, A, B, A],
            {"max": 1, "max_cycle_period": 2},
            [(0, 3, 3, 2)],
            [],
            [(0, 4, 3, 2)],
            id="two in turn; a started copy does not count",
        ),
        pytest.param([A, B, A, READ, A], {"thrash": {"scope": "run"}}, [], [], [(0, 4, 4, 1)], id="over the whole run"),
    ],
)
def test_who_speaks_where(
    calls: list[dict[str, Any]], settings: dict[str, Any], grader: Spoken, ladder: Spoken, thrash: Spoken
) -> None:
    assert spoken(calls, Detector.GRADER, **settings) == grader
    assert spoken(calls, Detector.LADDER, **settings) == ladder
    assert spoken(calls, Detector.THRASH, **settings) == thrash


@pytest.mark.parametrize(
    ("settings", "kind", "counted"),
    [
        pytest.param({}, Kind.IDENTICAL, [2, 3, 5], id="in a row, over what does not count"),
        pytest.param({"thrash": {"scope": "run"}}, Kind.IDENTICAL, [0, 2, 3, 5], id="in the run"),
        pytest.param({"thrash": {"scope": "run"}}, Kind.EMPTY_RETRY, [2, 3, 5], id="empty results are always in a row"),
    ],
)
def test_what_thrash_counts_together(settings: dict[str, Any], kind: Kind, counted: list[int]) -> None:
    calls = [A, B, A, A, call("finish"), A, READ]
    assert thrash_counts(look(calls, **settings), 3, kind).tolist() == counted

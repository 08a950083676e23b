"""Points in time as files write them."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest

from loopviz.readers.times import known, seconds

NOON_S = 1_781_784_000.0
"""2026-06-18, noon in UTC."""


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "yesterday",
        "12:00",
        True,
        [NOON_S],
        {},
        [True, 0],
        ["x", "y"],
        [1, 2, 3],
        {"seconds": None},
        math.nan,
        math.inf,
        10**400,
        "2026-13-01T00:00:00Z",
        "٣" * 9,
    ],
)
def test_what_is_no_time_is_unknown(value: object) -> None:
    assert math.isnan(seconds(value))
    assert known(seconds(value)) is None


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("2026-06-18T12:00:00Z", id="UTC"),
        pytest.param("2026-06-18T12:00:00.000Z", id="with milliseconds"),
        pytest.param("2026-06-18T12:00:00.000000000Z", id="with nanoseconds"),
        pytest.param("2026-06-18T14:00:00+02:00", id="with a zone"),
        pytest.param("2026-06-18 12:00:00", id="without a zone: UTC"),
        pytest.param(NOON_S, id="seconds"),
        pytest.param(int(NOON_S), id="whole seconds"),
        pytest.param(int(NOON_S) * 10**3, id="milliseconds"),
        pytest.param(int(NOON_S) * 10**6, id="microseconds"),
        pytest.param(int(NOON_S) * 10**9, id="nanoseconds"),
        pytest.param(str(int(NOON_S) * 10**9), id="nanoseconds as a text"),
        pytest.param(f"{NOON_S}", id="seconds as a text"),
        pytest.param([int(NOON_S), 0], id="a pair of seconds and nanoseconds"),
        pytest.param([int(NOON_S) - 1, 1_000_000_000], id="a pair with nanoseconds"),
        pytest.param({"seconds": str(int(NOON_S)), "nanos": 0}, id="as protobuf has it"),
        pytest.param("Thu, 18 Jun 2026 12:00:00 GMT", id="as mail has it"),
        pytest.param("2026-06-18T12:00:00,000Z", id="with a comma"),
        pytest.param(datetime(2026, 6, 18, 12, tzinfo=UTC), id="decoded"),
        pytest.param(datetime(2026, 6, 18, 12), id="decoded, without a zone"),
        pytest.param(datetime(2026, 6, 18, 10, tzinfo=timezone(timedelta(hours=-2))), id="decoded, with a zone"),
    ],
)
def test_reads_a_time(value: object) -> None:
    assert seconds(value) == NOON_S
    assert known(seconds(value)) == NOON_S

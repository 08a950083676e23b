"""Points in time as files write them, in seconds since the epoch."""

from __future__ import annotations

import math
from datetime import UTC, datetime

UNKNOWN = math.nan

_SMALLEST = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""A number from here on is too large for the next coarser unit: nano-, micro- and milliseconds."""


def seconds(value: object) -> float:
    """Read a point in time: an ISO 8601 text, or a number of seconds or of a smaller unit; NaN where it is neither.

    What names no zone is taken as UTC, so that every machine reads the same.
    """
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _from_number(value)
    return UNKNOWN


def is_readable(value: object) -> bool:
    """Whether a value is a point in time."""
    return not math.isnan(seconds(value))


def known(time_s: float) -> float | None:
    """The time itself, or None for NaN."""
    return None if math.isnan(time_s) else time_s


def _from_text(text: str) -> float:
    if text.isdecimal() and text.isascii() and len(text) > 8:
        return _from_number(float(text))
    try:
        return seconds(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return UNKNOWN


def _from_number(number: float) -> float:
    try:
        number = float(number)
    except OverflowError:
        return UNKNOWN
    for smallest, per_second in _SMALLEST:
        if abs(number) >= smallest:
            number /= per_second
            break
    return number if math.isfinite(number) else UNKNOWN

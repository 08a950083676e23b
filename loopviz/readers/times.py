"""Points in time as files write them, in seconds since the epoch."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

UNKNOWN = math.nan

_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)

_SMALLEST = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""A number from here on is too large for the next coarser unit: nano-, micro- and milliseconds."""
_LARGE = 1e11
"""Up to here a number is one of seconds."""


def seconds(value: object) -> float:
    """Read a point in time: NaN where a value is none.

    It may be an ISO 8601 text, the text of a mail header, a number of seconds or of a smaller unit, such a number as a
    text, a pair of seconds and nanoseconds, or these two as members of an object. What names no zone is taken as UTC,
    so that every machine reads the same.
    """
    if value is None:
        return UNKNOWN
    if type(value) is float:  # One that was read before, as most are.
        return _from_number(value)
    if type(value) is str:
        return _from_text(value)
    if isinstance(value, datetime):
        return _from_moment(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _from_number(value)
    if isinstance(value, list) and len(value) == 2:
        return _from_pair(*value)
    if isinstance(value, dict) and "seconds" in value:
        return _from_pair(value["seconds"], value.get("nanos", 0))
    return UNKNOWN


def is_readable(value: object) -> bool:
    """Whether a value is a point in time."""
    return not math.isnan(seconds(value))


def known(time_s: float) -> float | None:
    """The time itself, or None for NaN."""
    return None if math.isnan(time_s) else time_s


def _from_moment(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _from_text(text: str) -> float:
    is_date = text[4:5] == "-"  # As nearly all are.
    if not is_date and len(text) > 8 and _NUMBER.fullmatch(text):
        return _from_number(float(text))
    try:
        return _from_moment(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        pass
    try:
        return _from_moment(parsedate_to_datetime(text))
    except (ValueError, OverflowError, TypeError, IndexError):
        return UNKNOWN


def _from_pair(whole: object, nanos: object) -> float:
    """Seconds since the epoch and nanoseconds beyond them, each as a number or, as protobuf writes it, a text."""
    try:
        time = float(str(whole)) + float(str(nanos)) / 1e9
    except ValueError:
        return UNKNOWN
    is_number = not isinstance(whole, bool) and not isinstance(nanos, bool)
    return time if is_number and math.isfinite(time) else UNKNOWN


def _from_number(number: float) -> float:
    if -_LARGE < number < _LARGE:
        return float(number)
    try:
        number = float(number)
    except OverflowError:
        return UNKNOWN
    for smallest, per_second in _SMALLEST:
        if abs(number) >= smallest:
            number /= per_second
            break
    return number if math.isfinite(number) else UNKNOWN

"""Reading single fields: each gives the value if it is of the right sort, else None."""

from __future__ import annotations

import math

from loopviz.model import Json

_EXACT = 2**53
"""Every whole number up to here is a double of its own."""


def text(value: Json) -> str | None:
    """A text with something in it."""
    return value if type(value) is str and value else None


def name(value: Json) -> str | None:
    """A text with something in it, or a whole number as a text."""
    if type(value) is str:
        return value or None
    return str(value) if type(value) is int else None


def number(value: Json) -> float | None:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def whole(value: Json) -> int | None:
    """A number without a fraction, however it is spelled."""
    found = number(value)
    return int(found) if found is not None and found.is_integer() else None


def amount(value: Json) -> float | None:
    """A number that is not negative: what was not known is often written as -1."""
    if value is None:
        return None
    found = number(value)
    return found if found is not None and found >= 0 else None


def count(value: Json) -> int | None:
    """A whole number that is not negative."""
    if value is None or (type(value) is int and 0 <= value <= _EXACT):
        return value
    found = whole(value)
    return found if found is not None and found >= 0 else None


def flag(value: Json) -> bool | None:
    """True or false."""
    return value if isinstance(value, bool) else None


def member(value: Json, key: str, *path: str) -> Json:
    """The member under a key, or at the end of a path of them; None where the path ends before."""
    if type(value) is not dict:
        return None
    value = value.get(key)
    for inner in path:
        if type(value) is not dict:
            return None
        value = value.get(inner)
    return value

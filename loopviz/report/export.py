"""How a report is made: what stays out of it, and what is put on it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date
from typing import TypeVar

from loopviz.masking import MASK, mask

Value = TypeVar("Value")

_MONTHS = (
    "January February March April May June July August September October November December"
).split()  # not those of the machine's language


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What a person asks of an export."""

    date: Date
    """The day that stands on it."""
    redact: bool = False
    """Leave out what the agent was asked, said, did and got, and what the run is called; other names stay.

    See `loopviz.report.release`.
    """
    masked: bool = True
    """Hide what looks like a secret."""
    note: str = ""
    """Words of the person's own, for the top of the page."""

    @property
    def day(self) -> str:
        """`30 November 2026`."""
        return f"{self.date.day} {_MONTHS[self.date.month - 1]} {self.date.year}"


class Masks:
    """Hides what looks like a secret, and counts what it hid."""

    def __init__(self, *, on: bool) -> None:
        self._on = on
        self.hidden = 0

    def text(self, words: str) -> str:
        """A whole text, masked: one that was cut may hold half a secret, which nothing would recognise."""
        return self.value(words)

    def leaves(self, value: object) -> bool:
        """Whether nothing in a JSON value would be masked."""
        return not self._on or mask(value) == value

    def value(self, value: Value) -> Value:
        """A JSON value with every text in it masked."""
        if not self._on:
            return value
        masked: Value = mask(value)
        self.hidden += _count(masked) - _count(value)
        return masked


def _count(value: object) -> int:
    if isinstance(value, str):
        return value.count(MASK)
    if isinstance(value, dict):
        return sum(map(_count, value.values()))
    return sum(map(_count, value)) if isinstance(value, list | tuple) else 0

"""What the runs of a file are called: no two alike, and each short enough for a link."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

LONGEST_NAME = 120
"""Characters of a run's name that go into a link."""


def distinguished(names: Iterable[str]) -> list[str]:
    """The names in their order, the long ones shortened; those that come again are numbered: `s1`, `s1 (2)`."""
    return list(map(Distinguishing().name, names))


class Distinguishing:
    """Names one run after the other."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._taken: set[str] = set()

    def name(self, given: str) -> str:
        """The name of the next run, which is called so by its file."""
        name = wanted = _short(given)
        number = self._numbers.get(wanted, 1)
        while name in self._taken:  # A run may be called `s1 (2)` by itself.
            number += 1
            name = f"{wanted} ({number})"
        self._numbers[wanted] = number
        self._taken.add(name)
        return name


def _short(name: str) -> str:
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[: LONGEST_NAME - 10]}…{blake2b(name.encode(), digest_size=4).hexdigest()}"

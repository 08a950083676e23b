"""How much is taken out of packed files, so that a small file cannot fill the memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from loopviz.readers.base import ignore


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an archive may hold; what lies beyond is left out, and that is said."""

    size: int = 1 << 30
    """Bytes of everything in it together, unpacked."""
    ratio: int = 200
    """Unpacked bytes for each packed one."""
    spared: int = 1 << 24
    """Unpacked bytes that count as harmless whatever the ratio: an agent that goes in circles packs very well."""
    members: int = 100_000
    depth: int = 1
    """Archives inside each other that are opened, the outermost included."""


LIMITS = Limits()


class Room:
    """How many bytes may still be unpacked out of one file.

    Args:
        packed: Bytes of the file.
        work: Told now and then that the unpacking goes on; what it raises ends it.
    """

    def __init__(self, limits: Limits, packed: int, work: Callable[[int], None] = ignore) -> None:
        by_ratio = max(limits.spared, limits.ratio * packed)
        self.limits = limits
        self.left = min(limits.size, by_ratio)
        self.work = work
        self._is_ratio = by_ratio < limits.size

    def take(self, size: int) -> None:
        """Note that so many bytes were unpacked."""
        self.left -= size
        self.work(size)

    @property
    def beyond(self) -> str:
        """What to say when there is no room for the rest."""
        what = f"{self.limits.ratio:,} times its size" if self._is_ratio else f"{self.limits.size:,} bytes"
        return f"The archive unpacks to more than {what}; the rest is left out."

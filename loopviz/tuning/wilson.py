"""How far a share that was counted on few runs can be trusted."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution."""


class Share(NamedTuple):
    """k of n."""

    k: int
    n: int

    @property
    def value(self) -> float | None:
        """From 0 to 1; None of nothing."""
        return self.k / self.n if self.n else None

    def times(self, factor: float) -> Share:
        """As if of so many times as many, in whole numbers."""
        return Share(round(self.k * factor), round(self.n * factor))

    def __str__(self) -> str:
        return f"{self.k:,} of {self.n:,}"

    def interval(self) -> tuple[float, float]:
        """The 95 % interval, from 0 to 1; all of it for a share of nothing.

        Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
        """
        if not self.n:
            return 0.0, 1.0
        share, spread = self.k / self.n, Z * Z / self.n
        middle = share + spread / 2
        half = Z * sqrt(share * (1 - share) / self.n + spread / (4 * self.n))
        low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
        return (0.0 if self.k == 0 else low), (1.0 if self.k == self.n else high)

"""Limits that say the same of every judged run, taken together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np

from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES
from loopviz.model import IntArray

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Plateau:
    """Limits next to each other, of one mode and longest pattern."""

    mode: int
    """Index into `MATCHES`."""
    bound: int
    """Longest pattern, 1 to 10."""
    low: int
    high: int
    """The largest of them."""

    @property
    def middle(self) -> int:
        """The limit to take, the higher of two."""
        return (self.low + self.high + 1) // 2


def cut(*figures: IntArray) -> tuple[Plateau, ...]:
    """Cut the limits of every cell where a figure lies: between two of them, all limits say the same.

    Limits that nothing exceeds are left out.

    Args:
        figures: Times in a row, each of shape (n_modes, 10, any number).
    """
    return tuple(_cut(np.concatenate(figures, axis=2)))


def _cut(figures: IntArray) -> Iterator[Plateau]:
    for mode in range(len(MATCHES)):
        for bound in range(1, MAX_PERIOD + 1):
            edges = [1, *(figure for figure in np.unique(figures[mode, bound - 1]).tolist() if figure > 1)]
            for low, beyond in pairwise(edges):
                yield Plateau(mode, bound, low, beyond - 1)


def join(results: Sequence[tuple[Plateau, Result]]) -> list[Plateau]:
    """Make one of plateaus that follow each other in a cell and have the same result."""
    joined: list[tuple[Plateau, Result]] = []
    for plateau, result in results:
        last, same = joined[-1] if joined else (None, result)
        if last and same == result and plateau == Plateau(last.mode, last.bound, last.high + 1, plateau.high):
            joined[-1] = replace(last, high=plateau.high), result
        else:
            joined.append((plateau, result))
    return [plateau for plateau, _ in joined]

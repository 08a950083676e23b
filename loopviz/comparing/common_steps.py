"""The longest sequence of steps that two runs have in common, exactly, however long they are and however they loop.

A row of the classic table is one whole number, a bit for each step of one run that is 0 where the length goes up
(Hyyrö, "Bit-parallel LCS-length computation revisited", 2004), so that 20,000 steps a side take a tenth of a second.
Only some rows are kept; those between two of them are made again when the way back comes through, so that memory grows
with the root of the table and not with its size.

Decided:

- The first difference stands as late as possible: of several common sequences of the same length the one is taken that
  follows both runs side by side for as long as it can, from the beginning and then from the end.
- Steps between them: one is matched as early in B as it can be, so that of a loop that one run walks more often the
  first rounds are matched and the others follow. A step that stands alone moves to its neighbour where it can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np

from loopviz.model import IntArray

_OFTEN = 8
"""Places from which on the row of a code is made once and kept."""


def common_steps(a: IntArray, b: IntArray) -> IntArray:
    """Match the steps of two runs.

    Args:
        a: One code per step, oldest first, not negative; shape (n_a,).
        b: The same of the other run, in the same codes; shape (n_b,).
    Returns:
        Places in both of the steps that are common, ascending; shape (n_common, 2).
    """
    head, tail = shared_ends(a, b)
    stop_a, stop_b = len(a) - tail, len(b) - tail
    inner = _between(a[head:stop_a], b[head:stop_b]) + head
    lengths = np.arange(head), np.arange(tail)
    ends = [np.column_stack([length, length]) for length in lengths]
    return np.concatenate([ends[0], inner, ends[1] + [stop_a, stop_b]]).astype(np.int64)


def shared_ends(a: IntArray, b: IntArray) -> tuple[int, int]:
    """How many steps two runs share at the beginning, and of the rest at the end."""
    shorter = min(len(a), len(b))
    head = _n_equal(a[:shorter] == b[:shorter])
    rest = shorter - head
    return head, _n_equal((a[len(a) - rest :] == b[len(b) - rest :])[::-1])


def _n_equal(same: np.ndarray) -> int:
    apart = np.flatnonzero(~same)
    return int(apart[0]) if len(apart) else len(same)


def _between(a: IntArray, b: IntArray) -> IntArray:
    """Match what lies between the common ends; steps that one side alone has cannot match and are left out first."""
    at_a, at_b = np.flatnonzero(np.isin(a, b)), np.flatnonzero(np.isin(b, a))
    codes_a, codes_b = a[at_a].tolist(), b[at_b].tolist()
    pairs = np.array(list(_walk(codes_a, codes_b)), dtype=np.int64).reshape(-1, 2)
    matched = np.column_stack([at_a[pairs[:, 0]], at_b[pairs[:, 1]]])
    return np.array(_gather(matched.tolist(), a.tolist(), b.tolist()), dtype=np.int64).reshape(-1, 2)


def _walk(a: Sequence[int], b: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The matches from front to back: the table is that of both sequences read backwards."""
    if not a or not b:
        return
    table = _Table(a[::-1], b[::-1])
    left, right = len(a), len(b)
    while left and right:
        if a[-left] == b[-right]:
            yield len(a) - left, len(b) - right
            left, right = left - 1, right - 1
        elif table.row(right) >> (left - 1) & 1:
            left -= 1
        else:
            right -= 1


class _Table:
    """Rows of the table of two sequences, asked for from the last one to the first."""

    def __init__(self, a: Sequence[int], b: Sequence[int]) -> None:
        self._masks = _Masks.of(a)
        self._b = b
        self._apart = max(1, isqrt(len(b)))
        every = self._apart
        self._kept = [row for place, row in enumerate(self._rows(0, self._masks.full, len(b))) if place % every == 0]
        self._first = len(b) + 1
        self._block: list[int] = []

    def row(self, place: int) -> int:
        """The row after `place` items of the second sequence."""
        if place < self._first:
            block = place // self._apart
            self._first = block * self._apart
            stop = min(self._first + self._apart, len(self._b))
            self._block = list(self._rows(self._first, self._kept[block], stop))
        return self._block[place - self._first]

    def _rows(self, first: int, row: int, stop: int) -> Iterator[int]:
        full = self._masks.full
        yield row
        for code in self._b[first:stop]:
            hit = row & self._masks.of_code(code)
            row = (row + hit | row - hit) & full
            yield row


@dataclass(frozen=True, slots=True)
class _Masks:
    """Where each code stands in a sequence, as a number with a bit for each place."""

    full: int
    often: dict[int, int]
    seldom: dict[int, list[int]]
    """The places themselves of codes that come a few times: as numbers they would weigh as much as the table."""

    @classmethod
    def of(cls, codes: Sequence[int]) -> _Masks:
        places: dict[int, list[int]] = {}
        for place, code in enumerate(codes):
            places.setdefault(code, []).append(place)
        often = {code: _number(at, len(codes)) for code, at in places.items() if len(at) >= _OFTEN}
        return cls((1 << len(codes)) - 1, often, {code: at for code, at in places.items() if len(at) < _OFTEN})

    def of_code(self, code: int) -> int:
        mask = self.often.get(code)
        return sum(1 << place for place in self.seldom[code]) if mask is None else mask


def _number(places: Sequence[int], length: int) -> int:
    bits = np.zeros(length, dtype=np.uint8)
    bits[places] = 1
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _gather(pairs: list[list[int]], a: list[int], b: list[int]) -> list[list[int]]:
    """Move a match that stands alone next to the one after it, where an equal step stands there; not within a loop."""
    for place in range(len(pairs) - 2, -1, -1):
        (one, other), (next_one, next_other) = pairs[place], pairs[place + 1]
        if place and pairs[place - 1] == [one - 1, other - 1]:
            continue
        if next_one == one + 1 and next_other > other + 1 and b[next_other - 1] == b[other] != b[other + 1]:
            pairs[place] = [one, next_other - 1]
        elif next_other == other + 1 and next_one > one + 1 and a[next_one - 1] == a[one] != a[one + 1]:
            pairs[place] = [next_one - 1, other]
    return pairs

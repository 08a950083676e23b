"""The watched calls of many runs, laid end to end: what the live guards walk through, one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.model import BoolArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """Some calls of each run, in file order."""

    call: IntArray
    """Index into the columns, shape (n_selected,)."""
    starts: IntArray
    """Where each run's selected calls begin, and where the last one's end: shape (n_runs + 1,)."""

    def __len__(self) -> int:
        return len(self.call)

    @property
    def n_runs(self) -> int:
        return len(self.starts) - 1

    def first_of_run(self) -> BoolArray:
        """Whether a selected call is the first of its run, shape (n_selected,)."""
        first = np.zeros(len(self), dtype=np.bool_)
        first[self.starts[:-1][self._filled()]] = True
        return first

    def run(self) -> IntArray:
        """The run of each selected call, shape (n_selected,)."""
        return np.repeat(np.arange(self.n_runs), np.diff(self.starts))

    def highest(self, values: IntArray) -> IntArray:
        """The highest of some values, one for each selected call, in each run; 0 in a run without any: (n_runs,)."""
        highest = np.zeros(self.n_runs, dtype=np.int64)
        filled = self._filled()
        if filled.any():
            # Runs without a selected call take no room, so the next filled run begins where this one ends.
            highest[filled] = np.maximum.reduceat(values, self.starts[:-1][filled])
        return highest

    def _filled(self) -> BoolArray:
        return np.diff(self.starts) > 0


def select(columns: Columns, chosen: BoolArray) -> Selection:
    """Keep the calls that `chosen`, shape (n_calls,), is true of."""
    call = np.flatnonzero(chosen)
    return Selection(call=call, starts=np.searchsorted(call, columns.starts))


def length_so_far(begins: BoolArray) -> IntArray:
    """How long the current stretch is at each place, given where stretches begin; the first place must begin one."""
    place = np.arange(len(begins))
    return place + 1 - np.maximum.accumulate(np.where(begins, place, 0))

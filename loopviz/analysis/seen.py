"""What was seen before in a run: a description, never a verdict.

It shows what no detector here catches: loops with something in between, growing commands, drifting rotations.
Source: SPEC, section 4, "Descriptions, never verdicts".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.model import BoolArray, IntArray

NEVER = -1


@dataclass(frozen=True, slots=True, eq=False)
class SeenBefore:
    """For each call the nearest earlier watched one of its run that was the same, NEVER where there is none.

    Arrays have shape (n_calls,) and hold call numbers over all runs. An empty result is no result to have seen.
    """

    same_arguments: IntArray
    """Same tool and arguments."""
    same_output: IntArray
    """Same tool and output."""

    def share(self, watched: BoolArray) -> float:
        """Share of watched calls whose tool and arguments were seen before; 0 where none is watched."""
        n_watched = int(np.count_nonzero(watched))
        return float(np.count_nonzero(self.same_arguments[watched] != NEVER)) / n_watched if n_watched else 0.0


def find_seen(columns: Columns, watched: BoolArray) -> SeenBefore:
    """Look up, for each watched call, the nearest earlier watched call that was the same."""
    calls = np.flatnonzero(watched)
    run = np.searchsorted(columns.starts, calls, side="right") - 1
    tool = run * max(len(columns.tools), 1) + columns.tool[calls]
    with_output = calls[~columns.empty[calls]]
    output_tool = tool[~columns.empty[calls]]
    return SeenBefore(
        _nearest_earlier(columns.n_calls, calls, tool, columns.arguments[calls]),
        _nearest_earlier(columns.n_calls, with_output, output_tool, columns.observation[with_output]),
    )


def _nearest_earlier(n_calls: int, calls: IntArray, tool: IntArray, value: IntArray) -> IntArray:
    result = np.full(n_calls, NEVER, dtype=np.int64)
    order = np.lexsort((value, tool))  # stable: calls of one kind stay in the order of the run
    same = (np.diff(tool[order]) == 0) & (np.diff(value[order]) == 0)
    result[calls[order[1:][same]]] = calls[order[:-1][same]]
    return result


def repeated_per_run(columns: Columns, watched: BoolArray, seen: SeenBefore) -> tuple[IntArray, IntArray]:
    """(calls whose tool and arguments were seen before, watched calls) of each run, each of shape (n_runs,)."""
    repeated = np.concatenate([[0], np.cumsum(watched & (seen.same_arguments != NEVER))])
    total = np.concatenate([[0], np.cumsum(watched)])
    return np.diff(repeated[columns.starts]), np.diff(total[columns.starts])

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A call that came more than once in a run: one tool and its arguments."""

    calls: IntArray
    """Every watched call of the kind, from 0 within the run."""
    in_a_row: int
    """Most of them that follow each other directly among the watched calls."""

    @property
    def times(self) -> int:
        """How often it came."""
        return len(self.calls)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Described:
    """What one run repeats, as figures; calls count from 0 within the run."""

    watched: int
    by_arguments: int
    """Watched calls whose tool and arguments were seen before."""
    by_output: int
    """Watched calls whose tool and output were seen before."""
    distinct: IntArray
    """Distinct calls, by tool and arguments, up to and including each watched one: shape (n_watched,)."""
    calls: IntArray
    """The watched calls, shape (n_watched,)."""
    first: int | None
    """The first call that repeats an earlier one by tool and arguments; None where none does."""
    first_seen: int | None
    """The earlier one."""
    most: tuple[Repeated, ...]
    """The calls that came most often, the most frequent first."""


def describe(columns: Columns, watched: BoolArray, seen: SeenBefore, *, most: int = 5) -> Described:
    """Put what was seen before in figures, for columns that hold one run.

    Args:
        columns: The calls of the run.
        watched: Whether each call's tool passes the filter, shape (n_calls,).
        seen: What `find_seen` found in them.
        most: How many of the repeated calls to name.
    """
    calls = np.flatnonzero(watched)
    before = seen.same_arguments[calls]
    repeats = calls[before != NEVER]
    return Described(
        watched=len(calls),
        by_arguments=len(repeats),
        by_output=int(np.count_nonzero(seen.same_output[calls] != NEVER)),
        distinct=np.cumsum(before == NEVER),
        calls=calls,
        first=int(repeats[0]) if len(repeats) else None,
        first_seen=int(seen.same_arguments[repeats[0]]) if len(repeats) else None,
        most=_most_repeated(columns, calls, most) if len(repeats) else (),
    )


def _most_repeated(columns: Columns, calls: IntArray, most: int) -> tuple[Repeated, ...]:
    same = columns.tool[calls] * len(columns.keys) + columns.arguments[calls]
    _, first, kind, times = np.unique(same, return_index=True, return_inverse=True, return_counts=True)
    ranked = np.lexsort((first, -times))[:most]
    found = []
    for number in ranked[times[ranked] > 1].tolist():
        places = np.flatnonzero(kind == number)
        breaks = np.flatnonzero(np.diff(places, prepend=-2, append=places[-1] + 2) != 1)
        found.append(Repeated(calls=calls[places], in_a_row=int(np.diff(breaks).max())))
    return tuple(found)

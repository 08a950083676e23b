"""From calls to counted steps, and from steps to fingerprints.

A step is what max-repeat compares: the watched calls of one turn, taken together as a set.

Decided:

- One turn, one step: it stands where the first watched call of the turn does. A turn without a watched call makes no
  step, and a watched call outside every turn is a step of its own.
- One sequence a run: the calls of all agents in one recorded run follow each other in one sequence of steps. Messages,
  texts and thoughts between them separate nothing.
- A step is a set: calls made at once have no order, and the same call twice in one turn counts once.
- Success is not compared: a call that failed is the same as one that worked if all else is the same. What it gave back
  is compared like any output.

Source: SPEC, section 1, "From events to steps" and "Fingerprints".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.sets import number_sets
from loopviz.model import BoolArray, IntArray

Match = Literal["observation", "name", "name-args"]
Unknown = Literal["equal", "distinct"]
MATCHES: tuple[Match, ...] = ("observation", "name-args", "name")
"""Every match mode, the strictest first."""

EMPTY = -1
"""The code of an empty step: it ends any pattern and starts none."""
UNWATCHED = -1
"""The step of a call that is not watched."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steps:
    """The counted steps of many runs, end to end."""

    starts: IntArray
    """Where each run's steps begin, and where the last one's end: shape (n_runs + 1,)."""
    of_call: IntArray
    """Step of each call over all runs, UNWATCHED where it has none: shape (n_calls,)."""
    first_call: IntArray
    """The first watched call of each step: shape (n_steps,)."""
    last_call: IntArray
    """The last watched call of each step: shape (n_steps,)."""
    n_calls: IntArray
    """How many watched calls each step holds: shape (n_steps,)."""

    def __len__(self) -> int:
        return len(self.first_call)


def last_of_spans(last_call: IntArray, start: IntArray, stop: IntArray) -> IntArray:
    """The last call of each of some spans of steps, shape (n_spans,).

    Where turns of several agents interleave, that is not always a call of the span's last step.

    Args:
        last_call: The last call of each step, shape (n_steps,).
        start: First step of each span, shape (n_spans,).
        stop: Exclusive end of each, beyond its start; shape (n_spans,).
    """
    if not len(start):
        return np.zeros(0, dtype=np.int64)
    ends = np.column_stack([start, stop]).ravel()
    last: IntArray = np.maximum.reduceat(np.append(last_call, 0), ends)[::2]
    return last


def build_steps(columns: Columns, watched: BoolArray) -> Steps:
    """Group the watched calls by turn; a step stands where its first watched call does.

    Args:
        columns: The calls of all runs.
        watched: Whether each call's tool passes the filter, shape (n_calls,).
    """
    calls = np.flatnonzero(watched)
    turn = columns.turn[calls]
    change = np.diff(turn) != 0
    if np.any(np.diff(turn) < 0):
        # Turns of several agents interleave, or a call stands alone between turns: order them by their first call.
        _, first, inverse = np.unique(turn, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        step, first_call = rank[inverse], calls[first[order]]
    else:
        step = np.concatenate([[0], np.cumsum(change)])[: len(calls)]
        first_call = calls[np.concatenate([[True], change])[: len(calls)]]
    of_call = np.full(columns.n_calls, UNWATCHED, dtype=np.int64)
    of_call[calls] = step
    last_call = np.zeros_like(first_call)
    last_call[step] = calls
    return Steps(
        starts=np.searchsorted(first_call, columns.starts).astype(np.int64),
        of_call=of_call,
        first_call=first_call,
        last_call=last_call,
        n_calls=np.bincount(step, minlength=len(first_call)),
    )


def fingerprint(
    columns: Columns,
    steps: Steps,
    *,
    match: Match,
    any_empty: bool = False,
    unknown: Unknown = "equal",
    count_empty: bool = False,
) -> IntArray:
    """Give each step the integer that stands for its identity, EMPTY for an empty step: shape (n_steps,).

    Args:
        columns: The calls of all runs.
        steps: Their steps under one tool filter.
        match: What makes two calls the same.
        any_empty: A step is empty when any observation is, as above a longest period of 1; otherwise when all are.
        unknown: Whether values that nobody recorded equal each other or nothing.
        count_empty: Take every empty observation as one value per tool and arguments, so that no step is empty.
    """
    calls = np.flatnonzero(steps.of_call >= 0)
    step = steps.of_call[calls]
    codes = _call_codes(columns, match=match, unknown=unknown, count_empty=count_empty)[calls]
    full = codes != EMPTY
    result = number_sets(codes[full], step[full], len(steps), none=EMPTY)
    if any_empty:
        result[step[codes == EMPTY]] = EMPTY
    return result


def _call_codes(columns: Columns, *, match: Match, unknown: Unknown, count_empty: bool) -> IntArray:
    """Identity of each call, EMPTY where its observation is: shape (n_calls,). Tools never mix."""
    n_keys = len(columns.keys)
    beyond = len(columns.tools) * n_keys
    if match == "name":
        return columns.tool
    with_arguments = _unlike(columns.tool * n_keys + columns.arguments, columns.unknown_arguments, beyond, unknown)
    if match == "name-args":
        return with_arguments
    codes = _unlike(columns.tool * n_keys + columns.observation, columns.unknown_observation, beyond, unknown)
    # An empty result is a value of its own per tool and arguments, or no value at all.
    return np.where(columns.empty, beyond + columns.n_calls + with_arguments if count_empty else EMPTY, codes)


def _unlike(codes: IntArray, unrecorded: BoolArray, beyond: int, unknown: Unknown) -> IntArray:
    if unknown == "equal" or not unrecorded.any():
        return codes
    return np.where(unrecorded, beyond + np.arange(len(codes)), codes)

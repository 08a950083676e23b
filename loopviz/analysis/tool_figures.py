"""Figures of one run under many tool filters: each tool left out, each tool watched alone.

The run is laid end to end as often as there are filters, each time with the calls that this filter watches, so that one
pass counts them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.repeats import tabulate
from loopviz.detectors.core.steps import Match
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import BoolArray, IntArray

PORTION = 1_000_000
"""Calls that one pass counts at most, which bounds the memory that it takes."""


@dataclass(frozen=True, slots=True)
class ToolFigures:
    """Times in a row under each filter; tools are numbers in `Columns.tools`, those with most calls first."""

    every: int
    """With every tool watched."""
    without: dict[int, int]
    """With one watched tool left out."""
    alone: dict[int, int]
    """With one tool watched alone; none where the run has only one."""


_kept: WeakKeyDictionary[MaxRepeat, dict[tuple[Match, int], ToolFigures]] = WeakKeyDictionary()
"""Figures of the graders in use: a change of `max` touches none of them."""
_kept_every: WeakKeyDictionary[MaxRepeat, dict[tuple[Match, int], int]] = WeakKeyDictionary()


def tool_figures(grader: MaxRepeat, match: Match, bound: int) -> ToolFigures:
    """The figures of a grader over one run; kept as long as the grader is."""
    kept = _kept.setdefault(grader, {})
    if (match, bound) not in kept:
        kept[match, bound] = _count(grader, match, bound)
    return kept[match, bound]


def with_every_tool(grader: MaxRepeat, match: Match, bound: int) -> int:
    """The figure of a grader over one run if every tool were watched; kept too."""
    kept = _kept_every.setdefault(grader, {})
    if (match, bound) not in kept:
        (kept[match, bound],) = count_under(grader, [np.ones_like(grader.watched)], match, bound)
    return kept[match, bound]


def _count(grader: MaxRepeat, match: Match, bound: int) -> ToolFigures:
    columns, watched = grader.columns, grader.watched
    used = _most_used(columns, np.ones_like(watched))
    left_out = _most_used(columns, watched)
    alone = used if len(used) > 1 else []
    filters = [np.ones_like(watched)]
    filters += [watched & (columns.tool != tool) for tool in left_out]
    filters += [columns.tool == tool for tool in alone]
    every, *figures = count_under(grader, filters, match, bound)
    return ToolFigures(
        every=every,
        without=dict(zip(left_out, figures[: len(left_out)], strict=True)),
        alone=dict(zip(alone, figures[len(left_out) :], strict=True)),
    )


def _most_used(columns: Columns, watched: BoolArray) -> list[int]:
    counts = np.bincount(columns.tool[watched], minlength=len(columns.tools))
    order: list[int] = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist()
    return order


def count_under(grader: MaxRepeat, filters: Sequence[BoolArray], match: Match, bound: int) -> list[int]:
    """Times in a row under each of some filters.

    Args:
        grader: It holds one run.
        filters: For each, whether a call is watched, shape (n_calls,).
        match: What makes two calls the same.
        bound: Longest pattern, in steps.
    """
    figures: list[int] = []
    size = max(1, PORTION // max(1, grader.columns.n_calls))
    for first in range(0, len(filters), size):
        portion = _laid_out(grader.columns, filters[first : first + size])
        copies = MaxRepeat(portion, np.ones(portion.n_calls, dtype=np.bool_), grader.unknown)
        table = tabulate(copies.codes(match, bound), copies.steps.starts, max_period=bound)
        figures += table.best(bound).occurrences.tolist()
    return figures


def _laid_out(columns: Columns, filters: Sequence[BoolArray]) -> Columns:
    """One run for each filter, of the calls that it watches."""
    chosen = [np.flatnonzero(watched) for watched in filters]
    sizes = np.array([len(calls) for calls in chosen])
    calls: IntArray = np.concatenate(chosen)
    n_turns = int(columns.turn.max(initial=0)) + 1
    return Columns(
        starts=np.concatenate([[0], np.cumsum(sizes)]),
        tool=columns.tool[calls],
        arguments=columns.arguments[calls],
        observation=columns.observation[calls],
        empty=columns.empty[calls],
        near_empty=columns.near_empty[calls],
        turn=columns.turn[calls] + n_turns * np.repeat(np.arange(len(filters)), sizes),
        unknown_arguments=columns.unknown_arguments[calls],
        unknown_observation=columns.unknown_observation[calls],
        executed=columns.executed[calls],
        tools=columns.tools,
        keys=columns.keys,
    )

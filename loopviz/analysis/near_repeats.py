"""Near-repeats: calls of one tool that are the same but for a little. A description, never a verdict.

Two calls of a tool are near each other when their arguments or their outputs are equal, or equal but for words that
hold a digit (counters, times, ids), or when their arguments are objects that differ in one member. Groups are found by
giving each call a key for each of these ways and looking which keys came often: linear in the calls, whatever the
number of pairs. Which other way of "same" would count them is for the caller to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from loopviz.analysis.difference import NO_DIFFERENCE, Difference
from loopviz.analysis.likeness import Family, Likeness, families, members, outline
from loopviz.analysis.varying import vary
from loopviz.canonical import decode
from loopviz.detectors.core.columns import Columns
from loopviz.model import BoolArray, IntArray

LEAST = 3
"""Calls of a group."""
MOST_GROUPS = 40
LOOKED_BACK = 500
"""Earlier calls of a tool that are held against the chosen one, word by word."""

MOST_BYTES = 500_000
"""Of all distinct arguments of a group, or outputs, that are compared."""
_CANDIDATES = 400
"""The strongest groups from which those are chosen that hardly overlap."""
_WEIGHTS = np.array([[8, 10, 4], [10, 9, 2], [3, 2, 0]])
"""How much a call of a group weighs, by what its arguments and its outputs have in common: all, nearly all, little."""
_LEAST_WEIGHT = 21
"""So that three calls make a group when they are alike in much, and many when in little."""


@dataclass(frozen=True, slots=True, eq=False)
class NearGroup:
    """Calls of one tool that are near each other; calls count from 0 within the run."""

    tool: int
    calls: IntArray
    """In the order of the run, shape (n_calls,)."""
    same_arguments: bool
    same_output: bool
    longest: int
    """Calls of the group in a row, no other watched call between them."""


class NearRepeats:
    """The near-repeats of one run, under one tool filter."""

    def __init__(self, columns: Columns, watched: BoolArray) -> None:
        """Take the columns of a set that holds one run, and whether each call is watched, shape (n_calls,)."""
        self.columns = columns
        self.watched = watched
        self._varies: dict[NearGroup, Varies] = {}

    @cached_property
    def groups(self) -> tuple[NearGroup, ...]:
        """The strongest groups, the strongest first; calls of one are hardly among those of another."""
        calls = np.flatnonzero(self.watched)
        if len(calls) < LEAST:
            return ()
        likeness = Likeness(self.columns, calls)
        found = [group for family in families(likeness) for group in _frequent(family, likeness)]
        found.sort(key=lambda group: (-group.weight, int(group.places[0]), -len(group.places)))
        taken = np.zeros(len(calls), dtype=np.bool_)
        kept: list[NearGroup] = []
        for group in found[:_CANDIDATES]:
            if len(kept) < MOST_GROUPS and 2 * np.count_nonzero(taken[group.places]) < len(group.places):
                taken[group.places] = True
                kept.append(_group(group.places, likeness))
        return tuple(kept)

    def varies(self, group: NearGroup) -> Varies:
        """In what the calls of one of the groups differ."""
        if group not in self._varies:
            columns = self.columns
            codes = columns.arguments[group.calls], columns.observation[group.calls]
            self._varies[group] = Varies(*(_side(columns, side) for side in codes))
        return self._varies[group]

    def before(self, call: int) -> int | None:
        """The nearest earlier watched call of the same tool that is near a call, or the same; None if there is none.

        Equal arguments or outputs are found anywhere in the run, the rest among the last `LOOKED_BACK` of the tool.
        """
        columns = self.columns
        earlier = np.flatnonzero(self.watched[:call] & (columns.tool[:call] == columns.tool[call]))
        same = columns.arguments[earlier] == columns.arguments[call]
        if not columns.empty[call]:
            same |= columns.observation[earlier] == columns.observation[call]
        first = int(np.flatnonzero(same)[-1]) if same.any() else -1
        recent = earlier[max(first + 1, len(earlier) - LOOKED_BACK) :]
        for other in recent[::-1].tolist():
            if self._near(call, other):
                return int(other)
        return int(earlier[first]) if first >= 0 else None

    def _near(self, call: int, other: int) -> bool:
        columns = self.columns
        arguments = [columns.keys[columns.arguments[one]] for one in (call, other)]
        outputs = [columns.keys[columns.observation[one]] for one in (call, other)]
        if outline(arguments[0]) == outline(arguments[1]):
            return True
        if not columns.empty[call] and outline(outputs[0]) == outline(outputs[1]):
            return True
        one, another = (dict(members(key)) for key in arguments)
        return one.keys() == another.keys() and len(one) > 1 and sum(one[name] != another[name] for name in one) == 1


class _Candidate(NamedTuple):
    weight: int
    places: IntArray
    """Places among the watched calls."""


def _group(places: IntArray, like: Likeness) -> NearGroup:
    neighbours = np.diff(places, prepend=-2) == 1
    breaks = np.flatnonzero(np.append(~neighbours, True))
    return NearGroup(
        tool=int(like.tool[places[0]]),
        calls=like.calls[places],
        same_arguments=len(np.unique(like.arguments[places])) == 1,
        same_output=len(np.unique(like.output[places])) == 1,
        longest=int(np.diff(breaks).max()),
    )


def _frequent(family: Family, like: Likeness) -> Iterator[_Candidate]:
    """The keys that came often, and what their calls have in common."""
    order = np.argsort(family.key, kind="stable")
    call, key = family.call[order], family.key[order]
    bounds = np.flatnonzero(np.diff(key, prepend=-1, append=-1))
    size = np.diff(bounds)
    first = bounds[:-1][size >= LEAST]
    size = size[size >= LEAST]
    if not len(first):
        return
    inside = np.repeat(first - np.cumsum(size) + size, size) + np.arange(size.sum())
    call, first = call[inside], np.cumsum(size) - size

    def constant(column: IntArray) -> BoolArray:
        values = column[call]
        same: BoolArray = np.maximum.reduceat(values, first) == np.minimum.reduceat(values, first)
        return same

    arguments, output = constant(like.arguments), constant(like.output)
    arguments_level = np.where(arguments, 0, 1)
    if not family.one_member:
        arguments_level += ~arguments & ~constant(like.arguments_outline)
    output_level = np.where(output, 0, np.where(constant(like.output_outline), 1, 2))
    weight = _WEIGHTS[arguments_level, output_level] * size
    spread = np.ones(len(first), dtype=np.bool_)
    for group in np.flatnonzero(arguments & output).tolist():
        places = call[first[group] : first[group] + size[group]]
        spread[group] = places[-1] - places[0] >= len(places)
    good = np.flatnonzero((weight >= _LEAST_WEIGHT) & spread)
    best = good[np.argsort(-weight[good], kind="stable")[:_CANDIDATES]]
    for group in best.tolist():
        yield _Candidate(int(weight[group]), call[first[group] : first[group] + size[group]])


@dataclass(frozen=True, slots=True)
class Side:
    """The arguments of a group's calls, or their outputs."""

    n_values: int
    """Distinct values."""
    n_compared: int
    """How many of these were compared, the first ones."""
    difference: Difference
    """In what they differ, all of them taken together."""


@dataclass(frozen=True, slots=True)
class Varies:
    """In what the calls of a group differ."""

    arguments: Side
    outputs: Side


def _side(columns: Columns, codes: IntArray) -> Side:
    """Compare the distinct values of a group."""
    distinct, first = np.unique(codes, return_index=True)
    if len(distinct) == 1:
        return Side(1, 1, NO_DIFFERENCE)
    ordered = distinct[np.argsort(first)].tolist()
    sizes = np.cumsum([len(columns.keys[code]) for code in ordered])
    n_compared = max(int(np.searchsorted(sizes, MOST_BYTES, side="right")), min(len(ordered), 2))
    difference = vary([value_of(columns, code) for code in ordered[:n_compared]])
    return Side(len(ordered), n_compared, difference)


def value_of(columns: Columns, code: int) -> Any:
    """The value that has an identity, numbers as doubles."""
    return decode(columns.keys[code])

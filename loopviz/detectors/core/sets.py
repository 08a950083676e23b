"""One integer for each set of integers: equal exactly when the sets are."""

from __future__ import annotations

import numpy as np

from loopviz.model import IntArray

FOLDED = 16
"""Sets of up to so many members are numbered together, a member at a time; larger ones are rare, and go one by one."""


def number_sets(member: IntArray, group: IntArray, n_groups: int, *, none: int) -> IntArray:
    """Give each group's set of members a code.

    Args:
        member: Non-negative integers, shape (n_members,).
        group: The group of each member, from 0; shape (n_members,).
        n_groups: How many groups there are.
        none: The code of a group without members.
    Returns:
        Codes, shape (n_groups,): that of a set with one member is the member, and no other set has it.
    """
    codes = np.full(n_groups, none, dtype=np.int64)
    codes[group] = member
    several = np.flatnonzero((np.bincount(group, minlength=n_groups) > 1)[group])
    if not len(several):
        return codes
    order = several[np.lexsort((member[several], group[several]))]
    member, group = member[order], group[order]
    new = np.ones(len(order), dtype=np.bool_)  # what stands twice in a group counts once
    new[1:] = (np.diff(group) != 0) | (np.diff(member) != 0)
    member, group = member[new], group[new]
    bounds = np.flatnonzero(np.diff(group, prepend=-1, append=-1))
    next_code = int(codes.max()) + 1
    size = np.diff(bounds)
    for chosen, numbered in ((size <= FOLDED, _fold), (size > FOLDED, _one_by_one)):
        first = bounds[:-1][chosen]
        if len(first):
            codes[group[first]] = _beyond(numbered(member, first, size[chosen]), next_code, member[first], size[chosen])
            next_code = max(next_code, int(codes.max()) + 1)
    return codes


def _beyond(numbers: IntArray, next_code: int, only: IntArray, size: IntArray) -> IntArray:
    """A set that had one member twice is that member after all; every other set gets a code of its own."""
    return np.where(size == 1, only, next_code + numbers)


def _fold(member: IntArray, first: IntArray, size: IntArray) -> IntArray:
    """Number sets by numbering their beginnings: those of one member, then those of two, and so on."""
    distinct, small = np.unique(member, return_inverse=True)
    number = small[first].astype(np.int64)
    used = len(distinct)
    for taken in range(1, int(size.max())):
        longer = np.flatnonzero(size > taken)
        pairs, again = np.unique(number[longer] * len(distinct) + small[first[longer] + taken], return_inverse=True)
        number[longer] = used + again
        used += len(pairs)
    return number


def _one_by_one(member: IntArray, first: IntArray, size: IntArray) -> IntArray:
    sets: dict[bytes, int] = {}
    spans = zip(first.tolist(), (first + size).tolist(), strict=True)
    return np.array([sets.setdefault(member[begin:end].tobytes(), len(sets)) for begin, end in spans])

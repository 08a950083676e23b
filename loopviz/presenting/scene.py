"""What stands in the plain picture: the calls in order, as cells, with what is folded so that every mark has room.

One call is one cell as long as there is room. Then stretches in which nothing is marked are folded into one cell each;
then every copy of the pattern becomes one cell; then the copies in the middle are folded too. A run that finds no room
even so is cut into equal bins, and in each the strongest mark wins, so that nothing vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.model import BoolArray, IntArray
from loopviz.presenting.repeats import Copies, shown_copies
from loopviz.presenting.stopping import StopPoint, stop_point
from loopviz.timeline.guards import level_of_call

FOLD = 3.5
"""Cells that a fold is wide."""
SHORTEST_FOLD = 4
"""Calls that are folded at least."""
FIRST_COPIES, MOST_COPIES = 5, 8
"""Copies that stay before a fold: up to the first one too many where that is near; the last one stays too."""
BINS = 3
"""Bins to the width of a cell."""

PLAIN, OTHER, STARTED, COPY = range(4)
"""Marks of a call, the weakest first: none, in another repeat over the limit, in a started copy, in a copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A cell of the picture; calls count from 0, the last one included."""

    first: int
    last: int
    mark: int
    copy: int = -1
    """Number of the copy, from 0."""
    opens_copy: bool = False
    """Its copy begins here."""
    folds: int = 0
    """Copies that are folded into it."""
    wide: bool = False
    """It is as wide as a fold."""
    level: int = 0
    """The highest ladder level in it."""
    fires: int = 0
    """The highest level that fires in it."""
    joined: bool = False
    """Made at once with the call before, in one turn."""

    @property
    def n_calls(self) -> int:
        return self.last + 1 - self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything that the plain picture shows."""

    items: tuple[Item, ...]
    n_calls: int
    copies: Copies | None
    limit: int
    stop: StopPoint | None
    binned: bool
    """Cells are bins of equal size."""

    @property
    def weight(self) -> float:
        """Cells that the picture is wide."""
        return _weight(self.items)

    @property
    def folded(self) -> bool:
        """Whether some cell stands for several calls."""
        return any(item.n_calls > 1 for item in self.items)

    @property
    def has_others(self) -> bool:
        """Whether some cell holds another repeat over the limit."""
        return any(item.mark == OTHER for item in self.items)

    @property
    def at_once(self) -> bool:
        """Whether some calls that have a cell each were made at once."""
        return any(item.joined for item in self.items)


class Marks:
    """The marks of every call of a run; arrays have shape (n_calls,)."""

    def __init__(self, inspection: Inspection) -> None:
        self.n_calls = len(inspection.trajectory.calls)
        self.copies = shown_copies(inspection)
        self.stop = stop_point(inspection)
        self.level = level_of_call(inspection)
        self.fires = np.zeros(self.n_calls, dtype=np.int64)
        for firing in inspection.ladder.fired(0):
            self.fires[firing.call] = int(firing.level)
        self.limit = inspection.finding.settings.max
        self.mark = self._mark(_other_repeats(inspection))
        turn = inspection.trajectory.calls.turn
        self.joined = np.zeros(self.n_calls, dtype=np.bool_)
        self.joined[1:] = (turn[1:] == turn[:-1]) & (turn[1:] >= 0)

    def _mark(self, other: BoolArray) -> IntArray:
        mark = np.where(other, OTHER, PLAIN)
        if self.copies is not None:
            mark[self.copies.started] = STARTED
            mark[self.copies.copy_of_call >= 0] = COPY
        return mark

    def item(self, first: int, last: int, *, copy: int = -1, folds: int = 0, wide: bool = False) -> Item:
        """A cell for some calls that follow each other; the strongest mark in it wins."""
        inside = slice(first, last + 1)
        of_copy = -1 if self.copies is None else int(self.copies.copy_of_call[first])
        number = copy if copy >= 0 else of_copy if first == last else -1
        return Item(
            first=first,
            last=last,
            mark=int(self.mark[inside].max()),
            copy=number,
            opens_copy=number >= 0 and (copy >= 0 or self._opens(first)),
            folds=folds,
            wide=wide,
            level=int(self.level[inside].max()),
            fires=int(self.fires[inside].max()),
            joined=first == last and bool(self.joined[first]),
        )

    def _opens(self, call: int) -> bool:
        """Whether a call is the first of its copy."""
        assert self.copies is not None
        return int(np.argmax(self.copies.copy_of_call == self.copies.copy_of_call[call])) == call


@lru_cache(maxsize=2)
def marks_of(inspection: Inspection) -> Marks:
    """The marks of a run; those of the last two are kept, since one run is drawn in several widths."""
    return Marks(inspection)


def lay_scene(inspection: Inspection, room: int) -> Scene:
    """Choose what is folded so that the picture is at most `room` cells wide; bins are thinner."""
    marks = marks_of(inspection)
    items, binned = _fitting(marks, room)
    return Scene(
        items=tuple(items),
        n_calls=marks.n_calls,
        copies=marks.copies,
        limit=marks.limit,
        stop=marks.stop,
        binned=binned,
    )


def _fitting(marks: Marks, room: int) -> tuple[list[Item], bool]:
    """The cells, and whether they are bins that stand for several calls each."""
    if marks.n_calls <= room:
        return [marks.item(call, call) for call in range(marks.n_calls)], False
    if marks.copies is not None:
        for how, by_level in product(("calls", "copies", "some copies"), (True, False)):
            items = _folded(marks, marks.copies, room, how=how, by_level=by_level)
            if items is not None and _weight(items) <= room:
                return items, False
    n_bins = min(marks.n_calls, BINS * room)
    edges = np.linspace(0, marks.n_calls, n_bins + 1).astype(np.int64).tolist()
    return [marks.item(first, stop - 1) for first, stop in pairwise(edges)], n_bins < marks.n_calls


def _weight(items: Sequence[Item]) -> float:
    return sum(FOLD if item.wide else 1.0 for item in items)


def _folded(marks: Marks, copies: Copies, room: int, *, how: str, by_level: bool) -> list[Item] | None:
    """The cells with unmarked stretches folded; None where they are certainly too many.

    Args:
        marks: The marks of every call.
        copies: The copies of the pattern.
        room: Cells that there is room for.
        how: What has a cell of its own: the `calls` of the copies, all `copies`, or `some copies`, those in the middle
            folded into one.
        by_level: Fold no two calls into one of which only one is on the ladder.
    """
    owner = _owner(copies)
    hidden = range(max(FIRST_COPIES, min(marks.limit + 1, MOST_COPIES)), copies.times - 1)
    if how == "some copies" and len(hidden) > 1:
        owner[(owner >= hidden.start) & (owner < hidden.stop)] = hidden.start
    change = np.diff(owner) != 0
    if by_level:
        change |= (np.diff(marks.level > 0) != 0) & ((owner[1:] < 0) | (owner[:-1] < 0))
    if how == "calls":
        change |= owner[1:] >= 0
    started = np.flatnonzero(copies.started)
    if len(started):  # what is folded with it would look as if it belonged to the pattern
        change[[place for place in (started[0] - 1, started[-1]) if 0 <= place < len(change)]] = True
    if marks.stop is not None and 0 < marks.stop.first_after < marks.n_calls:
        change[marks.stop.first_after - 1] |= owner[marks.stop.first_after] < 0
    if np.count_nonzero(change) > room:
        return None
    items: list[Item] = []
    for first, stop in pairwise([0, *(np.flatnonzero(change) + 1).tolist(), marks.n_calls]):
        copy = int(owner[first])
        if how == "some copies" and len(hidden) > 1 and copy == hidden.start:
            items.append(marks.item(first, stop - 1, folds=len(hidden), wide=True))
        elif copy >= 0 and how != "calls":
            items.append(marks.item(first, stop - 1, copy=copy))
        elif copy < 0 and stop - first >= SHORTEST_FOLD:
            items.append(marks.item(first, stop - 1, wide=True))
        else:
            items += [marks.item(call, call) for call in range(first, stop)]
    return items


def _owner(copies: Copies) -> IntArray:
    """The copy that each call stands in, -1 outside, shape (n_calls,).

    A call between two steps of a copy, of a tool that is not watched, stands in the cell of that copy.
    """
    owner = np.full(len(copies.copy_of_call), -1)
    inside = slice(copies.first_call(), copies.last_call() + 1)
    owner[inside] = np.maximum.accumulate(copies.copy_of_call[inside])
    return owner


def _other_repeats(inspection: Inspection) -> BoolArray:
    """Calls in other repeats over the limit than the one that decides, shape (n_calls,)."""
    finding, steps = inspection.finding, inspection.grader.steps
    over = finding.cycles.over(finding.settings.max)
    change = np.zeros(finding.steps + 1, dtype=np.int64)
    np.add.at(change, over.start, 1)
    np.add.at(change, over.start + over.period * over.occurrences, -1)
    inside = np.cumsum(change) > 0  # the last one, always False, is for calls without a step
    found: BoolArray = inside[np.where(steps.of_call < 0, finding.steps, steps.of_call - int(steps.starts[0]))]
    return found

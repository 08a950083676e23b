"""Asking about a stretch of calls: whether it counts, why or why not, and the nearest settings that would count it.

What "counts" means is said in `loopviz.analysis.lying`, what "nearest" means in `loopviz.analysis.nearest`. Every
reason is one of a fixed list and stands on figures that are computed, never on a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.lying import Loop, Places, Stretch, as_loop, place_steps
from loopviz.analysis.nearest import Nearest, Search, nearest, search
from loopviz.analysis.neighbours import Neighbours, compare_neighbours
from loopviz.analysis.reasons import Fact, Reason, other_reasons
from loopviz.analysis.runset import Recent, RunSet
from loopviz.detectors.core.repeats import Cycles
from loopviz.detectors.core.steps import EMPTY
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.settings import MaxRepeatSettings

KEPT_ANSWERS = 4
"""Stretches of a run, and settings, whose answers are kept."""
FIRST_CALLS = 4
"""Other loops that are named; the rest is counted."""


class WhyNone(Enum):
    """Why no setting counts a stretch."""

    ONE_CALL = "one call cannot repeat"
    ONE_TURN = "one turn is one step"
    NOTHING = "no pattern lies in it twice in a row"


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What some settings flag in the run beside the stretch."""

    count: int
    """Cycles over the limit that do not lie in the stretch."""
    first_calls: tuple[int, ...]
    """Where the first of them begin."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Suggestion:
    """Settings that count the stretch, and what else they flag in the run."""

    nearest: Nearest
    elsewhere: Elsewhere


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """What there is to say of a stretch under the settings in force."""

    stretch: Stretch
    settings: MaxRepeatSettings
    n_watched: int
    """Watched calls in the stretch."""
    n_steps: int
    """Counted steps with a call in it."""
    head: Fact
    """Why it counts, or does not: the first reason that holds."""
    others: tuple[Fact, ...]
    """What would count more, one setting or one thing in the run being different; none where it counts."""
    neighbours: Neighbours | None
    """How its steps differ one from the next, where nothing longer than half of it repeats."""
    suggestions: tuple[Suggestion, ...]
    """The nearest settings that would count it; none where those in force do."""
    elsewhere: Elsewhere
    """What the settings in force flag in the run beside it."""
    why_none: WhyNone | None
    """Why there are no suggestions, where the stretch does not count either."""
    tried: int
    """How many settings were tried, `max` apart: every one of those."""

    @property
    def counts(self) -> bool:
        """Whether the settings in force count the stretch."""
        return self.head.reason is Reason.COUNTED


def ask(runs: RunSet, inspection: Inspection, first: int, last: int) -> Answer:
    """Answer why a stretch counts or does not.

    Args:
        runs: The run, alone in its set.
        inspection: What was found in it under the settings in force.
        first: First marked call, from 0.
        last: Last marked call, inclusive.
    Raises:
        ValueError: if these are not calls of the run in their order.
    """
    n_calls = len(inspection.trajectory.calls)
    if not 0 <= first <= last < n_calls:
        raise ValueError(f"calls {first}–{last}: both must be calls of the run, 0 to {n_calls - 1}, the first first")
    stretch, settings, grader = Stretch(first, last), inspection.finding.settings, inspection.grader
    kept: _Kept = runs.kept.get("stretches", _Kept)

    def look() -> Search:
        return search(grader.columns, grader.watched, settings.tools, grader.unknown, stretch)

    return kept.answers.get(
        (stretch, settings, grader.unknown),
        lambda: _answer(inspection, stretch, kept.searches.get((stretch, settings.tools, grader.unknown), look)),
    )


class _Kept:
    """What was worked out last about stretches of a run; a search serves every setting but the tools."""

    def __init__(self) -> None:
        self.answers: Recent[Answer] = Recent(KEPT_ANSWERS)
        self.searches: Recent[Search] = Recent(KEPT_ANSWERS)


def _answer(inspection: Inspection, stretch: Stretch, searched: Search) -> Answer:
    grader, settings = inspection.grader, inspection.finding.settings
    places = place_steps(grader, stretch)
    n_watched = int(np.count_nonzero(grader.watched[stretch.calls]))
    head = _head(inspection, places, searched, n_watched)
    counted = head.reason is Reason.COUNTED
    options = () if counted else nearest(searched, settings)
    shown_apart = head.reason in (Reason.ALL_DIFFER, Reason.NO_REPEAT, Reason.SMALL)
    return Answer(
        stretch=stretch,
        settings=settings,
        n_watched=n_watched,
        n_steps=len(places.inside),
        head=head,
        others=() if counted else other_reasons(grader, settings, places, searched),
        neighbours=compare_neighbours(grader, settings, places.inside) if shown_apart else None,
        suggestions=tuple(Suggestion(nearest=one, elsewhere=_elsewhere_under(grader, one, stretch)) for one in options),
        elsewhere=_elsewhere(inspection.finding.cycles, grader, settings.max, places),
        why_none=None if counted or options else _why_none(inspection, stretch),
        tried=searched.size,
    )


def _head(inspection: Inspection, places: Places, searched: Search, n_watched: int) -> Fact:
    """The first reason that holds."""
    grader, settings = inspection.grader, inspection.finding.settings
    match, bound = settings.match, settings.max_cycle_period
    if not n_watched:
        return Fact(reason=Reason.UNWATCHED, count=len(places.stretch))
    loop = searched.found[0].best(match, bound)
    if loop is not None and loop.occurrences > settings.max:
        return Fact(reason=Reason.COUNTED, loop=loop)
    cycles = inspection.finding.cycles
    partly = _widest(grader, settings, cycles.over(settings.max), places)
    if partly is not None:
        return Fact(reason=Reason.PARTLY, loop=partly, count=partly.covered)
    if len(places.inside) == 1:
        return Fact(reason=Reason.ONE_STEP, count=n_watched)
    codes = grader.run_codes(0, match, bound)[places.inside]
    full = codes[codes != EMPTY]
    if not len(full):
        return Fact(reason=Reason.ALL_EMPTY, count=len(codes))
    if loop is not None:
        return Fact(reason=Reason.WITHIN_LIMIT, loop=loop)
    two_copies = cycles.where(places.n_inside(cycles) >= 2 * cycles.period)
    small = _widest(grader, settings, two_copies, places)
    if small is not None:
        return Fact(reason=Reason.SMALL, loop=small, count=small.covered)
    distinct = len(np.unique(full))
    return Fact(reason=Reason.ALL_DIFFER if distinct == len(full) else Reason.NO_REPEAT, count=distinct, of=len(full))


def _widest(grader: MaxRepeat, settings: MaxRepeatSettings, cycles: Cycles, places: Places) -> Loop | None:
    """The cycle that spans most of the marked calls; of several the one with most copies."""
    span = places.covered(cycles)
    inside = places.n_inside(cycles) > 0
    cycles, span = cycles.where(inside), span[inside]
    if not len(cycles):
        return None
    best = np.lexsort((cycles.start, cycles.period, -cycles.occurrences, -span))[:1]
    return as_loop(grader, settings.match, next(iter(cycles.where(best))), places.stretch)


def _elsewhere_under(grader: MaxRepeat, option: Nearest, stretch: Stretch) -> Elsewhere:
    """What suggested settings flag beside the stretch."""
    settings, columns = option.settings, grader.columns
    if "tools" in option.changed:
        grader = MaxRepeat(columns, option.choice.watched[columns.tool], grader.unknown)
    cycles = grader.cycles(0, settings.match, settings.max_cycle_period)
    return _elsewhere(cycles, grader, settings.max, place_steps(grader, stretch))


def _elsewhere(cycles: Cycles, grader: MaxRepeat, limit: int, places: Places) -> Elsewhere:
    over = cycles.over(limit)
    there = np.setdiff1d(_names(over), _names(places.lying(over)))
    start = np.unique(there // _PERIODS)
    return Elsewhere(count=len(there), first_calls=tuple(grader.steps.first_call[start[:FIRST_CALLS]].tolist()))


_PERIODS = 16
"""More than the longest period, so that start and period make one number."""


def _names(cycles: Cycles) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return cycles.start * _PERIODS + cycles.period


def _why_none(inspection: Inspection, stretch: Stretch) -> WhyNone:
    if len(stretch) == 1:
        return WhyNone.ONE_CALL
    turns = inspection.grader.columns.turn[stretch.calls]
    return WhyNone.ONE_TURN if (turns == turns[0]).all() else WhyNone.NOTHING

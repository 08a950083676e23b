"""Why a stretch of calls counts or does not: a fixed list of reasons, each decided by figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from loopviz.analysis.boundaries import calls_of, differing_calls
from loopviz.analysis.lying import Found, Loop, Places
from loopviz.analysis.nearest import Search
from loopviz.analysis.tool_choices import Kind, ToolChoice
from loopviz.detectors.core.repeats import MAX_PERIOD, find_cycles
from loopviz.detectors.core.steps import EMPTY, MATCHES
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import IntArray
from loopviz.settings import MaxRepeatSettings


class Reason(Enum):
    """Everything that can be said; the first eight answer, the others say what would count more."""

    UNWATCHED = "no call of it is watched"
    COUNTED = "a cycle over the limit lies in it"
    PARTLY = "only a part of it lies in a cycle over the limit"
    ONE_STEP = "its watched calls are one counted step"
    ALL_EMPTY = "every step of it is empty"
    WITHIN_LIMIT = "it repeats, within the limit"
    SMALL = "what repeats covers less than half of it"
    ALL_DIFFER = "its steps all differ"
    NO_REPEAT = "steps come again, but no pattern follows itself"

    EMPTY_CUTS = "an empty step ends the pattern"
    HALF_EMPTY = "a turn with some empty outputs counts as empty above longest pattern 1"
    TOO_LONG = "the pattern is longer than the longest pattern"
    VALUES_DIFFER = "the same in another way of same"
    BETWEEN = "another tool stands between"
    AMONG = "other tools stand between"
    LEFT_OUT = "tools of it are not watched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One reason with its figures; what a reason does not speak of is left at its default."""

    reason: Reason
    loop: Loop | None = None
    """The cycle it speaks of."""
    count: int = 0
    of: int = 0
    call: int | None = None
    """Where it shows, from 0: the empty call, or that which differs in the first step that does."""
    against: int | None = None
    """The call that `call` differs from."""
    tools: tuple[str, ...] = ()


def other_reasons(grader: MaxRepeat, settings: MaxRepeatSettings, places: Places, searched: Search) -> tuple[Fact, ...]:
    """What would make more copies lie in the stretch, one thing being different.

    Of these, what changes two things is told only where it gives more than either alone.
    """
    found = searched.found[0]
    now = found.most(settings.match, settings.max_cycle_period)
    told = (*_empties(grader, settings, places, now), *_settings(grader, settings, found, now))
    return (*told, *_tools(searched, settings, now, alone=not told))


def _empties(grader: MaxRepeat, settings: MaxRepeatSettings, places: Places, now: int) -> Iterator[Fact]:
    """What empty steps keep apart."""
    codes = grader.run_codes(0, settings.match, settings.max_cycle_period)
    if not (codes[places.inside] == EMPTY).any():
        return
    kept = np.flatnonzero(codes != EMPTY)
    cycles = places.without(codes == EMPTY).lying(find_cycles(codes[kept], bound=settings.max_cycle_period))
    if not len(cycles) or cycles.occurrences.max() <= now:
        return
    best = next(iter(cycles.where(np.lexsort((cycles.start, cycles.period, -cycles.occurrences))[:1])))
    steps = kept[best.start : best.complete]
    first, last = grader.first_call(0, int(steps[0])), int(grader.steps.last_call[steps].max())
    gap = int(steps[0]) + int(np.flatnonzero(codes[steps[0] : steps[-1]] == EMPTY)[0])
    yield Fact(
        reason=Reason.EMPTY_CUTS,
        call=next(call for call in calls_of(grader, 0, gap) if grader.columns.empty[call]),
        loop=Loop(
            match=settings.match,
            period=best.period,
            occurrences=best.occurrences,
            first=first,
            last=last,
            covered=max(min(last, places.stretch.last) - max(first, places.stretch.first) + 1, 0),
            pattern=tuple(" + ".join(grader.step_tools(0, int(step))) for step in steps[: best.period]),
        ),
    )


def _settings(grader: MaxRepeat, settings: MaxRepeatSettings, found: Found, now: int) -> Iterator[Fact]:
    """What another bound, or another way of "same", would find."""
    match, bound = settings.match, settings.max_cycle_period
    if found.most(match, 1) > now:
        yield Fact(reason=Reason.HALF_EMPTY, loop=found.best(match, 1))
    longer = found.most(match, MAX_PERIOD)
    if longer > now:
        yield Fact(reason=Reason.TOO_LONG, loop=found.best(match, MAX_PERIOD))
    reached, told = max(now, longer), now
    for other in MATCHES:
        if other == match:
            continue
        loop = found.best(other, bound)
        further = found.best(other, MAX_PERIOD)
        if further is not None and further.occurrences > max(reached, found.most(other, bound)):
            loop = further
        if loop is not None and loop.occurrences > (told if loop.period <= bound else reached):
            yield _difference(grader, settings, loop)
            reached, told = max(reached, loop.occurrences), max(told, loop.occurrences)


def _difference(grader: MaxRepeat, settings: MaxRepeatSettings, loop: Loop) -> Fact:
    """Where a loop in another way of "same" differs first in that in force."""
    codes = grader.run_codes(0, settings.match, settings.max_cycle_period)
    first = int(np.searchsorted(grader.steps.first_call, loop.first))
    steps = np.arange(first, first + loop.period * (loop.occurrences - 1))
    then: IntArray = steps + loop.period
    apart = np.flatnonzero((codes[steps] != codes[then]) & (codes[steps] != EMPTY) & (codes[then] != EMPTY))
    if not len(apart):
        return Fact(reason=Reason.VALUES_DIFFER, loop=loop)
    step = int(steps[apart[0]])
    mine, others = calls_of(grader, 0, step + loop.period), calls_of(grader, 0, step)
    call, against = differing_calls(grader, 0, mine, others, settings.match) or (mine[0], others[0])
    return Fact(reason=Reason.VALUES_DIFFER, loop=loop, call=call, against=against)


def _tools(searched: Search, settings: MaxRepeatSettings, now: int, *, alone: bool) -> Iterator[Fact]:
    """What other tools between, or tools left out, keep from counting; of one tool by itself only if `alone`."""
    match, bound = settings.match, settings.max_cycle_period
    in_force = searched.choices[0].watched

    def best(*kinds: Kind, adding: bool = False) -> tuple[ToolChoice, Loop] | None:
        offered = [
            (choice, loop)
            for choice, found in zip(searched.choices, searched.found, strict=True)
            if choice.kind in kinds and bool((choice.watched & ~in_force).any()) == adding
            if (loop := found.best(match, bound)) and loop.occurrences > now
        ]
        return max(offered, key=lambda one: one[1].occurrences, default=None)

    without, more = best(Kind.WITHOUT), best(Kind.EVERY, Kind.TOGETHER, adding=True)
    fewer = best(Kind.TOGETHER) or (best(Kind.ALONE) if alone and not more else None)
    if without is not None:
        choice, loop = without
        yield Fact(reason=Reason.BETWEEN, loop=loop, tools=(choice.tool or "",))
    elif fewer is not None:
        choice, loop = fewer
        yield Fact(reason=Reason.AMONG, loop=loop, tools=(choice.tool,) if choice.tool else ())
    if more is not None:
        yield Fact(reason=Reason.LEFT_OUT, loop=more[1])

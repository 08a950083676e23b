"""Two ways to treat one tool apart, and what each does to a run: ignore it, or give it a limit of its own.

Leaving a tool out can join what it kept apart, since an unwatched call separates nothing: a loop that is there only
then is told from the others.

Source: SPEC, section 1, "From events to steps".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from loopviz import yaml12
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.runset import RunSet
from loopviz.analysis.tool_patterns import only, without
from loopviz.detectors.core.repeats import Cycle, Cycles
from loopviz.detectors.max_repeat import NAME, MaxRepeat, MaxRepeatFinding
from loopviz.model import BoolArray, IntArray
from loopviz.settings import MaxRepeatSettings, dump

Fate = Literal["appears", "grows", "goes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleChange:
    """What becomes of a cycle; calls count from 0 within the run."""

    fate: Fate
    pattern: tuple[str, ...]
    """For each step, the names of its tools: of the cycle then, or of the one that goes."""
    before: tuple[int, ...]
    """Times in a row of the cycles now that live on in it, or of the one that goes; several where they are joined."""
    after: int
    """Times in a row of the cycle then, 0 where it goes."""
    first_call: int
    last_call: int
    joins: bool = False
    """It is over the limit then, spans calls that are left out, and no loop over the limit lives on in it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeftOut:
    """A run with one tool left out."""

    tool: str
    settings: MaxRepeatSettings
    """The settings that leave it out."""
    finding: MaxRepeatFinding
    """What these find."""
    cycles: tuple[CycleChange, ...]
    """Every cycle that is not as before: new loops first, then the strongest, now or then."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnLimit:
    """A run judged by two graders: one watches one tool, the other everything else."""

    tool: str
    finding: MaxRepeatFinding
    """Of the tool alone."""
    closes_up: bool
    """Calls of other tools, watched now, stand between its copies: alone, they do not separate it."""
    rest: LeftOut
    """Of everything else."""

    @property
    def passed(self) -> bool:
        return self.finding.passed and self.rest.finding.passed

    @property
    def graders(self) -> tuple[MaxRepeatSettings, MaxRepeatSettings]:
        return self.finding.settings, self.rest.settings


def leave_out(runs: RunSet, inspection: Inspection, tool: str) -> LeftOut:
    """Judge a run, alone in its set, with one tool left out.

    Raises:
        PatternError: if a pattern that is rewritten runs for longer than a second.
    """
    now = inspection.grader, inspection.finding
    settings = inspection.finding.settings
    patterns = without(settings.tools, tool, runs.columns.tools)
    settings = settings.model_copy(update={"tools": patterns})
    grader = runs.max_repeat(patterns, inspection.grader.unknown)
    finding = grader.judge(0, settings)
    return LeftOut(tool=tool, settings=settings, finding=finding, cycles=_compare(now, (grader, finding)))


def limit_apart(runs: RunSet, inspection: Inspection, tool: str, limit: int | None = None) -> OwnLimit:
    """Judge a run, alone in its set, by one grader for a tool and one for everything else.

    Args:
        runs: The run.
        inspection: What is found in it now.
        tool: The tool.
        limit: Its own `max`; None for the smallest not below the present one that passes this run.
    """
    settings = inspection.finding.settings.model_copy(update={"tools": (only(tool),)})
    grader = runs.max_repeat(settings.tools, inspection.grader.unknown)
    if limit is None:
        figure = int(grader.best(settings.match, settings.max_cycle_period).occurrences[0])
        limit = max(settings.max, figure)
    alone = grader.judge(0, settings.model_copy(update={"max": limit}))
    return OwnLimit(
        tool=tool,
        finding=alone,
        closes_up=_closes_up(grader, alone, inspection.grader.watched),
        rest=leave_out(runs, inspection, tool),
    )


def _closes_up(grader: MaxRepeat, finding: MaxRepeatFinding, watched_now: BoolArray) -> bool:
    if finding.occurrences < 2 or finding.start is None or finding.stop is None:
        return False
    inside = slice(grader.first_call(0, finding.start), grader.last_call_of_steps(0, finding.start, finding.stop) + 1)
    return bool((watched_now & ~grader.watched)[inside].any())


def graders_as_yaml(graders: Sequence[tuple[str, MaxRepeatSettings]]) -> str:
    """Max-repeat graders, each with a name, as they stand under a stimulus of an eval spec."""
    entries = [{"type": NAME, "name": name, "config": dump(settings)} for name, settings in graders]
    return yaml12.dump({"graders": entries})


Judged = tuple[MaxRepeat, MaxRepeatFinding]


def _compare(now: Judged, then: Judged) -> tuple[CycleChange, ...]:
    """Pair each cycle now with that in which it lives on, and name those that are not as before."""
    heirs = _heirs(now, then)
    lives_on = heirs >= 0
    lives_on[lives_on] = then[1].cycles.period[heirs[lives_on]] == now[1].cycles.period[lives_on]
    changes = [*_new_or_other(now, then, heirs, lives_on), *_gone(now, lives_on)]
    return tuple(
        sorted(changes, key=lambda change: (not change.joins, -max((change.after, *change.before)), change.first_call))
    )


def _heirs(now: Judged, then: Judged) -> IntArray:
    """The cycle then in which each cycle now lives on, -1 for one of which nothing is left: shape (n_cycles now,).

    What is left of a cycle, once calls are left out of it, still repeats, with a pattern as long or shorter: it lives
    on in the one cycle then that repeats this pattern and holds all of it.
    """
    cycles, later = now[1].cycles, then[1].cycles
    step_then = _step_then(now[0], then[0])
    left = np.flatnonzero(step_then >= 0)
    first, stop = np.searchsorted(left, cycles.start), np.searchsorted(left, cycles.start + _counted_steps(cycles))
    per_copy = np.searchsorted(left, cycles.start + cycles.period) - first
    heirs = np.full(len(cycles), -1, dtype=np.int64)
    some = np.flatnonzero(per_copy)
    low, high = step_then[left[first[some]]], step_then[left[stop[some] - 1]]
    some, low, high = (column[high - low == stop[some] - first[some] - 1] for column in (some, low, high))
    for period in np.unique(later.period).tolist():
        chosen = np.flatnonzero(later.period == period)
        # Two cycles of one period share less than a copy, so of those that begin before only the last can hold it all.
        at = np.searchsorted(later.start[chosen], low, side="right") - 1
        holds = (at >= 0) & (later.stop[chosen[at]] > high) & (per_copy[some] % period == 0)
        heirs[some[holds]] = chosen[at[holds]]
    return heirs


def _counted_steps(cycles: Cycles) -> IntArray:
    """Steps of the complete copies of each cycle."""
    return cycles.occurrences * cycles.period


def _step_then(now: MaxRepeat, then: MaxRepeat) -> IntArray:
    """What becomes of each step: its number then, -1 where no call of it is watched then; shape (n_steps now,)."""
    both = np.flatnonzero(now.watched & then.watched)
    step = np.full(len(now.steps), -1, dtype=np.int64)
    step[now.steps.of_call[both]] = then.steps.of_call[both]
    return step


def _new_or_other(now: Judged, then: Judged, heirs: IntArray, lives_on: BoolArray) -> list[CycleChange]:
    """The cycles then that are not as the ones there now."""
    grader, cycles = then[0], then[1].cycles
    dropped = np.flatnonzero(now[0].watched & ~grader.watched)
    limit = now[1].settings.max
    was_over = np.zeros(len(cycles), dtype=np.bool_)
    was_over[heirs[(heirs >= 0) & (now[1].cycles.occurrences > limit)]] = True
    there: dict[int, list[int]] = defaultdict(list)
    for heir, occurrences in zip(heirs[lives_on].tolist(), now[1].cycles.occurrences[lives_on].tolist(), strict=True):
        there[heir].append(occurrences)
    changes = []
    for place, cycle in enumerate(cycles):
        before = tuple(there.get(place, ()))
        if before == (cycle.occurrences,):
            continue
        first, last = _calls(grader, cycle)
        spanned = np.searchsorted(dropped, last) > np.searchsorted(dropped, first)
        changes.append(
            CycleChange(
                fate="grows" if before else "appears",
                pattern=grader.pattern(0, cycle.start, cycle.period),
                before=before,
                after=cycle.occurrences,
                first_call=first,
                last_call=last,
                joins=cycle.occurrences > limit and bool(spanned) and not was_over[place],
            )
        )
    return changes


def _gone(now: Judged, lives_on: BoolArray) -> list[CycleChange]:
    """The cycles now of which nothing is left, or a shorter pattern."""
    grader, gone = now[0], now[1].cycles.where(~lives_on)
    changes = []
    for cycle in gone:
        first, last = _calls(grader, cycle)
        changes.append(
            CycleChange(
                fate="goes",
                pattern=grader.pattern(0, cycle.start, cycle.period),
                before=(cycle.occurrences,),
                after=0,
                first_call=first,
                last_call=last,
            )
        )
    return changes


def _calls(grader: MaxRepeat, cycle: Cycle) -> tuple[int, int]:
    """First and last call of a cycle."""
    return grader.first_call(0, cycle.start), grader.last_call_of_steps(0, cycle.start, cycle.stop)

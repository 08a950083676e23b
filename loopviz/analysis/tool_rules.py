"""Two ways to treat one tool apart, and what each does to a run: ignore it, or give it a limit of its own.

Leaving a tool out can join what it kept apart, since an unwatched call separates nothing: a loop that is there only
then is told from the others.

Source: SPEC, section 1, "From events to steps".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from loopviz import yaml12
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.runset import RunSet
from loopviz.analysis.tool_patterns import only, without
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.max_repeat import NAME, MaxRepeat, MaxRepeatFinding
from loopviz.model import BoolArray, IntArray
from loopviz.settings import MaxRepeatSettings, dump

Fate = Literal["appears", "grows", "shrinks", "goes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleChange:
    """What becomes of a cycle; calls count from 0 within the run."""

    fate: Fate
    pattern: tuple[str, ...]
    """For each step, the names of its tools: of the cycle then, or of the one that goes."""
    before: tuple[int, ...]
    """Times in a row of the cycles of this length that lie there now; several where they are joined."""
    after: int
    """Times in a row of the cycle then, 0 where it goes."""
    first_call: int
    last_call: int
    joins: bool = False
    """It is over the limit then, spans calls that are left out, and no loop over the limit lies there now."""


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
    inside = slice(grader.first_call(0, finding.start), grader.last_call(0, finding.stop - 1) + 1)
    return bool((watched_now & ~grader.watched)[inside].any())


def graders_as_yaml(graders: Sequence[tuple[str, MaxRepeatSettings]]) -> str:
    """Max-repeat graders, each with a name, as they stand under a stimulus of an eval spec."""
    entries = [{"type": NAME, "name": name, "config": dump(settings)} for name, settings in graders]
    return yaml12.dump({"graders": entries})


Judged = tuple[MaxRepeat, MaxRepeatFinding]


@dataclass(frozen=True, slots=True, eq=False)
class _Spans:
    """The cycles of one length, by start, as spans of calls; both ends ascend."""

    cycles: list[Cycle]
    first: IntArray
    last: IntArray


def _compare(now: Judged, then: Judged) -> tuple[CycleChange, ...]:
    """Pair the cycles of one length that share calls, and name those that are not as before."""
    limit = now[1].settings.max
    before, after = _by_period(now), _by_period(then)
    dropped = np.flatnonzero(now[0].watched & ~then[0].watched)
    over = _over(now)
    changes: list[CycleChange] = []
    for period in sorted(before.keys() | after.keys()):
        old, new = before.get(period, _NONE), after.get(period, _NONE)
        changes += _new_or_other(then[0], old, new, dropped, over, limit)
        changes += _gone(now[0], old, new)
    return tuple(
        sorted(changes, key=lambda change: (not change.joins, -max((change.after, *change.before)), change.first_call))
    )


_NONE = _Spans([], np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def _by_period(judged: Judged) -> dict[int, _Spans]:
    grader, finding = judged
    steps, cycles = grader.steps, finding.cycles
    first, last = steps.first_call[cycles.start], steps.last_call[cycles.stop - 1]
    spans: dict[int, _Spans] = {}
    for period in np.unique(cycles.period).tolist():
        chosen = np.flatnonzero(cycles.period == period)
        # The turns of several agents may interleave: then a later step can end at an earlier call.
        ends = np.maximum.accumulate(last[chosen])
        spans[period] = _Spans(list(cycles.where(chosen)), first[chosen], ends)
    return spans


def _over(judged: Judged) -> BoolArray:
    """Whether each call lies in a cycle that is over the limit, shape (n_calls,)."""
    grader, finding = judged
    over = np.zeros(len(grader.watched), dtype=np.bool_)
    for cycle in finding.cycles.over(finding.settings.max):
        over[grader.first_call(0, cycle.start) : grader.last_call(0, cycle.stop - 1) + 1] = True
    return over


def _new_or_other(
    grader: MaxRepeat, old: _Spans, new: _Spans, dropped: IntArray, over: BoolArray, limit: int
) -> list[CycleChange]:
    """The cycles then that are not as the ones there now."""
    changes = []
    lows, highs = np.searchsorted(old.last, new.first), np.searchsorted(old.first, new.last, side="right")
    for cycle, first, last, low, high in zip(
        new.cycles, new.first.tolist(), new.last.tolist(), lows.tolist(), highs.tolist(), strict=True
    ):
        there = tuple(other.occurrences for other in old.cycles[low:high])
        most = max(there, default=0)
        if len(there) == 1 and most == cycle.occurrences:
            continue
        spanned = np.searchsorted(dropped, last) > np.searchsorted(dropped, first)
        changes.append(
            CycleChange(
                fate="appears" if not there else "shrinks" if cycle.occurrences < most else "grows",
                pattern=grader.pattern(0, cycle.start, cycle.period),
                before=there,
                after=cycle.occurrences,
                first_call=first,
                last_call=last,
                joins=cycle.occurrences > limit and bool(spanned) and not over[first : last + 1].any(),
            )
        )
    return changes


def _gone(grader: MaxRepeat, old: _Spans, new: _Spans) -> list[CycleChange]:
    """The cycles now of which nothing is left."""
    gone = np.searchsorted(new.last, old.first) >= np.searchsorted(new.first, old.last, side="right")
    return [
        CycleChange(
            fate="goes",
            pattern=grader.pattern(0, cycle.start, cycle.period),
            before=(cycle.occurrences,),
            after=0,
            first_call=first,
            last_call=last,
        )
        for cycle, first, last, none in zip(
            old.cycles, old.first.tolist(), old.last.tolist(), gone.tolist(), strict=True
        )
        if none
    ]

"""One run, three questions: did it repeat, would a nudge have come, would a stop have come, and where they part.

The grader's answer is the verdict; the two guards are simulations. Why they part is said by `loopviz.analysis.parting`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.analysis.causes import Cause
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.parting import Parting, find_partings
from loopviz.analysis.voices import Detector, hear, thrash_counts
from loopviz.detectors.after_stop import AfterStop, after_call, from_call
from loopviz.detectors.core.columns import Columns
from loopviz.detectors.escalation import Firing, Level
from loopviz.detectors.thrash import Kind
from loopviz.model import IntArray

__all__ = ["Answer", "Detector", "GraderAnswer", "LadderAnswer", "ThrashAnswer", "ThreeAnswers", "three_answers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What all answers have; calls count from 0."""

    yes: bool
    first: int | None
    """First call of the strongest stretch; None where no call is watched, or nothing can be compared."""
    last: int | None
    call: int | None
    """Where it speaks first: over the limit, the first nudge, the stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderAnswer(Answer):
    """Did it repeat, looking back?"""

    occurrences: int
    limit: int
    pattern: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderAnswer(Answer):
    """Would similar arguments have drawn a nudge?"""

    level: int
    strongest: tuple[Firing, ...]
    """The levels that fire in the longest stretch."""
    longest: int
    """Similar calls in the longest stretch."""
    tool: str | None
    """The tool of all of them; None where there are several."""
    after: AfterStop | None
    """What force-done would have cut off, its own call too; None where it does not come to that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrashAnswer(Answer):
    """Would identical arguments have stopped it?"""

    kind: Kind
    most: int
    """Identical calls up to the stop, or the most there are."""
    to_the_letter: bool
    """Whether they are identical with the arguments that are left out, too."""
    tool: str | None
    after: AfterStop | None
    passed_over: tuple[Cause, ...]
    """Why none of the calls that it watches counts; empty where one does, and where it watches none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeAnswers:
    """The answers of one run, and where they part."""

    grader: GraderAnswer
    ladder: LadderAnswer
    thrash: ThrashAnswer
    partings: tuple[Parting, ...]
    """The first stretch of calls in which they part, then later ones in which others speak; none where they agree."""
    outcome: bool | None
    """Whether the run's recorded outcome was good; None if unrecorded."""


def three_answers(inspection: Inspection) -> ThreeAnswers:
    """Put the three questions to one run."""
    voices = hear(inspection)
    return ThreeAnswers(
        grader=_ask_grader(inspection),
        ladder=_ask_ladder(inspection),
        thrash=_ask_thrash(inspection),
        partings=find_partings(inspection, voices),
        outcome=inspection.trajectory.outcome,
    )


def _ask_grader(inspection: Inspection) -> GraderAnswer:
    grader, finding = inspection.grader, inspection.finding
    first = last = None
    if finding.start is not None and finding.stop is not None:
        first, last = grader.first_call(0, finding.start), grader.last_call_of_steps(0, finding.start, finding.stop)
    return GraderAnswer(
        yes=not finding.passed,
        first=first,
        last=last,
        call=finding.first_failing_call,
        occurrences=finding.occurrences,
        limit=finding.settings.max,
        pattern=finding.pattern,
    )


def _ask_ladder(inspection: Inspection) -> LadderAnswer:
    ladder, columns = inspection.ladder, inspection.grader.columns
    length, calls = ladder.stretches.length, ladder.stretches.watched.call
    first, done = ladder.first(0, Level.REPLAN), ladder.first(0, Level.FORCE_DONE)
    last = int(np.argmax(length)) if len(length) else -1
    places = slice(last + 1 - int(length[last]), last + 1) if len(length) else slice(0, 0)
    stretch = calls[places]
    return LadderAnswer(
        yes=first is not None,
        first=int(stretch[0]) if len(stretch) else None,
        last=int(stretch[-1]) if len(stretch) else None,
        call=None if first is None else first.call,
        level=int(ladder.level[0]),
        strongest=ladder.fired_in(0, places),
        longest=len(stretch),
        tool=_only_tool(columns, stretch),
        after=None if done is None else from_call(inspection.trajectory, done.call),
    )


def _only_tool(columns: Columns, calls: IntArray) -> str | None:
    """The tool of all of some calls; None where there are several, or none."""
    tools = np.unique(columns.tool[calls])
    return columns.tools[int(tools[0])] if len(tools) == 1 else None


def _ask_thrash(inspection: Inspection) -> ThrashAnswer:
    thrash, columns = inspection.thrash, inspection.grader.columns
    stop = thrash.stop(0)
    calls = thrash.watched.call[:0]
    if stop is not None:
        calls = thrash_counts(inspection, stop.watched, stop.kind)
        calls = calls[calls <= stop.call]
    elif thrash.count[0]:
        last = int(np.argmax(thrash.identical))
        calls = thrash_counts(inspection, last, Kind.IDENTICAL)
        calls = calls[calls <= thrash.watched.call[last]]
    return ThrashAnswer(
        yes=stop is not None,
        first=int(calls[0]) if len(calls) else None,
        last=int(calls[-1]) if len(calls) else None,
        call=None if stop is None else stop.call,
        kind=Kind.NONE if stop is None else stop.kind,
        most=int(thrash.count[0]),
        to_the_letter=len(np.unique(columns.arguments[calls])) < 2,
        tool=_only_tool(columns, calls),
        after=None if stop is None else after_call(inspection.trajectory, stop.call),
        passed_over=_passed_over(inspection) if not len(calls) else (),
    )


def _passed_over(inspection: Inspection) -> tuple[Cause, ...]:
    """Why thrash counts none of the calls that it watches."""
    thrash = inspection.thrash
    ran = inspection.grader.columns.executed[thrash.watched.call] | thrash.settings.count_unexecuted
    found = ((Cause.FINISHING, ran.any()), (Cause.NEVER_RAN, (~ran).any()))
    return tuple(cause for cause, some in found if some)

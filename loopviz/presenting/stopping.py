"""Where a run could have ended: the one rule for it, of the page, the pictures and the exports.

It is the point of the guard, simulated, that would have ended the run first; of two at one call the ladder's, which
acts before the call. Where no guard stops, it is the call at which max-repeat's limit was passed: nothing would have
ended the run there, but from there on it could be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.after_stop import AfterStop, after_call, from_call
from loopviz.detectors.escalation import EscalationFindings, Level
from loopviz.detectors.thrash import ThrashFindings
from loopviz.model import Trajectory

StopKind = Literal["thrash", "ladder", "limit"]


@dataclass(frozen=True, slots=True)
class StopPoint:
    """Where the run could have ended; calls count from 0."""

    kind: StopKind
    call: int
    """The call that the stop is told by."""
    first_after: int
    """The first call that comes after the stop point; one beyond the last call where none does."""
    after: AfterStop


def stop_point(inspection: Inspection) -> StopPoint | None:
    """Where the run could have ended first; None for a run that nothing would have stopped and that passes."""

    def over() -> int | None:
        failing = inspection.finding.first_failing_step
        return None if failing is None else inspection.grader.last_call(0, failing)

    return first_stop(inspection.trajectory, inspection.ladder, inspection.thrash, 0, over)


def first_stop(
    trajectory: Trajectory,
    ladder: EscalationFindings,
    thrash: ThrashFindings,
    run: int,
    over: Callable[[], int | None],
) -> StopPoint | None:
    """The same of one run of a set.

    Args:
        trajectory: The run.
        ladder: What the ladder would have done in each run.
        thrash: What the stop guard would have done.
        run: Which of them it is.
        over: Finds the last call of the first failing step, from 0 within the run; asked where no guard stops.
    """
    stop = guard_stop(trajectory, ladder, thrash, run)
    call = over() if stop is None else None
    return stop if call is None else StopPoint("limit", call, call + 1, after_call(trajectory, call))


def guard_stop(
    trajectory: Trajectory, ladder: EscalationFindings, thrash: ThrashFindings, run: int = 0
) -> StopPoint | None:
    """Where a guard would have ended a run of a set first; None where neither would."""
    done, place = ladder.first(run, Level.FORCE_DONE), int(thrash.place[run])
    stop = None if place < 0 else int(thrash.watched.call[place] - thrash.run_starts[run])
    if done is not None and (stop is None or done.call <= stop):
        return StopPoint("ladder", done.call, done.call, from_call(trajectory, done.call))
    return None if stop is None else StopPoint("thrash", stop, stop + 1, after_call(trajectory, stop))

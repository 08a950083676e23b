"""The row of key figures: how often, how much was seen before, and what came after the stop point."""

from __future__ import annotations

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.seen import NEVER
from loopviz.model import Trajectory
from loopviz.presenting.stopping import StopPoint, stop_point
from loopviz.timeline.facts import spent, thousands
from loopviz.timeline.words import number

Figure = tuple[str, str]
"""A figure, and the words below it."""


def key_figures(found: Inspection) -> list[Figure]:
    """Four figures: times in a row, calls seen before, calls after the stop point, their recorded cost.

    Where no guard stops, the stop point is where the limit was passed.
    """
    stop = stop_point(found)
    return [_in_a_row(found), _repeated(found), _calls_after(found, stop), _cost_after(found.trajectory, stop)]


def _in_a_row(found: Inspection) -> Figure:
    return number(found.finding.occurrences), f"times in a row, {number(found.finding.settings.max)} allowed"


def _repeated(found: Inspection) -> Figure:
    watched = found.finding.watched_calls
    again = int(np.count_nonzero(found.seen.same_arguments[found.grader.watched] != NEVER))
    if not watched:
        return "–", "no call is watched"
    return f"{round(100 * again / watched)} %", f"of calls repeat an earlier one: {number(again)} of {number(watched)}"


def _calls_after(found: Inspection, stop: StopPoint | None) -> Figure:
    if stop is None:
        return "no stop", "neither guard, simulated, would have stopped it"
    n_calls, after = len(found.trajectory.calls), number(stop.after.calls)
    failing = found.finding.first_failing_call
    if stop.kind == "limit" and failing is not None:
        words = f"of {number(n_calls)}: first detectable here, {after} came after; no guard would have stopped it"
        return f"call {number(failing + 1)}", words
    words = f"calls after the stop point ({stop.kind}, simulated)"
    good = "; the trial passed all the same" if found.trajectory.outcome else ""
    return f"{after} of {number(n_calls)}", words + good


def _cost_after(trajectory: Trajectory, stop: StopPoint | None) -> Figure:
    tokens, cost = spent(trajectory)
    lasted = "" if trajectory.duration_s is None else clock(trajectory.duration_s)
    if stop is None:
        figure = f"${cost:,.2f}" if cost is not None else "–" if tokens is None else thousands(tokens)
        what = "recorded cost" if cost is not None else "tokens" if tokens is not None else "no cost recorded"
        return figure, " in ".join(filter(None, (what, lasted)))
    seconds = stop.after.seconds
    time = "" if seconds is None else f"; {clock(seconds)}" + (f" of {lasted}" if lasted else "")
    if stop.after.cost is not None and cost is not None:
        return f"${stop.after.cost:,.2f}", f"of ${cost:,.2f} recorded cost after it{time}"
    if stop.after.tokens is not None and tokens is not None:
        return thousands(stop.after.tokens), f"of {thousands(tokens)} tokens after it{time}"
    return "–", f"no cost or tokens recorded{time}"


def clock(seconds: float) -> str:
    """`3:16`, `1:02:03`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"

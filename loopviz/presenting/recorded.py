"""What a run records of what came after its stop point, in money and in time; and what is missing where it does not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.model import Trajectory, Usage
from loopviz.presenting.stopping import StopPoint
from loopviz.timeline.facts import spent
from loopviz.timeline.words import number

LEAST, MOST = 0.0001, 1e12
"""Amounts of money that are written in full: smaller and larger ones are only bounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Money and time after a stop point; None where that is not known."""

    cost: float | None
    total: float | None
    """Of the whole run; what `cost` is a part of."""
    partly: str
    """`4 of 9 responses` or `4 of 9 turns`, where only some have a cost; empty where all do."""
    no_cost: str
    """Why `cost` is not known: `no cost is recorded`; empty where it is."""
    seconds: float | None
    no_time: str
    """Why `seconds` is not known; empty where it is."""


def recorded_after(trajectory: Trajectory, stop: StopPoint) -> Recorded:
    """Look up what is recorded of what came after."""
    total = spent(trajectory)[1]
    priced = [usage for usage in trajectory.usage if usage.cost is not None and usage.cost >= 0]
    no_cost, no_time = _no_cost(trajectory, total, priced, stop), _no_time(trajectory, stop)
    return Recorded(
        cost=None if no_cost else stop.after.cost,
        total=total,
        partly=_partly(trajectory, priced),
        no_cost=no_cost,
        seconds=None if no_time else stop.after.seconds,
        no_time=no_time,
    )


def _no_cost(trajectory: Trajectory, total: float | None, priced: list[Usage], stop: StopPoint) -> str:
    if total is None:
        return "no cost is recorded"
    if not priced:
        return f"a cost is recorded only of the whole run, {money(total)}"
    turn = trajectory.calls.turn[stop.call :]
    other_turns = (turn[1:] != turn[0]) | (turn[1:] < 0)
    none_later = bool(other_turns.any()) and not any(usage.call > stop.call for usage in priced)
    return "no cost is recorded of the responses after it" if none_later or stop.after.cost is None else ""


def _partly(trajectory: Trajectory, priced: list[Usage]) -> str:
    """Which share of the responses has a cost; of a run without a record for each, which share of its turns."""
    if len(priced) < len(trajectory.usage):
        return f"{number(len(priced))} of {number(len(trajectory.usage))} responses"
    turns = set(np.unique(trajectory.calls.turn).tolist()) - {-1}
    known = turns & {usage.turn for usage in priced}
    return f"{number(len(known))} of {number(len(turns))} turns" if known and known != turns else ""


def _no_time(trajectory: Trajectory, stop: StopPoint) -> str:
    """A time counts only where all that came after lies between its ends, so that it is at most what was saved."""
    after, last_s, calls = stop.after, trajectory.last_event_s, trajectory.calls
    if after.seconds is None or last_s is None:
        known = last_s is not None or trajectory.duration_s is not None or not np.isnan(calls.started_s).all()
        return "no time is recorded of that call" if known else "no time is recorded"
    begun = np.where(np.isnan(calls.started_s), calls.ended_s, calls.started_s)[stop.call :]
    if np.isnan(begun).any():
        return "no time is recorded of some calls after it"
    if begun.min() < begun[0] or last_s < begun.max():
        return "the recorded times run backwards"
    if after.calls and not after.seconds:
        return "the recorded times stand still"
    return ""


def money(amount: float) -> str:
    """`$0.45`; of less than a cent two digits that count, so that nothing small is told as nothing."""
    if amount > MOST:
        return f"over ${MOST:,.0f}"
    if amount == 0 or amount >= 0.01:
        return f"${amount:,.2f}"
    return f"${amount:.2g}" if amount >= LEAST else f"under ${LEAST}"

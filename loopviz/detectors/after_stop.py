"""After the stop point: what a live guard would have saved at most.

Source: SPEC, section 4, "After the stop point".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from loopviz.model import Trajectory, Usage

Figure = TypeVar("Figure", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterStop:
    """What came after a guard's stop point; None stands for what the run does not record."""

    calls: int
    """Calls, watched or not."""
    tokens: int | None
    """Input and output tokens of the turns that start later, without those of the cache."""
    cost: float | None
    """Cost of these turns, in the file's currency."""
    seconds: float | None
    """Seconds to the last event."""


def after_call(trajectory: Trajectory, call: int) -> AfterStop:
    """What follows a call, counted from 0 within the run: what a guard that stops there, as thrash does, would save."""
    calls = trajectory.calls
    return _after(trajectory, call, call + 1, _first_known(calls.ended_s[call], calls.started_s[call]))


def from_call(trajectory: Trajectory, call: int) -> AfterStop:
    """The same, with the call itself: the ladder's force-done acts before it."""
    return _after(trajectory, call, call, _first_known(trajectory.calls.started_s[call]))


def _after(trajectory: Trajectory, call: int, first_saved: int, stop_s: float | None) -> AfterStop:
    # The call's own turn is paid for already, and so is every turn that another agent had begun by then.
    later = [usage for usage in trajectory.usage if usage.call > call]
    return AfterStop(
        calls=len(trajectory.calls) - first_saved,
        tokens=_total(trajectory.usage, later, _tokens),
        cost=_total(trajectory.usage, later, _cost),
        seconds=_seconds_left(trajectory, stop_s),
    )


def _total(
    recorded: Iterable[Usage], later: Sequence[Usage], read: Callable[[Usage], Figure | None]
) -> Figure | int | None:
    """Sum of a figure over the later records; None where no record of the run has it, none of those, or infinite."""
    known = [figure for usage in later if (figure := read(usage)) is not None]
    if (later and not known) or all(read(usage) is None for usage in recorded):
        return None
    total = sum(known)
    return total if math.isfinite(total) else None


def _tokens(usage: Usage) -> int | None:
    known = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None and count >= 0]
    return sum(known) if known else None


def _cost(usage: Usage) -> float | None:
    return usage.cost if usage.cost is not None and usage.cost >= 0 else None


def _seconds_left(trajectory: Trajectory, stop_s: float | None) -> float | None:
    if stop_s is None or trajectory.last_event_s is None:
        return None
    return max(0.0, trajectory.last_event_s - stop_s)


def _first_known(*times: float) -> float | None:
    return next((float(time) for time in times if not math.isnan(time)), None)

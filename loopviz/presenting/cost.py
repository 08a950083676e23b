"""One number first: what came after the stop point, in recorded money, else time, else calls, and how it is computed.

A run without a stop point has another number: how often something came in a row at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.thrash import Kind
from loopviz.model import Trajectory
from loopviz.presenting.recorded import LEAST, Recorded, money, recorded_after
from loopviz.presenting.repeats import among_watched
from loopviz.presenting.stopping import StopKind, StopPoint, stop_point
from loopviz.timeline.facts import duration
from loopviz.timeline.words import allowed, number

Unit = Literal["money", "time", "calls", "times in a row"]

_WHERE: dict[StopKind, str] = {
    "thrash": "the point where a stop guard would have ended the run",
    "ladder": "the point where a warning guard would have told the agent to stop",
    "limit": "the point where the repeat was over the limit",
}
_HOW: dict[StopKind, str] = {
    "thrash": "A stop guard ends a run {rule}. It is simulated: it would have ended this run after call {call}.",
    "ladder": "A warning guard watches for similar calls in a row and speaks up more firmly the longer they go on. It "
    "is simulated: before call {call} it would have told the agent to stop with what it had.",
    "limit": "Neither guard, simulated, would have stopped this run. From call {call} on it could be seen that more "
    "came in a row than is allowed.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The number and what is said of it."""

    figure: str
    """`$0.45`, `2 min 05 s`, `8`."""
    unit: Unit
    words: str
    """Goes on from the figure: `of $0.87 was spent after the point where …`."""
    at_most: str
    """`At most: 8 of 26 calls, at recorded cost.`"""
    ending: str
    """How the run ended by its own record: `The run ended badly: score 0.42, 0.70 needed.`"""
    how: tuple[str, ...]
    """How this is computed, a sentence each."""
    short: str
    """What came after the stop point, on a label: `8 more calls, $0.45`; empty without a stop point."""


def cost_after(inspection: Inspection) -> Cost:
    """The number of a run."""
    stop = stop_point(inspection)
    if stop is None:
        return _without_stop(inspection)
    trajectory, after, known = inspection.trajectory, stop.after, recorded_after(inspection.trajectory, stop)
    figure, unit, of = _figure(trajectory, stop, known)
    verb = {"money": "was spent", "time": "went by", "calls": "came", "times in a row": ""}[unit]
    calls = f"{number(after.calls)} of {number(len(trajectory.calls))} calls"
    basis = ", at recorded cost" if unit == "money" else f"; {_missing(known, unit)}"
    return Cost(
        figure=figure,
        unit=unit,
        words=f"{of}{verb} after {_WHERE[stop.kind]}.",
        at_most=f"At most: {calls}{basis}.",
        ending=_ending(trajectory, stopped=True),
        how=(
            _HOW[stop.kind].format(call=number(stop.call + 1), rule=_rule(inspection)),
            *_computed(known, unit),
            _ONLY_AT_MOST[stop.kind],
        ),
        short=_short(stop, unit, figure),
    )


def _missing(known: Recorded, unit: Unit) -> str:
    """Why the figure is in no better unit."""
    cost = known.no_cost or f"the recorded cost is {money(known.total or 0)} in all"
    if unit == "time":
        return cost
    if (cost, known.no_time) == ("no cost is recorded", "no time is recorded"):
        return "no cost or time is recorded"
    return f"{cost}; {known.no_time}"


def _rule(inspection: Inspection) -> str:
    """What makes the stop guard end a run: the rule that did here."""
    settings, stop = inspection.thrash.settings, inspection.thrash.stop(0)
    if stop is not None and stop.kind is Kind.PING_PONG:
        return "when two calls take turns twice, each with the same result as before"
    some = len(inspection.thrash.watched.call) < len(inspection.trajectory.calls)
    among = " among the calls that it watches" if some else ""
    where = f"{'in a row' if settings.scope == 'consecutive' else 'in all'}{among}"
    if stop is not None and stop.kind is Kind.EMPTY_RETRY:
        return f"when a call has come back empty {number((settings.empty_retry or 0) + 1)} times {where}"
    return f"when the same call has been made {number(settings.n)} times {where}"


_MOST = "Of what is recorded it is the most that a stop there could have saved"
_ONLY_AT_MOST: dict[StopKind, str] = {
    "thrash": f"{_MOST}: nobody knows what would have been done instead.",
    "ladder": f"{_MOST}: nobody knows what would have been done instead.",
    "limit": f"{_MOST}: max-repeat looks back at a run and never stops one.",
}


def outcome_in_words(trajectory: Trajectory) -> str:
    """`score 0.42, 0.70 needed`, as far as it is recorded."""
    score = None if trajectory.grade is None else trajectory.grade.score
    if score is None:
        return ""
    return f"score {score:.2f}" + ("" if trajectory.threshold is None else f", {trajectory.threshold:.2f} needed")


def _figure(trajectory: Trajectory, stop: StopPoint, known: Recorded) -> tuple[str, Unit, str]:
    """(figure, its unit, what it is a part of): the first of money, time and calls that the run records.

    A part of next to no money says nothing, and so time is told there.
    """
    if known.cost is not None and known.total is not None and known.total >= LEAST:
        of = f" recorded for {known.partly}" if known.partly else ""
        return money(known.cost), "money", f"of {money(known.total)}{of} "
    if known.seconds is not None:
        whole = trajectory.duration_s
        of = f"of {duration(whole)} " if whole is not None and whole >= known.seconds else ""
        return duration(known.seconds), "time", of
    return number(stop.after.calls), "calls", f"of {number(len(trajectory.calls))} calls "


def _short(stop: StopPoint, unit: Unit, figure: str) -> str:
    calls = f"{number(stop.after.calls)} more call{'' if stop.after.calls == 1 else 's'}"
    return calls if unit == "calls" else f"{calls}, {figure}"


def _computed(known: Recorded, unit: Unit) -> tuple[str, ...]:
    if unit == "money":
        partly = f"; {known.partly} have one, so that more may have been spent" if known.partly else ""
        return (f"The figure adds up the recorded cost of every model response that began after that call{partly}.",)
    missing = _missing(known, unit)
    counts = "is the time from that call to the last thing recorded" if unit == "time" else "counts the calls after it"
    return (f"{missing[:1].upper()}{missing[1:]}, so the figure {counts}.",)


def _ending(trajectory: Trajectory, *, stopped: bool) -> str:
    """How the run ended by its own record."""
    if trajectory.outcome is None:
        return "The file does not say whether the run ended well."
    score = outcome_in_words(trajectory)
    well = ("The run ended well all the same" if stopped else "The run ended well") if trajectory.outcome else ""
    return (well or "The run ended badly") + (f": {score}." if score else ".")


def _without_stop(inspection: Inspection) -> Cost:
    finding, trajectory = inspection.finding, inspection.trajectory
    times = "time" if finding.occurrences == 1 else "times"
    return Cost(
        figure=number(finding.occurrences),
        unit="times in a row",
        words=f"{times} in a row{among_watched(inspection)} at most; {allowed(finding.settings.max)}.",
        at_most="Neither guard, simulated, would have stopped this run.",
        ending=_ending(trajectory, stopped=False),
        how=(
            "The figure is the largest number of complete copies in a row of any step or pattern that is counted.",
            "There is no stop point, so nothing came after one.",
        ),
        short="",
    )

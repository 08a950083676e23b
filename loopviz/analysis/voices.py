"""Where each of the three detectors speaks in a run: over the limit, a first nudge, a stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.steps import last_of_spans
from loopviz.detectors.escalation import EscalationFindings
from loopviz.detectors.thrash import Kind
from loopviz.model import IntArray


class Detector(IntEnum):
    """The three of them, in the order in which they are asked."""

    GRADER = 0
    LADDER = 1
    THRASH = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Voice:
    """The stretches of calls in which one detector speaks, in order; arrays have shape (n_stretches,)."""

    first: IntArray
    """First call that it counts."""
    last: IntArray
    """Last one, also of those that come after it spoke."""
    call: IntArray
    """The call at which it speaks first."""
    period: IntArray
    """Pattern length in steps for the grader, 2 for a ping-pong, else 1."""


Voices = Mapping[Detector, Voice]
"""Those that speak at all."""


def hear(inspection: Inspection) -> Voices:
    """Find the stretches in which each detector speaks."""
    found = {
        Detector.GRADER: _grader(inspection),
        Detector.LADDER: _ladder(inspection.ladder),
        Detector.THRASH: _thrash(inspection),
    }
    return {detector: voice for detector, voice in found.items() if voice is not None and len(voice.first)}


def _grader(inspection: Inspection) -> Voice:
    limit, steps = inspection.finding.settings.max, inspection.grader.steps
    over = inspection.finding.cycles.over(limit)
    return Voice(
        first=steps.first_call[over.start],
        last=last_of_spans(steps.last_call, over.start, over.start + over.occurrences * over.period),
        call=steps.first_call[over.start + (limit + 1) * over.period - 1],
        period=over.period,
    )


def _ladder(ladder: EscalationFindings) -> Voice:
    calls, length = ladder.stretches.watched.call, ladder.stretches.length
    end = np.flatnonzero(np.append(length[1:] == 1, True)[: len(length)])
    end = end[length[end] >= ladder.settings.replan]
    head = end + 1 - length[end]
    return Voice(
        first=calls[head],
        last=calls[end],
        call=calls[head + ladder.settings.replan - 1],
        period=np.ones(len(end), dtype=np.int64),
    )


def _thrash(inspection: Inspection) -> Voice | None:
    stop = inspection.thrash.stop(0)
    if stop is None:
        return None
    calls = thrash_counts(inspection, stop.watched, stop.kind)
    return Voice(
        first=calls[:1],
        last=calls[-1:],
        call=np.array([stop.call]),
        period=np.array([2 if stop.kind is Kind.PING_PONG else 1]),
    )


def thrash_counts(inspection: Inspection, watched: int, kind: Kind) -> IntArray:
    """The calls that the stop guard counts together with one of those it watches, those after it included.

    Args:
        inspection: The run.
        watched: The call, among the watched ones.
        kind: The rule that counts: identical calls in a row or in the run, or two that take turns.
    """
    thrash = inspection.thrash
    counted = np.flatnonzero(thrash.identical)
    key = thrash_keys(inspection)[thrash.watched.call[counted]]
    place = int(np.searchsorted(counted, watched))
    if kind is Kind.IDENTICAL and thrash.settings.scope == "run":
        together = np.flatnonzero(key == key[place])
    elif kind is Kind.PING_PONG:
        together = np.arange(place - 3, _span(key, place, 2)[1])
    else:
        together = np.arange(*_span(key, place, 1))
    return thrash.watched.call[counted[together]]


def thrash_keys(inspection: Inspection) -> IntArray:
    """What the stop guard compares of each call of the run, negative where it was never recorded: (n_calls,)."""
    code = inspection.thrash.keys.code
    unrecorded = inspection.grader.columns.unknown_arguments
    if inspection.grader.unknown == "equal" or not unrecorded.any():
        return code
    return np.where(unrecorded, -1 - np.arange(len(code)), code)


def _span(key: IntArray, place: int, period: int) -> tuple[int, int]:
    """Begin and exclusive end of the widest span around a place in which each key equals that `period` before it."""
    breaks = np.flatnonzero(key[period:] != key[:-period]) + period
    after = int(np.searchsorted(breaks, place, side="right"))
    begin = int(breaks[after - 1]) - period + 1 if after else 0
    return begin, int(breaks[after]) if after < len(breaks) else len(key)

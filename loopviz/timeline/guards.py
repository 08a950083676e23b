"""The lanes of the two live guards."""

from __future__ import annotations

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.escalation import EscalationFindings, Level
from loopviz.detectors.thrash import Kind, ThrashFindings
from loopviz.model import IntArray
from loopviz.timeline.contract import Ladder, Score, Stop, Thrash, encode
from loopviz.timeline.words import number

MOST_COUNTED = 255
"""Heights beyond are drawn alike."""
_NAMES = {Level.REPLAN: "replan", Level.EXPLORE: "explore", Level.FORCE_DONE: "force-done"}


def level_of_call(inspection: Inspection) -> IntArray:
    """Ladder level at each call of the run, shape (n_calls,)."""
    levels = np.zeros(len(inspection.trajectory.calls), dtype=np.int64)
    levels[inspection.ladder.stretches.watched.call] = inspection.ladder.call_level
    return levels


def count_of_call(inspection: Inspection) -> IntArray:
    """Identical calls up to and including each call of the run, shape (n_calls,)."""
    counts = np.zeros(len(inspection.trajectory.calls), dtype=np.int64)
    counts[inspection.thrash.watched.call] = np.minimum(inspection.thrash.identical, MOST_COUNTED)
    return counts


def score_of_call(inspection: Inspection) -> IntArray:
    """How alike each call is to the first of the stretch before it, as `CallColumns.score` has it, shape (n_calls,)."""
    found = inspection.ladder.stretches
    percent = np.floor(np.nan_to_num(found.score) * 100 + 1e-9).astype(np.int64)
    percent[found.length == 1] += Score.BEGINS
    percent[np.isnan(found.score)] = Score.NOT_COMPARED
    scores = np.full(len(inspection.trajectory.calls), int(Score.NOT_GUARDED))
    scores[found.watched.call] = percent
    return scores


def ladder_figure(ladder: EscalationFindings) -> str:
    """`level 2`."""
    return f"level {int(ladder.level[0])}"


def thrash_figure(thrash: ThrashFindings) -> str:
    """`no stop` or `stop 16`."""
    stop = thrash.stop(0)
    return "no stop" if stop is None else f"stop {number(stop.call + 1)}"


def draw_ladder(ladder: EscalationFindings, n_calls: int) -> Ladder:
    """Where levels fire, and what force-done would have cut off: its own call too, since it acts beforehand."""
    firings = ladder.fired(0)
    first = {firing.level: firing for firing in reversed(firings)}
    done = first.get(Level.FORCE_DONE)
    firsts = [first[level] for level in _NAMES if level in first]
    note = ", ".join(f"{_NAMES[firing.level]} at call {number(firing.call + 1)}" for firing in firsts)
    return {
        "similarity": ladder.settings.similarity,
        "fire_calls": encode([firing.call for firing in firings]),
        "fire_levels": encode([int(firing.level) for firing in firings]),
        "note": note,
        "stop": None
        if done is None
        else _stop(done.call, f"finishes before call {number(done.call + 1)}", n_calls - done.call),
    }


def draw_thrash(thrash: ThrashFindings, n_calls: int) -> Thrash:
    """Identical calls in a row, and the stop if there is one."""
    settings, stop = thrash.settings, thrash.stop(0)
    where = "in the run" if settings.scope == "run" else "in a row"
    most = int(thrash.identical.max(initial=0))
    highest = None if most < 2 else int(thrash.watched.call[int(np.argmax(thrash.identical))])
    alike = "otherwise identical" if stop is None and thrash.differ(0) else "identical"
    note = f"{number(most)} {alike} {where}; stops at {number(settings.n)}" if stop is None and most > 1 else ""
    text = "" if stop is None else f"stops at call {number(stop.call + 1)}"
    if stop is not None and stop.kind is Kind.PING_PONG:
        text += ", ping-pong"
    if stop is not None and stop.kind is Kind.EMPTY_RETRY:
        text += ", empty results"
    return {
        "n": settings.n,
        "note": note,
        "note_call": highest,
        "stop": None if stop is None else _stop(stop.call, text, n_calls - stop.call - 1),
    }


def _stop(call: int, text: str, after: int) -> Stop:
    rest = f"{number(after)} call{'' if after == 1 else 's'} after the stop point"
    return {"call": call, "text": text, "after": rest if after else ""}

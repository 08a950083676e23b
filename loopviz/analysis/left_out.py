"""Arguments that keep thrash quiet: with one of them left out, calls that differ in nothing else would stop the run.

Those in which near-repeats differ are tried, one at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from loopviz import patterns
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.near_repeats import NearRepeats
from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.thrash import make_keys, simulate
from loopviz.model import BoolArray
from loopviz.settings import ThrashSettings

MOST_TRIED = 3


@dataclass(frozen=True, slots=True)
class WouldStop:
    """An argument, and the call at which thrash would stop the run without it, from 0."""

    argument: str
    call: int


_Question = tuple[ThrashSettings, Unknown, bytes]
_kept: WeakKeyDictionary[NearRepeats, dict[_Question, WouldStop | None]] = WeakKeyDictionary()


def would_stop(inspection: Inspection) -> WouldStop | None:
    """The argument without which thrash would stop the run first; None where none does, or where it stops anyhow."""
    thrash, columns = inspection.thrash, inspection.grader.columns
    if thrash.stop(0) is not None:
        return None
    watched = np.zeros(columns.n_calls, dtype=np.bool_)
    watched[thrash.watched.call] = True
    question = (thrash.settings, inspection.grader.unknown, np.packbits(watched).tobytes())
    kept = _kept.setdefault(inspection.near, {})
    if question not in kept:
        kept.clear()
        kept[question] = _first(inspection, columns, watched)
    return kept[question]


def _first(inspection: Inspection, columns: Columns, watched: BoolArray) -> WouldStop | None:
    settings = inspection.thrash.settings
    finish = np.array(patterns.matching(columns.tools, settings.finish_tools), dtype=np.bool_)
    found = []
    for argument in _differing(inspection)[:MOST_TRIED]:
        without = settings.model_copy(update={"ignore_args": (*settings.ignore_args, argument)})
        keys = make_keys(columns, without)
        stop = simulate(columns, watched, finish, without, keys, inspection.grader.unknown).stop(0)
        if stop is not None:
            found.append(WouldStop(argument, stop.call))
    return min(found, key=lambda one: one.call, default=None)


def _differing(inspection: Inspection) -> list[str]:
    """The arguments that alone tell the calls of a group apart, those of the strongest groups first."""
    near, names = inspection.near, dict[str, None]()
    for group in near.groups:
        changes = near.varies(group).arguments.difference.changes
        if len(changes) == 1 and changes[0].path.isidentifier():
            names[changes[0].path] = None
    return list(names)

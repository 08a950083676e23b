"""The escalation ladder: a live guard, simulated, that draws a stronger nudge the longer similar actions follow.

It walks through the watched calls in order, before their results are known, and holds each against **the first action
of the current stretch**. Similar: the stretch grows by one. Not similar: a new stretch of length 1 begins. The levels:

1. *replan*: stop and make a new plan;
2. *explore*: try another tool or method;
3. *force-done*: finish with partial results.

A level fires at each call where a stretch reaches its length, and the simulation goes on after the last one. So
`cat src/a/notes.md`, `cat src/b/notes.md`, `cat /tmp/notes.md` draw *replan*: no two of them are identical, but folders
do not count.

Why it matters: an agent that is stuck need not repeat itself to the letter. It may change a folder, an id or one flag
of a long command, and a comparison for equality sees nothing. A nudge asks it to think again while there is something
left to save, and it grows firmer the longer nothing changes.

In code: stretches depend on what is similar, levels on lengths alone, so the two are separate: a change of thresholds
compares nothing anew.

Source: SPEC, section 2 (after the behavioral-loop-detection skill of oimiragieo/agent-studio).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.similarity import Similarity
from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.core.watched import Selection, length_so_far, select
from loopviz.model import BoolArray, FloatArray, IntArray
from loopviz.settings import EscalationSettings

SHOWN = 5
"""How many of the actions that the guard remembers are shown as evidence."""


class Level(IntEnum):
    """How far up the ladder a stretch has come."""

    NONE = 0
    REPLAN = 1
    EXPLORE = 2
    FORCE_DONE = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stretches:
    """How the watched calls of many runs fall into stretches of similar actions; arrays have shape (n_watched,)."""

    watched: Selection
    run_starts: IntArray
    """Where each run's calls begin in the columns, shape (n_runs + 1,)."""
    length: IntArray
    """Length of the stretch up to and including the call, from 1."""
    score: FloatArray
    """How alike its arguments are to those of the first action of the stretch that the call could have gone on with,
    0 to 1; NaN where a stretch begins without a comparison."""

    def head(self, run: int, watched: int) -> int:
        """First watched call of the stretch that a run's watched call belongs to; both count from 0 within the run."""
        return watched + 1 - int(self.length[self.watched.starts[run] + watched])


@dataclass(frozen=True, slots=True)
class Firing:
    """A call at which a stretch reached the length of a level; numbers count from 0 within the run."""

    level: Level
    watched: int
    """Among the watched calls."""
    call: int
    """Among all calls."""
    head: int
    """First watched call of the stretch."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EscalationFindings:
    """What the ladder would have done in each run."""

    settings: EscalationSettings
    stretches: Stretches
    call_level: IntArray
    """Level at each watched call, shape (n_watched,)."""
    level: IntArray
    """The highest level that a stretch of the run reached, shape (n_runs,)."""
    longest_stretch: IntArray
    """Actions in the longest stretch of the run, 0 where no call is watched: shape (n_runs,)."""
    firings: IntArray
    """The watched calls, over all runs, at which a level fires, in order."""

    def fired(self, run: int) -> tuple[Firing, ...]:
        """Every level that any stretch of a run reached, in order."""
        return tuple(self._firing(run, place) for place in self._places(run).tolist())

    def fired_in(self, run: int, watched: slice) -> tuple[Firing, ...]:
        """The same among some of a run's watched calls, which count from 0 within the run."""
        start, places = int(self.stretches.watched.starts[run]), self._places(run)
        within = (places >= start + watched.start) & (places < start + watched.stop)
        return tuple(self._firing(run, place) for place in places[within].tolist())

    def first(self, run: int, level: int) -> Firing | None:
        """Where a level fires for the first time in a run."""
        places = self._places(run)
        reached = places[self.call_level[places] == level]
        return self._firing(run, int(reached[0])) if len(reached) else None

    def _places(self, run: int) -> IntArray:
        """The firings of one run."""
        first, last = np.searchsorted(self.firings, self.stretches.watched.starts[run : run + 2])
        return self.firings[first:last]

    def evidence(self, run: int, firing: Firing) -> tuple[int, ...]:
        """The last actions that the guard remembers when it fires: calls of the run, from 0, oldest first."""
        n_shown = min(SHOWN, self.settings.window, firing.watched + 1)
        stop = int(self.stretches.watched.starts[run]) + firing.watched + 1
        recent = self.stretches.watched.call[stop - n_shown : stop] - self.stretches.run_starts[run]
        return tuple(recent.tolist())

    def _firing(self, run: int, place: int) -> Firing:
        watched = place - int(self.stretches.watched.starts[run])
        return Firing(
            level=Level(int(self.call_level[place])),
            watched=watched,
            call=int(self.stretches.watched.call[place] - self.stretches.run_starts[run]),
            head=self.stretches.head(run, watched),
        )


def simulate(
    columns: Columns,
    watched: BoolArray,
    settings: EscalationSettings,
    similarity: Similarity,
    unknown: Unknown = "equal",
) -> EscalationFindings:
    """Let the ladder watch every run; arguments as those of `find_stretches`."""
    return climb(find_stretches(columns, watched, settings, similarity, unknown), settings)


def find_stretches(
    columns: Columns,
    watched: BoolArray,
    settings: EscalationSettings,
    similarity: Similarity,
    unknown: Unknown = "equal",
) -> Stretches:
    """Divide the watched calls of each run into stretches of similar actions.

    Args:
        columns: The calls of all runs.
        watched: Whether each call's tool passes the filter, shape (n_calls,).
        settings: `similarity` and `same_tool` count here; lengths of levels do not.
        similarity: Scores over the same columns, made for the settings' way of splitting words.
        unknown: Whether arguments that nobody recorded are similar as they stand, or to nothing.
    """
    selection = select(columns, watched)
    begins = _certain_begins(columns, selection, same_tool=settings.same_tool, unknown=unknown)
    score = _compare(columns.arguments[selection.call], begins, similarity, settings.similarity)
    begins |= score < settings.similarity
    return Stretches(watched=selection, run_starts=columns.starts, length=length_so_far(begins), score=score)


def climb(stretches: Stretches, settings: EscalationSettings) -> EscalationFindings:
    """Read the levels off the lengths of stretches."""
    lengths = (settings.replan, settings.explore, settings.force_done)
    longest = stretches.watched.highest(stretches.length)
    call_level = np.searchsorted(lengths, stretches.length, side="right")
    return EscalationFindings(
        settings=settings,
        stretches=stretches,
        call_level=call_level,
        level=np.searchsorted(lengths, longest, side="right"),
        longest_stretch=longest,
        firings=np.flatnonzero(np.isin(stretches.length, lengths)),
    )


def _certain_begins(columns: Columns, selection: Selection, *, same_tool: bool, unknown: Unknown) -> BoolArray:
    """Where a stretch begins whatever the arguments are: shape (n_watched,)."""
    begins = selection.first_of_run()
    if same_tool:
        tool = columns.tool[selection.call]
        begins[1:] |= tool[1:] != tool[:-1]
    if unknown == "distinct":
        unrecorded = columns.unknown_arguments[selection.call]
        begins |= unrecorded
        begins[1:] |= unrecorded[:-1]
    return begins


def _compare(arguments: IntArray, begins: BoolArray, similarity: Similarity, least: float) -> FloatArray:
    """The score of each call against the first action of the stretch before it, NaN where one begins: (n_watched,)."""
    score = similarity.score
    made = []
    head = -1
    places = _to_compare(arguments, begins)
    for code, certain in zip(arguments[places].tolist(), begins[places].tolist(), strict=True):
        alike = np.nan if certain else score(head, code)
        made.append(alike)
        if not alike >= least:
            head = code
    return _fill_in(begins, places, np.array(made, dtype=np.float64), least)


def _fill_in(begins: BoolArray, places: IntArray, made: FloatArray, least: float) -> FloatArray:
    """Scores of all calls from those of the ones compared: a call equal to that just before scores as that does."""
    known = begins.copy()
    known[places] = True
    followed = np.ones(len(begins))  # what equals the first action of a stretch
    followed[places] = np.where(made >= least, made, 1.0)
    scores = np.where(begins, np.nan, followed[np.maximum.accumulate(np.where(known, np.arange(len(known)), 0))])
    scores[places] = made
    return scores


def _to_compare(arguments: IntArray, begins: BoolArray) -> IntArray:
    """The calls that must be looked at one by one, and the first of each stretch that holds one.

    Arguments equal to those just before are as similar to the first action as those were.
    """
    open_question = ~begins
    open_question[1:] &= arguments[1:] != arguments[:-1]
    places = np.flatnonzero(begins | open_question)
    asked = open_question[places]
    asked[:-1] |= asked[1:]
    return places[asked]

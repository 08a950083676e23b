"""Why one detector counts on where another does not: a fixed list, and how its items are told apart.

A cause is never guessed. The calls that one detector counts together are gone through up to the first that the other
does not count on, and what sets that call apart from the one before it is looked up. Nothing on the list: no cause.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.unrecorded import Unrecorded
from loopviz.analysis.voices import Detector, Voice, thrash_counts, thrash_keys
from loopviz.detectors.core.steps import EMPTY
from loopviz.detectors.thrash import Kind
from loopviz.model import BoolArray, IntArray


class Cause(Enum):
    """Why they part: one sentence each."""

    TOOLS = "The grader and the guards watch different tools."
    PARALLEL = "Calls of one turn are one step to the grader, while a guard counts each of them."
    EMPTY = "Empty outputs: they end the grader's pattern, while the guards, which go by arguments, count on."
    UNRECORDED = "Values that were redacted or never recorded are compared here; how they are taken decides."
    OUTPUTS = "Identical arguments, different outputs: the guards look at arguments alone, the grader at outputs."
    SIMILAR = "Similar arguments, different outputs: the ladder counts them, the grader does not."
    SIMILAR_ONLY = "Similar arguments, but not equal ones: the ladder counts them, the grader does not."
    NOT_IDENTICAL = "The arguments are similar, but not identical: the ladder counts them, thrash does not."
    LEFT_OUT = "The arguments are identical only without those that thrash leaves out."
    ANY_TOOL = "Different tools: the ladder compares arguments alone, the others keep tools apart."
    SAME_OUTPUT = "Different arguments, same output: the grader compares outputs, the guards compare arguments."
    SAME_TOOL = "Different arguments, same tool: the tool is all that the grader compares here."
    TAKE_TURNS = (
        "The calls take turns, so a guard, which waits for one call to come again, starts anew at each change; the "
        "grader compares whole patterns."
    )
    ONE_STEP = "Two calls take turns: thrash stops at A B A B, while the grader looks for patterns of one step only."
    PING_PONG = "The ladder holds each call against the first of its stretch, so two that take turns start it anew."
    PING_PONG_OFF = "Two calls take turns, and thrash was asked not to stop at A B A B."
    PING_PONG_OUTPUTS = "Two calls take turns, but their outputs change, and then thrash does not stop at A B A B."
    WHOLE_RUN = "Thrash counts over the whole run; the others count what follows directly."
    EMPTY_RETRY = "Nearly empty outputs: thrash has a limit of its own for them."
    FINISHING = "Tools that finish a run neither count nor start the count anew for thrash."
    NEVER_RAN = "Calls that never ran do not count for thrash."
    LIMITS = "The same calls count for each; they allow different numbers of them."


class Causes:
    """Looks up the causes in one run."""

    def __init__(self, inspection: Inspection) -> None:
        self._grader = inspection.grader
        self._settings = inspection.finding.settings
        self._ladder = inspection.ladder
        self._thrash = inspection.thrash
        self._columns = inspection.grader.columns
        self._step = inspection.grader.steps.of_call
        self._guarded = inspection.ladder.stretches.watched.call
        self._key = thrash_keys(inspection)
        self._taken = Unrecorded(inspection)
        stop = inspection.thrash.stop(0)
        self._kind = Kind.NONE if stop is None else stop.kind
        self._stopped = self._guarded[:0] if stop is None else thrash_counts(inspection, stop.watched, stop.kind)

    def why(self, other: Detector, spoke: Detector, voice: Voice, place: int) -> Cause | None:
        """Why `other` does not speak where another detector does; None where nothing on the list explains it.

        Args:
            other: The one that stays silent, or speaks later.
            spoke: The one that speaks.
            voice: Where that one speaks.
            place: In which of its stretches.
        """
        first, last, call, period = (
            int(column[place]) for column in (voice.first, voice.last, voice.call, voice.period)
        )
        calls = self._stopped if spoke is Detector.THRASH else self._between(first, last)
        if spoke is Detector.GRADER:
            return self._guard_behind(other, calls, slice(first, last + 1), period)
        reached = int(np.searchsorted(calls, call, side="right"))
        if other is Detector.GRADER:
            return self._grader_behind(spoke, calls, reached, period)
        if other is Detector.LADDER:
            return self._ladder_behind(calls[: max(reached, self._ladder.settings.replan)])
        return self._thrash_behind(calls[: max(reached, self._thrash.settings.n)])

    def _between(self, first: int, last: int) -> IntArray:
        """What the guards watch from one call to another."""
        begin, end = np.searchsorted(self._guarded, [first, last + 1])
        return self._guarded[begin:end]

    def _grader_behind(self, spoke: Detector, calls: IntArray, reached: int, apart: int) -> Cause | None:
        """The grader does not count on where a guard does, which holds each call against that `apart` before it."""
        calls = calls[: max(reached, apart * (self._settings.max + 1))]
        before, after = calls[:-apart], calls[apart:]
        step, later = self._step[before], self._step[after]

        def break_of(codes: IntArray) -> tuple[int, int] | None:
            code = np.append(codes, EMPTY)  # what the step of an unwatched call, -1, picks out
            on = (later - step == apart) & (code[step] == code[later]) & (code[step] != EMPTY)
            return _first_break(on, before, after)

        pair = break_of(self._codes)
        cause: Cause | None = self._limits(spoke)
        if pair is not None:
            pair = pair if self._taken.equal else break_of(self._taken.codes)
            cause = Cause.UNRECORDED if pair is None else self._steps_differ(spoke, *pair, apart)
        if apart > self._settings.max_cycle_period and cause not in (Cause.TOOLS, Cause.PARALLEL):
            return Cause.ONE_STEP
        return cause

    @property
    def _codes(self) -> IntArray:
        return self._grader.run_codes(0, self._settings.match, self._settings.max_cycle_period)

    def _steps_differ(self, spoke: Detector, before: int, after: int, apart: int) -> Cause | None:
        step, later = int(self._step[before]), int(self._step[after])
        if step < 0 or later < 0:
            return Cause.TOOLS
        if later - step < apart:
            return Cause.PARALLEL
        if later - step > apart:
            return self._passed_over(before, after)
        if EMPTY in (self._codes[step], self._codes[later]):
            return Cause.EMPTY
        if self._taken.parts_calls(before, after, outputs=spoke is Detector.THRASH and self._kind is Kind.PING_PONG):
            return Cause.UNRECORDED
        if self._columns.tool[before] != self._columns.tool[after]:
            return Cause.ANY_TOOL
        if self._grader.steps.n_calls[[step, later]].max() > 1 and self._same_call(before, after):
            return Cause.PARALLEL
        return self._arguments_or_outputs(spoke, before, after)

    def _arguments_or_outputs(self, spoke: Detector, before: int, after: int) -> Cause | None:
        same_arguments = self._columns.arguments[before] == self._columns.arguments[after]
        if self._settings.match == "observation" and same_arguments:
            return Cause.OUTPUTS
        if same_arguments:
            return None
        if spoke is Detector.THRASH:
            return Cause.LEFT_OUT
        return Cause.SIMILAR if self._settings.match == "observation" else Cause.SIMILAR_ONLY

    def _same_call(self, before: int, after: int) -> bool:
        """Whether two calls of one tool are the same to the grader, whatever else their turns hold."""
        column = {"observation": self._columns.observation, "name-args": self._columns.arguments}.get(
            self._settings.match
        )
        return column is None or bool(column[before] == column[after])

    def _ladder_behind(self, calls: IntArray) -> Cause | None:
        """The ladder does not count on where thrash does."""
        place = np.searchsorted(self._guarded, calls)
        length = self._ladder.stretches.length[place]
        pair = _first_break(length[1:] > np.diff(place), calls[:-1], calls[1:])
        if pair is None:
            return self._limits(Detector.THRASH)
        if len(self._between(*pair)) > 2:
            return self._passed_over(*pair)
        if self._taken.parts_calls(*pair, outputs=self._kind is Kind.PING_PONG):
            return Cause.UNRECORDED
        if self._kind is Kind.PING_PONG:
            return Cause.PING_PONG
        return None if self._columns.arguments[pair[0]] == self._columns.arguments[pair[1]] else Cause.LEFT_OUT

    def _thrash_behind(self, calls: IntArray) -> Cause | None:
        """Thrash does not count on where the ladder does."""
        counted = self._thrash.identical[np.searchsorted(self._guarded, calls)] > 0
        if not counted.all():
            return self._uncounted(int(calls[np.argmin(counted)]))
        pair = _first_break(self._key[calls[1:]] == self._key[calls[:-1]], calls[:-1], calls[1:])
        if pair is None:
            return Cause.LIMITS
        if self._taken.parts_calls(*pair, outputs=False):
            return Cause.UNRECORDED
        same_tool = self._columns.tool[pair[0]] == self._columns.tool[pair[1]]
        return Cause.NOT_IDENTICAL if same_tool else Cause.ANY_TOOL

    def _guard_behind(self, guard: Detector, calls: IntArray, span: slice, period: int) -> Cause | None:
        """A guard does not count on where the grader finds copies of a pattern."""
        place = np.searchsorted(self._guarded, calls)
        if guard is Detector.LADDER:
            limit, on = self._ladder.settings.replan, self._ladder.stretches.length[place[1:]] > 1
        else:
            limit, on = self._thrash.settings.n, self._key[calls[1:]] == self._key[calls[:-1]]
            counted = self._thrash.identical[place] > 0
            if not counted[:limit].all():
                return self._uncounted(int(calls[np.argmin(counted)]))
        pair = _first_break(on[: limit - 1], calls[:-1], calls[1:])
        if pair is not None and not self._taken.equal:
            on = on | self._taken.joins_arguments(calls[:-1], calls[1:])
            pair = _first_break(on[: limit - 1], calls[:-1], calls[1:])
            if pair is None:
                return Cause.UNRECORDED
        if pair is not None:
            return self._calls_differ(guard, *pair, calls, period)
        unguarded = np.count_nonzero(self._grader.watched[span]) > np.count_nonzero(self._grader.watched[calls])
        return Cause.TOOLS if len(calls) < limit and unguarded else Cause.LIMITS

    def _calls_differ(self, guard: Detector, before: int, after: int, calls: IntArray, period: int) -> Cause | None:
        step, later = int(self._step[before]), int(self._step[after])
        if step < 0 or later < 0:
            return Cause.TOOLS
        if self._taken.parts_steps(step, step + period):
            return Cause.UNRECORDED
        if step == later or np.isin(self._step[calls], [step, later]).sum() > 2:
            return Cause.PARALLEL
        if (later - step) % period == 0:
            return self._not_by_arguments()
        return self._no_ping_pong(calls) if period == 2 and guard is Detector.THRASH else Cause.TAKE_TURNS

    def _no_ping_pong(self, calls: IntArray) -> Cause | None:
        """Two calls that take turns, and thrash does not stop them."""
        if not self._thrash.settings.ping_pong:
            return Cause.PING_PONG_OFF
        before, after = calls[:2], calls[2:4]
        if len(after) < 2:
            return Cause.TAKE_TURNS
        if ((self._key[before] != self._key[after]) & ~self._taken.joins_arguments(before, after)).any():
            return self._not_by_arguments()
        if (self._columns.observation[before] != self._columns.observation[after]).any():
            return Cause.PING_PONG_OUTPUTS
        # Only what nobody recorded is left to keep such a pair from counting.
        if not self._taken.equal and self._columns.unknown_observation[calls[:4]].any():
            return Cause.UNRECORDED
        if self._taken.joins_arguments(before, after).any():
            return Cause.UNRECORDED
        return Cause.TAKE_TURNS

    def _not_by_arguments(self) -> Cause | None:
        """What makes calls the same to the grader whose arguments differ."""
        return {"observation": Cause.SAME_OUTPUT, "name": Cause.SAME_TOOL}.get(self._settings.match)

    def _passed_over(self, before: int, after: int) -> Cause | None:
        """Why a guard counts two calls as following each other that have others in between."""
        between = self._between(before, after)[1:-1]
        if not len(between):
            return Cause.TOOLS if self._grader.watched[before + 1 : after].any() else None
        uncounted = between[self._thrash.identical[np.searchsorted(self._guarded, between)] == 0]
        if len(uncounted) < len(between):
            return Cause.WHOLE_RUN if self._thrash.settings.scope == "run" else None
        return self._uncounted(int(uncounted[0]))

    def _uncounted(self, call: int) -> Cause:
        """Why thrash passes a call over."""
        ran = self._columns.executed[call] or self._thrash.settings.count_unexecuted
        return Cause.FINISHING if ran else Cause.NEVER_RAN

    def _limits(self, spoke: Detector) -> Cause:
        empty_retry = spoke is Detector.THRASH and self._kind is Kind.EMPTY_RETRY
        return Cause.EMPTY_RETRY if empty_retry else Cause.LIMITS


def _first_break(on: BoolArray, before: IntArray, after: IntArray) -> tuple[int, int] | None:
    """The first two calls between which the count does not go on; None where it goes on throughout."""
    if on.all():
        return None
    place = int(np.argmin(on))
    return int(before[place]), int(after[place])

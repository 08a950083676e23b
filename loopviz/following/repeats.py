"""max-repeat of one run, call by call: what the detector says of the calls so far, without a look at all of them.

For each counted step it is kept over how many steps before it every period holds, and the best figure up to it. A step
more costs ten comparisons at most; where an earlier one changes, because its result came, what stands behind it is
derived anew, and nothing before it.

Source: SPEC, section 1; the answers are those of `loopviz.detectors.max_repeat`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import EMPTY, UNWATCHED, Unknown
from loopviz.detectors.max_repeat import evidence_for
from loopviz.following.calls import Call, Calls
from loopviz.following.watching import Watched
from loopviz.settings import MaxRepeatSettings


class Best(NamedTuple):
    """The most complete copies in a row."""

    occurrences: int = 0
    period: int = 0
    start: int = -1
    """First step of the pattern."""


class _Step(NamedTuple):
    """What is known up to and including a step."""

    code: int
    agreeing: tuple[int, ...]
    """For each period, the steps in a row up to this one that equal the one a period before."""
    best: Best


class Repeats:
    """What a grader says of the calls of one run so far."""

    def __init__(self, calls: Calls, settings: MaxRepeatSettings, unknown: Unknown) -> None:
        self.settings = settings
        self._calls = calls
        self._unknown = unknown
        self._is_watched = Watched(settings.tools)
        self._any_empty = settings.match == "observation" and settings.max_cycle_period > 1
        self._codes: dict[frozenset[Hashable], int] = {}
        self._of_call: list[int] = []
        """The step of each call, or `UNWATCHED`."""
        self._of_turn: dict[int, int] = {}
        self._members: list[list[int]] = []
        """The watched calls of each step."""
        self._turns: list[int] = []
        """The turn of each step, or -1."""
        self._steps: list[_Step] = []
        self._sound = 0
        """Steps that nothing was changed in."""
        self._failing: int | None = None

    @property
    def best(self) -> Best:
        """The figure of the calls so far."""
        return self._steps[-1].best if self._steps else Best()

    @property
    def passed(self) -> bool:
        """The verdict on the calls so far."""
        return self.best.occurrences <= self.settings.max

    @property
    def first_failing_call(self) -> int | None:
        """First watched call of the first step at which the run was over the limit; None where it passes."""
        return None if self._failing is None else self._members[self._failing][0]

    @property
    def n_steps(self) -> int:
        """How many counted steps there are."""
        return len(self._steps)

    @property
    def evidence(self) -> str:
        """The verdict in plain words."""
        best = self.best
        pattern = tuple(" + ".join(self._tools(step)) for step in range(best.start, best.start + best.period))
        return evidence_for(self.settings, best.occurrences, pattern, n_watched=len(self._steps))

    def update(self, first: int) -> None:
        """Look at the calls from number `first` on, all of which may be new.

        Raises:
            PatternError: if a tool pattern is refused, or runs for longer than a second.
        """
        self._cut(first)
        for number in range(len(self._of_call), len(self._calls)):
            self._add(number, self._calls[number])
        self._derive()

    def _cut(self, n_calls: int) -> None:
        while len(self._of_call) > n_calls:
            step = self._of_call.pop()
            if step == UNWATCHED:
                continue
            self._members[step].pop()
            self._sound = min(self._sound, step)
            if not self._members[step]:  # its first call is gone, and so are all that came after
                self._members.pop()
                turn = self._turns.pop()
                if turn >= 0:
                    del self._of_turn[turn]

    def _add(self, number: int, call: Call) -> None:
        if not self._is_watched(call.tool):
            self._of_call.append(UNWATCHED)
            return
        step = self._of_turn.get(call.turn) if call.turn >= 0 else None
        if step is None:
            step = len(self._members)
            self._members.append([])
            self._turns.append(call.turn)
            if call.turn >= 0:
                self._of_turn[call.turn] = step
        self._members[step].append(number)
        self._of_call.append(step)
        self._sound = min(self._sound, step)

    def _derive(self) -> None:
        """Derive every step anew from the first that changed."""
        if self._failing is not None and self._failing >= self._sound:
            self._failing = None
        del self._steps[self._sound :]
        for step in range(self._sound, len(self._members)):
            self._steps.append(self._step(step))
            if self._failing is None and not self.passed:
                self._failing = step
        self._sound = len(self._steps)

    def _step(self, step: int) -> _Step:
        code = self._code(step)
        before = self._steps[-1] if self._steps else None
        best = before.best if before is not None else Best()
        if code == EMPTY:
            return _Step(code, _NONE[: self.settings.max_cycle_period], best)
        if not best.occurrences:
            best = Best(1, 1, step)
        agreeing = []
        for period in range(1, self.settings.max_cycle_period + 1):
            length = 0
            if step >= period and self._steps[-period].code == code:
                length = before.agreeing[period - 1] + 1 if before is not None else 1
            agreeing.append(length)
            copies = 1 + length // period
            if length >= period and (copies, -period) > (best.occurrences, -best.period):
                best = Best(copies, period, step + 1 - length - period)
        return _Step(code, tuple(agreeing), best)

    def _code(self, step: int) -> int:
        """What stands for the identity of a step, or `EMPTY`."""
        identities = [self._identity(number) for number in self._members[step]]
        full = frozenset(identity for identity in identities if identity is not None)
        if not full or (self._any_empty and None in identities):
            return EMPTY
        return self._codes.setdefault(full, len(self._codes))

    def _identity(self, number: int) -> Hashable | None:
        """What stands for a call; None where its result is empty and results are compared."""
        call, match = self._calls[number], self.settings.match
        if match == "name":
            return call.tool
        value, is_unknown = call.arguments, call.unknown_arguments
        if match == "observation":
            if call.empty:
                return None
            value, is_unknown = call.observation, call.unknown_observation
        return (number,) if is_unknown and self._unknown == "distinct" else (call.tool, value)

    def _tools(self, step: int) -> list[str]:
        return sorted({self._calls[number].tool for number in self._members[step]})


_NONE = (0,) * MAX_PERIOD

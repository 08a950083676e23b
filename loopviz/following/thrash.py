"""The thrash detector over one run, call by call.

A result that comes late may stop the run at a call before others that were looked at already: then these are looked at
again, and nothing before them.

Source: SPEC, section 3; the answers are those of `loopviz.detectors.thrash`.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from loopviz.detectors.core.steps import Unknown
from loopviz.detectors.thrash import Kind
from loopviz.detectors.thrash_keys import Leaving
from loopviz.following.calls import Call, Calls, Identities
from loopviz.following.watching import Watched
from loopviz.settings import ThrashSettings

Key = tuple[str, bytes | int]
"""A tool and what is left of its arguments; where nobody recorded them, the number of the call."""


class _Counted(NamedTuple):
    """What is known up to and including a call that counts."""

    call: int
    key: Key
    observation: int
    in_a_row: int
    nearly_empty: int
    """Identical calls in a row with a nearly empty result."""
    highest: int
    """The most identical calls so far."""


class Stop(NamedTuple):
    """Where and why the run is stopped."""

    kind: Kind
    call: int
    """From 0, among all calls."""
    times: int
    """The most identical calls up to there; of a run that a nearly empty result stopped, those."""
    key: str
    """What was called: the tool and its arguments without those left out."""


class Thrash:
    """What the detector would have done over the calls of one run so far."""

    def __init__(
        self, calls: Calls, identities: Identities, settings: ThrashSettings, watched: Watched, unknown: Unknown
    ) -> None:
        self.settings = settings
        self.stop: Stop | None = None
        self._calls = calls
        self._identities = identities
        self._is_watched = watched
        self._is_finish = Watched(settings.finish_tools, otherwise=False)
        self._unknown = unknown
        self._leaving = Leaving(settings.ignore_args)
        self._counted: list[_Counted] = []
        self._times: Counter[Key] = Counter()
        """How often each key was met."""

    @property
    def count(self) -> int:
        """The most identical calls up to the stop, or so far."""
        if self.stop is not None:
            return self.stop.times
        return self._counted[-1].highest if self._counted else 0

    def update(self, first: int) -> None:
        """Look at the calls from number `first` on, all of which may be new.

        Raises:
            PatternError: if a tool pattern is refused, or runs for longer than a second.
        """
        while self._counted and self._counted[-1].call >= first:
            self._times[self._counted.pop().key] -= 1
        if self.stop is not None and self.stop.call >= first:
            self.stop = None
        for number in range(first, len(self._calls)):
            call = self._calls[number]
            if self._counts(call):
                self._add(number, call)

    def _counts(self, call: Call) -> bool:
        executed = call.executed or self.settings.count_unexecuted
        return executed and self._is_watched(call.tool) and not self._is_finish(call.tool)

    def _add(self, number: int, call: Call) -> None:
        key, observation, near_empty = self._key(number, call), call.observation, call.near_empty
        if self._unknown == "distinct" and call.unknown_observation:
            observation, near_empty = -1 - number, False
        before = self._counted[-1] if self._counted else None
        same = before if before is not None and before.key == key else None
        self._times[key] += 1
        in_a_row = 1 if same is None else same.in_a_row + 1
        nearly_empty = (1 if same is None else same.nearly_empty + 1) if near_empty else 0
        identical = in_a_row if self.settings.scope == "consecutive" else self._times[key]
        highest = max(identical, before.highest if before is not None else 0)
        self._counted.append(_Counted(number, key, observation, in_a_row, nearly_empty, highest))
        if self.stop is None:
            self.stop = self._stopped(call, self._counted[-1], identical)

    def _stopped(self, call: Call, counted: _Counted, identical: int) -> Stop | None:
        settings, count = self.settings, counted.highest
        if identical == settings.n:
            kind = Kind.IDENTICAL
        elif settings.empty_retry is not None and counted.nearly_empty == settings.empty_retry + 1:
            kind, count = Kind.EMPTY_RETRY, settings.empty_retry + 1
        elif settings.ping_pong and self._alternates():
            kind = Kind.PING_PONG
        else:
            return None
        return Stop(kind, counted.call, count, f"{call.tool} {self._left(call).decode()}")

    def _alternates(self) -> bool:
        """Whether `A B A B` ends here, each of the two with the same result as before."""
        if len(self._counted) < 4:
            return False
        some, other, again, last = self._counted[-4:]
        return (
            last.key == other.key
            and again.key == some.key
            and last.key != again.key
            and last.observation == other.observation
            and again.observation == some.observation
        )

    def _key(self, number: int, call: Call) -> Key:
        if self._unknown == "distinct" and call.unknown_arguments:
            return call.tool, number
        return call.tool, self._left(call)

    def _left(self, call: Call) -> bytes:
        key = self._identities.keys[call.arguments]
        if call.tool in self.settings.schemas:
            return self._leaving.left(key, self.settings.schemas[call.tool])
        return self._leaving.left(key)

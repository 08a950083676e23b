"""The calls of one run while it is told: each as the detectors compare it, and what changed since they last looked.

A result may come long after its call, and then the call is another one for every detector. So may a call turn out to be
in another place: of a Copilot session calls are told that were asked for, and may still start in another order. Both
are told as the first call from which on everything is to be looked at again.
"""

from __future__ import annotations

from msgspec import Struct

from loopviz.following.pairs import Pairs
from loopviz.model import MISSING, NULL_VALUE
from loopviz.readers.assembly import UNKNOWN_TOOL
from loopviz.readers.interning import Interner
from loopviz.readers.pairing import NO_RESULT
from loopviz.readers.telling import Telling
from loopviz.readers.texts import distinct


class Call(Struct, frozen=True, gc=False):
    """A call as the detectors compare it."""

    tool: str
    arguments: int
    """Identity of its arguments; missing ones equal `null`."""
    observation: int
    """Identity of its result, in the same way."""
    empty: bool
    near_empty: bool
    turn: int
    """Its turn, or -1."""
    executed: bool
    answered: bool
    """Whether its result is there."""
    unknown_arguments: bool
    unknown_observation: bool


class Identities:
    """One integer for each distinct value of a file, deep-equal ones alike; it grows with the file."""

    def __init__(self, interner: Interner) -> None:
        self.keys: list[bytes] = []
        """Canonical JSON of each identity."""
        self._interner = interner
        self._known: dict[bytes, int] = {}
        self._of_value: list[int] = []

    def of(self, value: int) -> int:
        """The identity of a value of the interner."""
        value = NULL_VALUE if value == MISSING else value
        while len(self._of_value) <= value:
            key = self._interner.key(len(self._of_value))
            identity = self._known.setdefault(key, len(self.keys))
            if identity == len(self.keys):
                self.keys.append(key)
            self._of_value.append(identity)
        return self._of_value[value]


class Calls:
    """The calls of one run so far."""

    def __init__(self, told: Telling, interner: Interner, identities: Identities) -> None:
        self.told = told
        self._interner = interner
        self._identities = identities
        self._calls: list[Call] = []
        self._pairs = Pairs()
        self._settled = (0, 0)
        """Calls and results that stay whatever comes, when they were last looked at."""

    def __len__(self) -> int:
        return len(self._calls)

    def __getitem__(self, call: int) -> Call:
        return self._calls[call]

    @property
    def n_turns(self) -> int:
        """How many turns have begun."""
        return self.told.n_turns

    def turn_of(self, call: int) -> int:
        """The turn of a call, or -1."""
        return self._calls[call].turn

    def is_answered(self, call: int) -> bool:
        """Whether its result is there."""
        return self._calls[call].answered

    def is_ahead(self, call: int) -> bool:
        """Whether a call was told ahead of what it was called with, which stands at its end."""
        return call >= self._settled[0] and self._calls[call].unknown_arguments

    def settled(self) -> tuple[int, int]:
        """How many calls and results of the run stay, before what only its end tells is told."""
        calls, results = self.told.rows()
        return len(calls.ids), len(results.ids)

    def update(self, settled: tuple[int, int]) -> int:
        """Take in what was told since; the first call that is new or another one now, from 0.

        Args:
            settled: How many of the calls and results that are told now will stay.
        """
        calls, results = self.told.rows()
        if settled == self._settled == (len(calls.ids), len(results.ids)) and len(self._calls) == settled[0]:
            return len(self._calls)
        kept = self._settled[0]
        self._pairs.cut(*self._settled)
        answers, changed = self._pairs.extend(calls, results)
        self._settled = settled
        first = min(kept, changed)
        del self._calls[first:]
        self._calls += (self._call(number, answers[number]) for number in range(first, len(calls.ids)))
        return first

    def _call(self, number: int, result: int) -> Call:
        calls, results = self.told.rows()
        is_answered = result != NO_RESULT
        tool = calls.tools[number] or (results.tools[result] if is_answered else "") or UNKNOWN_TOOL
        arguments, observation = calls.value[number], results.value[result] if is_answered else MISSING
        empty, near_empty = self._interner.empties(observation)
        return Call(
            tool=distinct(tool),
            arguments=self._identities.of(arguments),
            observation=self._identities.of(observation),
            empty=empty,
            near_empty=near_empty,
            turn=calls.turn[number],
            executed=bool(calls.executed[number]),
            answered=is_answered,
            unknown_arguments=self._interner.is_redacted(arguments) or bool(calls.unknown[number]),
            unknown_observation=self._interner.is_redacted(observation)
            or (is_answered and bool(results.unknown[result])),
        )

"""The escalation ladder over one run, call by call.

It works on calls before their results are known, so that no result changes what it said.

Source: SPEC, section 2; the answers are those of `loopviz.detectors.escalation`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from loopviz.detectors.core.normalise import normalised
from loopviz.detectors.core.similarity import jaccard, split_words
from loopviz.detectors.core.steps import Unknown
from loopviz.following.calls import Call, Calls, Identities
from loopviz.following.watching import Watched
from loopviz.settings import EscalationSettings


class _Action(NamedTuple):
    """What is known up to and including a watched call."""

    call: int
    """Its number among all calls."""
    length: int
    """Of its stretch so far."""
    head: int
    """Identity of the arguments of the stretch's first action."""
    longest: int
    """Of all stretches so far."""


class Firing(NamedTuple):
    """A call at which a level fires."""

    level: int
    call: int
    """From 0, among all calls."""


class Ladder:
    """What the ladder would have done over the calls of one run so far."""

    def __init__(
        self, calls: Calls, identities: Identities, settings: EscalationSettings, watched: Watched, unknown: Unknown
    ) -> None:
        self.settings = settings
        self.fired: list[Firing] = []
        """Every level that any stretch reached, in order."""
        self._calls = calls
        self._identities = identities
        self._is_watched = watched
        self._unknown = unknown
        self._lengths = (settings.replan, settings.explore, settings.force_done)
        self._actions: list[_Action] = []
        self._texts: dict[int, str] = {}

    @property
    def longest(self) -> int:
        """Actions in the longest stretch so far."""
        return self._actions[-1].longest if self._actions else 0

    @property
    def level(self) -> int:
        """The highest level that a stretch reached so far."""
        return bisect_right(self._lengths, self.longest)

    def update(self, first: int) -> None:
        """Look at the calls from number `first` on, all of which may be new.

        Raises:
            PatternError: if a tool pattern is refused, or runs for longer than a second.
        """
        while self._actions and self._actions[-1].call >= first:
            self._actions.pop()
        while self.fired and self.fired[-1].call >= first:
            self.fired.pop()
        for number in range(first, len(self._calls)):
            call = self._calls[number]
            if self._is_watched(call.tool):
                self._add(number, call)

    def _add(self, number: int, call: Call) -> None:
        before = self._actions[-1] if self._actions else None
        length, head = 1, call.arguments
        if before is not None and self._goes_on(before, call):
            length, head = before.length + 1, before.head
        longest = max(length, before.longest if before is not None else 0)
        self._actions.append(_Action(number, length, head, longest))
        if length in self._lengths:
            self.fired.append(Firing(self._lengths.index(length) + 1, number))

    def _goes_on(self, before: _Action, call: Call) -> bool:
        """Whether a call is similar to the first action of the stretch that the watched call before it belongs to."""
        last = self._calls[before.call]
        if self.settings.same_tool and last.tool != call.tool:
            return False
        if self._unknown == "distinct" and (call.unknown_arguments or last.unknown_arguments):
            return False
        if call.arguments in (before.head, last.arguments):  # what equals the last one is as similar as that
            return True
        return self._score(before.head, call.arguments) >= self.settings.similarity

    def _score(self, head: int, other: int) -> float:
        some, others = self._text(head), self._text(other)
        if some == others:
            return 1.0
        return jaccard(split_words(some, self.settings.tokens), split_words(others, self.settings.tokens))

    def _text(self, identity: int) -> str:
        text = self._texts.get(identity)
        if text is None:
            text = self._texts[identity] = normalised(self._identities.keys[identity])
        return text

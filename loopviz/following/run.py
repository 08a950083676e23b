"""One run while its lines come: its calls, what each detector says of them so far, and what was told of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from loopviz.analysis.lines import Line
from loopviz.config import Choice
from loopviz.evalspec import GraderSpec
from loopviz.following.asking import Asked
from loopviz.following.calls import Calls, Identities
from loopviz.following.events import Event
from loopviz.following.ladder import Ladder
from loopviz.following.repeats import Repeats
from loopviz.following.thrash import Stop, Thrash
from loopviz.following.told import Judged, Told, in_order
from loopviz.following.waiting import is_failure_held, is_stop_held
from loopviz.following.watching import Watched
from loopviz.patterns import PatternError
from loopviz.readers.interning import Interner
from loopviz.readers.telling import Telling
from loopviz.readers.texts import readable

Words = Callable[[str], str]
"""The verdict of the grader of a name on the run in plain words, worked out over the whole of it."""


class RunSoFar:
    """What is known of a run so far."""

    def __init__(self, told: Telling, interner: Interner, identities: Identities, asked: Asked) -> None:
        watched = Watched(asked.tools)
        self.calls = Calls(told, interner, identities)
        self.ladder = Ladder(self.calls, identities, asked.escalation, watched, asked.unknown)
        self.thrash = Thrash(self.calls, identities, asked.thrash, watched, asked.unknown)
        self.graders: list[tuple[GraderSpec, Repeats | None]] = []
        """What judges the run; None for a grader that is refused."""
        self.missing: str | None = None
        """Why nothing judges it."""
        self._telling = told
        self._asked = asked
        self.told = Told()
        """What was told of it."""
        self._n_unknown = 0
        """Calls of which something was never recorded, at least."""
        self._is_asked = False
        self._chosen = Choice()
        self._refused: dict[str, str] = {}
        """Why graders are refused, by their names."""

    def settled(self) -> tuple[int, int]:
        """How many calls and results stay, before what only the end tells is told."""
        return self.calls.settled()

    def update(self, settled: tuple[int, int]) -> None:
        """Take in what was told since; `settled` is what was settled before.

        Raises:
            PatternError: if a pattern of the guards is refused, or runs for longer than a second.
        """
        first = self.calls.update(settled)
        self._choose()
        for number in range(first, len(self.calls)):
            call = self.calls[number]
            self._n_unknown += call.unknown_arguments or call.unknown_observation
        self.ladder.update(first)
        self.thrash.update(first)
        for place, (grader, repeats) in enumerate(self.graders):
            if repeats is not None:
                try:
                    repeats.update(first)
                except PatternError as error:
                    self.graders[place] = grader, None
                    self._refused[grader.name] = str(error)

    def news(self, run: str, words: Words, *, finally_: bool = False) -> list[Event]:
        """What was not told yet, in the order of the calls.

        A stop, a level or a failure that rests on a result which may still come is held back (see `waiting`).

        Args:
            run: What the run is called now.
            words: Asked for a verdict in words where that takes a look at the whole run.
            finally_: Whether the run has ended: then nothing is held back, and verdicts are told that are the same in
                other words.
        """
        at, stop, calls = self.address, self.thrash.stop, self.calls
        if stop is not None and not finally_ and self._is_held(stop):
            stop = None
        fired = (firing for firing in self.ladder.fired if finally_ or not calls.is_ahead(firing.call))
        found: list[tuple[int, Event]] = [
            *self.told.fired(run, fired, at),
            *(() if stop is None else self.told.stopped(run, stop.call, stop.kind, stop.times, at)),
        ]
        found += self.told.judged(run, self._verdicts(words, finally_=finally_), at, finally_=finally_)
        return in_order(found)

    def _is_held(self, stop: Stop) -> bool:
        return self.calls.is_ahead(stop.call) or is_stop_held(stop.kind, stop.call, self.calls)

    def address(self, call: int) -> Line:
        """Where a call stands, as `grade` says it."""
        calls, _ = self._telling.rows()
        turn, line = calls.turn[call], calls.line[call]
        return {
            "turn": turn + 1 if turn >= 0 else None,
            "call": call + 1,
            "call_id": readable(calls.ids[call]) or None,
            "line": line or None,
            "offset": None if line else calls.offset[call],
        }

    def _choose(self) -> None:
        """Choose the graders, anew where they depend on what the run was asked."""
        if self._is_asked and not self._asked.minds_prompt:
            return
        prompt = self._telling.prompt if self._asked.minds_prompt else None
        choice = self._asked.graders(self._telling.facts.stimulus, prompt and readable(prompt))
        if self._is_asked and choice.graders == self._chosen.graders:
            return
        self._is_asked, self._chosen = True, choice
        self.missing = choice.missing
        self._refused = {
            grader.name: str(grader.error or grader.not_judged) for grader in choice.graders if grader.settings is None
        }
        self.graders = [(grader, self._repeats(grader)) for grader in choice.graders]

    def _repeats(self, grader: GraderSpec) -> Repeats | None:
        return None if grader.settings is None else Repeats(self.calls, grader.settings, self._asked.unknown)

    def _verdicts(self, words: Words, *, finally_: bool) -> Iterator[Judged]:
        for grader, repeats in self.graders:
            if repeats is None:
                reason = f"Not judged: {self._refused[grader.name]}"
                yield Judged(grader.name, None, None, None, partial(str, reason))
            else:
                call = repeats.first_failing_call
                if not finally_ and is_failure_held(repeats.settings.match, call, self.calls):
                    continue
                evidence = partial(words, grader.name) if self._n_unknown else partial(getattr, repeats, "evidence")
                yield Judged(grader.name, repeats.passed, repeats.best.occurrences, call, evidence)

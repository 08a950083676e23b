"""What was told of a run already, so that nothing is told twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from loopviz.detectors.thrash import Kind
from loopviz.following.events import Event, Fired, Line, Stopped, Verdict

Address = Callable[[int], Line]
"""The address of a call, counted from 0."""


class Judged(NamedTuple):
    """What a max-repeat grader says of a run."""

    name: str
    passed: bool | None
    occurrences: int | None
    call: int | None
    """The first watched call of the first failing step, from 0."""
    evidence: Callable[[], str]
    """The verdict in plain words, made when it is told."""


class Told:
    """What was told of one run."""

    def __init__(self) -> None:
        self.levels: set[tuple[int, int]] = set()
        """Every firing that was told, a level and a call."""
        self.stop: int | None = None
        """The call of the stop that was told last."""
        self._verdicts: dict[str, tuple[bool | None, int | None, str]] = {}
        """Verdict, call and words of each grader."""

    def fired(self, run: str, firings: Iterable[tuple[int, int]], at: Address) -> Iterable[tuple[int, Event]]:
        """The firings, each a level and a call, that were not told yet; with the call for the order."""
        for level, call in firings:
            if (level, call) not in self.levels:
                self.levels.add((level, call))
                yield call, Fired(level=level, at=at(call), run=run)

    def stopped(self, run: str, call: int, kind: Kind, count: int, at: Address) -> Iterable[tuple[int, Event]]:
        """The stop, where it was not told yet."""
        if call != self.stop:
            self.stop = call
            yield call, Stopped(at=at(call), kind=kind.word or "", count=count, run=run)

    def judged(
        self, run: str, verdicts: Iterable[Judged], at: Address, *, finally_: bool = False
    ) -> Iterable[tuple[int, Event]]:
        """The verdicts that are others than before, or fail at another call; with `finally_` in other words, too.

        As long as nothing that came back can be compared, there is none.
        """
        for one in verdicts:
            before = self._verdicts.get(one.name)
            is_news = one.occurrences != 0 if before is None else before[:2] != (one.passed, one.call)
            if not is_news and not finally_:
                continue
            evidence = one.evidence()
            if before != (one.passed, one.call, evidence):
                self._verdicts[one.name] = one.passed, one.call, evidence
                yield (
                    -1 if one.call is None else one.call,
                    Verdict(
                        passed=one.passed,
                        at=None if one.call is None else at(one.call),
                        evidence=evidence,
                        occurrences=one.occurrences,
                        name=one.name,
                        run=run,
                    ),
                )


def in_order(news: Iterable[tuple[int, Event]]) -> list[Event]:
    """What is told of a run, by the calls at which it happened."""
    return [event for _, event in sorted(news, key=lambda one: one[0])]

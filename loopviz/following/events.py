"""What is told of a file that is followed, each as it happens."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from loopviz.following.tail import Reason

Line = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a run; an address is that of `grade`, turn and call from 1."""

    word: ClassVar[str]

    def line(self) -> Line:
        """What is printed of it as JSON."""
        return {"event": self.word, **{each.name: getattr(self, each.name) for each in fields(self)}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fired(Event):
    """The ladder reached a level."""

    word: ClassVar[str] = "fired"
    level: int
    at: Line
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Event):
    """The thrash detector would have stopped the run."""

    word: ClassVar[str] = "stopped"
    at: Line
    kind: str
    count: int
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Event):
    """A max-repeat grader says something else of a run than before, or speaks of it for the first time."""

    word: ClassVar[str] = "verdict"
    passed: bool | None
    at: Line | None
    evidence: str
    occurrences: int | None
    name: str
    """Of the grader."""
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted(Event):
    """The file is not what it was: what was told of it is void."""

    word: ClassVar[str] = "restarted"
    reason: Reason

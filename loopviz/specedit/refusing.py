"""Why an edit is refused: what stands in the way, where, what to do instead, and the YAML to paste by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BY_HAND = "Change it by hand: the YAML to paste is given."


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """One thing that keeps a spec from being edited."""

    where: str
    """The place, as a person would say it: `stimulus 'fix-bug', grader 2`, or `the file`."""
    reason: str
    """A clause: `it is written in flow style`."""
    line: int | None = None
    """From 1; None where the file has no such place."""
    key: str | None = None
    remedy: str = BY_HAND
    """What to do, as a sentence."""
    snippet: str = ""
    """The graders as they should stand; the whole list entry, which replaces the one there, if any."""
    stimulus: int | None = None
    """Which stimulus, from 0; None for the whole file."""

    def __str__(self) -> str:
        line = None if self.line is None else f"line {self.line}"
        return f"{', '.join(filter(None, (self.where, line, self.key)))}: {self.reason}. {self.remedy}"


class EditRefused(ValueError):
    """An edit that cannot be made with nothing else changed; each line of the message names a place and a reason."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        super().__init__("\n".join(map(str, obstacles)))
        self.obstacles = tuple(obstacles)


class WriteRefused(ValueError):
    """A file that was not written, or was put back; the message says what happened, where, and what to do."""

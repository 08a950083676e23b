"""What a sample is: a lesson, a project, a script, and the figures the lesson speaks of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agent.session import Session
from stories.projects import Files

Json = Any
Settings = Mapping[str, Json]
Form = Literal["trajectory", "outcome", "trial"]
"""How the file wraps its run: a bare trajectory, an EvalOutcome with a verdict, or one line of results.jsonl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What max-repeat must find in a run; the recorder refuses to write a file that says otherwise."""

    occurrences: int
    period: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """The figure under other settings: those of the run with `changes` laid over them."""

    changes: Settings
    occurrences: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """What the two simulated guards say with their default settings."""

    level: int
    """Highest level of the ladder."""
    thrash: str | None
    """Kind of the stop, None where nothing stops the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One recorded run and its lesson."""

    file: str
    run: str
    title: str
    lesson: str
    tags: tuple[str, ...]
    form: Form
    project: Files
    prompt: str
    story: Callable[[Session], None]
    claim: Claim
    what_if: tuple[WhatIf, ...] = ()
    without_empty: int | None = None
    """The figure if empty steps were left out, where the lesson speaks of it."""
    guards: Guards
    config: Settings
    """Of the run's max-repeat grader."""
    max_turns: int = 80

    def stimulus(self) -> dict[str, Json]:
        return {
            "name": self.run,
            "prompt": self.prompt,
            "graders": [{"type": "max-repeat", "config": dict(self.config)}, {"type": "completed"}],
            "constraints": {"max_turns": self.max_turns},
        }

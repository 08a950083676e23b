"""One side of a comparison: a run, how it is judged, and what it is called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from loopviz.analysis.inspection import Inspection
from loopviz.comparing.aligning import Walk
from loopviz.model import GraderResult, Trajectory
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.words import number

LETTERS = ("A", "B")
LONGEST = 60
"""Characters of a tool's name, and of what a run is called."""
MOST_TOOLS = 4
"""Tools of a step that are named."""
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def seen(words: str) -> str:
    """A text with a sign in place of each character that would turn the direction of the words around it."""
    return _TURNING.sub("\ufffd", words)


def cut(words: str) -> str:
    """A short text for a sentence, the last character `…` where some are left out."""
    return seen(words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…")


def tool_name(tool: str) -> str:
    """The name of a tool as it stands in a sentence."""
    return cut(tool)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """A run and the settings that it is judged by here."""

    trajectory: Trajectory
    settings: MaxRepeatSettings
    inspection: Inspection | None
    """None where it cannot be judged."""
    why_not: str = ""
    """Why it cannot be judged."""
    recorded: GraderResult | None = None
    """What the file says of this grader."""
    comparable: bool = False
    """Whether the file judged by these settings."""

    @property
    def passed(self) -> bool | None:
        """The verdict; None where there is none."""
        return None if self.inspection is None else self.inspection.finding.passed


Sides = tuple[Side, Side]


@dataclass(frozen=True, slots=True)
class Names:
    """What two runs are called beside each other."""

    noun: str
    """`trials` where both are trials of one stimulus, else `runs`."""
    short: tuple[str, str]
    """What tells one from the other: `trial 2`, or whatever differs."""
    whole: tuple[str, str]


def names_of(a: Trajectory, b: Trajectory) -> Names:
    """Name two runs by that in which they differ: trial, stimulus, variant, model, else their files."""
    columns = [_named(a), _named(b)]
    differ = [one != other for one, other in zip(*columns, strict=True)]
    short = [
        " · ".join(name for name, shown in zip(column, differ, strict=True) if shown and name) for column in columns
    ]
    if not all(short):
        short = [trajectory.run for trajectory in (a, b)]
    if short[0] == short[1] and a is not b:
        short = [PurePath(trajectory.source.name).name for trajectory in (a, b)]
    trials = a.trial is not None and b.trial is not None and a.stimulus == b.stimulus
    whole = [" · ".join(filter(None, column)) for column in columns]
    return Names("trials" if trials else "runs", (cut(short[0]), cut(short[1])), (whole[0], whole[1]))


def _named(trajectory: Trajectory) -> list[str]:
    trial = "" if trajectory.trial is None else f"trial {number(trajectory.trial + 1)}"
    variant = "" if trajectory.variant in (None, "main") else str(trajectory.variant)
    return [trajectory.stimulus or trajectory.run, trial, variant, trajectory.model or ""]


def step_place(trajectory: Trajectory, walk: Walk, step: int) -> str:
    """`turn 10`; `call 12` for a call that stands in no turn."""
    call = int(walk.first_call[step])
    turn = int(trajectory.calls.turn[call])
    return f"turn {number(turn + 1)}" if turn >= 0 else f"call {number(call + 1)}"


def step_tools(trajectory: Trajectory, walk: Walk, step: int) -> str:
    """The tools of a step, as they were called: `read_file + search`; a few of them."""
    tools = list(dict.fromkeys(trajectory.tool(call) for call in walk.calls(step)))
    named = [tool_name(tool) for tool in tools[:MOST_TOOLS]]
    return " + ".join([*named, "…"] if len(tools) > MOST_TOOLS else named)

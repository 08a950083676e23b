"""Where a simulated live guard would have ended each run, and what came after: at most what it would have saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from loopviz.analysis.lines import Question, address
from loopviz.analysis.runset import RunSet, Tools
from loopviz.detectors.after_stop import AfterStop
from loopviz.detectors.escalation import EscalationFindings
from loopviz.detectors.thrash import ThrashFindings
from loopviz.model import Trajectory
from loopviz.patterns import PatternError
from loopviz.presenting.stopping import guard_stop
from loopviz.report.judging import guards_of


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop point."""

    guard: str
    """`ladder`, which acts before its call, or `thrash`, which acts behind it."""
    call: int
    """From 0."""
    after: AfterStop
    at: dict[str, Any]
    """Where the call stands, as `grade --json` has it."""

    @property
    def told(self) -> dict[str, Any]:
        """As an export tells it; without the call's id, which is a text of the run."""
        after = self.after
        return {
            "guard": self.guard,
            "turn": self.at["turn"],
            "call": self.at["call"],
            "calls_after": after.calls,
            "tokens_after": after.tokens,
            "cost_after": after.cost,
            "seconds_after": after.seconds,
        }


def first_stop(trajectory: Trajectory, ladder: EscalationFindings, thrash: ThrashFindings, run: int = 0) -> Stop | None:
    """The guard that would have ended a run of a set first, and where."""
    stop = guard_stop(trajectory, ladder, thrash, run)
    return None if stop is None else Stop(stop.kind, stop.call, stop.after, address(trajectory, stop.call))


def guard_tools(question: Question, grader: Tools) -> Tools:
    """The tools that the guards watch: their own filter, else that of the grader, unless a config asks for them."""
    guards, config = guards_of(question), question.config
    asked = config is not None and question.guards is None and (config.escalation or config.thrash)
    return guards.tools if guards.tools or asked else grader


def find_stops(runs: RunSet, question: Question, watched: Sequence[Iterable[Tools]]) -> dict[tuple[int, Tools], Stop]:
    """The stop points of every run; nothing where neither guard ends it, or its tools are refused.

    Args:
        runs: The runs.
        question: What they are judged by.
        watched: For each run the tools that the guards are to watch, each of several as a question of its own.
    """
    guards, stops = guards_of(question), dict[tuple[int, Tools], Stop]()
    for tools in dict.fromkeys(tools for own in watched for tools in own):  # one by one: only a few are kept
        try:
            ladder = runs.escalation(guards.escalation, tools, question.unknown_in_force)
            thrash = runs.thrash(guards.thrash, tools, question.unknown_in_force)
        except PatternError:  # of the guards' own filter: the verdicts stand without it
            continue
        for run, trajectory in enumerate(runs.trajectories):
            stop = first_stop(trajectory, ladder, thrash, run) if tools in watched[run] else None
            if stop is not None:
                stops[run, tools] = stop
    return stops

"""Verdicts as data that may leave: what `loopviz grade --json` says of a run, and what a reader of it asks next.

Each row is one run and one detector. Its first part are the words of `grade`; behind them stand what the run is
(`about`), its cycles by their calls, and where a live guard would have ended it (`stop`). Of a redacted export every
row is built anew from what may leave, as `loopviz.report.release` does with runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from loopviz.analysis.lines import Line, Question, judge_lines
from loopviz.analysis.runset import RunSet, Tools
from loopviz.config import Choice
from loopviz.detectors.max_repeat import NAME
from loopviz.model import Trajectory
from loopviz.report.document import heading
from loopviz.report.export import Export, Masks
from loopviz.report.judging import REFUSED
from loopviz.report.release import released_name
from loopviz.report.stopping import Stop, find_stops, guard_tools
from loopviz.timeline.facts import spent

Row = dict[str, Any]

_NO_RUN = "Not judged: The file holds no run that can be judged."
_METADATA = (
    "max max_cycle_period match tools occurrences period start stop first_failing_step steps watched_calls empty_steps "
    "occurrences_without_empty occurrences_counting_empty pattern pattern_preview cycles level longest_stretch fired "
    "stopped kind count call after_stop"
).split()
"""What of a finding may leave: numbers, and names of tools. The key of a thrash stop is made of arguments."""


@dataclass(frozen=True, slots=True)
class RunRows:
    """The rows of one run, at least one."""

    heading: str
    rows: list[Row]

    @property
    def deciding(self) -> Row:
        """The first that fails, else the first with a verdict, else the first."""
        order = sorted(self.rows, key=lambda row: (row["passed"] is not False, row["passed"] is None))
        return order[0]

    @property
    def passed(self) -> bool | None:
        """False where any detector fails it, None where none could judge it."""
        verdict: bool | None = self.deciding["passed"]
        return verdict


def rows_of(runs: RunSet, question: Question, export: Export) -> list[RunRows]:
    """What may leave of every run, in their order.

    Args:
        runs: The runs.
        question: What they are judged by.
        export: What stays out.
    """
    masks = Masks(on=export.masked)
    choices = [question.graders_of(trajectory) for trajectory in runs.trajectories]
    lines = _lines(runs, question, choices)
    watched = [[_watched(line, question) for line in own if line["metadata"] is not None] for own in lines]
    stops = find_stops(runs, question, watched)
    told: list[RunRows] = []
    for run, trajectory in enumerate(runs.trajectories):
        bare = not choices[run].graders
        rows = [
            {
                **(_redacted(line, trajectory, export, bare=bare) if export.redact else line),
                "about": _about(trajectory),
                "cycles": list(_cycles(runs, run, line, question)),
                "stop": _stop(stops.get((run, _watched(line, question))), line),
            }
            for line in lines[run]
        ]
        name = heading(replace(trajectory, run=released_name(trajectory, export)))
        told.append(RunRows(masks.text(name), masks.value(rows)))
    return told


def _lines(runs: RunSet, question: Question, choices: Sequence[Choice]) -> list[list[Line]]:
    """The lines of each run: one for each of its graders, or for their lack, and one for each guard."""
    lines, config = judge_lines(runs, question), question.config
    n_guards = 0 if config is None else (config.escalation is not None) + (config.thrash is not None)
    return [list(islice(lines, bool(one.missing) + len(one.graders) + n_guards)) for one in choices]


def _watched(line: Line, question: Question) -> Tools:
    """The tools that the guards watch beside this line's grader."""
    tools = (line["metadata"] or {}).get("tools")
    return guard_tools(question, None if tools is None else tuple(tools))


def _stop(stop: Stop | None, line: Line) -> Row | None:
    return None if stop is None or line["metadata"] is None else stop.told


def rows_by_question(asked: Sequence[tuple[Trajectory, Question]], export: Export) -> list[RunRows]:
    """The same for runs that are judged by several questions; those of one question are judged together."""
    groups: list[tuple[Question, list[int]]] = []
    for place, (_, question) in enumerate(asked):
        group = next((places for one, places in groups if one is question or one == question), None)
        if group is None:
            groups.append((question, group := []))
        group.append(place)
    told: dict[int, RunRows] = {}
    for question, places in groups:
        told |= zip(places, rows_of(RunSet([asked[place][0] for place in places]), question, export), strict=True)
    return [told[place] for place in range(len(asked))]


def _about(trajectory: Trajectory) -> Row:
    """What the run is, and how much it took; the trial counts from 1."""
    tokens, cost = spent(trajectory)
    return {
        "stimulus": trajectory.stimulus,
        "trial": None if trajectory.trial is None else trajectory.trial + 1,
        "variant": trajectory.variant,
        "model": trajectory.model,
        "passed": trajectory.outcome,
        "turns": trajectory.n_turns,
        "calls": len(trajectory.calls),
        "tokens": tokens,
        "cost": cost,
        "seconds": trajectory.duration_s,
    }


def _cycles(runs: RunSet, run: int, line: Line, question: Question) -> Iterator[Row]:
    """The cycles that the settings count, by their calls, from 1."""
    found = line["metadata"]
    if line["grader"] != NAME or found is None:
        return
    tools = None if found["tools"] is None else tuple(found["tools"])
    grader = runs.max_repeat(tools, question.unknown_in_force)
    for cycle in found["cycles"]:
        yield {
            "pattern": cycle["pattern"],
            "occurrences": cycle["occurrences"],
            "over": cycle["occurrences"] > found["max"],
            "first_call": grader.first_call(run, cycle["start"]) + 1,
            "last_call": grader.last_call_of_steps(run, cycle["start"], cycle["stop"]) + 1,
            "ended_by": cycle["ended_by"],
        }


def _redacted(line: Line, trajectory: Trajectory, export: Export, *, bare: bool) -> Line:
    """The line from what may leave; a refusal quotes settings, unless it only says that there are none (`bare`)."""
    evidence = line["evidence"]
    if trajectory.not_judged is not None:
        evidence = _NO_RUN
    elif line["passed"] is None and not (bare and line["grader"] == NAME):
        evidence = f"Not judged: {REFUSED}"
    found, recorded, at = line["metadata"], line["recorded"], line["at"]
    return {
        "source": "",
        "run": released_name(trajectory, export),
        "format": line["format"],
        "grader": line["grader"],
        "name": line["name"],
        "passed": line["passed"],
        "score": line["score"],
        "evidence": evidence,
        "metadata": None if found is None else {name: found[name] for name in _METADATA if name in found},
        "recorded": None if recorded is None else {"passed": recorded["passed"], "evidence": ""},
        "at": None if at is None else {**at, "call_id": None},
        "problems": [{"where": "", "message": ""} for _ in line["problems"]],
    }

"""Verdicts as `loopviz grade` prints them: one record for each run and each detector that is asked for.

Source: CLI.md; the order of the keys is part of what people read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from loopviz.analysis.inspection import GuardSettings
from loopviz.analysis.recorded import recorded_for
from loopviz.analysis.runset import KEPT, RunSet
from loopviz.analysis.unknown import caution, guard_caution
from loopviz.config import NONE, Choice, Config, Overrides, filter_tools, graders_for
from loopviz.detectors import max_repeat
from loopviz.detectors.after_stop import AfterStop, after_call, from_call
from loopviz.detectors.escalation import Level
from loopviz.detectors.thrash import Kind, ThrashFindings
from loopviz.evalspec import GraderSpec
from loopviz.model import GraderResult, Trajectory
from loopviz.patterns import PatternError
from loopviz.settings import Unknown

Line = dict[str, Any]

ESCALATION, THRASH = "escalation", "thrash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of every run."""

    config: Config | None = None
    overrides: Overrides = NONE
    stimulus: str | None = None
    """The stimulus of the eval spec for a run that names none."""
    unknown: Unknown | None = None
    """What unrecorded values equal; None for what the config says."""
    guards: GuardSettings | None = None
    """Settings of ladder and thrash that go before those of the config, for the picture of a run; None where the config
    decides."""

    @property
    def unknown_in_force(self) -> Unknown:
        """The option goes before the config, and that before the default."""
        return self.unknown or (self.config.unknown if self.config else "equal")

    def graders_of(self, trajectory: Trajectory) -> Choice:
        """The max-repeat graders that judge a run, or why there is none."""
        return graders_for(
            self.config,
            self.overrides,
            stimulus=trajectory.stimulus,
            recorded=trajectory.stimulus_spec,
            prompt=trajectory.prompt,
            chosen=self.stimulus,
        )


def judge_lines(runs: RunSet, question: Question) -> Iterator[Line]:
    """Judge every run by every detector asked for, in the order of the runs."""
    asked = [question.graders_of(trajectory) for trajectory in runs.trajectories]
    filters = [tuple(grader.settings.tools if grader.settings else None for grader in one.graders) for one in asked]
    if len({tools for own in filters for tools in own}) <= KEPT:
        for run, choice in enumerate(asked):
            yield from _lines(runs, run, choice, question)
        return
    # More tool filters than are kept at a time: runs that share theirs are judged together, and told in their order.
    together = sorted(range(len(runs)), key=lambda run: (repr(filters[run]), run))
    lines = {run: list(_lines(runs, run, asked[run], question)) for run in together}
    for run in range(len(runs)):
        yield from lines.pop(run)


def _lines(runs: RunSet, run: int, choice: Choice, question: Question) -> Iterator[Line]:
    """Every line of one run."""
    trajectory = runs.trajectories[run]
    yield from _max_repeat_lines(runs, run, choice, question)
    if question.config and question.config.escalation:
        yield _guarded(trajectory, ESCALATION, partial(_escalation_line, runs, run, question))
    if question.config and question.config.thrash:
        yield _guarded(trajectory, THRASH, partial(_thrash_line, runs, run, question))


def _max_repeat_lines(runs: RunSet, run: int, choice: Choice, question: Question) -> Iterator[Line]:
    trajectory = runs.trajectories[run]
    if choice.missing:
        yield _unusable(trajectory, max_repeat.NAME, max_repeat.NAME, trajectory.not_judged or choice.missing)
    for place, grader in enumerate(choice.graders):
        recorded = recorded_for(trajectory, grader.name, place, len(choice.graders))
        yield _guarded(
            trajectory,
            grader.name,
            partial(_max_repeat_line, runs, run, trajectory, grader, question),
            recorded=recorded,
        )


def _guarded(
    trajectory: Trajectory, name: str, judge: Callable[[], Line], *, recorded: GraderResult | None = None
) -> Line:
    """The line that `judge` makes, or one that says why there is no verdict."""
    grader = name if name in (ESCALATION, THRASH) else max_repeat.NAME
    if trajectory.not_judged is not None:
        return _unusable(trajectory, grader, name, trajectory.not_judged, recorded)
    try:
        line: Line = judge()
    except PatternError as error:
        return _unusable(trajectory, grader, name, str(error), recorded)
    at = line.pop("at")
    return {**line, "recorded": _said(recorded), "at": at, "problems": _problems(trajectory)}


def _max_repeat_line(runs: RunSet, run: int, trajectory: Trajectory, grader: GraderSpec, question: Question) -> Line:
    if grader.settings is None:
        return _unusable(trajectory, max_repeat.NAME, grader.name, str(grader.error or grader.not_judged))
    judge = runs.max_repeat(grader.settings.tools, question.unknown_in_force)
    finding = judge.judge(run, grader.settings)
    doubt = caution(runs, judge, run, finding)
    return {
        **_head(trajectory, max_repeat.NAME, grader.name),
        **_verdict(finding.passed, finding.evidence if doubt is None else f"{finding.evidence} Caution: {doubt}"),
        "metadata": judge.metadata(run, finding),
        "at": None if finding.first_failing_call is None else address(trajectory, finding.first_failing_call),
    }


def _escalation_line(runs: RunSet, run: int, question: Question) -> Line:
    assert question.config is not None and question.config.escalation is not None
    settings, trajectory = question.config.escalation, runs.trajectories[run]
    tools = filter_tools(question.config, question.overrides)
    found = runs.escalation(settings, tools, question.unknown_in_force)
    level, longest, fired = int(found.level[run]), int(found.longest_stretch[run]), found.fired(run)
    failing = found.first(run, settings.fail_level)
    done = found.first(run, Level.FORCE_DONE)
    evidence = f"The longest stretch of similar actions is {longest}; level {level} of 3 was reached."
    other = guard_caution(runs, run, tools, question.unknown_in_force)
    if other is not None:
        taken = int(runs.escalation(settings, tools, other.taken_otherwise).longest_stretch[run])
        evidence += f" Caution: {other} the longest stretch would be {taken:,}."
    return {
        **_head(trajectory, ESCALATION, ESCALATION),
        **_verdict(level < settings.fail_level, evidence),
        "metadata": {
            "level": level,
            "longest_stretch": longest,
            "fired": [{"level": int(firing.level), "call": firing.watched} for firing in fired],
            "after_stop": None if done is None else _after(from_call(trajectory, done.call)),
        },
        "at": None if failing is None else address(trajectory, failing.call),
    }


def _thrash_line(runs: RunSet, run: int, question: Question) -> Line:
    assert question.config is not None and question.config.thrash is not None
    trajectory = runs.trajectories[run]
    tools = filter_tools(question.config, question.overrides)
    found = runs.thrash(question.config.thrash, tools, question.unknown_in_force)
    stop, count = found.stop(run), int(found.count[run])
    evidence = _thrash_evidence(found, run) + too_late(found, trajectory)
    other = guard_caution(runs, run, tools, question.unknown_in_force)
    if other is not None:
        taken = int(runs.thrash(question.config.thrash, tools, other.taken_otherwise).count[run])
        evidence += f" Caution: {other} at most {taken:,} identical call{' was' if taken == 1 else 's were'} made."
    return {
        **_head(trajectory, THRASH, THRASH),
        **_verdict(stop is None, evidence),
        "metadata": {
            "stopped": stop is not None,
            "kind": None if stop is None else stop.kind.word,
            "count": count,
            "call": None if stop is None else stop.watched,
            "key": None if stop is None else stop.key,
            "after_stop": None if stop is None else _after(after_call(trajectory, stop.call)),
        },
        "at": None if stop is None else address(trajectory, stop.call),
    }


def _thrash_evidence(found: ThrashFindings, run: int) -> str:
    kind, count = Kind(int(found.kind[run])), int(found.count[run])
    if kind is Kind.PING_PONG:
        return "Two calls alternate twice, each with the same output as before."
    identical = "otherwise identical" if found.differ(run) else "identical"  # but for arguments that are left out
    if kind is Kind.NONE:
        return f"Nothing stops the run; at most {count} {identical} call{'' if count == 1 else 's'}."
    if kind is Kind.EMPTY_RETRY:
        return f"An {identical} call came back empty {count} time{'' if count == 1 else 's'} in a row."
    return f"An {identical} call was made {count} times."


def too_late(found: ThrashFindings, trajectory: Trajectory) -> str:
    """A note where the run's own limit ends it before the guard could; empty elsewhere."""
    n, limit = found.settings.n, trajectory.max_turns
    if limit is None or limit > n:
        return ""
    return (
        f" The run may take {limit} turn{'' if limit == 1 else 's'}, so {n} identical calls could never stop it first."
    )


def address(trajectory: Trajectory, call: int) -> Line:
    """Where a call stands: turn and call from 1, its id, and its place in the file."""
    calls = trajectory.calls
    turn, line = int(calls.turn[call]), int(calls.line[call])
    return {
        "turn": turn + 1 if turn >= 0 else None,
        "call": call + 1,
        "call_id": calls.ids[call],
        "line": line or None,
        "offset": None if line else int(calls.offset[call]),
    }


def _head(trajectory: Trajectory, grader: str, name: str) -> Line:
    return {
        "source": trajectory.source.name,
        "run": trajectory.run,
        "format": trajectory.source.format,
        "grader": grader,
        "name": name,
    }


def _verdict(passed: bool, evidence: str) -> Line:
    return {"passed": passed, "score": int(passed), "evidence": evidence}


def _unusable(
    trajectory: Trajectory, grader: str, name: str, reason: str, recorded: GraderResult | None = None
) -> Line:
    return {
        **_head(trajectory, grader, name),
        "passed": None,
        "score": None,
        "evidence": f"Not judged: {reason}",
        "metadata": None,
        "recorded": _said(recorded),
        "at": None,
        "problems": _problems(trajectory),
    }


def _said(recorded: GraderResult | None) -> Line | None:
    return None if recorded is None else {"passed": recorded.passed, "evidence": recorded.evidence}


def _problems(trajectory: Trajectory) -> list[Line]:
    return [{"where": problem.where, "message": problem.message} for problem in trajectory.problems]


def _after(after: AfterStop) -> Line:
    return {"calls": after.calls, "tokens": after.tokens, "cost": after.cost, "seconds": after.seconds}

"""What a run is judged by and what comes of it: every grader that is asked for, and the one whose picture is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from loopviz.analysis.inspection import GuardSettings, Inspection, inspect
from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.config import NONE, filter_tools
from loopviz.evalspec import GraderSpec
from loopviz.model import Trajectory
from loopviz.patterns import PatternError

REFUSED = "The grader's settings are refused."
"""Stands for a refusal that quotes what it refuses, where that may not leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One grader, and its verdict or why there is none."""

    name: str
    place: int
    """Which of the run's graders it is, from 0."""
    grader: GraderSpec | None
    found: Inspection | None
    reason: str = ""
    """Why there is no verdict; it may quote settings."""
    comparable: bool = False
    """The run was recorded with these very settings, so that another verdict in the file is a disagreement."""

    @property
    def passed(self) -> bool | None:
        return None if self.found is None else self.found.finding.passed


def judge(trajectory: Trajectory, question: Question, runs: RunSet | None = None) -> tuple[Judged, ...]:
    """Judge a run by every max-repeat grader; at least one entry, which then says why there is no verdict.

    Args:
        trajectory: The run.
        question: What it is judged by.
        runs: The run as a set of its own, where somebody has made one already.
    """
    if trajectory.not_judged is not None:
        return (_unjudged(trajectory.not_judged),)
    choice = question.graders_of(trajectory)
    if choice.missing:
        return (_unjudged(f"{choice.missing[:1].upper()}{choice.missing[1:]}."),)
    judged = tuple(_judge_all(runs or RunSet([trajectory]), trajectory, choice.graders, question))
    return judged or (_unjudged("No max-repeat grader is asked for: give --max, or a config that has one."),)


def chosen(judged: tuple[Judged, ...], place: int | None = None) -> Judged:
    """The one whose picture is shown: the one asked for, else the first that failed, else the first with a verdict."""
    asked = [one for one in judged if one.place == place]
    failed = [one for one in judged if one.passed is False]
    known = [one for one in judged if one.found is not None]
    return (asked or failed or known or list(judged))[0]


def _unjudged(reason: str) -> Judged:
    return Judged(name="max-repeat", place=0, grader=None, found=None, reason=reason)


def _judge_all(
    runs: RunSet, trajectory: Trajectory, graders: tuple[GraderSpec, ...], question: Question
) -> Iterator[Judged]:
    own = replace(question, overrides=NONE).graders_of(trajectory).graders if question.overrides.changes else graders
    for place, grader in enumerate(graders):
        found, reason = _inspect(runs, grader, question)
        same = place < len(own) and own[place].settings == grader.settings
        yield Judged(name=grader.name, place=place, grader=grader, found=found, reason=reason, comparable=same)


def _inspect(runs: RunSet, grader: GraderSpec, question: Question) -> tuple[Inspection | None, str]:
    if grader.settings is None:
        return None, str(grader.error or grader.not_judged)
    try:
        found = inspect(runs, grader.settings, guards_of(question), question.unknown_in_force)
        return _with_config_guards(runs, found, question), ""
    except PatternError as error:
        return None, str(error)


def guards_of(question: Question) -> GuardSettings:
    """The settings of the two live guards: those that are given, else of the config, else the defaults."""
    settings, config = GuardSettings(), question.config
    if question.guards is not None:
        return replace(question.guards, tools=question.guards.tools or question.overrides.tools)
    if config and config.escalation:
        settings = replace(settings, escalation=config.escalation)
    if config and config.thrash:
        settings = replace(settings, thrash=config.thrash)
    return replace(settings, tools=filter_tools(question.config, question.overrides))


def _with_config_guards(runs: RunSet, found: Inspection, question: Question) -> Inspection:
    """Guards that a config asks for watch what its own filter says, every tool without one, as `grade` has it."""
    config = question.config if question.guards is None else None
    if config is None or not (config.escalation or config.thrash) or found.guards.tools:
        return found
    unknown = question.unknown_in_force
    return replace(
        found,
        ladder=runs.escalation(found.guards.escalation, None, unknown),
        thrash=runs.thrash(found.guards.thrash, None, unknown),
    )

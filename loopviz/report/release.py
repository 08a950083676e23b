"""What of a run may leave: the run as every word of a report is taken from.

Redaction works by naming what stays, never by taking things away afterwards: a redacted run is built anew from the
fields below, and what a reader may add to runs one day stays out until somebody names it here. The detectors look at
the run itself; their findings are numbers and names.

What stays: names of the stimulus, variant and model, of tools and graders; numbers, times and verdicts; the place of
each call in its file. What goes: the run's own name, for which its digest stands; arguments with their names, outputs,
prompts, messages, reasoning, errors, evidence of graders, ids, names and paths of files, and the words in which a
file's problems are told.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from loopviz.model import MISSING, Calls, Codebook, Event, GraderResult, Problem, Source, Trajectory
from loopviz.report.export import Export, Masks

KEY_DIGITS = 8
"""Hex digits of a run's digest that tell it from others; links of the app have as many."""
_EVENT_KINDS = frozenset(("user", "assistant", "reasoning", "error", "system", "compaction", "cut", "agent", "skill"))
"""Kinds of events in our words; others are the format's own and may say anything."""


def release(trajectory: Trajectory, export: Export, masks: Masks) -> Trajectory:
    """The run as it may leave; values of calls are masked where they are written, since most never are."""
    return _redacted(trajectory, export) if export.redact else _masked(trajectory, masks)


def _masked(trajectory: Trajectory, masks: Masks) -> Trajectory:
    """The run with the texts masked that a picture cuts short: a half secret would be recognised by nothing."""
    return replace(
        trajectory,
        events=tuple(_told(event, masks.text(event.kind), masks.text(event.text)) for event in trajectory.events),
        prompt=None if trajectory.prompt is None else masks.text(trajectory.prompt),
        output=None if trajectory.output is None else masks.text(trajectory.output),
        error=None if trajectory.error is None else masks.text(trajectory.error),
    )


def _redacted(trajectory: Trajectory, export: Export) -> Trajectory:
    return Trajectory(
        run=released_name(trajectory, export),
        source=_unnamed(trajectory.source),
        codebook=_names_alone(trajectory.codebook),
        calls=_without_values(trajectory.calls),
        n_turns=trajectory.n_turns,
        not_judged=None if trajectory.not_judged is None else "The file holds no run that can be judged.",
        digest=trajectory.digest,
        line=trajectory.line,
        stimulus=trajectory.stimulus,
        trial=trajectory.trial,
        trials=trajectory.trials,
        variant=trajectory.variant,
        model=trajectory.model,
        duration_s=trajectory.duration_s,
        max_turns=trajectory.max_turns,
        grade=None if trajectory.grade is None else _verdict_alone(trajectory.grade),
        outcome=trajectory.outcome,
        threshold=trajectory.threshold,
        events=tuple(_unsaid(event) for event in trajectory.events),
        usage=trajectory.usage,
        total_tokens=trajectory.total_tokens,
        total_cost=trajectory.total_cost,
        turn_starts=trajectory.turn_starts,
        last_event_s=trajectory.last_event_s,
        problems=tuple(Problem(where="", message="") for _ in trajectory.problems),
    )


def released_name(trajectory: Trajectory, export: Export) -> str:
    """What a run is called in an export: its own name, or `run-5f3a0c1e` in a redacted one.

    A name that a file records is an id of calls and agents as often as one that somebody gave, and where it records
    none, the run is called by the file's.
    """
    if not export.redact:
        return trajectory.run
    return f"run-{trajectory.digest[:KEY_DIGITS]}" if trajectory.digest else "run"


def run_key(trajectory: Trajectory, export: Export) -> str:
    """What `--run` and links of the app call a run, so that it is told from others of its name."""
    name = released_name(trajectory, export)
    return name if export.redact else f"{name}.{trajectory.digest[:KEY_DIGITS]}"


def _unnamed(source: Source) -> Source:
    return Source(name="", format=source.format, digest=source.digest, size=source.size)


def _names_alone(codebook: Codebook) -> Codebook:
    none = np.zeros(0, dtype=np.bool_)
    return Codebook(
        tools=codebook.tools, values=(), codes=np.zeros(0, dtype=np.int64), keys=(), empty=none, near_empty=none
    )


def _without_values(calls: Calls) -> Calls:
    missing = np.full(len(calls), MISSING)
    return Calls(
        tool=calls.tool,
        arguments=missing,
        observation=missing,
        turn=calls.turn,
        failed=calls.failed,
        executed=calls.executed,
        unknown_arguments=calls.unknown_arguments,
        unknown_observation=calls.unknown_observation,
        started_s=calls.started_s,
        ended_s=calls.ended_s,
        event=calls.event,
        line=calls.line,
        offset=calls.offset,
        length=calls.length,
        result_offset=calls.result_offset,
        result_length=calls.result_length,
        ids=(None,) * len(calls),
    )


def _verdict_alone(result: GraderResult) -> GraderResult:
    return GraderResult(
        name=result.name,
        type=result.type,
        passed=result.passed,
        score=result.score,
        configured_name=result.configured_name,
        details=tuple(_verdict_alone(part) for part in result.details),
    )


def _unsaid(event: Event) -> Event:
    return _told(event, event.kind if event.kind in _EVENT_KINDS else "other", "")


def _told(event: Event, kind: str, text: str) -> Event:
    """The event in other words."""
    return Event(kind=kind, text=text, call=event.call, turn=event.turn, time_s=event.time_s, place=event.place)

"""What `sweep` and `suggest` print: every run under every setting, and the setting that fits what people said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from loopviz.analysis.runset import RunSet, Tools
from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.labelled import Labels
from loopviz.masking import mask
from loopviz.model import Trajectory
from loopviz.patterns import PatternError
from loopviz.settings import Unknown, dump
from loopviz.status import OK, UNUSABLE, Status, read_files, say, write
from loopviz.tuning.evidence import Evidence, Score, from_labels, from_outcomes
from loopviz.tuning.pins import find_pins
from loopviz.tuning.suggest import Suggestion, instead, suggest
from loopviz.tuning.sweep import NO_TRAJECTORY, Sweep, sweep
from loopviz.tuning.words import (
    SAME,
    counted,
    held_out_words,
    instead_words,
    judged_words,
    pins_broken_words,
    score_words,
    setting_words,
)

LIMITS = np.arange(1, 21)
"""Values of `max` that the table shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What both commands are asked for."""

    paths: Sequence[str]
    tools: Tools
    unknown: Unknown
    as_json: bool
    masked: bool
    read_as: str | None = None


def print_sweep(asked: Asked) -> int:
    """Print times in a row of every run under every match mode and longest pattern.

    Returns:
        The exit status: 0, or 2 when something could not be used.
    """
    status = Status()
    runs, swept = _sweep(asked, status)
    if swept is None:
        return UNUSABLE
    lines = sweep_lines(runs.trajectories, swept, masked=asked.masked) if asked.as_json else sweep_table(swept)
    for line in lines:
        write(line)
    return UNUSABLE if status.is_unusable or NO_TRAJECTORY in swept.left_out else OK


def print_suggestion(asked: Asked, labels: Labels | None) -> int:
    """Print the setting that fits best what people said, or where there are no labels, how the runs ended.

    Returns:
        The exit status: 0, or 2 when something could not be used.
    """
    status = Status()
    runs, swept = _sweep(asked, status)
    if swept is None:
        return UNUSABLE
    said = labels.of(runs) if labels else [()] * len(runs)
    evidence = from_labels(runs, swept, said) if labels else from_outcomes(runs, swept)
    if labels is not None:
        status.report_labels(labels)
    found = suggest(evidence, find_pins(runs, swept, said), swept.tools)
    if evidence.n_unusable:
        say(f"{counted(evidence.n_unusable, 'labelled run')} cannot be counted: not judged, or values unknown.")
    if asked.as_json:
        write(json.dumps(suggestion_record(evidence, found)))
    else:
        for line in (judged_words(swept), *suggestion_text(evidence, found)):
            write(line)
    return UNUSABLE if status.is_unusable or NO_TRAJECTORY in swept.left_out else OK


def _sweep(asked: Asked, status: Status) -> tuple[RunSet, Sweep | None]:
    """All runs, and every setting over them; None where a tool pattern is refused, which is said."""
    files = read_files(asked.paths, status, asked.read_as)
    runs = RunSet([trajectory for loaded in files for trajectory in loaded.trajectories])
    status.report_passed_over()
    try:
        return runs, sweep(runs, asked.tools, asked.unknown)
    except PatternError as error:
        say(str(error))
        return runs, None


def sweep_lines(trajectories: Sequence[Trajectory], swept: Sweep, *, masked: bool) -> Iterator[str]:
    """A JSON object for each run; entry k of a list is the figure under `max_cycle_period` k."""
    figures = swept.occurrences.transpose(2, 0, 1).tolist()
    for trajectory, own in zip(trajectories, figures, strict=True):
        found = None if trajectory.not_judged is not None else dict(zip(MATCHES, own, strict=True))
        line = {"source": trajectory.source.name, "run": trajectory.run, "occurrences": found}
        yield json.dumps(mask(line) if masked else line)


def sweep_table(swept: Sweep) -> Iterator[str]:
    """How many runs fail for each `max` and longest pattern, a table for each match mode."""
    yield judged_words(swept)
    for match in MATCHES:
        yield ""
        yield from _table(swept, match)


def _table(swept: Sweep, match: Match) -> Iterator[str]:
    counts = swept.n_failing(match, LIMITS)
    width = max(len(str(counts.max())), 2)
    yield f"Runs that fail when the same is: {SAME[match]} ({match})"
    yield f"{'max':>18}" + "".join(f" {limit:>{width}}" for limit in LIMITS)
    for first, last in swept.alike(match):
        label = f"longest pattern {first}" + (f"-{last}" if last > first else "")
        yield f"{label:>18}" + "".join(f" {number:>{width}}" for number in counts[first - 1])


def suggestion_record(evidence: Evidence, found: Suggestion | None) -> dict[str, Any]:
    """A suggestion as `suggest --json` prints it; without one, every figure of it is null."""
    labelled = {"loop": evidence.n_loops, "fine": evidence.n_good}
    if found is None:
        empty = dict.fromkeys(("settings", "hits", "false_alarms", "held_out"))
        return {**empty, "labelled": labelled, "ties": [], "enough": False}
    return {
        "settings": dump(found.settings),
        "labelled": labelled,
        "hits": found.score.hits,
        "false_alarms": found.score.false_alarms,
        "held_out": _told(found.held_out),
        "ties": [dump(tie) for tie in found.ties],
        "enough": found.enough,
    }


def suggestion_text(evidence: Evidence, found: Suggestion | None) -> Iterator[str]:
    """The same in sentences."""
    if found is None:
        yield _nothing(evidence)
        return
    yield f"Suggested: {setting_words(found.settings)}"
    other = instead(evidence, found.settings)
    yield " ".join([score_words(evidence, found.score), *([instead_words(*other)] if other else [])])
    yield held_out_words(found.held_out, found.n_stimuli)
    if found.n_pins_broken:
        yield pins_broken_words(found.n_pins_broken)
    if not found.enough:
        yield found.why_not_enough
    for tie in found.ties:
        yield f"As good: {setting_words(tie)}"


def _nothing(evidence: Evidence) -> str:
    """Why there is no suggestion."""
    what = "run is labelled a loop" if evidence.source == "labels" else "run records that it ended badly"
    if not evidence.n_loops:
        return f"Too little to tell: no {what}."
    return f"No setting finds any of the {evidence.n_loops:,} loops: none of them repeats as the grader counts."


def _told(score: Score) -> dict[str, int]:
    return {"hits": score.hits, "false_alarms": score.false_alarms}

"""What `sweep` and `suggest` print: every run under every setting, and the setting that fits what people said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from loopviz.detectors.core.repeats import MAX_PERIOD
from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.model import Trajectory
from loopviz.settings import dump
from loopviz.tuning.evidence import Evidence, Score
from loopviz.tuning.suggest import Suggestion, instead
from loopviz.tuning.sweep import Sweep
from loopviz.tuning.words import SAME, held_out_words, instead_words, judged_words, score_words, setting_words

LIMITS = np.arange(1, 21)
"""Values of `max` that the table shows."""


def sweep_lines(trajectories: Sequence[Trajectory], swept: Sweep) -> Iterator[str]:
    """A JSON object for each run; entry k of a list is the figure under `max_cycle_period` k."""
    figures = swept.occurrences.transpose(2, 0, 1).tolist()
    for trajectory, own in zip(trajectories, figures, strict=True):
        found = None if trajectory.not_judged is not None else dict(zip(MATCHES, own, strict=True))
        yield json.dumps({"source": trajectory.source.name, "run": trajectory.run, "occurrences": found})


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
    for first, last in _alike(counts.tolist()):
        label = f"longest pattern {first}" + (f"-{last}" if last > first else "")
        yield f"{label:>18}" + "".join(f" {number:>{width}}" for number in counts[first - 1])


def _alike(rows: list[list[int]]) -> Iterator[tuple[int, int]]:
    """First and last of longest patterns next to each other that say the same, from 1."""
    first = 1
    for bound in range(1, MAX_PERIOD + 1):
        if bound == MAX_PERIOD or rows[bound] != rows[first - 1]:
            yield first, bound
            first = bound + 1


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
        yield f"No setting finds any of the {evidence.n_loops:,} loops: none of them repeats as the grader counts."
        return
    yield f"Suggested: {setting_words(found.settings)}"
    other = instead(evidence, found.settings)
    yield " ".join([score_words(evidence, found.score), *([instead_words(*other)] if other else [])])
    yield held_out_words(found.held_out, found.n_stimuli)
    if found.n_pins_broken:
        yield f"No setting keeps every pin; this one breaks {found.n_pins_broken}."
    if not found.enough:
        yield found.why_not_enough
    for tie in found.ties:
        yield f"As good: {setting_words(tie)}"


def _told(score: Score) -> dict[str, int]:
    return {"hits": score.hits, "false_alarms": score.false_alarms}

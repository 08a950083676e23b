"""Telling Vally's records apart by what is in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from enum import Enum, auto

from loopviz.readers.base import Head
from loopviz.readers.texts import plain

TRAJECTORY = "vally.trajectory"
RESULTS = "vally.results"
OUTCOME = "vally.outcome"

RUN_SUMMARY = "run-summary"
SPAN = "span"
NO_TRIALS = {
    RUN_SUMMARY: ("run summary", "run summaries"),
    "comparison": ("comparison", "comparisons"),
    "experiment-plan-snapshot": ("plan of an experiment", "plans of experiments"),
    SPAN: ("telemetry span", "telemetry spans"),
}
"""Types of records that stand among trials and are none, and what they are: one of them, and several."""

_EVENTS = re.compile(rb'\s*\[\s*(\]|\{\s*"(type|timestamp|data)")')
_TRIAL_FIELDS = frozenset(("itemId", "evalName", "evalFilePath", "variant", "trialIndex", "totalTrials", "experiment"))


class Shape(Enum):
    """What a record is."""

    TRAJECTORY = auto()
    TRIAL = auto()
    OUTCOME = auto()
    NO_TRIAL = auto()
    STRANGE = auto()


def shape_of(keys: Collection[str], record_type: str | None) -> Shape:
    """Tell what a record is by its members and its `type`, None where it has none.

    A trajectory has `events`, or both `stimulus` and `id`; a record without a type that holds a trajectory or a grade
    is a trial, and an outcome where nothing says which trial.
    Source: SPEC, section 1, "From events to steps", rule 5.
    """
    if record_type in NO_TRIALS:
        return Shape.NO_TRIAL
    if record_type == "trial-result":
        return Shape.TRIAL
    if record_type is None and ("trajectory" in keys or "gradeResult" in keys):
        named = not _TRIAL_FIELDS.isdisjoint(keys) or "trajectory" not in keys
        return Shape.TRIAL if named else Shape.OUTCOME
    if "events" in keys or ("stimulus" in keys and "id" in keys):
        return Shape.TRAJECTORY
    return Shape.STRANGE


def sniff_trajectory(head: Head) -> float:
    """How surely a file holds bare trajectories."""
    return _best(head, _trajectory_score)


def sniff_results(head: Head) -> float:
    """How surely a file is one of results."""
    return _best(head, _results_score)


def sniff_outcome(head: Head) -> float:
    """How surely a file holds outcomes."""
    return _best(head, _outcome_score)


def _best(head: Head, score: Callable[[dict[str, bytes]], float]) -> float:
    return max(map(score, head.objects), default=0.0)


def _trajectory_score(record: dict[str, bytes]) -> float:
    if shape_of(record, type_of(record)) is not Shape.TRAJECTORY:
        return 0.0
    if "stimulus" in record:
        return 1.0 if "events" in record else 0.8
    return 0.6 if _EVENTS.match(record["events"]) else 0.3


def _results_score(record: dict[str, bytes]) -> float:
    match shape_of(record, type_of(record)):
        case Shape.TRIAL:
            return 1.0
        case Shape.NO_TRIAL:
            # Spans alone tell nothing: many tools write them.
            return 0.0 if type_of(record) == SPAN else 0.9
        case _:
            return 0.0


def _outcome_score(record: dict[str, bytes]) -> float:
    if shape_of(record, type_of(record)) is not Shape.OUTCOME or record["trajectory"][:1] not in b"{n":
        return 0.0
    return 0.9 if "gradeResult" in record else 0.5


def type_of(record: dict[str, bytes]) -> str | None:
    """The `type` of a record whose members are given as JSON texts; None where it is no text."""
    try:
        value = plain(record.get("type", b"null"))
    except ValueError:
        return None
    return value if isinstance(value, str) else None

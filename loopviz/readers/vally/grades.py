"""What Vally's graders said about a trial, and whether the trial passed."""

from __future__ import annotations

from loopviz.model import GraderResult, Json
from loopviz.readers.fields import flag, member, number, text
from loopviz.readers.problems import Problems
from loopviz.readers.texts import kind_of, spoken

DEEPEST = 50
"""Levels of results inside results that are read."""

_BARE_TYPES = frozenset(("max-repeat", "loop-outcome"))
"""Types that stood in `name` before results had a `graderType`."""


def read_grade(value: Json, problems: Problems, *, place: str = "gradeResult", depth: int = 0) -> GraderResult | None:
    """Read a grader's result with all its parts; None, with a problem, where there is none to read."""
    if value is None:
        return None
    if not isinstance(value, dict):
        problems.add(place, f"A grader's result should be an object; it is {kind_of(value)} and is left out.")
        return None
    name, evidence = text(value.get("name")), value.get("evidence", value.get("message"))
    own_type = text(value.get("graderType"))
    return GraderResult(
        name=name or text(value.get("configuredName")) or own_type or text(value.get("kind")) or "grader",
        type=own_type or (name if name in _BARE_TYPES else None),
        passed=flag(value.get("passed")),
        score=number(value.get("score")),
        evidence=None if evidence is None else spoken(evidence),
        status=text(value.get("status")),
        kind=text(value.get("kind")),
        label=text(value.get("label")),
        configured_name=text(value.get("configuredName")),
        metadata=value.get("metadata"),
        details=_read_details(value.get("details"), problems, place=f"{place}.details", depth=depth),
    )


def _read_details(value: Json, problems: Problems, *, place: str, depth: int) -> tuple[GraderResult, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        problems.add(place, f"Details should be a list; they are {kind_of(value)} and are left out.")
        return ()
    if depth >= DEEPEST:
        problems.add(place, f"Results inside results go deeper than {DEEPEST} levels; the rest is left out.")
        return ()
    parts = (
        read_grade(part, problems, place=f"{place}[{number}]", depth=depth + 1) for number, part in enumerate(value)
    )
    return tuple(part for part in parts if part is not None)


def threshold_of(stimulus: Json, grade: Json) -> float | None:
    """The score from which a trial passes, where the trial's own record says so."""
    places = (
        member(stimulus, "scoring", "threshold"),
        member(grade, "threshold"),
        member(grade, "metadata", "threshold"),
        member(grade, "metadata", "scoring", "threshold"),
    )
    return next((found for found in map(number, places) if found is not None), None)


def outcome_of(grade: GraderResult | None, threshold: float | None) -> bool | None:
    """Whether the trial passed: with a threshold the weighted score decides, else what is recorded.

    None where neither is recorded.
    """
    if grade is None:
        return None
    if threshold is not None and grade.score is not None:
        return grade.score >= threshold
    return grade.passed

"""Inspections of one run written by hand, under any settings of the three detectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from loopviz.analysis.inspection import GuardSettings, Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import Unknown
from loopviz.settings import EscalationSettings, MaxRepeatSettings, ThrashSettings
from tests.detectors.trajectories_by_hand import trajectory_of


def run_of(calls: list[dict[str, Any]], **fields: Any) -> RunSet:
    """A set of one run; calls that name no turn have one of their own, `ran` and `hidden` values are optional."""
    numbered = [{**c, "turn": 1000 + place if c["turn"] is None else c["turn"]} for place, c in enumerate(calls)]
    trajectory = trajectory_of(numbered, **fields)
    executed = np.array([c.get("ran", True) for c in calls], dtype=np.bool_)
    return RunSet([replace(trajectory, calls=replace(trajectory.calls, executed=executed))])


def look(
    calls: list[dict[str, Any]],
    *,
    ladder: dict[str, Any] | None = None,
    thrash: dict[str, Any] | None = None,
    guarded: tuple[str, ...] | None = None,
    unknown: Unknown = "equal",
    fields: dict[str, Any] | None = None,
    **grader: Any,
) -> Inspection:
    """One run as all three see it; three times in a row are allowed unless something else is said."""
    guards = GuardSettings(
        escalation=EscalationSettings(**(ladder or {})), thrash=ThrashSettings(**(thrash or {})), tools=guarded
    )
    return inspect(run_of(calls, **(fields or {})), MaxRepeatSettings(**{"max": 3, **grader}), guards, unknown)

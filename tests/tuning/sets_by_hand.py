"""Sets of runs written as letters, for tests: `aab` is three calls, `a` and `b` with outputs of their own."""

from __future__ import annotations

from typing import Any

from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from tests.detectors.trajectories_by_hand import trajectory_of


def run_of(steps: str, **fields: Any) -> Trajectory:
    """One run of a tool `t`; `_` is a call with an empty output, `?` one whose arguments and output are unknown."""
    calls = [
        {
            "tool": "t",
            "arguments": step,
            "observation": "" if step == "_" else step,
            "turn": None,
            "unknown": step == "?",
        }
        for step in steps
    ]
    return trajectory_of(calls, **{"digest": f"{steps}-{fields.get('run', '')}", **fields})


def set_of(*runs: str | Trajectory) -> RunSet:
    """A set of runs."""
    return RunSet([run_of(run) if isinstance(run, str) else run for run in runs])

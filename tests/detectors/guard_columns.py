"""Columns from calls written as dicts (`tests.oracles_guards.call`), for the tests of the live guards."""

from __future__ import annotations

import numpy as np

from loopviz.canonical import canonical
from loopviz.detectors.core.columns import Columns
from tests.oracles_guards import Call, Json, is_near_empty


def guard_columns(runs: list[list[Call]]) -> tuple[Columns, np.ndarray]:
    """(columns, watched) of some runs; several calls may be unwatched, unexecuted, or have unknown values."""
    calls = [call for run in runs for call in run]
    tools: dict[str, int] = {}
    keys: dict[bytes, int] = {b"null": 0}

    def identity(value: Json) -> int:
        return keys.setdefault(canonical(value), len(keys))

    def flags(name: str) -> np.ndarray:
        return np.array([call[name] for call in calls], dtype=bool)

    columns = Columns(
        starts=np.cumsum([0, *map(len, runs)]),
        tool=np.array([tools.setdefault(call["tool"], len(tools)) for call in calls], dtype=np.int64),
        arguments=np.array([identity(call["arguments"]) for call in calls], dtype=np.int64),
        observation=np.array([identity(call["observation"]) for call in calls], dtype=np.int64),
        empty=np.array([is_near_empty(call["observation"]) for call in calls], dtype=bool),
        near_empty=np.array([is_near_empty(call["observation"]) for call in calls], dtype=bool),
        turn=np.arange(len(calls)),
        unknown_arguments=flags("unknown_arguments"),
        unknown_observation=flags("unknown_observation"),
        executed=flags("executed"),
        tools=tuple(tools),
        keys=tuple(keys),
    )
    return columns, flags("watched")

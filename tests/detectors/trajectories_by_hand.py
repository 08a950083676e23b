"""Trajectories from calls written as dicts, for tests; see tests/oracles.py for what a call holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.canonical import canonical
from loopviz.model import MISSING, Calls, Codebook, Source, Trajectory

SOURCE = Source(name="by-hand.json", format="test", digest="0" * 32, size=0)


def trajectory_of(calls: list[dict[str, Any]], **fields: Any) -> Trajectory:
    """One run; an observation of None is missing, a turn of None stands alone, `failed` and `time` are optional."""
    n_calls = len(calls)
    tools: dict[str, int] = {}
    keys: dict[bytes, int] = {b"null": 0}

    def value(given: Any) -> int:
        return MISSING if given is None else keys.setdefault(canonical(given), len(keys))

    columns = {
        "tool": [tools.setdefault(call["tool"], len(tools)) for call in calls],
        "arguments": [value(call["arguments"]) for call in calls],
        "observation": [value(call["observation"]) for call in calls],
        "turn": [-1 if call["turn"] is None else call["turn"] for call in calls],
        "event": range(n_calls),
        "line": [0] * n_calls,
        "offset": range(n_calls),
        "length": [1] * n_calls,
        "result_offset": range(n_calls),
        "result_length": [1] * n_calls,
    }
    empty = np.array([key in (b"null", b'""', b"{}", b"[]") for key in keys])
    times = np.array([call.get("time", np.nan) for call in calls], dtype=np.float64)
    book = Codebook(
        tools=tuple(tools),
        values=tuple(keys),
        codes=np.arange(len(keys)),
        keys=tuple(keys),
        empty=empty,
        near_empty=empty,
    )
    flags = {
        "failed": [call.get("failed", False) for call in calls],
        "executed": [True] * n_calls,
        "unknown_arguments": [call.get("unknown_arguments", call.get("unknown", False)) for call in calls],
        "unknown_observation": [call.get("unknown_observation", call.get("unknown", False)) for call in calls],
    }
    return Trajectory(
        **{
            "run": "by-hand",
            "source": SOURCE,
            "codebook": book,
            "n_turns": max(columns["turn"], default=-1) + 1,
            "calls": Calls(
                **{name: np.array(column, dtype=np.int64) for name, column in columns.items()},
                **{name: np.array(flag, dtype=np.bool_) for name, flag in flags.items()},
                started_s=times,
                ended_s=times,
                ids=tuple(call.get("id", f"call_{number}") for number, call in enumerate(calls)),
            ),
            **fields,
        }
    )

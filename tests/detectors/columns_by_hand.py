"""Columns from calls written as dicts, for tests; see tests/oracles.py for what a call holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.canonical import canonical
from loopviz.detectors.core.columns import Columns


def columns_of(runs: list[list[dict[str, Any]]]) -> tuple[Columns, np.ndarray]:
    """(columns, watched): an observation of None is missing, arguments of None too."""
    tools: dict[str, int] = {}
    keys: dict[bytes, int] = {b"null": 0}
    rows = []
    next_turn = 0
    for calls in runs:
        turns: dict[Any, int] = {}
        for number, call in enumerate(calls):
            turn = ("alone", number) if call["turn"] is None else call["turn"]
            rows.append(
                (
                    tools.setdefault(call["tool"], len(tools)),
                    keys.setdefault(canonical(call["arguments"]), len(keys)),
                    keys.setdefault(canonical(call["observation"]), len(keys)),
                    next_turn + turns.setdefault(turn, len(turns)),
                    call.get("unknown", False),
                    call["watched"],
                )
            )
        next_turn += len(turns)
    table = np.array(rows, dtype=np.int64).reshape(-1, 6)
    unknown = table[:, 4].astype(bool)
    columns = Columns(
        starts=np.cumsum([0, *(len(run) for run in runs)]),
        tool=table[:, 0],
        arguments=table[:, 1],
        observation=table[:, 2],
        empty=table[:, 2] == 0,
        near_empty=table[:, 2] == 0,
        turn=table[:, 3],
        unknown_arguments=unknown,
        unknown_observation=unknown,
        executed=np.ones(len(table), dtype=bool),
        tools=tuple(tools),
        keys=tuple(keys),
    )
    return columns, table[:, 5].astype(bool)

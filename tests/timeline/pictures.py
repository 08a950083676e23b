"""Small payloads for the canvas script, written by hand: what a test does not name is plain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from loopviz.timeline.contract import VERSION, CallFlag, CycleState, Event, Flag, Part, Payload, Score, Verdict, encode

Cycle = tuple[int, int, int, int, CycleState]
"""First step, last step + 1, period, occurrences, state."""


def words(text: str) -> Part:
    return {"kind": "text", "text": text}


def verdict(*sentence: Part) -> Verdict:
    return {
        "passed": False,
        "badge": "FAIL",
        "sentence": list(sentence) or [words("It looped.")],
        "rows": [{"label": "Where", "parts": [words("Somewhere.")]}],
    }


def picture(
    tools: Sequence[str],
    *,
    cycles: Sequence[Cycle] = (),
    unwatched: Iterable[str] = (),
    errors: Iterable[int] = (),
    flag: int | None = None,
    events: Sequence[Event] = (),
    starts: Sequence[float] | None = None,
    selected: int | None = None,
    seq: int = 0,
    limit: int = 3,
    run: str = "a run",
    shown: Verdict | None = None,
) -> Payload:
    """A run with the tool of every call; each watched call is a turn and a step of its own."""
    names = list(dict.fromkeys(tools))
    left_out = set(unwatched)
    rows = {name: at for at, name in enumerate(names)}
    watched = np.array([name not in left_out for name in tools], dtype=bool)
    flags = np.where(watched, int(CallFlag.WATCHED), 0)
    for call in errors:
        flags[call] |= int(CallFlag.ERROR)
    columns = np.array([(*cycle[:4], int(cycle[4])) for cycle in cycles], dtype=np.int64).reshape(-1, 5)
    n_steps = int(watched.sum())
    stop_flag: Flag | None = None
    if flag is not None:
        stop_flag = {"call": flag, "text": f"over the limit at call {flag + 1}", "short": f"over at {flag + 1}"}
    return {
        "version": VERSION,
        "run": run,
        "n_calls": len(tools),
        "n_steps": n_steps,
        "limit": limit,
        "verdict": shown,
        "idle": [],
        "figures": {
            "call": f"{len(tools):,}",
            "cycles": str(len(cycles)),
            "steps": f"{n_steps:,}",
            "breaks": "0",
            "seen": "0",
            "ladder": "level 0",
            "thrash": "no stop",
            "events": str(len(events)),
        },
        "tools": [
            {"name": name, "figure": f"{list(tools).count(name):,}", "watched": name not in left_out} for name in names
        ],
        "calls": {
            "step": encode(np.where(watched, np.cumsum(watched) - 1, -1)),
            "row": encode([rows[name] for name in tools]),
            "turn": encode(np.arange(len(tools))),
            "flags": encode(flags),
            "level": encode(np.zeros(len(tools), dtype=int)),
            "identical": encode(watched.astype(int)),
            "score": encode(np.full(len(tools), int(Score.NOT_COMPARED))),
            "same_arguments": encode([]),
            "same_output": encode([]),
        },
        "empty_steps": encode([]),
        "cycles": {
            "start": encode(columns[:, 0]),
            "stop": encode(columns[:, 1]),
            "period": encode(columns[:, 2]),
            "occurrences": encode(columns[:, 3]),
            "state": encode(columns[:, 4]),
        },
        "would_be": [],
        "flag": stop_flag,
        "break_notes": [],
        "ladder": {"similarity": 0.75, "fire_calls": encode([]), "fire_levels": encode([]), "note": "", "stop": None},
        "thrash": {"n": 3, "note": "", "note_call": None, "stop": None},
        "events": list(events),
        "times": {"start": encode(np.array(starts, dtype=float))} if starts is not None else None,
        "selected": {"call": selected, "seq": seq},
        "stretch": None,
    }


def looping(**changes: Any) -> Payload:
    """40 calls: `a b` twice in steps 4–7, `a b c` five times in steps 20–34, over the limit at call 32."""
    tools = ["bash", "grep", "ls", "cat"] + ["grep", "read"] * 2 + ["bash", "ls", "cat", "web"] * 3
    tools += ["read", "edit", "test"] * 5 + ["bash", "ls", "cat", "web", "ls"]
    cycles: list[Cycle] = [(4, 8, 2, 2, CycleState.COUNTED), (20, 35, 3, 5, CycleState.OVER)]
    return picture(tools, cycles=cycles, flag=31, **changes)

"""Runs in Vally's format, made up, with turns and times: one long run, or many short ones in a results file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from benchmarks.actions import Action, actions

SEED = 20
START_S = datetime(2026, 11, 3, 9, tzinfo=UTC).timestamp()
RUN = "long-run"
PROMPT = "Make the totals of every service add up."
GRADERS = [{"type": "max-repeat", "config": {"max": 3}}, {"type": "completed"}]

_TURN_SIZES = (1, 2, 4)
_TURN_SHARES = (72, 18, 10)

_encode = msgspec.json.encode


def long_run(n_calls: int, *, parallel: bool = True, seed: int = SEED) -> bytes:
    """One trajectory as a document.

    Args:
        n_calls: How many calls.
        parallel: Whether every fourth turn or so makes several calls; otherwise there are as many steps as calls.
        seed: Of the calls; another one makes another run.
    """
    return _trajectory(RUN, long_run_actions(n_calls, seed), Random(SEED + 1) if parallel else None)


def long_run_actions(n_calls: int, seed: int = SEED) -> Iterator[Action]:
    """The calls of `long_run`, however they are spread over turns."""
    return actions(n_calls, Random(seed))


def many_runs(n_runs: int, n_steps: int) -> Iterator[bytes]:
    """The lines of a results file: one long run cut into runs of one call a turn."""
    made = long_run_actions(n_runs * n_steps)
    for run in range(n_runs):
        name = f"run-{run:05}"
        yield _record(name, _trajectory(name, islice(made, n_steps), None)) + b"\n"


def write_results(path: Path, n_runs: int, n_steps: int) -> None:
    """Write `many_runs` to a file."""
    with path.open("wb") as file:
        file.writelines(many_runs(n_runs, n_steps))


def _record(name: str, trajectory: bytes) -> bytes:
    result = {"name": "max-repeat", "graderType": "max-repeat", "kind": "code", "score": 1, "passed": True}
    head = {
        "type": "trial-result",
        "itemId": f"bench::main::agent::{name}::trial-0",
        "evalName": "bench",
        "variant": "main",
        "stimulus": name,
        "model": "agent",
        "trialIndex": 0,
        "totalTrials": 1,
        "status": "success",
        "gradeResult": {"name": "all", "score": 1, "passed": True, "details": [result]},
    }
    return _encode(head)[:-1] + b',"trajectory":' + trajectory + b"}"


def _trajectory(name: str, made: Iterable[Action], random: Random | None) -> bytes:
    stimulus = {"name": name, "prompt": PROMPT, "graders": GRADERS}
    head = _encode({"id": name, "stimulus": stimulus})[:-1]
    tail = _encode({"output": "Done.", "workDir": "/work", "metadata": {"model": "agent", "executor": "scripted"}})[1:]
    return head + b',"events":[' + b",".join(map(_encode, _Story(random).events(made))) + b"]," + tail


@dataclass(slots=True)
class _Story:
    """The events around some calls; time goes on with each."""

    random: Random | None
    """Chance for the sizes of turns; None for one call a turn."""
    time_s: float = START_S
    n_calls: int = 0

    def events(self, made: Iterable[Action]) -> Iterator[dict[str, Any]]:
        yield self._event("user_message", content=PROMPT)
        remaining = iter(made)
        turn = 0
        while group := list(islice(remaining, self._turn_size())):
            yield self._event("turn_start", turnId=str(turn))
            yield from self._calls(group)
            yield self._event("turn_end", turnId=str(turn))
            turn += 1

    def _turn_size(self) -> int:
        return 1 if self.random is None else self.random.choices(_TURN_SIZES, _TURN_SHARES)[0]

    def _calls(self, group: list[Action]) -> Iterator[dict[str, Any]]:
        ids = [f"c{number}" for number in range(self.n_calls, self.n_calls + len(group))]
        self.n_calls += len(group)
        for call_id, action in zip(ids, group, strict=True):
            yield self._event("tool_call", toolName=action.tool, toolCallId=call_id, arguments=action.arguments)
        for call_id, action in zip(ids, group, strict=True):
            yield self._event(
                "tool_result", toolName=action.tool, toolCallId=call_id, success=action.success, result=action.result
            )

    def _event(self, kind: str, **data: Any) -> dict[str, Any]:
        self.time_s += 0.37
        time = datetime.fromtimestamp(self.time_s, UTC).isoformat(timespec="milliseconds")
        return {"type": kind, "timestamp": time.replace("+00:00", "Z"), "data": data}

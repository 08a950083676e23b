"""The recorder's own judgement: max-repeat by brute force, and the two other graders its evals use.

It shares no code with loopviz, so that a verdict recorded here is a second opinion. It knows only what this recorder
writes: every call stands in a turn, has an id of its own, and has one result after it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Any
Step = frozenset[str] | None
"""What a turn's watched calls amount to; None for an empty one."""
JUDGED_BY = "sample_runs/record.py"


@dataclass(frozen=True, slots=True)
class Repeat:
    """The pattern with the most copies in a row."""

    occurrences: int
    period: int | None
    tools: tuple[tuple[str, ...], ...] = ()
    """Per step of the pattern, the tools it calls."""

    @property
    def preview(self) -> str:
        return " → ".join(" + ".join(tools) for tools in self.tools)


def max_repeat(trajectory: Mapping[str, Json], config: Mapping[str, Json]) -> Repeat:
    """Count the longest row of copies by trying every start and every period."""
    bound, match = config.get("max_cycle_period", 1), config.get("match", "observation")
    turns = watched_turns(trajectory["events"], config.get("tools", [""]))
    steps = [_step(calls, match, bound) for calls in turns]
    best = Repeat(0, None)
    for period in range(1, bound + 1):
        for start in range(len(steps) - period + 1):
            copies = _copies(steps, start, period)
            if copies > best.occurrences:
                tools = tuple(tuple(sorted({call["toolName"] for call in turn})) for turn in turns[start:][:period])
                best = Repeat(copies, period, tools)
    return best


def watched_turns(events: Sequence[Mapping[str, Json]], patterns: Sequence[str]) -> list[list[dict[str, Json]]]:
    """The watched calls of each turn, each with its result under `result`; turns without any are left out."""
    turns: list[list[dict[str, Json]]] = []
    calls: dict[str, dict[str, Json]] = {}
    for event in events:
        data = event.get("data", {})
        if event["type"] == "turn_start":
            turns.append([])
        elif event["type"] == "tool_call" and any(re.search(p, data["toolName"]) for p in patterns):
            calls[data["toolCallId"]] = dict(data)
            turns[-1].append(calls[data["toolCallId"]])
        elif event["type"] == "tool_result" and data["toolCallId"] in calls:
            calls[data["toolCallId"]]["result"] = data["result"]
    return [turn for turn in turns if turn]


def grade(trajectory: Mapping[str, Json], grader: Mapping[str, Json]) -> dict[str, Json]:
    """One grader's result in Vally's form, for the three types that the samples use."""
    judge = {"max-repeat": _grade_max_repeat, "completed": _grade_completed, "output-matches": _grade_output}
    passed, evidence, metadata = judge[grader["type"]](trajectory, grader.get("config", {}))
    named = {"configuredName": grader["name"]} if "name" in grader else {}
    return {
        "name": grader.get("name", grader["type"]),
        "graderType": grader["type"],
        **named,
        "kind": "code",
        "score": int(passed),
        "passed": passed,
        "evidence": f"{evidence} Judged by {JUDGED_BY}.",
        "metadata": {"judged_by": JUDGED_BY, **metadata},
    }


def grade_all(
    trajectory: Mapping[str, Json],
    graders: Sequence[Mapping[str, Json]],
    weights: Mapping[str, float] | None = None,
) -> dict[str, Json]:
    """The trial's own result: every grader's beside the weighted score; `weights` go by grader type, 1 where silent."""
    details = [grade(trajectory, grader) for grader in graders]
    weight = [(weights or {}).get(detail["graderType"], 1) for detail in details]
    score = sum(w * d["score"] for w, d in zip(weight, details, strict=True)) / sum(weight)
    failed = [detail["name"] for detail in details if not detail["passed"]]
    return {
        "name": trajectory["stimulus"]["name"],
        "kind": "code",
        "score": round(score, 4),
        "passed": not failed,
        "evidence": f"{len(details) - len(failed)} of {len(details)} graders passed"
        + (f"; failed: {', '.join(failed)}" if failed else ""),
        "details": details,
        "stimulusName": trajectory["stimulus"]["name"],
        "trajectoryId": trajectory["id"],
        "timestamp": trajectory["metadata"]["completedAt"],
    }


def _copies(steps: Sequence[Step], start: int, period: int) -> int:
    pattern = steps[start : start + period]
    if None in pattern:
        return 0
    copies = 1
    while steps[start + copies * period : start + (copies + 1) * period] == pattern:
        copies += 1
    return copies


def _step(calls: Sequence[Mapping[str, Json]], match: str, bound: int) -> Step:
    if match == "observation":
        empty = [call["result"] == "" for call in calls]
        if all(empty) or (bound > 1 and any(empty)):
            return None
        calls = [call for call in calls if call["result"] != ""]
    field = {"observation": "result", "name-args": "arguments", "name": "toolName"}[match]
    return frozenset(json.dumps([call["toolName"], call[field]], sort_keys=True) for call in calls)


def _grade_max_repeat(trajectory: Mapping[str, Json], config: Mapping[str, Json]) -> tuple[bool, str, dict[str, Json]]:
    found = max_repeat(trajectory, config)
    passed = found.occurrences <= config["max"]
    if passed:
        evidence = f"At most {found.occurrences} in a row; {config['max']} allowed."
    elif found.period == 1:
        evidence = f"'{found.preview}' repeated {found.occurrences} times in a row; {config['max']} allowed."
    else:
        evidence = (
            f"Pattern '{found.preview}' (period {found.period}) occurred {found.occurrences} times in a row; "
            f"{config['max']} allowed."
        )
    metadata = {
        "max_cycle_period": config.get("max_cycle_period", 1),
        "pattern_preview": found.preview,
        "occurrences": found.occurrences,
    }
    return passed, evidence, metadata


def _grade_completed(trajectory: Mapping[str, Json], config: Mapping[str, Json]) -> tuple[bool, str, dict[str, Json]]:
    reason = trajectory["endReason"]
    return reason == "completed", f"The run ended with '{reason}'.", {}


def _grade_output(trajectory: Mapping[str, Json], config: Mapping[str, Json]) -> tuple[bool, str, dict[str, Json]]:
    found = re.search(config["pattern"], trajectory["output"])
    return bool(found), f"The final text {'has' if found else 'lacks'} '{config['pattern']}'.", {}

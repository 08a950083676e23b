"""Recorded runs for the tests of reports: one with a text in every place that has one, in both of Vally's forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

from loopviz.analysis.lines import Question
from loopviz.model import Json, Trajectory
from loopviz.readers import read_bytes
from loopviz.report.export import Export
from loopviz.report.page import Page, make_page

DAY = date(2026, 11, 30)
PLAIN = Export(date=DAY)
N_SAME = 5
"""Times that the same call gives the same output."""


def trajectory(n_same: int = N_SAME, **fields: Any) -> dict[str, Any]:
    """A run in which `npm test` fails some times in a row, with an event of every kind."""
    return {
        "id": "fix-cart-1",
        "stimulus": {
            "name": "fix-cart",
            "prompt": "Make the cart add up.",
            "graders": [
                {"type": "max-repeat", "name": "no-circles", "config": {"max": 3}},
                {"type": "max-repeat", "name": "no-pairs", "config": {"max": 9, "max_cycle_period": 2}},
                {"type": "model-judge", "name": "tidy", "config": {"rubric": "Is the code tidy?"}},
            ],
            "environment": {"workDir": "/home/ada/cart", "variables": {"STAGE": "night"}},
        },
        "events": [*_beginning(), *_loop(n_same), *_ending()],
        "metrics": {"wallTimeMs": 196_000},
        "metadata": {"model": "model-b", "workingDirectory": "/home/ada/cart", "sessionFile": "/home/ada/s.jsonl"},
        "output": "The cart still does not add up.",
        "endReason": "gave up",
        **fields,
    }


def _beginning() -> list[Json]:
    return [
        {"type": "user_message", "data": {"content": "Please hurry."}},
        {"type": "skill_activation", "data": {"name": "testing", "path": "/home/ada/skills/testing"}},
        {"type": "system", "data": {"subtype": "compaction", "message": "Older messages were compacted."}},
        {"type": "custom", "data": {"type": "truncated", "text": "The output was truncated here."}},
        {"type": "checkpoint_made", "data": {"label": "before the tests"}},
        *_turn(
            0, "read_file", {"path": "src/cart.js", "lines": {"first": 1}}, "let total = 0", said="Look at it first."
        ),
    ]


def _loop(n_same: int) -> list[Json]:
    told: list[Json] = []
    for place in range(n_same):
        said = f"Perhaps it helps the {place + 1}. time."
        told += _turn(place + 1, "bash", {"command": "npm test"}, "2 failing: cart totals", said=said, failed=True)
    return told


def _ending() -> list[Json]:
    told: list[Json] = [{"type": "error", "data": {"type": "quota", "message": "No tokens are left."}}]
    for place in range(3):  # the same call with an output that differs in one field
        told += _turn(20 + place, "poll", {"job": "deploy"}, {"state": "waiting", "request_id": f"r-{place}"})
    return [*told, {"type": "assistant_message", "data": {"content": "I leave it at that."}}]


def _turn(
    number: int, tool: str, arguments: Json, output: Json, *, said: str | None = None, failed: bool = False
) -> list[Json]:
    call = {"toolName": tool, "toolCallId": f"id-{number}", "arguments": arguments}
    thought = [
        {"type": "reasoning", "data": {"content": said}},
        {"type": "assistant_message", "data": {"content": said}},
    ]
    return [
        {"type": "turn_start", "data": {"turnId": f"turn-{number}"}},
        *(thought if said else []),
        {"type": "token_usage", "data": {"inputTokens": 900, "outputTokens": 20, "model": "model-b"}},
        {"type": "tool_call", "data": call},
        {"type": "tool_result", "data": {"toolCallId": f"id-{number}", "success": not failed, "result": output}},
        {"type": "turn_end", "data": {"turnId": f"turn-{number}"}},
    ]


def record(n_same: int = N_SAME) -> dict[str, Any]:
    """The same run as a trial of a results file, graded."""
    return {
        "type": "trial-result",
        "itemId": "nightly::fix-cart::1",
        "evalName": "nightly",
        "variant": "main",
        "stimulus": "fix-cart",
        "model": "model-b",
        "trialIndex": 1,
        "totalTrials": 3,
        "status": "success",
        "durationMs": 196_000,
        "error": "The sandbox went away.",
        "trajectory": trajectory(n_same),
        "gradeResult": {
            "name": "weighted",
            "passed": False,
            "score": 0.42,
            "evidence": "The tests still fail.",
            "details": [
                {
                    "name": "max-repeat",
                    "graderType": "max-repeat",
                    "configuredName": "no-circles",
                    "passed": False,
                    "score": 0,
                    "evidence": "npm test came again and again",
                    "label": "loops",
                    "metadata": {"pattern": ["npm test"]},
                }
            ],
        },
    }


FORMS: dict[str, Callable[[], dict[str, Any]]] = {"a trajectory": trajectory, "a trial": record}


def read(*documents: Json, name: str = "/home/ada/runs/results.jsonl") -> tuple[Trajectory, ...]:
    """The runs of a file with these documents, a line each."""
    data = "".join(json.dumps(document) + "\n" for document in documents).encode()
    return read_bytes(data, name).trajectories


def report(document: Json, export: Export = PLAIN, question: Question | None = None, **options: Any) -> Page:
    """The report of a recorded run."""
    (run,) = read(document)
    return make_page(run, question or Question(), export, **options)

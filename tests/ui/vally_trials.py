"""Results files in Vally's format, written from a few words, for tests of the pages that show many runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Said = bool | None


def trial(
    steps: str,
    *,
    stimulus: str = "fix-failing-test",
    number: int = 0,
    model: str = "large-3",
    status: str = "success",
    graders: Sequence[dict[str, Any]] = ({"max": 3},),
    said: Said = None,
    score: float | None = None,
    tokens: int = 12_000,
    cost: float = 0.25,
    duration_s: float = 196,
    tools: str = "",
    text: str = "",
) -> dict[str, Any]:
    """One trial.

    Args:
        steps: A letter a turn; the same letter is the same call with the same output, `_` an empty output.
        stimulus: Its name.
        number: Of the trial, from 0.
        graders: The configs of the stimulus's max-repeat graders.
        said: What the file says of each of them; None for no verdict at all.
        score: The trial's own; it passes from 0.7 on.
        tools: Names of the tools by letter, separated by spaces: `npm_test read_file` for `a` and `b`.
        text: Stands in every output.
    """
    names = tools.split()
    run = f"{stimulus}-trial-{number}"
    record: dict[str, Any] = {
        "type": "trial-result",
        "itemId": f"set::{run}",
        "evalName": "set",
        "variant": "main",
        "stimulus": stimulus,
        "model": model,
        "trialIndex": number,
        "totalTrials": 5,
        "status": status,
        "durationMs": round(duration_s * 1000),
        "trajectory": {
            "id": run,
            "stimulus": _stimulus(stimulus, graders),
            "events": list(_events(steps, names, text)),
            "metrics": {
                "tokenUsage": {
                    "inputTokens": tokens - 100,
                    "outputTokens": 100,
                    "totalTokens": tokens,
                    "cost": {"provider": "p", "unit": "usd", "amount": cost},
                },
                "wallTimeMs": round(duration_s * 1000),
            },
            "output": "Done.",
            "endReason": "completed",
        },
    }
    if said is not None or score is not None:
        record["gradeResult"] = _grade(stimulus, graders, said, score)
    return record


def without_trajectory(*, stimulus: str = "update-dependency", number: int = 0, **fields: Any) -> dict[str, Any]:
    """A trial that never came to a trajectory."""
    record = trial("", stimulus=stimulus, number=number, status="error", **fields)
    return {**record, "trajectory": None, "error": "The workspace could not be set up.", "durationMs": 600_000}


def write(path: Path, records: Iterable[dict[str, Any]], *, threshold: float | None = 0.7) -> Path:
    """A results file of these trials, with a run summary at its end."""
    lines = [json.dumps(record) for record in records]
    summary = {
        "type": "run-summary",
        "passed": True,
        "evals": [{"name": "set", "passed": True, "threshold": threshold}],
    }
    path.write_text("\n".join([*lines, json.dumps(summary)]) + "\n", "utf-8")
    return path


def _stimulus(name: str, graders: Sequence[dict[str, Any]]) -> dict[str, Any]:
    listed = [
        {"type": "max-repeat", "name": f"grader-{place}", "config": config} for place, config in enumerate(graders)
    ]
    return {"name": name, "prompt": f"Do {name}.", "graders": listed}


def _events(steps: str, names: Sequence[str], text: str) -> Iterable[dict[str, Any]]:
    for place, step in enumerate(steps):
        tool = names[ord(step) - ord("a")] if step.isalpha() and ord(step) - ord("a") < len(names) else f"tool_{step}"
        call = f"call_{place + 1:03d}"
        yield {"type": "turn_start", "data": {"turnId": str(place)}}
        yield {
            "type": "tool_call",
            "data": {"toolName": tool, "toolCallId": call, "arguments": {"of": step, "n": place}},
        }
        result = "" if step == "_" else f"output of {step} {text}"
        yield {
            "type": "tool_result",
            "data": {"toolName": tool, "toolCallId": call, "success": True, "result": result},
        }
        yield {"type": "turn_end", "data": {"turnId": str(place)}}


def _grade(name: str, graders: Sequence[dict[str, Any]], said: Said, score: float | None) -> dict[str, Any]:
    passed = score is None or score >= 0.7
    details = [
        {
            "name": f"grader-{place}",
            "graderType": "max-repeat",
            "configuredName": f"grader-{place}",
            "passed": said,
            "score": int(bool(said)),
            "evidence": "as the file says",
        }
        for place in range(len(graders))
        if said is not None
    ]
    return {"name": name, "score": score, "passed": passed, "evidence": "", "details": details}

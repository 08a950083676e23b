"""The three forms in which Vally keeps a run: a bare trajectory, an EvalOutcome, and a line of results.jsonl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.session import MODEL

Json = Any


def outcome(trajectory: Mapping[str, Json], grade: Mapping[str, Json]) -> dict[str, Json]:
    return {"status": "success", "trajectory": trajectory, "gradeResult": grade}


def trial_record(
    trajectory: Mapping[str, Json] | None,
    grade: Mapping[str, Json] | None,
    *,
    eval_name: str,
    stimulus: str,
    trial: int = 0,
    trials: int = 1,
    error: str | None = None,
) -> dict[str, Json]:
    """A line of results.jsonl; without a trajectory it says in `error` what went wrong."""
    return {
        "type": "trial-result",
        "itemId": f"{eval_name}::main::{MODEL}::{stimulus}::trial-{trial}",
        "evalName": eval_name,
        "variant": "main",
        "stimulus": stimulus,
        "model": MODEL,
        "trialIndex": trial,
        "totalTrials": trials,
        "status": "success" if trajectory else "error",
        "durationMs": trajectory["metrics"]["wallTimeMs"] if trajectory else 0,
        **({"error": error} if error else {}),
        "trajectory": trajectory,
        "gradeResult": grade,
    }


def run_summary(records: Sequence[Mapping[str, Json]], *, eval_name: str, threshold: float) -> dict[str, Json]:
    """The last line of results.jsonl: how the whole evaluation went."""
    scores = [record["gradeResult"]["score"] if record["gradeResult"] else 0 for record in records]
    overall = round(sum(scores) / len(scores), 4)
    broken = any(record["status"] == "error" for record in records)
    stimuli = len({record["stimulus"] for record in records})
    return {
        "type": "run-summary",
        "passed": overall >= threshold and not broken,
        "hadExecutionErrors": broken,
        "evals": [
            {
                "name": eval_name,
                "passed": overall >= threshold,
                "scoringApplied": True,
                "overallScore": overall,
                "threshold": threshold,
                "stimuliRun": stimuli,
                "stimuliTotal": stimuli,
            }
        ],
    }

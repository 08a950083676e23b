"""From a story to a recorded file: run it, check what it claims, wrap it as Vally would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.clock import ScriptedClock
from agent.documents import compact, document
from agent.judge import Repeat, grade_all, max_repeat
from agent.records import outcome, run_summary, trial_record
from agent.session import Session
from agent.workspace import Workspace
from stories.nightly import EVAL_NAME, STIMULI, THRESHOLD, WEIGHTS, Stimulus, Trial
from stories.sample import Sample

Json = Any
FIRST_DAY = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)
NIGHT = datetime(2026, 11, 29, 1, 30, tzinfo=UTC)
OLD_GRADER = " It was judged as by a grader that knows no patterns longer than 1: a deliberate disagreement."


class WrongClaim(Exception):
    """A recorded run does not show what its lesson says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One max-repeat grader on one run: what the recorder finds, and what the file says."""

    run: str
    grader: str
    settings: Mapping[str, Json]
    found: Repeat
    recorded: bool | None

    @property
    def passed(self) -> bool:
        return bool(self.found.occurrences <= self.settings["max"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A file, ready to be written, with what there is to say about it."""

    text: str
    calls: int
    verdicts: tuple[Verdict, ...]


def record_sample(sample: Sample, number: int) -> Recorded:
    """Run one sample; its claims are checked by brute force before anything is written.

    Raises:
        WrongClaim: when a figure differs from the one its lesson names.
    """
    clock = ScriptedClock(FIRST_DAY + timedelta(days=number, minutes=17 * number))
    with Workspace(sample.project) as workspace:
        session = Session(sample.run, sample.stimulus(), workspace, clock)
        sample.story(session)
    trajectory = session.trajectory()
    _check_claims(sample, trajectory)
    graders = sample.stimulus()["graders"]
    grade = grade_all(trajectory, graders)
    found = max_repeat(trajectory, sample.config)
    recorded = None if sample.form == "trajectory" else bool(grade["details"][0]["passed"])
    verdict = Verdict(run=sample.run, grader="max-repeat", settings=sample.config, found=found, recorded=recorded)
    return Recorded(text=_wrapped(sample, trajectory, grade), calls=session.calls.total(), verdicts=(verdict,))


def record_nightly() -> Recorded:
    """Run every trial of the nightly evaluation, one after the other, into one results.jsonl."""
    records: list[dict[str, Json]] = []
    verdicts: list[Verdict] = []
    calls = 0
    for stimulus in STIMULI:
        for index, trial in enumerate(stimulus.trials):
            record = _record_trial(stimulus, trial, index, NIGHT + timedelta(minutes=9 * len(records)))
            records.append(record)
            if record["trajectory"]:
                calls += record["trajectory"]["metrics"]["toolCallCount"]
                verdicts += _verdicts(record)
    lines = [*records, run_summary(records, eval_name=EVAL_NAME, threshold=THRESHOLD)]
    return Recorded(text="".join(compact(line) + "\n" for line in lines), calls=calls, verdicts=tuple(verdicts))


def _record_trial(stimulus: Stimulus, trial: Trial, index: int, start: datetime) -> dict[str, Json]:
    clock = ScriptedClock(start)
    files = {path: text for path, text in stimulus.project.items() if path not in trial.missing}
    place: dict[str, Json] = {"stimulus": stimulus.name, "trial": index, "trials": len(stimulus.trials)}
    with Workspace(files) as workspace:
        status, printed = workspace.run(list(stimulus.setup), clock.stamp()) if stimulus.setup else (0, "")
        if status:
            error = f"Setting up the workspace failed with status {status}: {printed.strip()}"
            return trial_record(None, None, eval_name=EVAL_NAME, error=error, **place)
        session = Session(f"{stimulus.name}-trial-{index}", stimulus.spec(), workspace, clock)
        trial.story(session)
    trajectory = session.trajectory()
    return trial_record(trajectory, _judge(trajectory, trial), eval_name=EVAL_NAME, **place)


def _judge(trajectory: Mapping[str, Json], trial: Trial) -> dict[str, Json]:
    graders = trajectory["stimulus"]["graders"]
    if trial.judged_with is None:
        return grade_all(trajectory, graders, WEIGHTS)
    changed = [
        {**g, "config": {**g["config"], **trial.judged_with}} if g["type"] == "max-repeat" else g for g in graders
    ]
    result = grade_all(trajectory, changed, WEIGHTS)
    for detail in result["details"]:
        if detail["graderType"] == "max-repeat":
            detail["evidence"] += OLD_GRADER
            detail["metadata"]["deliberate_disagreement"] = True
    return result


def _verdicts(record: Mapping[str, Json]) -> list[Verdict]:
    trajectory = record["trajectory"]
    recorded = {detail["name"]: detail["passed"] for detail in record["gradeResult"]["details"]}
    return [
        Verdict(
            run=trajectory["id"],
            grader=grader["name"],
            settings=grader["config"],
            found=max_repeat(trajectory, grader["config"]),
            recorded=recorded[grader["name"]],
        )
        for grader in trajectory["stimulus"]["graders"]
        if grader["type"] == "max-repeat"
    ]


def _check_claims(sample: Sample, trajectory: Mapping[str, Json]) -> None:
    found = max_repeat(trajectory, sample.config)
    claims: list[tuple[Mapping[str, Json], Json, Json]] = [
        (sample.config, (sample.claim.occurrences, sample.claim.period), (found.occurrences, found.period))
    ]
    for what_if in sample.what_if:
        settings: Mapping[str, Json] = {**sample.config, **what_if.changes}
        claims.append((settings, what_if.occurrences, max_repeat(trajectory, settings).occurrences))
    for used, claimed, counted in claims:
        if claimed != counted:
            raise WrongClaim(f"{sample.file} under {dict(used)}: claims {claimed}, holds {counted}")


def _wrapped(sample: Sample, trajectory: Mapping[str, Json], grade: Mapping[str, Json]) -> str:
    if sample.form == "trial":
        return compact(trial_record(trajectory, grade, eval_name="samples", stimulus=sample.run)) + "\n"
    return document(outcome(trajectory, grade) if sample.form == "outcome" else trajectory)

"""The index that programs read and the README that people read, both made from what was recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent.judge import JUDGED_BY
from recording import Recorded, Verdict
from stories.sample import Sample

Json = Any
NIGHTLY_FILE = "nightly/results.jsonl"
NIGHTLY_SPEC = "nightly/eval.yaml"
NIGHTLY_TITLE = "A whole night of trials"
NIGHTLY_LESSON = (
    "Five stimuli, seventeen trials, each with its own limits: three fail max-repeat, one of them passes on its score"
    " all the same, one has no trajectory, and one recorded verdict is wrong on purpose."
)
DISAGREEMENT = {
    "file": NIGHTLY_FILE,
    "run": "answer-from-docs-trial-1",
    "grader": "no-circles",
    "recorded": "pass",
    "recomputed": "fail",
    "why": "Recorded as by a grader that knows no patterns longer than 1, though its settings ask for 2.",
}


def index(samples: Sequence[Sample], recorded: Mapping[str, Recorded]) -> str:
    """`index.json`: file, lesson and exact figures of every sample, in reading order."""
    entries = [_entry(order, sample, recorded[sample.file]) for order, sample in enumerate(samples, 1)]
    entries.append(_nightly_entry(len(entries) + 1, recorded[NIGHTLY_FILE]))
    about = {
        "recorded_by": "python sample_runs/record.py",
        "judged_by": JUDGED_BY,
        "default": samples[0].file,
        "disagreement": DISAGREEMENT,
        "samples": entries,
    }
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"


def readme(samples: Sequence[Sample], recorded: Mapping[str, Recorded]) -> str:
    rows = [_row(sample.file, sample.title, sample.lesson, recorded[sample.file]) for sample in samples]
    rows.append(_row(NIGHTLY_FILE, NIGHTLY_TITLE, NIGHTLY_LESSON, recorded[NIGHTLY_FILE]))
    return README.format(rows="\n".join(rows), **DISAGREEMENT)


def _entry(order: int, sample: Sample, recorded: Recorded) -> dict[str, Json]:
    return {
        "order": order,
        "file": sample.file,
        "run": sample.run,
        "title": sample.title,
        "lesson": sample.lesson,
        "tags": list(sample.tags),
        "form": sample.form,
        "calls": recorded.calls,
        "expected": [_expected(verdict) for verdict in recorded.verdicts],
        "what_if": [
            {"settings": {**sample.config, **one.changes}, "occurrences": one.occurrences} for one in sample.what_if
        ],
        "without_empty": sample.without_empty,
        "guards": {"escalation_level": sample.guards.level, "thrash": sample.guards.thrash},
    }


def _nightly_entry(order: int, recorded: Recorded) -> dict[str, Json]:
    return {
        "order": order,
        "file": NIGHTLY_FILE,
        "eval_spec": NIGHTLY_SPEC,
        "run": None,
        "title": NIGHTLY_TITLE,
        "lesson": NIGHTLY_LESSON,
        "tags": ["many runs", "several graders", "recorded verdict", "disagreement", "not judged"],
        "form": "trial",
        "calls": recorded.calls,
        "expected": [_expected(verdict) for verdict in recorded.verdicts],
        "not_judged": ["nightly::main::scripted-agent::update-config::trial-1"],
        "what_if": [],
        "without_empty": None,
        "guards": None,
    }


def _expected(verdict: Verdict) -> dict[str, Json]:
    return {
        "run": verdict.run,
        "grader": verdict.grader,
        "settings": dict(verdict.settings),
        "occurrences": verdict.found.occurrences,
        "period": verdict.found.period,
        "passed": verdict.passed,
        "recorded": verdict.recorded,
    }


def _row(file: str, title: str, lesson: str, recorded: Recorded) -> str:
    return f"| [{title}]({file}) | {lesson} | {_summary(recorded.verdicts)} |"


def _summary(verdicts: Sequence[Verdict]) -> str:
    if len(verdicts) > 1:
        failed = len({verdict.run for verdict in verdicts if not verdict.passed})
        return f"{failed} of {len({verdict.run for verdict in verdicts})} runs fail"
    (one,) = verdicts
    return f"{'pass' if one.passed else 'FAIL'}, {one.found.occurrences} in a row, {one.settings['max']} allowed"


README = """\
# Sample runs

Recorded runs in Vally's format, one lesson each. Start with the first. `index.json` holds the same list for programs,
with the exact figures and settings.

| run | what it teaches | max-repeat, as set in the run |
|---|---|---|
{rows}

## How they were made

A small scripted agent recorded them. What it thinks and which calls it makes is written down in `stories/`; the tools
in `agent/tools.py` really run, on tiny made-up projects in a temporary folder: files are read and changed, tests and
commands executed, background jobs started and asked. Times come from a scripted clock, token counts are estimated from
the length of the texts, prices are made up. Each file says so under `metadata.scripted`.

    python sample_runs/record.py            # record them again
    python sample_runs/record.py --check    # only say which files would change

Recording gives the same bytes every time. It needs a POSIX shell with the usual small programs, and Python alone.

## Recorded verdicts

Where a file carries a verdict (`gradeResult`), the recorder judged it, not Vally: by brute force in `agent/judge.py`,
which shares no code with loopviz. The evidence names the recorder.

One verdict differs on purpose: `{run}` in `{file}`, grader `{grader}`, is recorded as a {recorded}
and is a {recomputed} when computed again. {why}

`nightly/eval.yaml` holds the settings that judged `nightly/results.jsonl`; the other runs carry theirs inside.
"""

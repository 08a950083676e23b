"""Rows of an export: the words of `grade --json` first, then what the run is, its cycles and its stop point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopviz import cli
from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.config import Config, Overrides
from loopviz.report.export import Export
from loopviz.report.looking import look
from loopviz.report.rows import rows_by_question, rows_of
from loopviz.report.stopping import first_stop
from loopviz.settings import EscalationSettings, ThrashSettings
from tests.report.recorded import DAY, PLAIN, read, record, trajectory
from tests.ui.vally_trials import trial, without_trajectory

ADDED = ("about", "cycles", "stop")
DOCUMENTS = [trajectory(), record(), trial("ab"), without_trajectory(), {**trajectory(), "stimulus": {}}]
GUARDS = Config(escalation=EscalationSettings(), thrash=ThrashSettings())


def rows(question: Question, export: Export = PLAIN, documents: Any = DOCUMENTS) -> list[dict[str, Any]]:
    return [row for one in rows_of(RunSet(read(*documents)), question, export) for row in one.rows]


@pytest.mark.parametrize(
    ("options", "question"),
    [
        pytest.param([], Question(), id="as recorded"),
        pytest.param(["--max", "1"], Question(overrides=Overrides(max=1)), id="given settings"),
        pytest.param(["--config", "c.yaml"], Question(config=GUARDS), id="guards"),
    ],
)
@pytest.mark.parametrize("masked", [True, False])
def test_their_first_part_is_what_grade_prints(
    options: list[str],
    question: Question,
    masked: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    documents = [*DOCUMENTS, trajectory(id="password=hunter2hunter2")]
    (tmp_path / "c.yaml").write_text("{escalation: {}, thrash: {}}", "utf-8")
    data = "".join(json.dumps(document) + "\n" for document in documents)
    (tmp_path / "results.jsonl").write_text(data, "utf-8")
    cli.main(["grade", "results.jsonl", "--json", *options, *([] if masked else ["--no-mask"])])
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    runs = RunSet(read(*documents, name="results.jsonl"))
    told = [row for one in rows_of(runs, question, Export(date=DAY, masked=masked)) for row in one.rows]
    assert [{key: value for key, value in row.items() if key not in ADDED} for row in told] == printed
    assert all(list(row)[-3:] == list(ADDED) for row in told)


def test_a_cycle_is_told_by_its_calls() -> None:
    (row, _) = rows(Question(), documents=[trajectory()])
    assert row["cycles"] == [
        {"pattern": ["bash"], "occurrences": 5, "over": True, "first_call": 2, "last_call": 6, "ended_by": "different"}
    ]


def test_what_the_run_is() -> None:
    row = rows(Question(), documents=[record()])[0]
    about = {"stimulus": "fix-cart", "trial": 2, "variant": "main", "model": "model-b", "passed": False}
    assert row["about"] == {**about, "turns": 9, "calls": 9, "tokens": 8280, "cost": None, "seconds": 196.0}


def test_the_stop_point_is_that_of_the_report() -> None:
    for document in (trajectory(), trajectory(1), trajectory(12), record(), trial("abababab")):
        for own in (2, 9):
            question = Question(overrides=Overrides(max=own))
            (run,) = read(document)
            found = look(run, question, PLAIN).found
            assert found is not None
            stop = first_stop(run, found.ladder, found.thrash)
            (row,) = rows(question, documents=[document])
            assert row["stop"] == (None if stop is None else stop.told)


def test_a_run_is_what_its_worst_row_is() -> None:
    told = rows_of(RunSet(read(*DOCUMENTS)), Question(), PLAIN)
    assert [one.passed for one in told] == [False, False, True, None, None]
    assert [one.deciding["name"] for one in told[:2]] == ["no-circles", "no-circles"]
    assert [one.heading for one in told[:2]] == ["fix-cart", "fix-cart, trial 2"]


def test_runs_of_several_questions_stay_in_their_order() -> None:
    strict, own = Question(overrides=Overrides(max=1)), Question()
    runs = read(trajectory(), trial("aaab"), record())
    asked = [(runs[0], strict), (runs[1], own), (runs[2], Question(overrides=Overrides(max=1)))]
    alone = [rows_of(RunSet([run]), question, PLAIN)[0] for run, question in asked]
    assert rows_by_question(asked, PLAIN) == alone


@pytest.mark.parametrize(
    ("document", "question", "evidence"),
    [
        pytest.param(without_trajectory(), Question(), "The file holds no run that can be judged.", id="no run"),
        pytest.param({**trajectory(), "stimulus": {}}, Question(), "it records no max-repeat grader", id="no grader"),
        pytest.param(
            {**trajectory(), "stimulus": {"graders": [{"type": "max-repeat", "config": {"max": "ducks"}}]}},
            Question(),
            "The grader's settings are refused.",
            id="a refused grader",
        ),
    ],
)
def test_a_redacted_row_says_why_there_is_no_verdict_in_our_own_words(
    document: Any, question: Question, evidence: str
) -> None:
    (row,) = rows(question, Export(date=DAY, redact=True), [document])
    assert row["evidence"].startswith(f"Not judged: {evidence}") and "ducks" not in str(row)

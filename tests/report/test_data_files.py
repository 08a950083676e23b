"""CSV and JSON: stable columns, no formula, and nothing lost on the way."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.report.data_files import COLUMNS, make_csv, make_json
from loopviz.report.export import Export
from loopviz.report.rows import rows_of
from tests.report.recorded import DAY, PLAIN, read, record, trajectory
from tests.ui.vally_trials import without_trajectory

README = Path(__file__).resolve().parents[2] / "README.md"


def table(*documents: Any, export: Export = PLAIN) -> list[dict[str, str]]:
    told = rows_of(RunSet(read(*documents)), Question(), export)
    return list(csv.DictReader(io.StringIO(make_csv((row for one in told for row in one.rows), export))))


def test_a_line_for_each_run_and_grader() -> None:
    lines = table(trajectory(), without_trajectory())
    assert [(line["name"], line["passed"]) for line in lines] == [
        ("no-circles", "false"),
        ("no-pairs", "true"),
        ("max-repeat", ""),
    ]
    first = lines[0]
    assert first["pattern"] == "bash" and first["cycles"] == "5 × bash (2–6)"
    assert (first["occurrences"], first["max"], first["at_call"], first["at_line"]) == ("5", "3", "5", "1")
    assert (first["stop_guard"], first["stop_call"], first["calls_after"]) == ("thrash", "4", "5")
    assert lines[2]["evidence"] == "Not judged: The record holds no trajectory."


def test_the_columns_are_those_of_the_readme() -> None:
    """They are a promise to whoever reads the file by program."""
    told = README.read_text("utf-8")
    assert " ".join([*COLUMNS, "note"]) in " ".join(told.replace("`", "").split())


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        pytest.param("fix-cart", "fix-cart", id="a name"),
        pytest.param("=1+1", "'=1+1", id="a formula"),
        pytest.param('a;"=1+1;"', 'a;\'"=1+1;"', id="a formula in a cell of other separators"),
        pytest.param("+1", "'+1", id="a plus"),
        pytest.param("-1", "'-1", id="a minus"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="an at"),
        pytest.param("\t=1", "'\t'=1", id="behind a tab"),
        pytest.param("  =1", "'  =1", id="behind blanks"),
        pytest.param("a;=1", "a;'=1", id="in another cell of another separator"),
        pytest.param("a\n=1", "a\n'=1", id="on a line of its own"),
        pytest.param("\uff1d1", "'\uff1d1", id="a wide sign"),
        pytest.param('a"b,c', 'a"b,c', id="quotation marks and commas"),
        pytest.param("a\x1b[31m\u202eb", "a\\x1b[31m\\u202eb", id="what nobody would see"),
        pytest.param("a=b; c-d", "a=b; c-d", id="signs that begin nothing"),
    ],
)
def test_no_text_is_a_formula(name: str, cell: str) -> None:
    document = {**record(), "model": name or None}
    assert {line["model"] for line in table(document)} == {cell}


def test_the_note_stands_in_every_line() -> None:
    assert {line["note"] for line in table(record(), export=Export(date=DAY, note="=look "))} == {"'=look"}


def test_json_holds_the_rows_as_they_are() -> None:
    told = rows_of(RunSet(read(record())), Question(), PLAIN)
    made = json.loads(make_json(told[0].rows, [("a.json", "It holds ducks.")], Export(date=DAY, note=" Look ")))
    assert made["findings"] == told[0].rows
    assert made["unread"] == [{"file": "a.json", "reason": "It holds ducks."}]
    assert (made["date"], made["note"], made["redacted"], made["masked"]) == ("2026-11-30", "Look", False, True)


def test_a_half_of_a_pair_in_a_name_can_be_written() -> None:
    document = record()
    for event in document["trajectory"]["events"]:
        if event["type"] == "tool_call":
            event["data"]["toolName"] = "bash\ud800"
    told = rows_of(RunSet(read(document)), Question(), PLAIN)
    make_csv(told[0].rows, PLAIN).encode("utf-8")
    make_json(told[0].rows, (), PLAIN).encode("utf-8")

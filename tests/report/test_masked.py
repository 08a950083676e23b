"""Secrets are masked in every export: one is planted in every text of a run, and searched for in all that comes out."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from loopviz import cli
from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.masking import MASK
from loopviz.report.export import Export
from loopviz.report.formats import FORMATS
from loopviz.report.index import entry, make_index
from loopviz.report.names import file_name
from loopviz.report.rows import rows_of
from tests.report.exporting import every_export
from tests.report.planting import Planter
from tests.report.recorded import DAY, FORMS, PLAIN, read, report, trajectory

OPEN = Export(date=DAY, masked=False)


class Secrets:
    """Something that looks like a key of a code host, another for each text."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.secrets: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        secret = self.secrets.setdefault(text, f"ghp_{next(self._numbers):06d}ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return f"{text} {secret}"

    def found_in(self, *outputs: str) -> set[str]:
        """The texts whose secrets an output has, half of one included."""
        return {
            text for text, secret in self.secrets.items() if any(secret[:10].lower() in out.lower() for out in outputs)
        }


def planted(form: str) -> tuple[dict[str, Any], Secrets]:
    secrets = Secrets()
    return Planter(secrets).plant(FORMS[form]()), secrets


@pytest.mark.parametrize("redact", [pytest.param(False, id="as it is"), pytest.param(True, id="redacted")])
@pytest.mark.parametrize("form", FORMS)
def test_no_secret_leaves(form: str, redact: bool) -> None:
    document, secrets = planted(form)
    export = replace(PLAIN, redact=redact, note=secrets("a note"))
    page = report(document, export)
    (run,) = read(document)
    name, unread = file_name(run, export), [(secrets("a path"), secrets("a reason"))]
    told = [*every_export(run, Question(), export).values(), make_index([entry(page.document, name)], unread, export)]
    rows = rows_of(RunSet([run]), Question(), export)
    told += [format.of_runs(rows, unread, export) for format in FORMATS.values() if format.of_runs]
    assert all(MASK in text for text in told)
    assert secrets.found_in(*told) == set()


@pytest.mark.parametrize("before", range(4, 40, 3))
def test_a_secret_in_a_long_name_of_a_tool_leaves_no_half(before: int) -> None:
    document = trajectory()
    for event in document["events"]:
        if event["type"] == "tool_call":
            event["data"]["toolName"] = f"{'x' * before} ghp_012345ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    (run,) = read(document)
    for kind, text in every_export(run, Question(), PLAIN).items():
        assert "ghp_" not in text, kind


@pytest.mark.parametrize("form", FORMS)
def test_the_secrets_would_be_found(form: str) -> None:
    document, secrets = planted(form)
    page = report(document, OPEN)
    assert secrets.found_in(page.html) >= {"npm test", "command", "bash", "fix-cart", "Make the cart add up.", "id-1"}
    assert MASK not in page.html


def test_the_command_masks_unless_told_not_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document, secrets = planted("a trial")
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document), "utf-8")
    for options, n_found in (([], 0), (["--no-mask"], 20)):
        cli.main(["report", str(path), "-o", str(tmp_path / "a.html"), *options])
        told = capsys.readouterr()
        found = secrets.found_in((tmp_path / "a.html").read_text("utf-8"), told.out, told.err)
        assert len(found) >= n_found and bool(found) == bool(n_found)


@pytest.mark.parametrize("before", range(4_060, 4_100, 3))
def test_a_secret_at_the_place_of_a_cut_leaves_no_half(before: int) -> None:
    document = trajectory(1)
    for event in document["events"]:
        if event["type"] == "tool_result":
            event["data"]["result"] = "x" * before + " password=hunter2hunter2hunter2 " + "y" * 4_000
    assert "hunter" not in report(document).html


@pytest.mark.parametrize("before", range(20, 60, 7))
def test_a_secret_in_a_label_that_is_cut_leaves_no_half(before: int) -> None:
    document = trajectory(1)
    message = "compacted " + "x" * before + " ghp_012345ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    document["events"].insert(0, {"type": "system", "data": {"subtype": "compaction", "message": message}})
    assert "ghp_0" not in report(document).html


def test_how_many_are_masked_is_said() -> None:
    document = trajectory(1)
    document["events"][-1]["data"]["content"] = "password=hunter2hunter2 and sk-" + "a1" * 12
    assert "no secrets found to mask" in report(trajectory(1)).html
    assert "2 masked" in report({**trajectory(1), "output": "password=hunter2hunter2\n sk-" + "a1" * 12}).html
    assert "masking switched off" in report(document, OPEN).html

"""The README is kept true: it names every reader, detector, command and dependency, and prints what the tool prints."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from loopviz import cli
from loopviz.readers import READERS, Reader
from loopviz.status import FAILED

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("reader", [pytest.param(reader, id=reader.name) for reader in READERS])
def test_every_reader_has_a_row(reader: Reader) -> None:
    assert f"| `{reader.name}` | {reader.title} | {reader.found} |".replace("  ", " ") in README


def test_the_table_of_formats_names_no_other_readers() -> None:
    table = README[README.index("| format | what it is |") : README.index("A tool of your own can write")]
    assert re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE) == [reader.name for reader in READERS]


@pytest.mark.parametrize("name", ["max-repeat", "escalation", "thrash"])
def test_every_detector_is_named(name: str) -> None:
    assert f"| `{name}` |" in README


@pytest.mark.parametrize("command", [command for command in cli.COMMANDS if command != "app"])
def test_every_command_is_named(command: str) -> None:
    assert f"loopviz {command} " in README


@pytest.mark.parametrize("requirement", PROJECT["dependencies"])
def test_every_dependency_has_a_reason(requirement: str) -> None:
    name = re.split(r"[<>=\[ ]", requirement)[0]
    table = README[README.index("## Why each dependency") :]
    assert f"`{name}`" in table


def test_what_is_shown_is_what_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = re.search(r"<!-- printed by: loopviz ([^\n]+) -->\n```text\n(.*?)```", README, re.DOTALL)
    assert found is not None
    monkeypatch.chdir(ROOT)
    assert cli.main(found[1].split()) == FAILED
    assert capsys.readouterr().out == found[2]


def test_what_is_written_is_what_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = re.search(r"<!-- written by: loopviz ([^\n]+) -->\n```text\n(.*?)```", README, re.DOTALL)
    assert found is not None
    (tmp_path / "sample_runs").symlink_to(ROOT / "sample_runs")
    monkeypatch.chdir(tmp_path)
    assert cli.main(found[1].split()) == cli.OK
    assert capsys.readouterr().out == found[2]
    assert (tmp_path / found[1].split()[-1]).is_file()


def test_the_two_commands_are_one_line_each() -> None:
    assert len(re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)) == 2

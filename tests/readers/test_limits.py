"""The limits of reading as a person sets them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loopviz import cli
from loopviz.readers.limits import LIMITS, SETTINGS, Limits, limits_given, raised_by

UNUSABLE = 2
README = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")

VALUES = [
    pytest.param({}, LIMITS, id="none"),
    pytest.param({"LOOPVIZ_MAX_UNPACKED": " ", "LOOPVIZ_OTHER": "1"}, LIMITS, id="nothing that counts"),
    pytest.param({"LOOPVIZ_MAX_UNPACKED": "5000"}, Limits(size=5_000), id="bytes"),
    pytest.param({"LOOPVIZ_MAX_UNPACKED": "5000 B"}, Limits(size=5_000), id="bytes with the unit"),
    pytest.param({"LOOPVIZ_MAX_UNPACKED": "1.5kB"}, Limits(size=1_500), id="thousands"),
    pytest.param({"LOOPVIZ_MAX_FILE": "2 GiB"}, Limits(file=2 << 30), id="powers of 1024"),
    pytest.param({"LOOPVIZ_MAX_FILE": "3m"}, Limits(file=3_000_000), id="a letter"),
    pytest.param({"LOOPVIZ_MAX_MEMBERS": "7", "LOOPVIZ_MAX_DEPTH": "2"}, Limits(members=7, depth=2), id="counts"),
]


@pytest.mark.parametrize(("environment", "expected"), VALUES)
def test_variables_set_limits(environment: dict[str, str], expected: Limits) -> None:
    assert limits_given(environment) == expected


@pytest.mark.parametrize("text", ["lots", "-1", "0", "1e9", "4 GiB or so", "9" * 400, "0.1", "²", "1.5.1"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape("LOOPVIZ_MAX_FILE: ")) as refusal:
        limits_given({"LOOPVIZ_MAX_FILE": text})
    assert str(refusal.value).endswith("should be a number of bytes, such as 500MB or 4GiB.")


@pytest.mark.parametrize("text", ["many", "0", "2k", "1.0", "-5", "\u0663"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^LOOPVIZ_MAX_DEPTH: .* should be a whole number from 1\.$"):
        limits_given({"LOOPVIZ_MAX_DEPTH": text})


@pytest.mark.parametrize("command", ["app", "grade", "explain", "report"])
def test_every_command_refuses_a_limit_that_is_none(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOOPVIZ_MAX_DEPTH", "deep")
    assert cli.main([command, "x", *(["-o", "y.html"] if command == "report" else [])]) == UNUSABLE
    assert capsys.readouterr().err == "loopviz: LOOPVIZ_MAX_DEPTH: 'deep' should be a whole number from 1.\n"


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.variable)
def test_every_limit_is_told_in_help_and_readme(setting: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert str(setting) in " ".join(capsys.readouterr().out.split())
    assert f"| `{setting.variable}` |" in README  # type: ignore[attr-defined]
    assert setting.variable in raised_by(setting.name)  # type: ignore[attr-defined]


def test_a_command_reads_within_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.json").write_text('{"turn": 1, "tool": "x", "args": {}, "observation": "1"}\n')
    for size, expected in (("1kB", 0), ("10", UNUSABLE)):
        monkeypatch.setenv("LOOPVIZ_MAX_FILE", size)
        assert cli.main(["grade", str(tmp_path), "--max", "3"]) == expected
    assert "LOOPVIZ_MAX_FILE" in capsys.readouterr().err

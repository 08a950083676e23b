"""Arguments that nobody recorded: the guards judge as they would have, and say what is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopviz.cli import main


@pytest.mark.parametrize(("unknown", "level", "stopped"), [("equal", 3, True), ("distinct", 0, False)])
def test_both_guards_are_cautious(
    unknown: str, level: int, stopped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = [{"turn": n, "tool": "bash", "args": "[REDACTED]", "observation": str(n)} for n in range(26)]
    (tmp_path / "r.jsonl").write_text("".join(f"{json.dumps(call)}\n" for call in calls))
    (tmp_path / "guards.yaml").write_text("escalation: {}\nthrash: {}\n")
    main(
        ["grade", str(tmp_path / "r.jsonl"), "--config", str(tmp_path / "guards.yaml"), "--unknown", unknown, "--json"]
    )
    ladder, thrash = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (ladder["metadata"]["level"], thrash["metadata"]["stopped"]) == (level, stopped)
    for line in (ladder, thrash):
        assert "Caution: 26 of 26 arguments are redacted or were never recorded." in line["evidence"]

"""Real sessions, followed line by line: every beginning gives what reading it at once gives."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from loopviz.analysis.lines import Question
from loopviz.config import Config, Overrides
from loopviz.following.asking import Asked
from loopviz.following.follower import Follower
from loopviz.settings import EscalationSettings, ThrashSettings
from tests.following.test_law import assert_as_at_once, read_at_once

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"
FILES = [
    path
    for folder in ("claude_code", "claude_code_stream_json", "codex", "copilot", "vally")
    for path in sorted((REAL / folder).glob("*.jsonl"))
    if "happy__" not in path.name  # one list, not lines
]
CONFIG = Config(escalation=EscalationSettings(replan=2, explore=3, force_done=4), thrash=ThrashSettings(n=2))
ASKED = Asked(question=Question(config=CONFIG, overrides=Overrides(max=1, max_cycle_period=3)))
MOST_CHECKS = 12


@pytest.mark.skipif(not FILES, reason="the real files are not beside this checkout")
@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name)
def test_every_beginning_of_a_real_file(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    lines = source.read_bytes().splitlines(keepends=True)
    checked = set(Random(1).sample(range(len(lines)), min(MOST_CHECKS, len(lines)))) | {len(lines) - 1}
    follower = Follower(str(path), ASKED)
    for number, line in enumerate(lines):
        with path.open("ab") as file:
            file.write(line)
        follower.poll()
        if number in checked:
            whole = read_at_once(path.read_bytes(), str(path))
            assert follower.is_known == (whole is not None)
            if whole is not None:
                assert_as_at_once(follower, ASKED, whole)

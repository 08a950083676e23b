"""What every reader promises, whatever its format: one list of samples, and what may be done to them.

A new reader joins by adding one of its files to `SAMPLES`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from loopviz.readers import READERS, Reader
from tests.readers.vally_by_hand import call, document, end, event, lines, result, start, trial


@dataclass(frozen=True)
class Sample:
    """A small sound file of a format: text, so that it can be spoilt."""

    format: str
    data: bytes
    calls: int
    """Calls in all its runs."""

    @property
    def reader(self) -> Reader:
        return next(reader for reader in READERS if reader.name == self.format)


STORY = (
    event("user_message", content="Räume auf \U0001f9f9"),
    start("0"),
    call("bash", "a", {"command": "ls"}),
    call("view", "b", {"path": "ü.py", "range": [1, 2.5]}),
    result("ü.py\n", "a", success=True),
    result({"content": ""}, "b", success=False),
    end("0"),
    event("assistant_message", content="done"),
)
OUTCOME = {"status": "ok", "trajectory": json.loads(document(*STORY)), "gradeResult": {"passed": True}}

SAMPLES = (
    Sample("vally.trajectory", document(*STORY), 2),
    Sample("vally.results", lines(trial(*STORY), trial(*STORY, trialIndex=1)), 4),
    Sample("vally.outcome", json.dumps(OUTCOME, ensure_ascii=False).encode(), 2),
)

"""What the lanes of the two live guards say."""

from __future__ import annotations

import pytest

from loopviz.analysis.inspection import GuardSettings, inspect
from loopviz.analysis.runset import RunSet
from loopviz.settings import MaxRepeatSettings, ThrashSettings
from loopviz.timeline.guards import draw_thrash
from tests.detectors.test_max_repeat import A, B, call
from tests.detectors.trajectories_by_hand import trajectory_of

WITH_NONCE = [call("find", {"q": "x", "nonce": n}, "hits") for n in range(2)]


@pytest.mark.parametrize(
    ("calls", "note"),
    [
        ([A, B], ""),
        ([A, A], "2 identical in a row; stops at 3"),
        (WITH_NONCE, "2 otherwise identical in a row; stops at 3"),
    ],
    ids=["no two alike", "two alike", "alike but for what is left out"],
)
def test_the_note_of_the_thrash_lane(calls: list[dict[str, object]], note: str) -> None:
    run = trajectory_of([{**one, "turn": turn} for turn, one in enumerate(calls)])
    guards = GuardSettings(thrash=ThrashSettings(ignore_args=("nonce",)))
    found = inspect(RunSet([run]), MaxRepeatSettings(max=3), guards)
    assert draw_thrash(found.thrash, len(calls))["note"] == note

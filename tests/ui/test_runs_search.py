"""Finding runs by their names, tools and call ids, and on demand by the texts inside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from loopviz.analysis.runset import RunSet
from loopviz.ui.runs_search import search
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial

RUNS = RunSet(
    [
        trajectory_of(
            [call("read", {"path": "Über.txt"}, 'said "yes"')], run="one", stimulus="Fix Test", model="large"
        ),
        trajectory_of(
            [
                call(
                    "bash",
                    {"n": 1},
                    "line\nbreak",
                )
            ],
            run="two",
            prompt="Please DEPLOY it",
            output="Done ✓",
        ),
        trajectory_of([call("bash", None, None)], run="three"),
    ]
)


@pytest.mark.parametrize(
    ("words", "inside", "found"),
    [
        pytest.param("", False, [0, 1, 2], id="nothing asked for"),
        pytest.param("   ", True, [0, 1, 2], id="white space"),
        pytest.param("nowhere", True, [], id="nowhere"),
        pytest.param("yes", False, [], id="an output is not looked into"),
        pytest.param("deploy", False, [], id="nor is a prompt"),
        pytest.param("fix t", False, [0], id="a stimulus, case aside"),
        pytest.param("two", False, [1], id="a run's name"),
        pytest.param("LARGE", False, [0], id="a model"),
        pytest.param("bas", False, [1, 2], id="a tool"),
        pytest.param("call_0", False, [0, 1, 2], id="a call id"),
        pytest.param("by-hand.json", False, [0, 1, 2], id="a file"),
        pytest.param('"yes"', True, [0], id="quotes, which JSON escapes"),
        pytest.param("über.TXT", True, [0], id="beyond ASCII, case aside"),
        pytest.param("deploy", True, [1], id="a prompt"),
        pytest.param("done ✓", True, [1], id="a final answer"),
    ],
)
def test_what_is_found(words: str, inside: bool, found: list[int]) -> None:
    assert np.flatnonzero(search(RUNS, words, inside=inside)).tolist() == found


@pytest.mark.parametrize("words", ["naïve/path", "NAÏVE", "/path"])
def test_signs_that_a_file_spells_with_a_backslash_are_found(words: str, tmp_path: Path) -> None:
    _, judged = judged_runs(tmp_path, [trial("ab", text="naïve/path"), trial("ab", number=1)])
    path = tmp_path / "results.jsonl"
    assert "na\\u00efve" in path.read_text("utf-8")
    assert search(judged.runs, words, inside=True).tolist() == [True, False]

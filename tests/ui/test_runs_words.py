"""The sentences at the top of the Runs page, over files written by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loopviz.settings import MaxRepeatSettings
from loopviz.ui.choice import Choice
from loopviz.ui.runs_words import headline, remainder, settings_in_words
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial, without_trajectory

PASS, FAIL = trial("abc"), trial("aaaaa")
LOST = without_trajectory(graders=({"max": 3},))
EVIL = trial("b", graders=({"max": 3, "tools": ["(a+)+$"]},), tools="x " + "a" * 40 + "!")


def bare(steps: str) -> dict[str, Any]:
    """A trial that records no settings."""
    return trial(steps, graders=())


@pytest.mark.parametrize(
    ("records", "title", "rest"),
    [
        pytest.param([PASS], "This trial passes max-repeat", "1 passes.", id="one that passes"),
        pytest.param([FAIL], "This trial fails max-repeat", "", id="one that fails"),
        pytest.param([PASS, PASS], "None of 2 trials fails max-repeat", "2 pass.", id="none fails"),
        pytest.param([PASS, FAIL], "1 of 2 trials fails max-repeat", "1 passes.", id="one of two fails"),
        pytest.param([FAIL, PASS, FAIL], "2 of 3 trials fail max-repeat", "1 passes.", id="two of three fail"),
        pytest.param([FAIL, FAIL], "2 of 2 trials fail max-repeat", "", id="all fail"),
        pytest.param(
            [LOST],
            "This trial could not be judged",
            "1 could not be judged: it holds no trajectory.",
            id="one without a trajectory",
        ),
        pytest.param(
            [LOST, LOST],
            "None of 2 trials could be judged",
            "2 could not be judged: the record holds no trajectory.",
            id="two without a trajectory",
        ),
        pytest.param(
            [FAIL, PASS, LOST, EVIL],
            "1 of 4 trials fails max-repeat",
            "1 passes. 2 could not be judged: the record holds no trajectory (1); the pattern '(a+)+$' is refused: a "
            "pattern must finish within 1 second, and this one was stopped (1).",
            id="not judged for two reasons",
        ),
    ],
)
def test_the_finding_is_the_headline(records: list[dict[str, Any]], title: str, rest: str, tmp_path: Path) -> None:
    _, judged = judged_runs(tmp_path, records)
    assert headline(judged) == title
    assert remainder(judged) == rest


@pytest.mark.parametrize(
    ("records", "own", "words"),
    [
        pytest.param(
            [PASS, PASS, LOST],
            None,
            "Recorded in the runs: 3 allowed in a row (max 3) in all 2; longest pattern 1; "
            "same when: same tool and output.",
            id="all alike, one not judged",
        ),
        pytest.param(
            [bare("abc")],
            None,
            "No max-repeat settings in this file. Shown: Vally's example, max 3.",
            id="nothing recorded",
        ),
        pytest.param(
            [PASS, bare("abc")],
            None,
            "Recorded in the runs: 3 allowed in a row (max 3); longest pattern 1; same when: same tool and output. "
            "1 without usable settings: Vally's example, max 3.",
            id="recorded in one of two",
        ),
        pytest.param(
            [trial("ab", graders=({"max": 0},))],
            None,
            "The settings recorded in 1 run cannot be used. Shown: Vally's example, max 3.",
            id="recorded but refused",
        ),
        pytest.param(
            [PASS, PASS, trial("ab", stimulus="b", graders=({"max": 1, "max_cycle_period": 2, "match": "name"},))],
            None,
            "Recorded in the runs: 3 allowed in a row (max 3) in 2, 1 allowed in a row (max 1) in 1; longest pattern "
            "1 in 2, 2 in 1; same when: same tool and output in 2, same tool in 1.",
            id="two kinds",
        ),
        pytest.param(
            [trial("ab", graders=({"max": 3}, {"max": 3, "tools": ["^x$"]}))],
            None,
            "Recorded in the runs: 3 allowed in a row (max 3) in all 2 graders; longest pattern 1; same when: same "
            "tool and output; only some tools watched in 1. 1 trial has several graders; all must pass.",
            id="two graders in one run",
        ),
        pytest.param(
            [PASS],
            MaxRepeatSettings(max=7, tools=("^x$",)),
            "Your settings, for all trials: 7 allowed in a row (max 7); longest pattern 1; same when: same tool and "
            "output; watched tools: ^x$.",
            id="the person's own",
        ),
    ],
)
def test_the_settings_in_force_stand_in_one_line(
    records: list[dict[str, Any]], own: MaxRepeatSettings | None, words: str, tmp_path: Path
) -> None:
    assert settings_in_words(judged_runs(tmp_path, records, Choice(own=own))[1]) == words

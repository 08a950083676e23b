"""Which grader Present tells a run by, and what it says of the others."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.runset import RunSet
from loopviz.settings import MaxRepeatSettings
from loopviz.ui.choice import EXAMPLE, Choice
from loopviz.ui.present.judging import Decided, deciding
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of

FIVE_TESTS = [call("run_tests", turn=k) for k in range(5)] + [call("edit", k, f"{k}", turn=5 + k) for k in range(3)]
DEFAULTS = Choice()
REFUSED = {"max": 5, "tools": ["("]}


def decided(*configs: dict[str, Any], choice: Choice = DEFAULTS, hide_texts: bool = False) -> Decided:
    """What a run is told by that records graders of these configs, called a, b and so on."""
    graders = [
        {"type": "max-repeat", "name": name, "config": config} for name, config in zip("abc", configs, strict=False)
    ]
    run = trajectory_of(FIVE_TESTS, stimulus_spec={"name": "fix", "graders": graders})
    return deciding(run, RunSet([run]), None, choice, hide_texts=hide_texts)


@pytest.mark.parametrize(
    ("configs", "shown"),
    [
        pytest.param([{"max": 3}], 0, id="the only one"),
        pytest.param([{"max": 9}, {"max": 3}], 1, id="the second fails"),
        pytest.param([{"max": 3}, {"max": 9}], 0, id="the first fails"),
        pytest.param(
            [{"max": 5, "tools": ["^edit$"]}, {"max": 2, "tools": ["^run_tests$"]}], 1, id="one for each of two tools"
        ),
        pytest.param([{"max": 9}, {"max": 7}], 1, id="nearest to its limit"),
    ],
)
def test_the_grader_that_decides_is_told(configs: list[dict[str, Any]], shown: int) -> None:
    told = decided(*configs)
    assert told.settings.max == configs[shown]["max"]
    assert [f"nearest to it: {'abc'[shown]}." in note for note in told.notes] == [True] * (len(configs) > 1)


def test_it_says_how_many_graders_fail() -> None:
    assert "Of the 2 graders of this run 1 is over the limit" in decided({"max": 9}, {"max": 3}).notes[0]


def test_a_grader_that_cannot_be_used_is_not_passed_over() -> None:
    told = decided(REFUSED)
    assert told.settings == EXAMPLE
    (note,) = told.notes
    assert note.startswith("Caution: A grader of this run could not be used, so an example stands in: 3 are allowed (")
    assert decided(REFUSED, hide_texts=True).notes == (note[: note.index(" (")] + ".",)
    beside = decided({"max": 4}, REFUSED)
    assert beside.settings.max == 4
    assert "could not be used (" in beside.notes[0]


def test_settings_of_ones_own_leave_nothing_to_choose() -> None:
    own = MaxRepeatSettings(max=7)
    assert decided({"max": 9}, {"max": 3}, choice=Choice(own=own)) == Decided(settings=own)


def test_a_pattern_of_ones_own_that_is_refused_says_why() -> None:
    told = decided({"max": 9}, choice=Choice(own=MaxRepeatSettings.model_construct(max=3, tools=("(",))))
    assert told.refused

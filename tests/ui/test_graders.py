"""Which grader is on screen, and whether what the file says can be held against it."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz import config
from loopviz.model import GraderResult, Trajectory
from loopviz.settings import MaxRepeatSettings
from loopviz.ui.choice import EXAMPLE, Choice
from loopviz.ui.graders import grader_shown
from tests.detectors.test_max_repeat import A
from tests.detectors.trajectories_by_hand import trajectory_of

MAX_5 = {"type": "max-repeat", "config": {"max": 5}}
MAX_9 = {"type": "max-repeat", "config": {"max": 9, "match": "name"}}
SIBLING = {"type": "loop-outcome", "config": {"max_acceptable_retries": 2}}
SHOULD_LOOP = {"type": "loop-outcome", "config": {"max_acceptable_retries": 2, "should_loop": True}}
REFUSED = {"type": "max-repeat", "config": {"max": 0}}


def run(*graders: dict[str, Any], said: str | None = None) -> Trajectory:
    """A run that recorded some graders, and a result of one type."""
    grade = None if said is None else GraderResult(name=said, type=said, passed=True)
    return trajectory_of([A], stimulus_spec={"name": "fix", "graders": list(graders)}, grade=grade)


@pytest.mark.parametrize(
    ("graders", "choice", "source", "settings"),
    [
        pytest.param((), Choice(), "example", EXAMPLE, id="nothing recorded"),
        pytest.param((SHOULD_LOOP,), Choice(), "example", EXAMPLE, id="a sibling that is not judged here"),
        pytest.param((MAX_5,), Choice(), "recorded", MaxRepeatSettings(max=5), id="recorded"),
        pytest.param((MAX_5, MAX_9), Choice(grader=1), "recorded", MaxRepeatSettings(max=9, match="name"), id="second"),
        pytest.param((MAX_5,), Choice(grader=7), "recorded", MaxRepeatSettings(max=5), id="one that is not there"),
        pytest.param((MAX_5,), Choice(own=EXAMPLE), "own", EXAMPLE, id="the person's own"),
        pytest.param((SIBLING,), Choice(), "recorded", MaxRepeatSettings(max=3, match="name-args"), id="the sibling"),
        pytest.param((SIBLING, MAX_5), Choice(), "recorded", MaxRepeatSettings(max=5), id="max-repeat goes before it"),
        pytest.param((REFUSED,), Choice(), "recorded", EXAMPLE, id="a refused one is replaced by the example"),
    ],
)
def test_grader_shown(graders: Any, choice: Choice, source: str, settings: MaxRepeatSettings) -> None:
    shown = grader_shown(run(*graders), None, choice)
    assert (shown.source, shown.settings) == (source, settings)


@pytest.mark.parametrize(
    ("graders", "choice", "comparable"),
    [
        pytest.param((), Choice(), False, id="settings that the file does not hold"),
        pytest.param((MAX_5,), Choice(own=EXAMPLE), False, id="other settings"),
        pytest.param((REFUSED,), Choice(), False, id="refused settings"),
        pytest.param((MAX_5,), Choice(), True, id="as recorded"),
        pytest.param((MAX_5,), Choice(own=MaxRepeatSettings(max=5)), True, id="the same settings, typed"),
    ],
)
def test_only_the_same_settings_can_disagree(graders: Any, choice: Choice, comparable: bool) -> None:
    assert grader_shown(run(*graders), None, choice).comparable is comparable


SPEC = "stimuli:\n- name: fix\n  prompt: Mend it.\n  graders:\n  - type: max-repeat\n    config: {max: 2}\n"


@pytest.mark.parametrize(
    ("stimulus", "graders", "expected"),
    [
        pytest.param("fix", (MAX_5,), ("spec", 2), id="the spec has its stimulus"),
        pytest.param("other", (MAX_5,), ("recorded", 5), id="the spec lacks it: as recorded"),
        pytest.param("other", (), ("example", 3), id="neither knows it"),
    ],
)
def test_an_eval_spec_beside_the_runs_judges_those_of_its_stimuli(
    stimulus: str, graders: Any, expected: tuple[str, int]
) -> None:
    trajectory = trajectory_of([A], stimulus=stimulus, stimulus_spec={"name": stimulus, "graders": list(graders)})
    shown = grader_shown(trajectory, config.read(SPEC), Choice())
    assert (shown.source, shown.settings.max) == expected


def test_what_the_file_says_of_the_sibling_stands_beside_it() -> None:
    assert grader_shown(run(SIBLING, said="loop-outcome"), None, Choice()).recorded is not None
    assert grader_shown(run(SIBLING, said="max-repeat"), None, Choice()).recorded is None

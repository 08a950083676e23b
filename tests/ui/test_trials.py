"""The other trials on Inspect: which they are, what they are judged by, and the way there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from loopviz.settings import MaxRepeatSettings
from loopviz.ui import choice as choices
from loopviz.ui import trials
from loopviz.ui.choice import Choice
from loopviz.ui.library import Library
from tests.ui.libraries import library_of
from tests.ui.vally_trials import trial


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return library_of(
        tmp_path,
        [
            trial("aab", number=0),
            trial("aaaa", number=1, graders=({"max": 5},)),
            trial("ab", stimulus="another"),
            trial("aaaaab", number=2, score=0.2),
        ],
    )


def figures(library: Library, index: int) -> Any:
    strip = trials.trial_sections(library, index)["trials"]
    return strip and [(card["figure"], card["verdict"].partition(" · ")[0], card["action"]) for card in strip["cards"]]


def test_each_trial_is_judged_as_recorded(library: Library, as_recorded: Choice) -> None:
    assert figures(library, 1) == [("2", "within", "trial=0"), ("4", "within", ""), ("5", "✕ over", "trial=3")]


def test_a_run_without_another_trial_has_none(library: Library, as_recorded: Choice) -> None:
    assert figures(library, 2) is None


def test_one_grader_for_all_judges_every_trial(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    own = replace(Choice(), own=MaxRepeatSettings(max=4))
    monkeypatch.setattr(choices, "current", lambda: own)
    assert [verdict for _, verdict, _ in figures(library, 0)] == ["within", "at the limit", "✕ over"]


def test_only_the_trials_of_the_stimulus_are_laid_out(library: Library, as_recorded: Choice) -> None:
    figures(library, 0)
    assert "runs" not in vars(library)
    assert library.together(library.same_stimulus(0)) is library.together((0, 1, 3))
    assert len(library.together((0, 1, 3))) == 3


def test_a_click_opens_a_trial_and_only_one_that_is_there(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    monkeypatch.setattr(trials, "open_library", lambda: library)
    monkeypatch.setattr(trials, "go_to_run", lambda _, place: opened.append(place))
    monkeypatch.setattr(trials.st, "rerun", lambda: None)
    for place in ("3", "99", "-1", "x"):
        trials.open_trial({"trial": [place]})
    assert opened == [3]

"""The report that the app hands over: made from what is on screen, and the same file that the command writes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from loopviz import cli
from loopviz.analysis.inspection import GuardSettings
from loopviz.analysis.lines import Question
from loopviz.config import Overrides
from loopviz.report.export import Export
from loopviz.report.page import make_page
from loopviz.settings import MaxRepeatSettings, ThrashSettings
from loopviz.ui.choice import Choice
from loopviz.ui.graders import grader_shown
from loopviz.ui.library import Library
from loopviz.ui.reporting import question_of
from tests.ui.libraries import library_of
from tests.ui.vally_trials import trial

DAY = date(2026, 11, 30)
OWN = MaxRepeatSettings(max=2, match="name", tools=("^tool",))
OWN_OPTIONS = ["--max", "2", "--max-cycle-period", "1", "--match", "name", "--tool", "^tool"]
LENIENT = GuardSettings(thrash=ThrashSettings(n=6))


def asked(library: Library, choice: Choice) -> Question:
    run = library.trajectories[0]
    return question_of(run, library.spec, choice, grader_shown(run, library.spec, choice))


@pytest.mark.parametrize(
    ("graders", "choice", "question"),
    [
        pytest.param(({"max": 3},), Choice(), Question(unknown="equal"), id="as recorded"),
        pytest.param((), Choice(), Question(unknown="equal", overrides=Overrides(max=3)), id="Vally's example"),
        pytest.param(
            ({"max": 0},), Choice(), Question(unknown="equal", overrides=Overrides(max=3)), id="a refused grader"
        ),
        pytest.param(
            ({"max": 3},),
            Choice(own=OWN, unknown="distinct"),
            Question(unknown="distinct", overrides=Overrides(max=2, match="name", tools=("^tool",))),
            id="the person's own",
        ),
        pytest.param(
            ({"max": 5},),
            Choice(guards=LENIENT),
            Question(unknown="equal", guards=LENIENT),
            id="guards of the person's own beside the recorded grader",
        ),
        pytest.param(
            ({"max": 3}, {"max": 9}),
            Choice(own=OWN, guards=LENIENT),
            Question(unknown="equal", guards=LENIENT, overrides=Overrides(max=2, match="name", tools=("^tool",))),
            id="grader and guards of the person's own",
        ),
    ],
)
def test_what_is_on_screen_as_the_command_is_given_it(
    graders: Any, choice: Choice, question: Question, tmp_path: Path
) -> None:
    told = asked(library_of(tmp_path, [trial("aaaa", graders=graders)]), choice)
    given = question.overrides
    if given.max is not None:  # the app gives every setting
        given = replace(given, max_cycle_period=1, match=given.match or "observation")
    assert told == replace(question, overrides=given)


@pytest.mark.parametrize(
    ("choice", "options"),
    [
        pytest.param(Choice(), [], id="as recorded"),
        pytest.param(Choice(own=OWN), OWN_OPTIONS, id="the person's own"),
        pytest.param(Choice(unknown="distinct"), ["--unknown", "distinct"], id="unknown values"),
    ],
)
@pytest.mark.parametrize("redact", [pytest.param(False, id="as it is"), pytest.param(True, id="redacted")])
def test_the_app_makes_the_file_that_the_command_writes(
    choice: Choice, options: list[str], redact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Today(date):
        @classmethod
        def today(cls) -> Today:
            return cls(DAY.year, DAY.month, DAY.day)

    monkeypatch.setattr(cli, "date", Today)
    library = library_of(tmp_path, [trial("abbbbbc", graders=({"max": 3}, {"max": 9}))])
    to = tmp_path / "a.html"
    extra = ["--redact"] if redact else []
    words = ["report", library.trajectories[0].source.name, "-o", str(to), "--note", "Look", *options, *extra]
    assert cli.main(words) == cli.OK
    export = Export(date=DAY, note="Look", redact=redact)
    run, runs = library.trajectories[0], library.alone(0)
    made = make_page(run, asked(library, choice), export, grader=0, runs=runs)
    assert to.read_text("utf-8") == made.html

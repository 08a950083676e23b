"""The report that the app hands over: made from what is on screen, and the same file that the command writes."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from loopviz import cli
from loopviz.analysis.inspection import GuardSettings
from loopviz.analysis.lines import Question
from loopviz.config import Overrides
from loopviz.readers.loading import Unread
from loopviz.report.export import Export
from loopviz.settings import MaxRepeatSettings, ThrashSettings
from loopviz.ui import choice as choices
from loopviz.ui.choice import Choice
from loopviz.ui.graders import grader_shown
from loopviz.ui.library import Library
from loopviz.ui.reporting import OFFERS, question_of, report_maker
from loopviz.ui.runs_export import FOLDER, made_of
from loopviz.ui.runs_judged import all_runs
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
@pytest.mark.parametrize("name", OFFERS)
def test_the_app_makes_the_file_that_the_command_writes(
    name: str, choice: Choice, options: list[str], redact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    format = OFFERS[name].format
    library = library_of(tmp_path, [trial("abbbbbc", graders=({"max": 3}, {"max": 9}))])
    to = tmp_path / f"a{format.ending}"
    _command(monkeypatch, library, to, [*options, *(["--redact"] if redact else [])])
    monkeypatch.setattr(choices, "current", lambda: choice)
    made = report_maker(library, 0, Export(date=DAY, note="Look", redact=redact), format)()
    assert to.read_text("utf-8") == made


@pytest.mark.parametrize(
    ("choice", "options"),
    [
        pytest.param(Choice(), [], id="as recorded"),
        pytest.param(Choice(own=OWN, grader=1), OWN_OPTIONS, id="the person's own"),
    ],
)
@pytest.mark.parametrize("name", ["CSV", "JSON", "Summary", FOLDER])
def test_the_runs_page_makes_the_files_that_the_command_writes(
    name: str, choice: Choice, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = [trial("abbbbbc", graders=({"max": 3}, {"max": 9})), trial("ab", number=1), trial("aaaa", number=2)]
    library = library_of(tmp_path, trials)
    monkeypatch.setattr(choices, "current", lambda: choice)
    made = made_of(all_runs(library), [0, 1, 2], Export(date=DAY, note="Look"), name)
    to = tmp_path / ("out" if name == FOLDER else made.name)
    _command(monkeypatch, library, to, options)
    if name != FOLDER:
        assert to.read_text("utf-8") == made.make()
        return
    archive = made.make()
    assert isinstance(archive, bytes)
    with zipfile.ZipFile(io.BytesIO(archive)) as pages:
        assert {page: pages.read(page).decode() for page in pages.namelist()} == {
            path.name: path.read_text("utf-8") for path in to.iterdir()
        }


def test_only_the_runs_that_are_shown_leave_and_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "current", Choice)
    library = library_of(tmp_path, [trial("ab"), trial("aaaa", number=1), trial("aaa", number=2, graders=())])
    made = made_of(all_runs(library), [2, 1], Export(date=DAY), "JSON").make()
    rows = json.loads(made)["findings"]
    # A run without settings of its own is judged by the example, as on screen.
    assert [(row["about"]["trial"], row["passed"]) for row in rows] == [(3, True), (2, False)]


@pytest.mark.parametrize("redact", [False, True])
@pytest.mark.parametrize("name", ["JSON", "Summary", FOLDER])
def test_files_that_could_not_be_read_are_told(
    name: str, redact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "current", Choice)
    library = library_of(tmp_path, [trial("ab")])
    library.unread = (
        Unread(path="secret.json", reason="It holds no recorded run.", named=True),
        Unread(path="README.md", reason="It holds no recorded run.", named=False),
    )
    made = made_of(all_runs(library), [0], Export(date=DAY, redact=redact), name).make()
    if isinstance(made, bytes):
        with zipfile.ZipFile(io.BytesIO(made)) as pages:
            made = pages.read("index.html").decode()
    assert ("secret.json" in made) is not redact
    assert "README.md" not in made
    if name == "JSON":
        assert len(json.loads(made)["unread"]) == 1
    else:
        assert "1 file could not be read" in made


def _command(monkeypatch: pytest.MonkeyPatch, library: Library, to: Path, options: list[str]) -> None:
    """What the command writes of the file that is open."""

    class Today(date):
        @classmethod
        def today(cls) -> Today:
            return cls(DAY.year, DAY.month, DAY.day)

    monkeypatch.setattr(cli, "date", Today)
    assert (
        cli.main(["report", library.trajectories[0].source.name, "-o", str(to), "--note", "Look", *options]) == cli.OK
    )

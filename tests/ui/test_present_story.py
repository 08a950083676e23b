"""Present of a run as markup and as one file: what is in it, what stays out, and that it needs nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from datetime import date
from hashlib import sha256
from typing import Any

import pytest

from loopviz.analysis.inspection import inspect
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.report.export import Export
from loopviz.settings import MaxRepeatSettings
from loopviz.ui.present.one_file import file_of_run, file_of_runs
from loopviz.ui.present.story import set_page, story
from loopviz.ui.present.told import Told, name_of, tell, tell_runs
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of
from tests.report.recorded import FORMS, read
from tests.report.test_redaction import planted
from tests.ui.libraries import judged_runs
from tests.ui.vally_trials import trial, without_trajectory

PLAIN = Export(date=date(2026, 11, 30))
HIDDEN = Export(date=date(2026, 11, 30), redact=True)


def told_of(trajectory: Trajectory, export: Export = PLAIN) -> Told:
    found = None
    if trajectory.not_judged is None:
        found = inspect(RunSet([trajectory]), MaxRepeatSettings(max=3, match="name"))
    return tell(trajectory, found, export)


def told(calls: list[dict[str, Any]], export: Export = PLAIN, **fields: Any) -> Told:
    return told_of(trajectory_of(calls, **fields), export)


LOOP = [call("bash", {"command": "npm test"}, "2 failing", turn=k) for k in range(5)]


def test_a_run_is_told_from_its_headline_to_its_call_line() -> None:
    html = story(told(LOOP, stimulus="fix-it", trial=3, trials=5, model="large-3"))
    assert "fix-it, trial 4 · large-3" in html
    assert "<code>npm test</code>" in html
    assert '<p class="figure">2</p>' in html
    assert html.count("<svg") == 3 + 6
    assert "How this is computed" in html
    assert 'max="5"' in html


@pytest.mark.parametrize(
    "fields",
    [pytest.param({}, id="no calls"), pytest.param({"not_judged": "It holds no list of events."}, id="unjudged")],
)
def test_a_run_without_calls_or_verdict_has_no_replay(fields: dict[str, Any]) -> None:
    plain = told([], **fields)
    assert plain.replay is None
    assert "controls" not in story(plain)
    assert "<script type" not in file_of_run(plain, PLAIN)


def test_markup_in_names_and_texts_stays_text() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    calls = [call(hostile, {"command": hostile}, hostile, turn=k) for k in range(5)]
    page = told(calls, stimulus=hostile, model=hostile)
    for html in (story(page), file_of_run(page, PLAIN)):
        assert "<img" not in html
        assert "&lt;img" in html


def test_a_name_is_the_same_wherever_it_stands() -> None:
    page = told([call("li`ve\u202e", "a", "x", turn=k) for k in range(5)], run="\u202elive")
    html = file_of_run(page, PLAIN)
    assert "\u202e" not in html and "\\u202e" not in html
    assert page.of == "\ufffdlive"
    assert "<title>The agent made the same call to li`ve\ufffd 5 times" in html


def test_notes_on_the_grader_stand_beside_the_headline() -> None:
    run = trajectory_of(LOOP)
    page = tell(run, inspect(RunSet([run]), MaxRepeatSettings(max=3)), PLAIN, notes=("Told by one.",))
    assert '<p class="aside">Told by one.</p>' in story(page)


def test_the_file_names_its_script_and_style_and_asks_for_nothing() -> None:
    html = file_of_run(told(LOOP), PLAIN)
    script = re.search(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert script is not None
    assert style is not None
    for part in (script[1], style[1]):
        assert f"sha256-{b64encode(sha256(part.encode()).digest()).decode()}" in html
    assert html.index("Content-Security-Policy") < html.index("<style>")
    assert not re.search(r"(?:src|href)=", html)
    assert not re.search(r"\sstyle=", html)
    assert "30 November 2026" in html


def test_what_looks_like_a_secret_is_masked() -> None:
    calls = [
        call("bash", {"command": "x", "password": "hunter2hunter2"}, "token=abcdef1234567890", turn=k) for k in range(5)
    ]
    html = file_of_run(told(calls), PLAIN)
    assert "hunter2" not in html
    assert "abcdef123456" not in html


def test_hidden_texts_leave_names_alone() -> None:
    page = told(LOOP, HIDDEN, stimulus="fix-it", model="large-3", run="secret-run", digest="5f3a0c1e99")
    html = file_of_run(page, HIDDEN)
    assert not re.search("npm test|2 failing|secret-run|by-hand.json", html)
    assert all(name in html for name in ("fix-it", "large-3", "the same command"))
    nameless = trajectory_of(LOOP, run="secret-run", digest="5f3a0c1e99")
    assert (name_of(nameless, PLAIN), name_of(nameless, HIDDEN)) == ("secret-run", "run-5f3a0c1e")


@pytest.mark.parametrize("form", FORMS)
def test_no_hidden_text_gets_out(form: str) -> None:
    document, marks = planted(form)
    (run,) = read(document)
    page = told_of(run, HIDDEN)
    for shown in (file_of_run(page, HIDDEN), story(page), str(page.replay)):
        assert marks.found_in(shown) == set()
        assert "qzmark" not in shown
    assert marks.found_in(file_of_run(told_of(run), PLAIN)) >= {"npm test", "2 failing: cart totals"}


def test_many_runs_are_told_and_can_be_saved(tmp_path: Any) -> None:
    records = [trial("aaaa", number=k, stimulus="<b>loop</b>") for k in range(2)]
    records += [trial("abc", number=2), without_trajectory(number=3)]
    _, judged = judged_runs(tmp_path, records)
    page = tell_runs(judged, PLAIN)
    html = set_page(page)
    assert "2 of 3 runs got the same results more often in a row than is allowed." in html
    assert "<b>" not in html
    assert "1 of 4 runs could not be judged" in html
    assert "2 of 3 runs" in file_of_runs(page, PLAIN)


def test_runs_whose_own_graders_cannot_be_used_are_told(tmp_path: Any) -> None:
    _, judged = judged_runs(tmp_path, [trial("aaaa"), trial("aaaa", number=1, graders=[{"max": 5, "tools": ["("]}])])
    (aside,) = tell_runs(judged, PLAIN).story.asides
    assert aside == "Caution: 1 run has graders that could not be used; an example stands in there: 3 are allowed."

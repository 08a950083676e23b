"""What a report says: the verdict, the figures, the tables, the settings, and where it all comes from."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from loopviz import config
from loopviz.analysis.inspection import GuardSettings
from loopviz.analysis.lines import Question
from loopviz.config import Config, Overrides
from loopviz.readers import read_bytes
from loopviz.report.export import Export
from loopviz.report.page import make_page
from loopviz.settings import EscalationSettings, Schemas, ThrashSettings
from tests.report.recorded import DAY, PLAIN, record, report, trajectory
from tests.ui.vally_trials import without_trajectory

REDACTED = Export(date=DAY, redact=True)
MAX_9 = Question(overrides=Overrides(max=9))


def words_of(html: str) -> str:
    """The text of a page, without its script and style."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", body.replace("</", " </"))))


def yaml_of(html: str) -> str:
    (written,) = re.findall(r"<h2>Settings[^<]*</h2><pre>\n(.*?)</pre>", html, re.DOTALL)
    return unescape(written)


def test_the_verdict_comes_first() -> None:
    words = words_of(report(record()).html)
    assert words.index("fix-cart, trial 2 FAIL") < words.index("gave the same output 5 times in a row; 3 are allowed.")
    for part in ("The trial failed, 0.42.", "Over the limit at turn 5 (call 5).", "30 November 2026"):
        assert part in words


@pytest.mark.parametrize(
    ("figure", "below"),
    [
        pytest.param("5", "times in a row, 3 allowed", id="times in a row"),
        pytest.param("67 %", "of calls repeat an earlier one: 6 of 9", id="seen before"),
        pytest.param("5 of 9", "calls after the stop point (thrash, simulated)", id="after the stop point"),
        pytest.param("4,600", "of 8,280 tokens after it", id="tokens, where no cost is recorded"),
    ],
)
def test_key_figures(figure: str, below: str) -> None:
    figures = report(trajectory()).document.findings.figures  # type: ignore[union-attr]
    assert (figure, below) in figures


def test_where_no_guard_stops_the_run_it_is_said_where_it_is_detectable() -> None:
    question = Question(
        config=Config(thrash=ThrashSettings(n=99), escalation=EscalationSettings(replan=97, explore=98, force_done=99)),
        overrides=Overrides(max=3),
    )
    figures = report(trajectory(), PLAIN, question).document.findings.figures  # type: ignore[union-attr]
    assert figures[2:] == [
        ("call 5", "of 9: first detectable here, 4 came after; no guard would have stopped it"),
        ("3,680", "of 8,280 tokens after it"),
    ]


def test_a_good_outcome_is_said_beside_the_stop_point() -> None:
    document = record()
    document["gradeResult"] |= {"passed": True, "score": 1}
    assert "simulated); the trial passed all the same" in words_of(report(document).html)


def test_the_settings_can_be_taken_back() -> None:
    page = report(record())
    read = config.read(yaml_of(page.html))
    first, second = read.max_repeat or ()
    assert page.document.findings is not None
    assert first.settings == page.document.findings.finding.settings
    assert (first.name, second.name, read.escalation, read.thrash) == ("no-circles", "no-pairs", None, None)
    words = "At their defaults: of the grader on this page, max_cycle_period, match, tools; both guards."
    assert words in words_of(page.html)
    (run,) = read_bytes(json.dumps(record()).encode(), "a.json").trajectories
    again = make_page(run, Question(config=read), PLAIN)
    assert [(row.name, row.passed, row.words) for row in again.document.graders] == [
        (row.name, row.passed, row.words) for row in page.document.graders
    ]


def test_a_refused_grader_is_said_beside_the_settings() -> None:
    document = trajectory()
    document["stimulus"]["graders"][1]["config"] = {"max": 0}
    html = report(document).html
    assert yaml_of(html).startswith("# 1 grader is refused, and not here.\n")
    (grader,) = config.read(yaml_of(html)).max_repeat or ()
    assert grader.name == "no-circles"


def test_settings_that_name_arguments_are_said_to_be_left_out_of_a_redacted_report() -> None:
    thrash = ThrashSettings(ignore_args=("request_duck",), schemas=Schemas({"bash": {"properties": {"duck": {}}}}))
    question = Question(config=Config(thrash=thrash), overrides=Overrides(max=3))
    shown, hidden = (yaml_of(report(trajectory(), export, question).html) for export in (PLAIN, REDACTED))
    assert config.read(shown).thrash == thrash
    assert "# Of thrash, what names arguments is left out: ignore_args, schemas." in hidden
    assert "duck" not in hidden and "ignore_args: " not in hidden and "schemas: " not in hidden
    assert config.read(hidden).thrash == ThrashSettings()


def test_guards_of_the_app_keep_the_recorded_graders_and_what_they_watch() -> None:
    document = trajectory()
    document["stimulus"]["graders"][0]["config"]["tools"] = ["^bash$"]
    guards = GuardSettings(thrash=ThrashSettings(n=5))
    page = report(document, PLAIN, Question(guards=guards))
    assert [row.name for row in page.document.graders] == ["no-circles", "no-pairs"]
    assert "Settings, from the run itself, with changes" in page.html
    read = config.read(yaml_of(page.html))
    assert (read.thrash, read.tools) == (ThrashSettings(n=5), ("^bash$",))


@pytest.mark.parametrize("question", [pytest.param(MAX_9, id="a grader of one's own")])
def test_verdicts_of_other_graders_are_not_passed_over(question: Question) -> None:
    document = record()
    details = document["gradeResult"]["details"]
    details.append({**details[0], "configuredName": "no-pairs", "passed": True, "evidence": "fine"})
    words = words_of(report(document, PLAIN, question).html)
    assert "2 verdicts, of other graders (no-circles: FAIL, no-pairs: pass)" in words.replace("PASS", "pass")
    assert "nothing about max-repeat" not in words


@pytest.mark.parametrize(
    ("question", "title"),
    [
        pytest.param(Question(), "Settings, from the run itself", id="recorded"),
        pytest.param(MAX_9, "Settings, given for this report", id="given"),
        pytest.param(
            Question(overrides=Overrides(match="name")), "Settings, from the run itself, with changes", id="changed"
        ),
        pytest.param(Question(config=config.read("max_repeat: {max: 2}")), "Settings, from the config", id="config"),
        pytest.param(
            Question(
                config=config.read(
                    "stimuli: [{name: fix-cart, prompt: p, graders: [{type: max-repeat, config: {max: 2}}]}]"
                )
            ),
            "Settings, from the eval spec",
            id="eval spec",
        ),
    ],
)
def test_where_the_settings_come_from(question: Question, title: str) -> None:
    assert f"<h2>{title}</h2>" in report(trajectory(), PLAIN, question).html


def test_guards_that_are_not_the_defaults_are_written_down() -> None:
    question = Question(config=config.read("thrash: {n: 5}\ntools: [bash]"), overrides=Overrides(max=3))
    html = report(trajectory(), PLAIN, question).html
    read = config.read(yaml_of(html))
    assert read.thrash == ThrashSettings(n=5) and read.tools == ("bash",) and read.escalation is None
    assert "at call 6" in words_of(html)


def test_provenance() -> None:
    words = words_of(report(record()).html)
    for part in (
        "/home/ada/runs/results.jsonl, line 1",
        "vally.results",
        "FAIL npm test came again and again",
        "recomputed here: FAIL, 5 in a row",
        "none cut; no secrets found to mask",
    ):
        assert part in words
    digest = re.search(r"run digest ([0-9a-f]{32})", words)
    assert digest is not None


def test_of_several_graders_the_first_that_fails_is_shown() -> None:
    document = trajectory()
    document["stimulus"]["graders"].reverse()
    page = report(document)
    told = [(row.name, row.passed, row.shown) for row in page.document.graders]
    assert told == [("no-pairs", True, False), ("no-circles", False, True)]
    assert page.document.passed is False
    assert "shown on this page" in page.html


def test_another_grader_can_be_asked_for() -> None:
    page = report(trajectory(), grader=1)
    assert page.document.passed is True and page.document.grader == "no-pairs"


def test_a_grader_that_cannot_be_used_is_said_beside_the_others() -> None:
    document = trajectory()
    document["stimulus"]["graders"][1]["config"] = {"max": 0}
    (_, refused) = report(document).document.graders
    assert refused.passed is None and "max" in refused.words


@pytest.mark.parametrize(
    ("document", "question", "reason"),
    [
        pytest.param(without_trajectory(), Question(), "The record holds no trajectory.", id="no trajectory"),
        pytest.param(
            {**trajectory(), "stimulus": {}},
            Question(),
            "It records no max-repeat grader: give --max or --config.",
            id="no grader",
        ),
        pytest.param(
            trajectory(), Question(config=Config()), "No max-repeat grader is asked for", id="a config of none"
        ),
    ],
)
def test_a_run_without_a_verdict_has_a_page_that_says_so(document: Any, question: Question, reason: str) -> None:
    page = report(document, PLAIN, question)
    assert page.document.passed is None and page.document.findings is None
    words = words_of(page.html)
    assert "NOT JUDGED" in words and reason in words
    assert "<script" not in page.html and "script-src &#x27;none&#x27;" in page.html


def test_the_picture_is_that_of_the_app_without_its_verdict() -> None:
    html = report(trajectory()).html
    (data,) = re.findall(r'<script type="application/json" id="picture">(.*?)</script>', html)
    picture = json.loads(data)
    assert (picture["n_calls"], picture["verdict"], picture["limit"]) == (9, None, 3)
    assert picture["flag"]["text"] == "over the limit at call 5"
    assert [row["name"] for row in picture["tools"]] == ["bash", "poll", "read_file"]


def test_without_a_script_the_steps_are_letters_that_lead_to_their_calls() -> None:
    html = report(trajectory()).html
    cells = re.findall(r'<li( class="fails")?><a href="#call-(\d+)"><span class="([^"]*)">(.)</span>', html)
    assert [(call, letter) for _, call, _, letter in cells if letter == "a"] == [(str(n), "a") for n in range(2, 7)]
    assert [call for fails, call, _, _ in cells if fails] == ["5"]
    assert {classes for _, _, classes, letter in cells if letter == "a"} == {"cell p1 over"}


def test_the_same_run_settings_and_day_give_the_same_bytes() -> None:
    assert report(record()).html == report(record()).html
    assert report(record()).html != report(record(), replace(PLAIN, date=DAY.replace(day=29))).html


def test_a_page_of_a_folder_leads_back_to_the_list() -> None:
    assert '<a href="index.html">' in report(trajectory(), index="index.html").html
    assert "index.html" not in report(trajectory()).html


@pytest.mark.parametrize("note", [pytest.param("", id="none"), pytest.param("  \n ", id="blank")])
def test_no_note(note: str) -> None:
    assert 'class="note"' not in report(trajectory(), Export(date=DAY, note=note)).html


def test_empty_steps_that_hide_a_loop_are_said() -> None:
    document = trajectory()
    for event in document["events"]:
        if event["type"] == "tool_result" and event["data"]["toolCallId"] in ("id-3", "id-4"):
            event["data"]["result"] = ""
    words = words_of(report(document, PLAIN, Question(overrides=Overrides(max=2))).html)
    assert "PASS" in words and "If empty steps were left out" in words


def test_the_rest_of_a_long_run_is_told_by_its_numbers() -> None:
    page = report(trajectory(1_500))
    findings = page.document.findings
    assert findings is not None
    assert len(findings.cells) == 400 and findings.cells_note == "Counted steps 1 to 400 of 1,504."

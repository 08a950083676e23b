"""Which calls a report tells, in what order, and how it says what they share."""

from __future__ import annotations

import re
from typing import Any

import pytest

from loopviz.report.choosing import nearest, ordinal
from tests.report.recorded import record, report, trajectory


@pytest.mark.parametrize(
    ("n_calls", "chosen", "calls"),
    [
        pytest.param(0, [], [], id="none"),
        pytest.param(3, [1], [0, 1, 2], id="all of a short run"),
        pytest.param(10, [], [0, 1, 2, 3], id="the first, where nothing repeats"),
        pytest.param(10, [9], [6, 7, 8, 9], id="those before the end"),
        pytest.param(10, [1, 8], [0, 1, 2, 8], id="those round each chosen call, of equals the first"),
    ],
)
def test_the_nearest_calls_are_in_the_file(n_calls: int, chosen: list[int], calls: list[int]) -> None:
    assert nearest(n_calls, chosen, most=4).tolist() == calls


@pytest.mark.parametrize(
    ("value", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (1_021, "1,021st"), (113, "113th")],
)
def test_ordinals(value: int, word: str) -> None:
    assert ordinal(value) == word


def told(document: dict[str, Any]) -> Any:
    return report(document).document.calls


def test_first_the_calls_that_show_what_repeated() -> None:
    calls = told(trajectory(5))
    assert [(one.call, one.role) for one in calls.chosen] == [
        (1, "1st of 5"),
        (4, "4th of 5: over the limit"),
        (5, "5th of 5: the last"),
    ]
    assert [one.call for one in calls.others] == [0, 2, 3, 6, 7, 8]


def test_a_run_that_repeats_nothing_has_no_call_to_choose() -> None:
    calls = told({**trajectory(1), "events": trajectory(1)["events"][:12]})
    assert calls.chosen == [] and len(calls.others) == 1


def test_a_call_that_is_told_already_is_linked() -> None:
    first, *rest = told(trajectory(5)).chosen
    assert (first.arguments.shown, first.output.shown) == ('{"command": "npm test"}', "2 failing: cart totals")
    assert [one.same for one in rest] == [1, 1]
    html = report(trajectory(5)).html
    words = 'same call and same output as <a href="#call-2">call 2</a>, character for character'
    assert html.count(words) == 4


@pytest.mark.parametrize(
    ("output", "linked"),
    [pytest.param("short", False, id="a short text is told again"), pytest.param("long " * 40, True, id="a long one")],
)
def test_a_text_that_two_calls_share(output: str, linked: bool) -> None:
    document = trajectory(1)
    for event in document["events"]:
        if event["type"] == "tool_result":
            event["data"]["result"] = output
    html = report(document).html
    assert (re.search(r'>same output as <a href="#call-\d">', html) is not None) is linked


def test_every_call_has_its_place_and_its_number() -> None:
    html = report(record()).html
    assert re.findall(r'id="call-(\d+)"', html) == ["2", "5", "6", "1", "3", "4", "7", "8", "9"]
    assert "call 2</b><bdi> · turn 2 · line 1 · id-1 · error</bdi>" in html


def test_what_was_said_before_a_call_is_told_with_it() -> None:
    (call,) = (one for one in told(trajectory()).others if one.call == 0)
    titles = [(one.title, one.whole) for one in call.said]
    assert titles[0] == ("User message", "Please hurry.")
    assert titles[-2:] == [("Reasoning", "Look at it first."), ("Message", "Look at it first.")]


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        pytest.param("tool_result", "no result in the file", id="no result"),
        pytest.param("arguments", "no arguments", id="no arguments"),
    ],
)
def test_what_was_not_recorded_is_said(missing: str, words: str) -> None:
    document = trajectory()
    document["events"] = [event for event in document["events"] if event["type"] != missing]
    for event in document["events"]:
        event["data"].pop(missing, None)
    html = report(document).html
    assert words in html
    assert "same call and same output" not in html or missing == "arguments"


def test_a_long_run_has_the_texts_of_some_calls_and_says_so() -> None:
    page = report(trajectory(1_500))
    calls = page.document.calls
    assert len(calls.chosen) + len(calls.others) == 1_000
    assert calls.caption.startswith("1,000 of 1,504 calls are here; the file holds the others.")
    assert len(page.html.encode()) < 2_000_000

"""Which calls a report tells, in what order, and how it says what they share."""

from __future__ import annotations

import re
from typing import Any

import pytest

from loopviz.analysis.lines import Question
from loopviz.config import Overrides
from loopviz.report.calls import MOST_SAID
from loopviz.report.choosing import nearest, ordinal
from tests.report.recorded import PLAIN, record, report, trajectory


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


def with_calls(*calls: tuple[Any, Any]) -> dict[str, Any]:
    """A run of these calls, each its arguments and its output."""
    document = trajectory(len(calls))
    events = [event for event in document["events"] if event["data"].get("toolName") == "bash"]
    results = [event for event in document["events"] if event["data"].get("result") == "2 failing: cart totals"]
    for call, result, (arguments, output) in zip(events, results, calls, strict=True):
        call["data"]["arguments"], result["data"]["result"] = arguments, output
    return document


LONG = "at length " * 20


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        pytest.param(({"a": 1}, LONG), ({"a": 1}, LONG), True, id="the same"),
        pytest.param(({"password": "one"}, LONG), ({"password": "two"}, LONG), False, id="two secrets, both masked"),
        pytest.param(({"a": 1}, {"k": 1}), ({"a": 1}, '{"k": 1}'), False, id="an object and the text of it"),
        pytest.param(({"a": 1}, None), ({"a": 1}, "null"), False, id="null and the text null"),
        pytest.param(({"a": 1}, f"{LONG}\r\n"), ({"a": 1}, f"{LONG}\n"), False, id="two ways to end a line"),
        pytest.param(({"a": 1}, "\x1b"), ({"a": 1}, "\\x1b"), False, id="a sign and its spelling"),
        pytest.param(({"a": 1.0}, LONG), ({"a": 1}, LONG), False, id="equal numbers, spelled otherwise"),
        pytest.param(({"a": 1, "b": 2}, LONG), ({"b": 2, "a": 1}, LONG), False, id="equal, in another order"),
    ],
)
def test_only_what_is_the_same_is_called_the_same(first: Any, second: Any, same: bool) -> None:
    html = report(with_calls(first, second)).html
    assert ('same call and same output as <a href="#call-2">' in html) is same


def test_messages_that_are_masked_alike_are_not_the_same() -> None:
    document = trajectory(1)
    place = next(k for k, event in enumerate(document["events"]) if event["data"].get("toolName") == "poll")
    for secret in ("one", "two"):
        said = {"type": "assistant_message", "data": {"content": f"{LONG}\npassword: {secret}"}}
        document["events"].insert(0 if secret == "one" else place + 1, said)
    told_calls = [*told(document).chosen, *told(document).others]
    assert [text.same for call in told_calls for text in call.said if "[masked]" in text.whole] == [None, None]


def test_of_many_texts_before_a_call_the_last_are_told_and_the_others_counted() -> None:
    document = trajectory(1)
    document["events"][:0] = [{"type": "assistant_message", "data": {"content": f"{k} " * 30}} for k in range(9_000)]
    page = report(document)
    first = next(one for one in page.document.calls.others if one.call == 0)
    assert len(first.said) == MOST_SAID and first.unsaid == 9_007 - MOST_SAID
    assert f"{first.unsaid:,} earlier texts before this call not here" in page.html
    assert len(page.html) < 250_000


def test_the_type_of_an_event_is_masked_and_cut() -> None:
    document = trajectory(1)
    kinds = ["ghp_" + "a1" * 20, "x" * 5_000]
    document["events"][:0] = [{"type": kind, "data": {"content": "Here."}} for kind in kinds]
    page = report(document)
    assert "ghp_a1" not in page.html.lower()
    assert max(len(text.title) for call in page.document.calls.others for text in call.said) < 300


def test_words_of_the_program_are_not_masked() -> None:
    """What ended a pattern is told as `password: …`, which no mask may take for a secret, nor count."""
    calls = [({"password": "one", "b": 1}, "ok")] * 3 + [({"password": "two", "b": 1}, "no")]
    page = report(with_calls(*calls), PLAIN, Question(overrides=Overrides(max=2, match="name-args")))
    assert page.document.findings is not None
    rows = page.document.findings.cycles["rows"]
    assert rows and not any("[masked]" in cell for row in rows for cell in row["cells"])
    assert "2 masked" in page.html

"""Texts in a report: cut at 4 kB and marked so, each told once, all together small enough."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.report.texts import CUT, SHORTER, Text, as_lines, brief, cut_all, size
from tests.report.recorded import record, report, trajectory


def cut(whole: str, limit: int = CUT) -> Text:
    text = Text(title="Output", whole=whole)
    text.cut(limit)
    return text


@pytest.mark.parametrize(
    ("whole", "n_shown", "note"),
    [
        pytest.param("", 0, "", id="nothing"),
        pytest.param("x" * 4_096, 4_096, "", id="just as much as is shown"),
        pytest.param("x" * 4_097, 4_096, "Cut: 4 kB of 4 kB shown.", id="one byte more"),
        pytest.param("x" * 20_480, 4_096, "Cut: 4 kB of 20 kB shown.", id="much more"),
        pytest.param("€" * 2_000, 1_365, "Cut: 4 kB of 6 kB shown.", id="never inside a character"),
    ],
)
def test_cut(whole: str, n_shown: int, note: str) -> None:
    text = cut(whole)
    assert (len(text.shown), text.note) == (n_shown, note)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(1, 60))
def test_what_is_shown_is_a_beginning(whole: str, limit: int) -> None:
    text = cut(whole, limit)
    assert whole.startswith(text.shown) and len(text.shown.encode()) <= limit
    assert bool(text.note) == (text.shown != whole)


@pytest.mark.parametrize(
    ("n_texts", "letter", "limit"),
    [
        pytest.param(0, "x", CUT, id="none"),
        pytest.param(400, "x", CUT, id="two long texts for each of 200 calls"),
        pytest.param(800, "x", SHORTER[0], id="twice as many"),
        pytest.param(400, "<", SHORTER[1], id="signs that take four bytes in a page"),
    ],
)
def test_all_texts_together_decide_where_they_are_cut(n_texts: int, letter: str, limit: int) -> None:
    texts = [Text(title="", whole=letter * 20_000) for _ in range(n_texts)]
    assert cut_all([], texts, 200) == limit
    assert all(len(text.shown) == limit for text in texts)


def test_the_calls_that_matter_most_are_cut_last() -> None:
    first, others = Text(title="", whole="x" * 9_000), [Text(title="", whole="x" * 9_000) for _ in range(2_000)]
    assert cut_all([first], others, 200) < CUT
    assert len(first.shown) == CUT


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        pytest.param("as it is\n", "as it is\n", id="a text"),
        pytest.param({"command": "npm test"}, '{"command": "npm test"}', id="small things on one line"),
        pytest.param({"a": "x\ny", "b": 1}, "a:\n    x\n    y\nb: 1", id="a field a line, its lines below it"),
        pytest.param({"text": "x" * 100}, f"text: {'x' * 100}", id="a long field"),
        pytest.param(None, "null", id="nothing"),
    ],
)
def test_values_as_lines(value: Any, lines: str) -> None:
    assert as_lines(value) == lines


@pytest.mark.parametrize(("n_bytes", "words"), [(0, "0 bytes"), (1_023, "1,023 bytes"), (20_000, "20 kB")])
def test_size(n_bytes: int, words: str) -> None:
    assert size(n_bytes) == words


def with_texts(n_calls: int, letter: str) -> dict[str, Any]:
    """A run of many calls, each with arguments and output of 20 kB that no other has."""
    document = trajectory(n_calls)
    place = 0
    for event in document["events"]:
        if event["type"] == "tool_call":
            place += 1
            event["data"]["arguments"] = {"command": f"{place} {letter * 20_000}"}
        if event["type"] == "tool_result":
            event["data"]["result"] = f"{place} {letter * 20_000}"
    return document


@pytest.mark.parametrize("letter", ["x", "<", "é", "\n", '"'])
def test_two_hundred_calls_with_long_texts_stay_below_two_megabytes(letter: str) -> None:
    page = report(with_texts(196, letter))
    assert page.document.calls.n_calls == 200
    assert len(page.html.encode()) < 2_000_000
    assert page.html.count('id="call-') == 200


def test_a_text_that_is_cut_is_marked_and_counted() -> None:
    html = report(with_texts(196, "x")).html
    assert html.count("Cut: 4 kB of 20 kB shown.") == 400
    assert "400 cut" in html


def with_long_names(document: dict[str, Any]) -> dict[str, Any]:
    for place, event in enumerate(document["events"]):
        if event["type"] == "tool_call":
            event["data"]["toolName"] = f"tool {place} " + "n" * 10_000
    return document


@pytest.mark.parametrize("letter", ["x", "&"])
def test_everything_long_at_once_stays_below_two_megabytes(letter: str) -> None:
    """Texts of the run, messages, names, evidence and settings count too."""
    document = with_long_names(with_texts(196, letter))
    document["stimulus"]["prompt"] = document["output"] = letter * 100_000
    document["metadata"]["model"] = letter * 100_000
    document["stimulus"]["graders"][0]["config"]["tools"] = ["tool|" + letter * 100_000]
    said = [{"type": "assistant_message", "data": {"content": f"{k} {letter * 9_000}"}} for k in range(60)]
    trial = {**record(), "trajectory": {**document, "events": [*document["events"], *said, *said]}}
    trial["gradeResult"]["details"][0]["evidence"] = letter * 1_000_000
    page = report(trial)
    assert page.document.calls.n_calls == 200
    assert len(page.html.encode()) < 2_000_000
    assert "… (cut: 200 of " in page.html and "… (cut: 4,096 of 1,000,000 characters)" in page.html


@pytest.mark.parametrize(
    ("words", "cut"),
    [
        pytest.param("name", "name", id="a name"),
        pytest.param("n" * 200, "n" * 200, id="just as much as is shown"),
        pytest.param("n" * 2_000, "n" * 200 + "… (cut: 200 of 2,000 characters)", id="much more"),
    ],
)
def test_names_are_cut_and_marked(words: str, cut: str) -> None:
    assert brief(words) == cut

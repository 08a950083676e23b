"""What came before a pattern, as a person reads it: seen before, not a cause."""

from __future__ import annotations

from typing import Any

from loopviz.model import Event
from loopviz.timeline.beginning import MOST, show_before
from loopviz.timeline.words import plain
from tests.analysis.inspections import look
from tests.analysis.test_before import OTHER
from tests.detectors.test_max_repeat import A, call


def before(calls: list[dict[str, Any]], *events: Event) -> list[str]:
    shown = show_before(look(calls, fields={"events": events}), None)
    assert all(block["aside"] == "seen before, not a cause" for block in shown)
    return [plain(line) for block in shown for line in block["lines"]]


def test_without_a_pattern_there_is_no_block() -> None:
    assert before(OTHER) == []


def test_a_pattern_that_begins_the_run_has_nothing_before_it() -> None:
    assert before([A, A]) == ["It begins with the run's first call."]


def test_what_was_looked_at_is_said_where_nothing_was_found() -> None:
    assert before([*OTHER, A, A]) == [
        "No compaction, no cut or empty output, no error. Looked at: the turn before and at least 3 calls, calls 4–6."
    ]


def test_what_was_looked_at_is_no_more_than_there_is() -> None:
    nothing = "No compaction, no cut or empty output, no error. Looked at: "
    assert before([OTHER[0], A, A]) == [f"{nothing}what lies before it, call 1."]
    assert before([*OTHER[:2], A, A]) == [f"{nothing}all that lies before it, calls 1–2."]
    alone = [{**one, "turn": -1} for one in (*OTHER, A, A)]
    assert before(alone) == [f"{nothing}the 3 calls before it, calls 4–6."]


def test_each_thing_is_told_with_its_call() -> None:
    calls = [*OTHER[:4], OTHER[4] | {"failed": True}, call("x", out=None), A, A]
    compacted = Event(kind="compaction", text="118 k → 31 k\ntokens", call=6, turn=-1)
    assert before(calls, compacted) == [
        "Compacted just before call 7 (118 k → 31 k tokens).",
        "Call 5 failed.",
        "Call 6 gave an empty output.",
        "Looked at: the turn before and at least 3 calls, calls 4–6.",
    ]


def test_many_of_them_are_counted() -> None:
    errors = [Event(kind="error", text="x" * 999, call=5, turn=-1)] * (MOST + 4)
    told = before([*OTHER, A, A], *errors)
    assert told[MOST] == "And 4 more of the kind."
    assert told[0].endswith("x…).") and len(told[0]) < 300

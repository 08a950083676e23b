"""What came just before a pattern began: in the turn before it, or the last few calls, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.before import Before, Sign, before_it_began
from loopviz.model import Event
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import A, B, call

OTHER = [call(f"tool{n}", f"{n}", f"{n}") for n in range(6)]
FAILED = {"failed": True}


def before(calls: list[dict[str, Any]], chosen: int | None = None, *events: tuple[str, int]) -> Before | None:
    told = tuple(Event(kind=kind, text="", call=at, turn=-1) for kind, at in events)
    return before_it_began(look(calls, fields={"events": told}), chosen)


@pytest.mark.parametrize(
    ("calls", "chosen"),
    [
        pytest.param([], None, id="no call"),
        pytest.param(OTHER, None, id="nothing repeats"),
        pytest.param([*OTHER, A, A], 2, id="the chosen call lies in no pattern"),
    ],
)
def test_without_a_pattern_there_is_no_before(calls: list[dict[str, Any]], chosen: int | None) -> None:
    assert before(calls, chosen) is None


@pytest.mark.parametrize(
    ("calls", "events", "seen"),
    [
        pytest.param([A] * 3, [], [], id="it begins the run"),
        pytest.param([*OTHER, A, A], [], [], id="nothing of the kind"),
        pytest.param([*OTHER, A, A | FAILED], [], [], id="what happens inside it"),
        pytest.param([OTHER[0] | FAILED, *OTHER[1:], A, A], [], [], id="six calls earlier"),
        pytest.param([*OTHER, A, A], [("user", 6)], [], id="a message"),
        pytest.param([*OTHER, A, A], [("compaction", 7)], [], id="an event after its first call"),
        pytest.param([*OTHER, A, A], [("compaction", 2)], [], id="an event long before"),
        pytest.param([*OTHER, A, A], [("compaction", 6)], [(Sign.COMPACTION, 6)], id="compacted"),
        pytest.param([*OTHER, A, A], [("cut", 5), ("error", 6)], [(Sign.CUT, 5), (Sign.ERROR, 6)], id="cut, error"),
        pytest.param([*OTHER[:5], B | FAILED, A, A], [], [(Sign.FAILED, 5)], id="a failed call"),
        pytest.param([*OTHER[:3], call("x", out=None), *OTHER[4:], A, A], [], [(Sign.EMPTY, 3)], id="an empty output"),
        pytest.param(
            [*({**c, "turn": 1} for c in (OTHER[0] | FAILED, *OTHER[1:])), A, A],
            [],
            [(Sign.FAILED, 0)],
            id="the turn before reaches further back",
        ),
    ],
)
def test_what_is_seen(calls: list[dict[str, Any]], events: list[Any], seen: list[Any]) -> None:
    found = before(calls, None, *events)
    assert found is not None
    assert [(one.sign, one.call) for one in found.seen] == seen


def test_a_chosen_call_asks_for_its_own_pattern() -> None:
    calls = [*OTHER, A, A, *OTHER[:3], call("t", out="1") | FAILED, B, B, B]
    deciding, chosen = before(calls), before(calls, 7)
    assert deciding is not None and chosen is not None
    assert (deciding.start, [one.call for one in deciding.seen]) == (12, [11])
    assert (chosen.start, chosen.first, chosen.seen) == (6, 3, ())

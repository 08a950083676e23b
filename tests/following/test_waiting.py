"""Which calls may still be answered, and what is held back for that."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from loopviz.detectors.thrash import Kind
from loopviz.following.waiting import is_failure_held, is_stop_held, waits


@dataclass(frozen=True)
class Calls:
    turns: tuple[int, ...]
    answered: str
    """`+` for a call with a result, `.` for one without."""
    n_turns: int

    def __len__(self) -> int:
        return len(self.turns)

    def turn_of(self, call: int) -> int:
        return self.turns[call]

    def is_answered(self, call: int) -> bool:
        return self.answered[call] == "+"


@pytest.mark.parametrize(
    ("calls", "waiting"),
    [
        pytest.param(Calls((0, 1), "++", 2), [False, False], id="all answered"),
        pytest.param(Calls((0, 1), "..", 2), [False, True], id="of two turns the last"),
        pytest.param(Calls((0, 1), "..", 3), [False, False], id="a turn without calls has begun"),
        pytest.param(Calls((0, 0, 0), "+.+", 1), [False, True, True], id="from the first without a result on"),
        pytest.param(Calls((0, 1, 1), ".++", 2), [False, False, False], id="the turn before does not matter"),
        pytest.param(Calls((-1, -1), "..", 0), [False, True], id="calls that stand alone"),
        pytest.param(Calls((0, -1), ".+", 1), [False, False], id="a call that stands alone came behind"),
    ],
)
def test_what_waits(calls: Calls, waiting: list[bool]) -> None:
    assert [waits(call, calls) for call in range(len(calls))] == waiting


@pytest.mark.parametrize("kind", [Kind.IDENTICAL, Kind.EMPTY_RETRY, Kind.PING_PONG])
def test_identical_calls_are_identical_whatever_comes(kind: Kind) -> None:
    assert is_stop_held(kind, 1, Calls((0, 0), "..", 1)) == (kind is not Kind.IDENTICAL)
    assert not is_stop_held(kind, 1, Calls((0, 0), "++", 1))


@pytest.mark.parametrize(
    ("match", "call", "answered", "held"),
    [
        pytest.param("observation", 1, "++.", True, id="its turn lacks a result behind it"),
        pytest.param("observation", 1, "+++", False, id="its turn is complete"),
        pytest.param("observation", 0, "++.", False, id="a turn before"),
        pytest.param("observation", None, "++.", False, id="no failure"),
        pytest.param("name-args", 1, "++.", False, id="results are not compared"),
    ],
)
def test_a_failure_by_results_waits_for_all_of_its_turn(
    match: str, call: int | None, answered: str, held: bool
) -> None:
    assert is_failure_held(match, call, Calls((0, 1, 1), answered, 2)) == held

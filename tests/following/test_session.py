"""Only what is new is looked at: how much work a new line makes, counted and not timed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from loopviz.analysis.lines import Question
from loopviz.config import Overrides
from loopviz.following.asking import Asked
from loopviz.following.follower import Follower
from loopviz.following.ladder import Ladder
from loopviz.following.repeats import Repeats
from loopviz.following.session import Session
from loopviz.following.thrash import Thrash
from tests.readers import claude_by_hand as claude

ASKED = Asked(question=Question(overrides=Overrides(max=3, max_cycle_period=10)))


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often a line was taken, a step derived, and a call looked at by each guard."""
    counts: dict[str, int] = {}

    def count(owner: type, method: str) -> None:
        original: Callable[..., object] = getattr(owner, method)

        def counted(*arguments: object) -> object:
            counts[owner.__name__] = counts.get(owner.__name__, 0) + 1
            return original(*arguments)

        monkeypatch.setattr(owner, method, counted)

    for owner, method in ((Session, "take"), (Repeats, "_step"), (Ladder, "_add"), (Thrash, "_add")):
        count(owner, method)
    return counts


def asks(number: int) -> bytes:
    return claude.lines(claude.said(f"m{number}", claude.use(f"c{number}", "Bash", {"command": f"ls {number % 3}"})))


def answers(number: int) -> bytes:
    return claude.lines(claude.answered(f"c{number}", f"{number % 3}"))


def follow(path: Path, data: bytes) -> Follower:
    path.write_bytes(data)
    follower = Follower(str(path), ASKED)
    follower.poll()
    return follower


@pytest.mark.parametrize("n_calls", [10, 1_000])
def test_a_new_call_costs_as_much_in_a_long_session_as_in_a_short_one(
    n_calls: int, work: dict[str, int], tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    follower = follow(path, b"".join(asks(number) + answers(number) for number in range(n_calls)))
    work.clear()
    with path.open("ab") as file:
        file.write(asks(n_calls) + answers(n_calls))
    follower.poll()
    assert work == {"Session": 2, "Repeats": 1, "Ladder": 1, "Thrash": 1}


@pytest.mark.parametrize("late", [1, 20])
def test_a_late_result_has_the_calls_since_looked_at_again_and_no_others(
    late: int, work: dict[str, int], tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    calls = [asks(number) + (b"" if number == 500 - late else answers(number)) for number in range(500)]
    follower = follow(path, b"".join(calls))
    work.clear()
    with path.open("ab") as file:
        file.write(answers(500 - late))
    follower.poll()
    assert work == {"Session": 1, "Repeats": late, "Ladder": late, "Thrash": late}


def test_a_look_that_finds_nothing_does_nothing(work: dict[str, int], tmp_path: Path) -> None:
    follower = follow(tmp_path / "run.jsonl", asks(0))
    version = follower.version
    work.clear()
    assert (follower.poll(), work, follower.version) == ([], {}, version)

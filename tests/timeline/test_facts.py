"""The facts of a run in one line."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.model import Usage
from loopviz.timeline.facts import duration, facts, run_label, spent, thousands
from tests.detectors.test_max_repeat import A
from tests.detectors.trajectories_by_hand import trajectory_of


def usage(tokens: int | None, cost: float | None = None) -> Usage:
    return Usage(turn=0, call=0, input_tokens=tokens, output_tokens=None, cost=cost)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        pytest.param({"n_turns": 0}, "0 turns · 1 call", id="nothing else recorded"),
        pytest.param({"n_turns": 1, "duration_s": 848.0}, "1 turn · 1 call · 14 min 08 s", id="time"),
        pytest.param(
            {"n_turns": 2, "total_tokens": 412_345, "total_cost": 1.874},
            "2 turns · 1 call · 412 k tokens · $ 1.87",
            id="recorded totals",
        ),
        pytest.param(
            {"n_turns": 2, "usage": (usage(100, 0.5), usage(-1), usage(50, 0.25)), "total_tokens": 7},
            "2 turns · 1 call · 150 tokens · $ 0.75",
            id="the sum over responses goes before a total, unknown counts left out",
        ),
    ],
)
def test_facts(fields: dict[str, Any], words: str) -> None:
    assert facts(trajectory_of([{**A, "turn": None}], **fields)) == words


def test_a_run_without_usage_has_spent_nothing_known() -> None:
    assert spent(trajectory_of([A])) == (None, None)


def test_a_sum_beyond_all_numbers_is_no_cost() -> None:
    assert spent(trajectory_of([A], usage=(usage(1, 1e308), usage(1, 1e308)))) == (2, None)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0.0 s"), (59.94, "59.9 s"), (60, "1 min 00 s"), (3_600, "1 h 00 min"), (7_384, "2 h 03 min")],
)
def test_duration(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(("count", "words"), [(0, "0"), (9_999, "9,999"), (10_000, "10 k"), (1_234_567, "1,235 k")])
def test_thousands(count: int, words: str) -> None:
    assert thousands(count) == words


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        pytest.param({}, "by-hand", id="only a name"),
        pytest.param({"stimulus": "fix", "trial": 3, "trials": 7}, "fix · trial 4 of 7", id="a trial"),
        pytest.param(
            {"stimulus": "fix", "trial": 0, "variant": "main", "model": "m"}, "fix · trial 1 · m", id="a model"
        ),
        pytest.param({"variant": "other"}, "by-hand · other", id="a variant"),
    ],
)
def test_run_label(fields: dict[str, Any], label: str) -> None:
    assert run_label(trajectory_of([A], **fields)) == label

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from loopviz.model import GraderResult, Usage
from loopviz.presenting.cost import Cost, cost_after
from loopviz.presenting.recorded import money
from loopviz.presenting.stopping import stop_point
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import call

SAME = [call(turn=k) for k in range(8)]
QUIET = [call("bash", k, f"{k}", turn=k) for k in range(4)]
TAKING_TURNS = [call("read", k, "r" if k % 2 else "s", turn=k) for k in range(8)]


def paid(n: int, **fields: Any) -> tuple[Usage, ...]:
    """A response a turn, which costs ten cents."""
    return tuple(Usage(turn=k, call=k, **{"cost": 0.1, **fields}) for k in range(n))


def timed(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**one, "time": 60.0 * k} for k, one in enumerate(calls)]


def cost_of(calls: list[dict[str, Any]], *, fields: dict[str, Any] | None = None, **settings: Any) -> Cost:
    return cost_after(look(calls, fields=fields, **settings))


def test_without_a_stop_point_it_is_the_times_in_a_row() -> None:
    cost = cost_of(QUIET)
    assert (cost.figure, cost.words) == ("1", "time in a row at most; 3 are allowed.")
    assert cost.at_most == "Neither guard, simulated, would have stopped this run."
    assert cost.short == ""
    assert cost_of([]).figure == "0"
    some = [call("edit", k, f"{k}") if k % 2 else call("bash", k) for k in range(4)]
    assert cost_of(some, tools=("^bash$",)).words == "times in a row among the watched calls at most; 3 are allowed."


@pytest.mark.parametrize(
    ("calls", "fields", "figure", "words", "at_most"),
    [
        pytest.param(SAME, {"usage": paid(8)}, "$0.50", "of $0.80 was spent after", "at recorded cost", id="money"),
        pytest.param(
            timed(SAME),
            {"last_event_s": 450.0, "duration_s": 460.0},
            "5 min 30 s",
            "of 7 min 40 s went by after",
            "no cost is recorded",
            id="time where no cost is recorded",
        ),
        pytest.param(timed(SAME), {"last_event_s": 450.0}, "5 min 30 s", "went by after", "", id="no whole time"),
        pytest.param(SAME, {}, "5", "of 8 calls came after", "no cost or time is recorded", id="calls"),
        pytest.param(
            timed(SAME),
            {"last_event_s": 450.0, "total_cost": 0.02},
            "5 min 30 s",
            "went by after",
            "a cost is recorded only of the whole run, $0.02.",
            id="a cost of the whole run alone",
        ),
        pytest.param(
            timed(SAME),
            {"last_event_s": 450.0, "usage": paid(3)},
            "5 min 30 s",
            "went by after",
            "no cost is recorded of the responses after it.",
            id="costs of the first responses alone",
        ),
        pytest.param(
            timed(SAME),
            {"last_event_s": 450.0, "usage": (*paid(3), *(Usage(turn=k, call=k) for k in range(3, 8)))},
            "5 min 30 s",
            "went by after",
            "no cost is recorded of the responses after it.",
            id="later responses without a cost",
        ),
        pytest.param(
            SAME,
            {"usage": (*paid(3), Usage(turn=7, call=7, cost=0.1)), "total_cost": None},
            "$0.10",
            "of $0.40 recorded for 4 of 8 turns was spent after",
            "at recorded cost",
            id="costs of some turns",
        ),
        pytest.param(
            SAME,
            {"usage": tuple(Usage(turn=k, call=k, cost=-0.5 if k == 7 else 0.1) for k in range(8))},
            "$0.40",
            "of $0.70 recorded for 7 of 8 responses was spent after",
            "at recorded cost",
            id="a negative cost is unknown",
        ),
        pytest.param(
            timed(SAME),
            {"last_event_s": 450.0, "usage": paid(8, cost=0.0)},
            "5 min 30 s",
            "went by after",
            "the recorded cost is $0.00 in all.",
            id="nothing of nothing says nothing",
        ),
        pytest.param(
            SAME,
            {"usage": paid(8, cost=1e-9)},
            "5",
            "of 8 calls came after",
            "the recorded cost is under $0.0001 in all; no time is recorded.",
            id="next to nothing",
        ),
        pytest.param(
            SAME,
            {"duration_s": 40.0},
            "5",
            "of 8 calls came after",
            "no cost is recorded; no time is recorded of that call.",
            id="a time of the whole run alone",
        ),
        pytest.param(
            timed(SAME)[::-1],
            {"last_event_s": 0.0},
            "5",
            "of 8 calls came after",
            "the recorded times run backwards.",
            id="times run backwards",
        ),
        pytest.param(
            [*timed(SAME)[:4], *SAME[4:]],
            {"last_event_s": 180.0},
            "5",
            "of 8 calls came after",
            "no time is recorded of some calls after it.",
            id="times of the first calls alone",
        ),
        pytest.param(
            [{**one, "time": 5.0} for one in SAME],
            {"last_event_s": 5.0},
            "5",
            "of 8 calls came after",
            "the recorded times stand still.",
            id="times stand still",
        ),
        pytest.param(SAME[:3], {}, "0", "of 3 calls came after", "0 of 3 calls", id="nothing came after"),
    ],
)
def test_money_else_time_else_calls(
    calls: list[dict[str, Any]], fields: dict[str, Any], figure: str, words: str, at_most: str
) -> None:
    cost = cost_of(calls, fields=fields)
    assert cost.figure == figure
    assert cost.words.startswith(words)
    assert cost.words.endswith("the point where a stop guard would have ended the run.")
    assert at_most in cost.at_most


@pytest.mark.parametrize(
    ("calls", "settings", "kind", "call_", "first_after"),
    [
        pytest.param(SAME, {}, "thrash", 2, 3, id="the stop guard acts behind its call"),
        pytest.param(
            SAME,
            {"ladder": {"replan": 2, "explore": 3, "force_done": 4}, "thrash": {"n": 4}},
            "ladder",
            3,
            3,
            id="of two at one call",
        ),
        pytest.param(SAME, {"thrash": {"n": 9, "ping_pong": False}}, "ladder", 7, 7, id="the warning guard alone"),
        pytest.param(TAKING_TURNS, {"max_cycle_period": 2}, "limit", 7, 8, id="no guard: where the limit was passed"),
    ],
)
def test_the_stop_point(
    calls: list[dict[str, Any]], settings: dict[str, Any], kind: str, call_: int, first_after: int
) -> None:
    stop = stop_point(look(calls, **settings))
    assert stop is not None
    assert (stop.kind, stop.call, stop.first_after) == (kind, call_, first_after)
    assert stop.after.calls == len(calls) - first_after


def test_it_says_how_it_is_computed_and_by_which_rule() -> None:
    how = " ".join(cost_of(SAME, fields={"usage": paid(8)}).how)
    assert "when the same call has been made 3 times in a row" in how
    assert "after call 3" in how
    assert "recorded cost of every model response" in how
    some = (*paid(5), *(Usage(turn=k, call=k) for k in range(5, 8)))
    assert "5 of 8 responses have one" in " ".join(cost_of(SAME, fields={"usage": some}).how)
    rare = [call("edit") if k % 2 else call() for k in range(8)]
    assert "3 times in a row among the calls that it watches" in " ".join(cost_of(rare, tools=("^bash$",)).how)
    ping_pong = [call("read" if k % 2 else "bash", k % 2, k % 2, turn=k) for k in range(6)]
    assert "two calls take turns twice" in " ".join(cost_of(ping_pong).how)
    limit = " ".join(cost_of(TAKING_TURNS, max_cycle_period=2).how)
    assert "Neither guard, simulated, would have stopped this run. From call 8 on" in limit


@pytest.mark.parametrize(
    ("fields", "ending"),
    [
        pytest.param({}, "The file does not say whether the run ended well.", id="unrecorded"),
        pytest.param({"outcome": False}, "The run ended badly.", id="badly"),
        pytest.param({"outcome": True}, "The run ended well all the same.", id="well all the same"),
        pytest.param(
            {
                "outcome": False,
                "threshold": 0.7,
                "grade": GraderResult(name="trial", type=None, passed=False, score=0.42),
            },
            "The run ended badly: score 0.42, 0.70 needed.",
            id="with its score",
        ),
    ],
)
def test_how_the_run_ended(fields: dict[str, Any], ending: str) -> None:
    assert cost_of(SAME, fields=fields).ending == ending


def test_a_run_without_a_stop_point_does_not_end_well_all_the_same() -> None:
    assert cost_of(QUIET, fields={"outcome": True}).ending == "The run ended well."


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (1e308, "over $1,000,000,000,000"),
        (float("inf"), "over $1,000,000,000,000"),
        (0.0, "$0.00"),
        (0.45, "$0.45"),
        (1234.5, "$1,234.50"),
        (0.0042, "$0.0042"),
        (0.00001, "under $0.0001"),
    ],
)
def test_money(amount: float, words: str) -> None:
    assert money(amount) == words


def test_the_figures_do_not_depend_on_texts() -> None:
    found = look(SAME, fields={"usage": paid(8)})
    other = replace(found, trajectory=replace(found.trajectory, run="other", prompt="secret"))
    assert cost_after(found) == cost_after(other)

"""The picture's payload: what is drawn over what, which row comes first, what an empty step cut off."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given

from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.runset import RunSet
from loopviz.model import Event
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.contract import CallFlag, CycleState, Payload, Score, decode
from loopviz.timeline.picture import draw
from tests.detectors.test_max_repeat import CALLS, A, B, call
from tests.detectors.trajectories_by_hand import trajectory_of

NOTHING = {"call": None, "seq": 0}


def look(calls: list[dict[str, Any]], fields: dict[str, Any] | None = None, **settings: Any) -> Inspection:
    calls = [{**c, "turn": number if c["turn"] is None else c["turn"]} for number, c in enumerate(calls)]
    tools = settings.pop("tools", None)
    return inspect(
        RunSet([trajectory_of(calls, **(fields or {}))]), MaxRepeatSettings(**{"max": 3, "tools": tools, **settings})
    )


def picture(calls: list[dict[str, Any]], fields: dict[str, Any] | None = None, **settings: Any) -> Payload:
    return draw(look(calls, fields, **settings), None, NOTHING)  # type: ignore[arg-type]


def cycles(payload: Payload) -> list[tuple[int, ...]]:
    return list(zip(*(decode(column).tolist() for column in payload["cycles"].values()), strict=True))


def test_a_quiet_run_has_no_cycle_flag_or_note() -> None:
    payload = picture([call("a", out="1"), call("b", out="2")])
    assert cycles(payload) == []
    assert (payload["flag"], payload["break_notes"], payload["would_be"]) == (None, [], [])
    assert (payload["ladder"]["stop"], payload["thrash"]["stop"]) == (None, None)


def test_a_run_without_calls_can_be_drawn() -> None:
    payload = picture([])
    assert (payload["n_calls"], payload["n_steps"], payload["tools"]) == (0, 0, [])


def test_the_deciding_cycle_is_drawn_last_and_what_is_not_counted_first() -> None:
    clock = [call("date", "now", str(n)) for n in range(4)]
    payload = picture([*clock, *[A] * 5, call("x", out="y"), *[B] * 2])
    states = [state for *_, state in cycles(payload)]
    assert states == [CycleState.NOT_COUNTED, CycleState.COUNTED, CycleState.OVER]
    assert cycles(payload)[-1] == (4, 9, 1, 5, CycleState.OVER)


def test_the_flag_stands_at_the_first_copy_too_many() -> None:
    assert picture([B, *[A] * 5])["flag"] == {"call": 4, "text": "over the limit at call 5", "short": "over at 5"}


def test_rows_begin_with_the_tools_of_the_loop_in_its_order_and_end_with_those_not_watched() -> None:
    calls = [call("plan", out=f"p{n}", watched=True) for n in range(9)] + [A, B] * 4
    names = [row["name"] for row in picture(calls, tools=("bash", "read"))["tools"]]
    assert names == ["bash", "read", "plan"]
    assert [row["watched"] for row in picture(calls, tools=("bash", "read"))["tools"]] == [True, True, False]


def test_no_row_moves_when_a_setting_does() -> None:
    calls = [call("plan", out=f"p{n}") for n in range(3)] + [A, B] * 4
    shown = [picture(calls, **settings)["tools"] for settings in ({}, {"max_cycle_period": 2}, {"match": "name"})]
    assert shown[0] == shown[1] == shown[2]


def test_an_empty_step_is_said_to_have_cut_off_what_would_go_on() -> None:
    payload = picture([A, A, A, call(out=None), A, A, A, call("x", out="y")])
    assert payload["break_notes"] == [{"call": 3, "text": "empty output ended a; without it a × 6"}]
    assert payload["would_be"] == [
        {"first": 3, "last": 6, "period": 1, "number": 4, "copies": [(4, 4), (5, 5), (6, 6)]}
    ]


def test_an_empty_step_that_cut_off_less_than_a_copy_is_not_mentioned() -> None:
    payload = picture([A, B, A, B, call(out=None), A, call("x", out="y")], max_cycle_period=2)
    assert payload["break_notes"] == []


def test_the_story_stands_between_the_calls_but_not_what_the_agent_said() -> None:
    events = tuple(Event(kind=kind, text="t", call=1, turn=0) for kind in ("user", "assistant", "compaction", "odd"))
    payload = picture([A, B], {"events": events})
    assert [(event["kind"], event["label"]) for event in payload["events"]] == [
        ("user", "user message"),
        ("compaction", "t"),
        ("other", "t"),
    ]
    assert payload["figures"]["events"] == "3"


def test_flags_tell_error_empty_and_seen() -> None:
    flags = decode(picture([A, A, call(out=None) | {"failed": True}])["calls"]["flags"]).tolist()
    assert flags[1] == CallFlag.WATCHED | CallFlag.SEEN_ARGUMENTS | CallFlag.SEEN_OUTPUT
    assert flags[2] == CallFlag.WATCHED | CallFlag.ERROR | CallFlag.EMPTY | CallFlag.SEEN_ARGUMENTS


@given(CALLS)
def test_every_run_can_be_drawn_and_its_columns_fit_together(calls: list[dict[str, Any]]) -> None:
    found = look(calls, max_cycle_period=3)
    payload = draw(found, None, NOTHING)  # type: ignore[arg-type]
    for name in ("step", "row", "turn", "flags", "level", "identical"):
        assert len(decode(payload["calls"][name])) == payload["n_calls"]  # type: ignore[literal-required]
    flags = decode(payload["calls"]["flags"])
    assert len(decode(payload["calls"]["same_output"])) == np.count_nonzero(flags & CallFlag.SEEN_OUTPUT)
    counted = [cycle for cycle in cycles(payload) if cycle[-1] != CycleState.NOT_COUNTED]
    assert len(counted) == len(found.finding.cycles)


def test_the_score_of_each_call_tells_what_it_was_held_against() -> None:
    calls = [call("grep", "a b c d"), call("grep", "a b c"), call("plan"), call("grep", "a b"), call("grep", "a b c")]
    scores = decode(picture(calls, tools=["grep"])["calls"]["score"]).tolist()
    assert scores == [Score.NOT_COMPARED, 75, Score.NOT_GUARDED, Score.BEGINS + 50, Score.BEGINS + 66]

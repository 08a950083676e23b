"""What was found, and how what was typed was read, in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from loopviz.analysis.going import read
from loopviz.analysis.matching import Query
from loopviz.analysis.searching import search_run
from loopviz.model import Event
from loopviz.timeline.contract import decode
from loopviz.timeline.finding import ROWS, mark_on_timeline, say_found, say_going, show_found
from tests.analysis.test_going import BYTES, LINES, RUN, STEPS
from tests.analysis.test_searching import STORY
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of
from tests.timeline.pictures import picture

ONE_LINE = trajectory_of([call(turn=0), call(turn=1)])
ONE_LINE.calls.line[:] = 4
TWINS = trajectory_of([call(turn=0) | {"id": "twin"}, call(turn=1) | {"id": "twin"}])


def line(words: str, run: Any = RUN) -> str:
    return "".join(part["text"] for part in say_going(read(words, run, STEPS[: len(run.calls)]), run, 3))


@pytest.mark.parametrize(
    ("words", "run", "said"),
    [
        pytest.param("2", RUN, "Read as call 2. Also: turn 2, counted step 2, text.", id="a call"),
        pytest.param("99", RUN, "There is no call 99: this run has 6. Also: text.", id="no such call"),
        pytest.param("turn 2", RUN, "Read as turn 2: call 3. Also: text.", id="a turn"),
        pytest.param(
            "t3", RUN, "Read as turn 3, which holds no call: call 4, of turn 4, is the next.", id="an empty turn"
        ),
        pytest.param("turn 6", RUN, "Turn 6 holds no call, and none follows it.", id="an empty turn at the end"),
        pytest.param("turn 9", RUN, "There is no turn 9: this run has 6.", id="no such turn"),
        pytest.param("step 2", RUN, "Read as counted step 2: call 4.", id="a step"),
        pytest.param("step 9", RUN, "There is no counted step 9: these settings count 3.", id="no such step"),
        pytest.param("line 5", LINES, "Read as line 5: call 2.", id="a line"),
        pytest.param(
            "line 8", LINES, "Read as line 8, which holds no call: call 3, on line 7, is the last", id="between"
        ),
        pytest.param(
            "line 2", LINES, "No call of this run stands on line 2: they stand on lines 3–13.", id="no such line"
        ),
        pytest.param(
            "line 2", RUN, "line 2: its file is one document, in which calls are known by their", id="no lines"
        ),
        pytest.param(
            "line 4", ONE_LINE, "Read as line 4: call 1, its first, since the whole run", id="a record a line"
        ),
        pytest.param("line 2", ONE_LINE, "stands on line 2: all stand on line 4.", id="not that record's line"),
        pytest.param("byte 210", BYTES, "Read as byte 210: call 2.", id="a byte"),
        pytest.param(
            "byte 290", BYTES, "byte 290, which lies in no call: call 2, from byte 200, is", id="between bytes"
        ),
        pytest.param(
            "byte 9", BYTES, "at byte 9: the first begins at byte 100, and the file has 1,000.", id="no such byte"
        ),
        pytest.param("call_5", RUN, "Read as call id: call 5. Also: text.", id="an id"),
        pytest.param(
            "twin", TWINS, "Read as call id: call 1, the first of 2 that bear it. Also: call 2, text.", id="an id twice"
        ),
        pytest.param("2-4", RUN, "Read as calls 2–4. Also: text.", id="a stretch"),
        pytest.param("1-1", RUN, "Read as call 1. Also: text.", id="a stretch of one call"),
        pytest.param("2-9", RUN, "There is no call 9: this run has 6.", id="a stretch beyond the end"),
    ],
)
def test_the_reading_is_said(words: str, run: Any, said: str) -> None:
    assert said in line(words, run)


def test_another_reading_is_a_click_away() -> None:
    parts = say_going(read("2", RUN, STEPS), RUN, 3)
    assert [part["action"] for part in parts if "action" in part] == ["find=turn+2", "find=step+2", "find=2&as=text"]


def told(query: Query, run: Any = STORY) -> str:
    return "".join(part["text"] for part in say_found(search_run(run, query)))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        pytest.param(
            Query("needle"),
            "Read as text. “needle” stands in 10 places: 3 of 3 calls, the prompt, the message after the last call, "
            "the final answer, the error.",
            id="everywhere",
        ),
        pytest.param(Query("GREP"), "Read as text. “GREP” stands in 1 place: 1 of 3 calls.", id="once"),
        pytest.param(
            Query("^hay", "pattern"), "Read as pattern. “^hay” stands in 2 places: 1 of 3 calls.", id="a pattern"
        ),
        pytest.param(Query("gone"), "“gone” stands nowhere in this run", id="nowhere"),
        pytest.param(Query("x" * 99), f"“{'x' * 59}…” stands nowhere", id="long words are cut"),
    ],
)
def test_what_was_found_is_said(query: Query, said: str) -> None:
    assert told(query).startswith(said)


def test_the_list_names_call_place_and_field() -> None:
    shown = show_found(search_run(STORY, Query("needle")), 1, None)
    assert shown is not None
    assert [(row["call"], row["place"], row["field"]) for row in shown["rows"]][:4] == [
        ("", "prompt", ""),
        ("1", "arguments", "pattern"),
        ("2", "output", "content"),
        ("3", "reasoning", ""),
    ]
    assert [row["now"] for row in shown["rows"]] == [False, False, True] + [False] * 7
    assert (shown["rows"][0]["fold"], shown["rows"][1]["action"]) == ("Prompt", "call=0")
    assert (shown["at"], shown["pages"]) == ("call 2 of 3 with a hit", [])


def test_a_long_list_is_told_in_pieces_and_follows_the_chosen_call() -> None:
    hits = search_run(trajectory_of([call(out=f"hit {number}") for number in range(25)]), Query("hit"))
    first, there, last = (show_found(hits, at, page) for at, page in ((None, None), (12, None), (12, 99)))
    assert first is not None and there is not None and last is not None
    assert [len(shown["rows"]) for shown in (first, there, last)] == [ROWS, ROWS, 5]
    assert [shown["pages"][1]["label"] for shown in (first, there, last)] == [
        "1–10 of 25",
        "11–20 of 25",
        "21–25 of 25",
    ]
    assert [page["action"] for page in there["pages"]] == ["found=0", "", "found=2"]
    assert [page["action"] for page in last["pages"]] == ["found=1", "", None]
    assert first["at"] == "25 calls with a hit"


def test_nothing_found_is_no_section() -> None:
    assert show_found(search_run(STORY, Query("gone")), None, None) is None


@pytest.mark.parametrize(
    ("query", "at", "marks"),
    [
        pytest.param(Query("needle"), None, ["needle"], id="words"),
        pytest.param(Query("[nN]eedle", "pattern"), 2, ["Needle", "needle"], id="what a pattern found in the call"),
        pytest.param(Query("[nN]eedle", "pattern"), None, [], id="a pattern while no call is chosen"),
    ],
)
def test_what_is_marked_in_the_chosen_call(query: Query, at: int | None, marks: list[str]) -> None:
    shown = show_found(search_run(STORY, query), at, None)
    assert shown is not None and shown["marks"] == marks


def test_the_picture_gets_the_calls_with_a_hit() -> None:
    payload = picture(["a"] * 3)
    mark_on_timeline(payload, search_run(STORY, Query("gone")))
    assert "hits" not in payload
    mark_on_timeline(payload, search_run(STORY, Query("b")))
    assert decode(payload["hits"]).tolist() == [1]


def test_a_message_after_the_last_call_belongs_to_none() -> None:
    run = trajectory_of([], events=(Event(kind="user", text="hello", call=0, turn=-1),))
    shown = show_found(search_run(run, Query("hello")), None, None)
    assert shown is not None
    assert (shown["steps"], shown["at"], shown["rows"][0]["place"]) == (False, "", "user message after the last call")
    assert np.all(search_run(run, Query("hello")).calls == [])

"""Where the three answers part, and why: every cause has a run in which it applies, and none in which it is guessed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.causes import Cause
from loopviz.analysis.parting import Parting, find_partings
from loopviz.analysis.voices import Detector, hear
from tests.analysis.inspections import look
from tests.detectors.test_max_repeat import CALLS, A, B, call

GRADER, LADDER, THRASH = Detector


def partings(calls: list[dict[str, Any]], **settings: Any) -> tuple[Parting, ...]:
    inspection = look(calls, **settings)
    return find_partings(inspection, hear(inspection))


def polls(n: int) -> list[dict[str, Any]]:
    """The same question again and again, each time with another answer."""
    return [call("status", "job", f"{place} %") for place in range(n)]


def greps(n: int, out: str | None = None) -> list[dict[str, Any]]:
    """Commands that have three words of four in common; answers of their own unless one is given."""
    return [call("grep", f"-rn needle in file{place}", out or f"nothing in {place}") for place in range(n)]


def tries(n: int) -> list[dict[str, Any]]:
    """A different command each time, always the same answer."""
    return [call("edit", f"attempt{place} {place * 'x'}y", "no match") for place in range(n)]


def requests(n: int, out: str | None = "denied") -> list[dict[str, Any]]:
    return [call("get", {"url": "/jobs", "id": f"r{place}x"}, out or f"{place}") for place in range(n)]


READ, EDIT, TEST = call("read", "a", "1"), call("edit", "b", "2"), call("test", "c", "3")
FAILED = call("bash", "make", "broken")
DONE = call("finish", "now", "not yet")
LIKE = {"similarity": 0.6}


@pytest.mark.parametrize(
    ("calls", "settings"),
    [
        pytest.param([], {}, id="no call"),
        pytest.param([READ, EDIT, TEST], {}, id="nothing repeats"),
        pytest.param([A, A], {}, id="below every limit"),
        pytest.param([A] * 3, {"max": 2}, id="all three at the same call"),
        pytest.param([A] * 9, {"max": 2}, id="what follows changes nothing"),
        pytest.param([call("test", "c", "3"), READ, TEST, EDIT, TEST], {}, id="always something in between"),
    ],
)
def test_they_part_nowhere(calls: list[dict[str, Any]], settings: dict[str, Any]) -> None:
    assert partings(calls, **settings) == ()


CASES = {
    "outputs differ": (polls(5), {}, 2, (THRASH, LADDER), (GRADER,), Cause.OUTPUTS),
    "similar arguments": (greps(4), {"ladder": LIKE}, 2, (LADDER,), (GRADER, THRASH), Cause.SIMILAR),
    "similar is not equal": (
        greps(4, "x"),
        {"ladder": LIKE, "match": "name-args"},
        2,
        (LADDER,),
        (GRADER, THRASH),
        Cause.SIMILAR_ONLY,
    ),
    "similar is not identical": (
        greps(4, "x"),
        {"ladder": LIKE, "max": 2},
        2,
        (GRADER, LADDER),
        (THRASH,),
        Cause.NOT_IDENTICAL,
    ),
    "one turn": ([{**A, "turn": 7}] * 4, {}, 2, (THRASH, LADDER), (GRADER,), Cause.PARALLEL),
    "two calls of one turn, over and over": (
        [{**c, "turn": turn} for turn in range(4) for c in (READ, EDIT)],
        {"thrash": {"ping_pong": False}},
        6,
        (GRADER,),
        (LADDER, THRASH),
        Cause.PARALLEL,
    ),
    "empty outputs": ([call(out=None)] * 4, {}, 2, (THRASH, LADDER), (GRADER,), Cause.EMPTY),
    "an empty output later on": ([A, A, A, call(out=None), A], {}, 2, (THRASH, LADDER), (GRADER,), Cause.EMPTY),
    "the grader watches other tools": (
        [A] * 4,
        {"tools": ["read"], "guarded": ("bash",)},
        2,
        (THRASH, LADDER),
        (GRADER,),
        Cause.TOOLS,
    ),
    "the guards watch other tools": ([A] * 4, {"guarded": ("read",)}, 3, (GRADER,), (LADDER, THRASH), Cause.TOOLS),
    "the guards watch more": (
        [A, B] * 4,
        {"tools": ["bash"], "guarded": (".",), "thrash": {"ping_pong": False}},
        6,
        (GRADER,),
        (LADDER, THRASH),
        Cause.TOOLS,
    ),
    "unrecorded values": (
        [call("get", "x", f"{n}") | {"unknown": True} for n in range(4)],
        {},
        2,
        (THRASH, LADDER),
        (GRADER,),
        Cause.UNRECORDED,
    ),
    "unrecorded outputs, taken as different": (
        [call("get", "x", "?") | {"unknown_observation": True}] * 4,
        {"unknown": "distinct"},
        2,
        (THRASH, LADDER),
        (GRADER,),
        Cause.UNRECORDED,
    ),
    "unrecorded arguments, taken as different": (
        [call("get", "?", "x") | {"unknown_arguments": True}] * 4,
        {"unknown": "distinct"},
        3,
        (GRADER,),
        (THRASH, LADDER),
        Cause.UNRECORDED,
    ),
    "two in turn, taken as different": (
        [c | {"unknown_observation": True} for c in (READ, EDIT)] * 4,
        {"unknown": "distinct", "match": "name-args", "max_cycle_period": 2},
        7,
        (GRADER,),
        (THRASH, LADDER),
        Cause.UNRECORDED,
    ),
    "unrecorded outputs that nobody compares": (
        [c | {"unknown_observation": True} for c in greps(4, "?")],
        {"ladder": LIKE, "match": "name-args"},
        2,
        (LADDER,),
        (GRADER, THRASH),
        Cause.SIMILAR_ONLY,
    ),
    "unrecorded outputs that differ all the same": (
        [c | {"unknown_observation": True} for c in polls(4)],
        {"unknown": "distinct"},
        2,
        (THRASH, LADDER),
        (GRADER,),
        Cause.OUTPUTS,
    ),
    "left out by thrash, arguments compared": (
        requests(4),
        {"match": "name-args", "thrash": {"ignore_args": ("id",)}, "ladder": {"similarity": 1.0}},
        2,
        (THRASH,),
        (GRADER, LADDER),
        Cause.LEFT_OUT,
    ),
    "the ladder compares arguments alone": (
        [call(tool, "x", "1") for tool in ("a", "b", "c")],
        {"ladder": {"same_tool": False}},
        2,
        (LADDER,),
        (GRADER, THRASH),
        Cause.ANY_TOOL,
    ),
    "same output": (tries(4), {}, 3, (GRADER,), (LADDER, THRASH), Cause.SAME_OUTPUT),
    "same tool": (
        [call("edit", f"{n}", f"{n}") for n in range(4)],
        {"match": "name"},
        3,
        (GRADER,),
        (LADDER, THRASH),
        Cause.SAME_TOOL,
    ),
    "three in turn": (
        [READ, EDIT, TEST] * 4,
        {"max_cycle_period": 3},
        11,
        (GRADER,),
        (LADDER, THRASH),
        Cause.TAKE_TURNS,
    ),
    "two in turn, one step looked for": ([READ, EDIT] * 3, {}, 3, (THRASH,), (GRADER, LADDER), Cause.ONE_STEP),
    "two in turn, the ladder": (
        [READ, EDIT] * 3,
        {"max_cycle_period": 2},
        3,
        (THRASH,),
        (GRADER, LADDER),
        Cause.PING_PONG,
    ),
    "two in turn, not asked for": (
        [READ, EDIT] * 4,
        {"max_cycle_period": 2, "thrash": {"ping_pong": False}},
        7,
        (GRADER,),
        (LADDER, THRASH),
        Cause.PING_PONG_OFF,
    ),
    "two in turn, outputs change": (
        [call(tool, "x", f"{n}") for n in range(4) for tool in ("read", "edit")],
        {"max_cycle_period": 2, "match": "name-args"},
        7,
        (GRADER,),
        (LADDER, THRASH),
        Cause.PING_PONG_OUTPUTS,
    ),
    "counted over the whole run": (
        [FAILED, READ, FAILED, EDIT, FAILED],
        {"thrash": {"scope": "run"}},
        4,
        (THRASH,),
        (GRADER, LADDER),
        Cause.WHOLE_RUN,
    ),
    "a limit of its own for empty results": (
        [call(out=None)] * 2,
        {"thrash": {"empty_retry": 1}, "match": "name-args"},
        1,
        (THRASH,),
        (GRADER, LADDER),
        Cause.EMPTY_RETRY,
    ),
    "two and one in turn": (
        [{**c, "turn": 2 * n + at} for n in range(3) for c, at in ((EDIT, 0), (READ, 1), (EDIT, 1))],
        {"max_cycle_period": 2, "max": 2},
        7,
        (GRADER,),
        (LADDER, THRASH),
        Cause.PARALLEL,
    ),
    "two tools in turn, arguments that change": (
        [call(tool, f"{n * n * 'x'}{tool}", tool) for n in range(4) for tool in ("read", "edit")],
        {"max_cycle_period": 2},
        7,
        (GRADER,),
        (LADDER, THRASH),
        Cause.SAME_OUTPUT,
    ),
    "finishing does not count": ([DONE] * 4, {}, 2, (LADDER,), (GRADER, THRASH), Cause.FINISHING),
    "finishing does not separate": ([A, DONE] * 3, {"max": 1}, 4, (THRASH,), (GRADER, LADDER), Cause.FINISHING),
    "never ran": ([A | {"ran": False}] * 4, {}, 2, (LADDER,), (GRADER, THRASH), Cause.NEVER_RAN),
    "other numbers": ([A] * 3, {}, 2, (THRASH, LADDER), (GRADER,), Cause.LIMITS),
    "the grader allows fewest": ([A] * 2, {"max": 1}, 1, (GRADER,), (LADDER, THRASH), Cause.LIMITS),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_why_they_part(case: tuple[Any, ...]) -> None:
    calls, settings, at, spoke, others, cause = case
    first = partings(calls, **settings)[0]
    assert (first.call, set(first.spoke), set(first.others)) == (at, set(spoke), set(others))
    assert cause in first.causes
    assert cause is Cause.UNRECORDED or Cause.UNRECORDED not in first.causes


def test_every_cause_has_its_run() -> None:
    assert {case[-1] for case in CASES.values()} == set(Cause)


def test_where_nothing_on_the_list_explains_it_no_cause_is_given() -> None:
    """Turns of two agents interleave: what the guards see side by side are no steps side by side."""
    calls = [{**c, "turn": turn} for c, turn in ((A, 0), (B, 1), (EDIT, 0), (EDIT, 2))]
    first = partings(calls, max=1, thrash={"n": 2})[0]
    assert (first.call, first.spoke, first.others) == (3, (THRASH,), (GRADER, LADDER))
    assert first.causes == (Cause.LIMITS,), "of the ladder; of the grader nothing is known"
    assert partings(calls, max=1, thrash={"n": 2}, ladder={"replan": 2, "explore": 3, "force_done": 4})[0].causes == ()


def test_later_stretches_are_told_where_others_speak() -> None:
    calls = [*polls(3), A, *greps(4), B, *[READ, EDIT, TEST] * 4]
    told = partings(calls, max_cycle_period=3, ladder=LIKE)
    assert [(parting.first, parting.last, parting.spoke) for parting in told] == [
        (0, 2, (LADDER, THRASH)),
        (4, 7, (LADDER,)),
        (9, 20, (GRADER,)),
    ]
    assert [parting.causes for parting in told] == [(Cause.OUTPUTS,), (Cause.SIMILAR,), (Cause.TAKE_TURNS,)]
    assert told[1].others == (GRADER,), "thrash has stopped the run before"


def test_a_later_stretch_that_says_nothing_new_is_left_out() -> None:
    told = partings([*[A] * 3, B, *[A] * 3])
    assert [(parting.call, parting.causes) for parting in told] == [(2, (Cause.LIMITS,))]


@given(CALLS, st.integers(1, 3), st.integers(1, 3))
def test_the_first_parting_is_where_the_first_one_speaks(calls: list[dict[str, Any]], limit: int, bound: int) -> None:
    calls = [{**c, "turn": None} for c in calls if c["watched"]]
    inspection = look(calls, max=limit, max_cycle_period=bound)
    nudge, stop = inspection.ladder.first(0, 1), inspection.thrash.stop(0)
    spoken = [
        inspection.finding.first_failing_call,
        None if nudge is None else nudge.call,
        None if stop is None else stop.call,
    ]
    told = find_partings(inspection, hear(inspection))
    known = [at for at in spoken if at is not None]
    if len(set(spoken)) == 1:
        assert not known or not told or told[0].call > known[0]
    else:
        assert told[0].call == min(known)
        assert {place for place, at in enumerate(spoken) if at == min(known)} == set(told[0].spoke)

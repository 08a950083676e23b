"""Asking about a stretch: the reasons, and the nearest settings, held against a brute-force reading of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopviz.analysis import lying
from loopviz.analysis.asking import Answer, WhyNone, ask
from loopviz.analysis.inspection import inspect
from loopviz.analysis.neighbours import Apart, compare_neighbours
from loopviz.analysis.reasons import Reason
from loopviz.analysis.runset import RunSet
from loopviz.settings import MaxRepeatSettings
from tests import oracles
from tests.detectors.trajectories_by_hand import trajectory_of

Call = dict[str, Any]
MODES = ("observation", "name-args", "name")


def call(tool: str, output: str | None = "same", arguments: str = "same", turn: int | None = None) -> Call:
    return {"tool": tool, "arguments": arguments, "observation": output, "turn": turn, "watched": True}


def in_turns(*calls: Call) -> list[Call]:
    """Each call in a turn of its own."""
    return [{**one, "turn": turn} for turn, one in enumerate(calls)]


def asked(calls: list[Call], first: int, last: int, **fields: Any) -> Answer:
    runs = RunSet([trajectory_of(calls)])
    return ask(runs, inspect(runs, MaxRepeatSettings(**{"max": 3, **fields})), first, last)


A, B, C = call("read", "x"), call("edit", "y"), call("test", "z")
OTHERS = [call(f"tool {n}", f"out {n}", f"in {n}") for n in range(6)]
OUT = [call("bash", f"out {n}") for n in range(5)]
IN = [call("bash", arguments=f"in {n}") for n in range(5)]
NEW = [call("bash", f"out {n}", f"in {n}") for n in range(5)]
EMPTY = call("read", None)


@pytest.mark.parametrize(
    ("calls", "marked", "fields", "reason"),
    [
        pytest.param(in_turns(*OTHERS), (0, 5), {}, Reason.ALL_DIFFER, id="nothing comes again"),
        pytest.param(in_turns(*OTHERS), (2, 2), {}, Reason.ONE_STEP, id="one call"),
        pytest.param([call("a", turn=0)] * 3, (0, 2), {}, Reason.ONE_STEP, id="one turn"),
        pytest.param(in_turns(*[A] * 5), (0, 4), {"tools": ("^edit$",)}, Reason.UNWATCHED, id="nothing is watched"),
        pytest.param(in_turns(*[EMPTY] * 5), (0, 4), {}, Reason.ALL_EMPTY, id="every output is empty"),
        pytest.param(in_turns(A, A, A), (0, 2), {}, Reason.WITHIN_LIMIT, id="at the limit"),
        pytest.param(in_turns(A, A, *OTHERS), (0, 7), {}, Reason.SMALL, id="a small repeat at its edge"),
        pytest.param(in_turns(A, B, A, C, B), (0, 4), {}, Reason.NO_REPEAT, id="again, but never side by side"),
        pytest.param(in_turns(*[A, B] * 4), (0, 7), {}, Reason.NO_REPEAT, id="a longer pattern"),
        pytest.param(in_turns(*[A] * 4, *OTHERS), (2, 9), {}, Reason.PARTLY, id="the end of a loop, and much more"),
        pytest.param(in_turns(*[A] * 4), (1, 1), {}, Reason.PARTLY, id="one call of a loop"),
        pytest.param(in_turns(*[A] * 4), (0, 3), {}, Reason.COUNTED, id="exactly the loop"),
        pytest.param(in_turns(*[A] * 9), (3, 4), {}, Reason.COUNTED, id="two copies out of a long loop"),
        pytest.param(in_turns(*[A] * 4, *OTHERS), (0, 7), {}, Reason.COUNTED, id="a loop is half of it"),
        pytest.param(in_turns(*[A] * 4, *OTHERS), (0, 8), {}, Reason.PARTLY, id="a loop is less than half of it"),
    ],
)
def test_the_first_reason_that_holds(
    calls: list[Call], marked: tuple[int, int], fields: dict[str, Any], reason: Reason
) -> None:
    answer = asked(calls, *marked, **fields)
    assert answer.head.reason is reason
    assert answer.counts == (reason is Reason.COUNTED)
    assert not (answer.counts and (answer.suggestions or answer.others))


@pytest.mark.parametrize(
    ("calls", "fields", "others"),
    [
        pytest.param(in_turns(*OTHERS), {}, [], id="nothing would help"),
        pytest.param(in_turns(*[A, B] * 4), {}, [(Reason.TOO_LONG, 4), (Reason.BETWEEN, 4)], id="a pattern of two"),
        pytest.param(in_turns(*OUT), {}, [(Reason.VALUES_DIFFER, 5)], id="only the outputs differ"),
        pytest.param(
            in_turns(*IN), {"match": "name-args"}, [(Reason.VALUES_DIFFER, 5)], id="only the arguments differ"
        ),
        pytest.param(in_turns(*NEW), {}, [(Reason.VALUES_DIFFER, 5)], id="only the tool is the same"),
        pytest.param(
            in_turns(A, A, EMPTY, A, A), {}, [(Reason.EMPTY_CUTS, 4), (Reason.VALUES_DIFFER, 5)], id="an empty output"
        ),
        pytest.param(in_turns(A, B, A, C, A, B, A), {}, [(Reason.AMONG, 4)], id="several tools between"),
        pytest.param(
            in_turns(A, B, A, B, A, B), {"tools": ("^x$", "^edit$")}, [], id="what is watched repeats as often"
        ),
        pytest.param(in_turns(*[A] * 6, B), {"tools": ("^edit$",)}, [(Reason.LEFT_OUT, 6)], id="a tool is left out"),
        pytest.param(
            [call(tool, output, turn=n) for n in range(4) for tool, output in (("read", "x"), ("edit", None))],
            {"max_cycle_period": 2},
            [(Reason.HALF_EMPTY, 4), (Reason.VALUES_DIFFER, 4), (Reason.BETWEEN, 4)],
            id="turns with some empty outputs",
        ),
    ],
)
def test_what_would_count_more(calls: list[Call], fields: dict[str, Any], others: list[tuple[Reason, int]]) -> None:
    found = asked(calls, 0, len(calls) - 1, **fields).others
    assert [(fact.reason, fact.loop.occurrences if fact.loop else 0) for fact in found] == others


def test_tools_outside_the_marked_calls_stand_between_and_are_not_left_out() -> None:
    facts = asked(in_turns(A, A, B, A, A), 3, 4).others
    assert [(fact.reason, fact.tools) for fact in facts] == [(Reason.AMONG, ())]


def test_the_places_where_it_shows() -> None:
    cut = asked(in_turns(A, A, EMPTY, A, A), 0, 4).others[0]
    assert cut.call == 2
    apart = asked(in_turns(*[A] * 2, *OUT), 2, 6).others[0]
    assert (apart.against, apart.call) == (2, 3)


def test_in_turns_of_several_calls_those_that_differ_are_named() -> None:
    turns = [
        call("bash", output, arguments, turn)
        for turn in range(5)
        for output, arguments in (("same", "1"), (f"new {turn}", "2"))
    ]
    (apart,) = asked(turns, 0, 9).others
    assert (apart.reason, apart.against, apart.call) == (Reason.VALUES_DIFFER, 1, 3)
    neighbours = asked(turns, 0, 9).neighbours
    assert neighbours is not None
    assert [(pairs.apart, pairs.calls) for pairs in neighbours.pairs] == [(Apart.OUTPUT, (1, 3))]
    outputs = (("x", "y"), ("x", None), ("x", "y"))
    empties = [call(tool, some[place], turn=n) for n, some in enumerate(outputs) for place, tool in enumerate("ab")]
    facts = asked(empties, 0, 5, max_cycle_period=2).others
    cut = [fact for fact in facts if fact.reason is Reason.EMPTY_CUTS]
    assert [fact.call for fact in cut] == [3]


def test_where_empty_outputs_decide_nothing_turns_with_some_are_told_apart_by_the_others() -> None:
    turns = [call(tool, output, turn=n) for n in range(3) for tool, output in (("a", None), ("b", f"new {n}"))]
    runs, now = RunSet([trajectory_of(turns)]), MaxRepeatSettings(max=3, match="name", max_cycle_period=2)
    (pairs,) = compare_neighbours(inspect(runs, now).grader, now, np.arange(3)).pairs
    assert (pairs.apart, pairs.count, pairs.calls) == (Apart.OUTPUT, 2, (1, 3))


def test_how_neighbours_differ_most_frequent_first() -> None:
    answer = asked(in_turns(A, B, C, A, call("read", "x", "in"), call("read", "other", "in")), 0, 5, max_cycle_period=1)
    assert answer.neighbours is None or answer.neighbours.total == 5
    apart = asked(in_turns(A, B, C, call("test", "w")), 0, 3).neighbours
    assert apart is not None
    assert [(pairs.apart, pairs.count, pairs.calls) for pairs in apart.pairs] == [
        (Apart.TOOL, 2, (0, 1)),
        (Apart.OUTPUT, 1, (2, 3)),
    ]


@pytest.mark.parametrize(
    ("calls", "why"),
    [
        pytest.param(in_turns(A), WhyNone.ONE_CALL, id="one call"),
        pytest.param([call("a", turn=0), call("b", turn=0)], WhyNone.ONE_TURN, id="one turn"),
        pytest.param(in_turns(*OTHERS), WhyNone.NOTHING, id="all different"),
    ],
)
def test_why_nothing_counts_it(calls: list[Call], why: WhyNone) -> None:
    answer = asked(calls, 0, len(calls) - 1)
    assert answer.suggestions == ()
    assert answer.why_none is why


@pytest.mark.parametrize(
    ("calls", "fields", "changes"),
    [
        pytest.param(in_turns(A, A, A), {}, [{"max": 2}], id="fewer allowed"),
        pytest.param(
            in_turns(*[A, B] * 4),
            {},
            [{"max_cycle_period": 2}, {"tools": ("^(?!read$)",)}],
            id="a longer pattern before fewer tools",
        ),
        pytest.param(in_turns(*OUT), {}, [{"match": "name-args"}], id="the stricter way of same"),
        pytest.param(
            in_turns(A, B, A, C, A, B, A),
            {},
            [{"tools": ("^read$",)}],
            id="one tool",
        ),
        pytest.param(in_turns(*[A] * 4), {"tools": ("^edit$",)}, [{"tools": None}], id="every tool"),
    ],
)
def test_the_nearest_settings(calls: list[Call], fields: dict[str, Any], changes: list[dict[str, Any]]) -> None:
    answer = asked(calls, 0, len(calls) - 1, **fields)
    found = [
        {field: getattr(one.nearest.settings, field) for field in one.nearest.changed} for one in answer.suggestions
    ]
    assert found[: len(changes)] == changes


def test_what_else_they_flag_in_the_run() -> None:
    calls = in_turns(*[A] * 3, *OTHERS, *[B] * 4, *OTHERS, *[C] * 3)
    answer = asked(calls, 0, 2)
    assert answer.suggestions[0].nearest.settings.max == 2
    assert (answer.suggestions[0].elsewhere.count, answer.suggestions[0].elsewhere.first_calls) == (2, (9, 19))
    assert answer.elsewhere.first_calls == (9,)


def test_calls_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="calls 2–6"):
        asked(in_turns(A, A), 2, 6)


# A brute-force reading of what counts, and of what is nearest.


def _choices(calls: list[Call], now: set[str], first: int, last: int) -> list[set[str]]:
    used, inside = {one["tool"] for one in calls}, {one["tool"] for one in calls[first : last + 1]}
    return [now, used, inside, *({tool} for tool in inside), *(now - {tool} for tool in inside & now)]


def _lying(calls: list[Call], tools: set[str], match: str, bound: int, first: int, last: int) -> list[tuple[int, int]]:
    """(period, copies) of every cycle that lies in the stretch, whatever its period up to 10."""
    watched = [{**one, "watched": one["tool"] in tools} for one in calls]
    groups: dict[Any, list[int]] = {}
    for number, one in enumerate(watched):
        if one["watched"]:
            groups.setdefault(("alone", number) if one["turn"] is None else one["turn"], []).append(number)
    steps = list(groups.values())
    found = []
    for start, _, period, copies, _ in oracles.cycles(oracles.steps_of(watched, match, bound), 10):
        copied = steps[start : start + period * copies]
        inside = [step for step in copied if any(first <= k <= last for k in step)]
        span = range(copied[0][0], max(call for step in copied for call in step) + 1)
        if 2 * sum(k in span for k in range(first, last + 1)) >= last - first + 1 and len(inside) >= 2 * period:
            found.append((period, copies))
    return found


def _counting(
    calls: list[Call], now: MaxRepeatSettings, watched: set[str], first: int, last: int
) -> Iterator[tuple[int, ...]]:
    """(settings changed, moves of max, tools changed, bound, mode) of everything tried that counts the stretch."""
    used = {one["tool"] for one in calls}
    for tools in _choices(calls, watched, first, last):
        for mode, match in enumerate(MODES):
            if match == "name" and len(tools & used) == 1 and tools & used != watched & used:
                continue
            lie = {bound > 1: _lying(calls, tools, match, bound, first, last) for bound in (1, 2)}
            for bound in range(1, 11):
                most = max((copies for period, copies in lie[bound > 1] if period <= bound), default=0)
                for limit in range(1, min(most - 1, now.max) + 1):
                    moved = (
                        limit != now.max,
                        bound != now.max_cycle_period,
                        match != now.match,
                        tools & used != watched,
                    )
                    yield sum(moved), now.max - limit, len(tools & used ^ watched & used), bound, mode


TOOLS = ("a", "b", "c")
CALLS = st.lists(
    st.builds(
        call,
        st.sampled_from(TOOLS),
        st.sampled_from(["x", "x", "y", None]),
        st.sampled_from(["p", "q"]),
        st.sampled_from([None, None, None, 0, 1]),
    ),
    min_size=2,
    max_size=9,
)
NOW = st.builds(
    MaxRepeatSettings,
    max=st.integers(1, 3),
    max_cycle_period=st.sampled_from([1, 1, 2, 4]),
    match=st.sampled_from(MODES),
    tools=st.sampled_from([None, ("^a$",), ("^(?!b$)",)]),
)


@settings(deadline=None, max_examples=80)
@given(CALLS, NOW, st.data())
def test_agrees_with_a_brute_force_search(calls: list[Call], now: MaxRepeatSettings, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(calls) - 1))
    last = data.draw(st.integers(first, len(calls) - 1))
    runs = RunSet([trajectory_of(calls)])
    answer = ask(runs, inspect(runs, now), first, last)
    used = {one["tool"] for one in calls}
    watched = used & {None: {*TOOLS}, ("^a$",): {"a"}, ("^(?!b$)",): {"a", "c"}}[now.tools]  # type: ignore[index]
    counting = list(_counting(calls, now, watched, first, last))
    assert answer.counts == any(option[0] == 0 for option in counting)
    assert bool(answer.suggestions) == (bool(counting) and not answer.counts)
    for place, suggestion in enumerate(answer.suggestions):
        option, mine = suggestion.nearest, suggestion.nearest.settings
        finding = runs.max_repeat(mine.tools).judge(0, mine)
        tools = {tool for tool in TOOLS if tool in used and option.choice.watched[runs.columns.tools.index(tool)]}
        lie = _lying(calls, tools, mine.match, min(mine.max_cycle_period, 2), first, last)
        assert not finding.passed
        assert any(period <= mine.max_cycle_period and copies > mine.max for period, copies in lie)
        distance = (
            len(option.changed),
            now.max - mine.max,
            option.choice.changes,
            mine.max_cycle_period,
            MODES.index(mine.match),
        )
        assert distance in counting
        if place == 0:
            assert distance == min(counting)


@settings(deadline=None, max_examples=60)
@given(CALLS, NOW, st.data())
def test_looking_around_the_stretch_first_changes_nothing(
    calls: list[Call], now: MaxRepeatSettings, data: st.DataObject
) -> None:
    calls = [{**one, "turn": turn} for turn, one in enumerate(calls)]
    first = data.draw(st.integers(0, len(calls) - 1))
    last = data.draw(st.integers(first, len(calls) - 1))
    runs = RunSet([trajectory_of(calls)])
    grader = runs.max_repeat(now.tools)
    found = []
    for around in (0, 1, 2, lying.AROUND):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lying, "AROUND", around)
            found.append(lying.find_lying(runs.columns, grader.watched, "equal", lying.Stretch(first, last)).by_coding)
    assert found[0] == found[1] == found[2] == found[3]

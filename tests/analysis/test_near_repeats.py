"""Near-repeats: calls of one tool that are the same but for a little."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.analysis.difference import Kind
from loopviz.analysis.near_repeats import LEAST, LOOKED_BACK, MOST_BYTES, NearGroup, NearRepeats
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.columns import lay_out
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of


def find(calls: list[dict[str, Any]], watched: list[bool] | None = None) -> NearRepeats:
    columns = lay_out([trajectory_of([{**one, "turn": n} for n, one in enumerate(calls)])])
    return NearRepeats(columns, np.array([True] * len(calls) if watched is None else watched, dtype=np.bool_))


def told(group: NearGroup) -> tuple[list[int], bool, bool, int]:
    return group.calls.tolist(), group.same_arguments, group.same_output, group.longest


OTHER = call("other", "z", "z")
PHRASES = ("alpha", "beta gamma", "delta", "epsilon zeta", "eta", "theta iota")


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param([], id="no call"),
        pytest.param([call("read", {"path": f"f{n}"}, PHRASES[n]) for n in range(3)], id="three files, three texts"),
        pytest.param([call("read", {"path": "a", "n": 1}, "x")] * (LEAST - 1), id="two calls"),
        pytest.param([call("test", "t", "same")] * 5, id="a plain loop, which is a cycle already"),
        pytest.param([call(name, "a", f"at {n}") for n, name in enumerate("abc")], id="three tools"),
        pytest.param([call("sh", phrase, phrase) for phrase in PHRASES], id="everything differs"),
        pytest.param([call("sh", phrase, None) for phrase in PHRASES[:4]], id="empty outputs are nothing in common"),
    ],
)
def test_must_not_find(calls: list[dict[str, Any]]) -> None:
    assert find(calls).groups == ()


@pytest.mark.parametrize(
    ("calls", "group"),
    [
        pytest.param(
            [call("sh", "health", f"10:25:{n} ok") for n in range(9)],
            (list(range(9)), True, False, 9),
            id="a clock in the output",
        ),
        pytest.param(
            [call("find", {"q": "how", "request_id": phrase}, "hits") for phrase in PHRASES],
            (list(range(6)), False, True, 6),
            id="a request id in the arguments",
        ),
        pytest.param(
            [call("find", {"q": {"words": "how", "nonce": phrase}}, "hits") for phrase in PHRASES],
            (list(range(6)), False, True, 6),
            id="deep in the arguments",
        ),
        pytest.param(
            [part for _ in range(4) for part in (call("test", "t", "red"), OTHER)][:-1],
            ([0, 2, 4, 6], True, True, 1),
            id="always something in between",
        ),
        pytest.param(
            [call("sh", f"trace tile{n}", f"tile{n}: {n * 7} bytes") for n in range(4)],
            ([0, 1, 2, 3], False, False, 4),
            id="numbers on both sides",
        ),
        pytest.param(
            [call("edit", {"path": "a", "text": phrase}, "done") for phrase in PHRASES[:3]],
            ([0, 1, 2], False, True, 3),
            id="one of two members",
        ),
        pytest.param(
            [call("pay", phrase, "ok") for phrase in (*PHRASES, "kappa")],
            (list(range(7)), False, True, 7),
            id="the same output of many unlike calls",
        ),
    ],
)
def test_the_strongest_group(calls: list[dict[str, Any]], group: tuple[list[int], bool, bool, int]) -> None:
    assert told(find(calls).groups[0]) == group


def test_unwatched_calls_are_in_no_group_and_keep_none_apart() -> None:
    calls = [part for n in range(3) for part in (call("sh", "h", f"at {n}"), OTHER)]
    found = find(calls, [one["tool"] == "sh" for one in calls]).groups
    assert [told(group) for group in found] == [([0, 2, 4], True, False, 3)]


def test_what_varies_is_named() -> None:
    near = find([call("find", {"q": "how", "id": phrase}, f"{n} hits") for n, phrase in enumerate(PHRASES)])
    varies = near.varies(near.groups[0])
    assert [change.path for change in varies.arguments.difference.changes] == ["id"]
    assert [(change.path, change.contrast.kind) for change in varies.outputs.difference.changes] == [("", Kind.NUMBERS)]
    assert (varies.arguments.n_values, varies.outputs.n_values, varies.outputs.n_compared) == (6, 6, 6)


def test_of_very_much_to_read_the_first_values_are_compared_and_it_says_so() -> None:
    near = find([call("log", "tail", f"{'x' * (MOST_BYTES // 4)} {n}") for n in range(6)])
    outputs = near.varies(near.groups[0]).outputs
    assert (outputs.n_values, outputs.n_compared) == (6, 3)


@pytest.mark.parametrize(
    ("calls", "before"),
    [
        pytest.param([call("a", "x", "o")], None, id="the first call"),
        pytest.param([call("b", "x", "o"), call("a", "x", "o")], None, id="another tool"),
        pytest.param([call("a", "x y", "o p"), call("a", "q r", "s t")], None, id="nothing in common"),
        pytest.param([call("a", "x", "o")] * 2, 0, id="the same call"),
        pytest.param([call("a", "x", "p q"), call("b"), call("a", "x", "o")], 0, id="the same arguments"),
        pytest.param([call("a", "p q", "o"), call("a", "x", "o")], 0, id="the same output"),
        pytest.param([call("a", "x", None), call("a", "y", None)], None, id="no output is none to share"),
        pytest.param([call("a", "x", "o"), call("a", "x", "at 1"), call("a", "z", "at 2")], 1, id="but for a number"),
        pytest.param([call("a", "n 1", "o p"), call("a", "n 2", "q r")], 0, id="a number in the arguments"),
        pytest.param(
            [call("a", {"q": "x", "id": "p"}, "s"), call("a", {"q": "x", "id": "r"}, "t u")], 0, id="one member"
        ),
        pytest.param([call("a", {"q": "p"}, "s"), call("a", {"q": "r"}, "t u")], None, id="the only member"),
    ],
)
def test_the_near_repeat_before_the_last_call(calls: list[dict[str, Any]], before: int | None) -> None:
    assert find(calls).before(len(calls) - 1) == before


def test_the_same_call_is_found_however_far_back() -> None:
    between = [call("a", f"{'x' * n}y", "z" * (n + 2)) for n in range(LOOKED_BACK + 5)]
    calls = [call("a", "first", "o"), *between, call("a", "first", "p")]
    assert find(calls).before(len(calls) - 1) == 0


CALLS = st.lists(
    st.builds(
        call,
        st.sampled_from("ab"),
        st.sampled_from([{"q": "x", "id": "p"}, {"q": "x", "id": "r"}, {"q": "y", "id": "p"}, "n 1", "n 2", None]),
        st.sampled_from(["t 1", "t 2", "other", "", None]),
    ),
    max_size=14,
)


@given(CALLS)
def test_groups_hold_what_they_say(calls: list[dict[str, Any]]) -> None:
    for group in find(calls).groups:
        inside = [calls[at] for at in group.calls.tolist()]
        assert len(inside) >= LEAST and len({one["tool"] for one in inside}) == 1
        assert group.calls.tolist() == sorted(set(group.calls.tolist()))
        same = [len({json.dumps(one[side]) for one in inside}) == 1 for side in ("arguments", "observation")]
        assert [group.same_arguments, group.same_output] == same
        runs = "".join("1" if at in set(group.calls.tolist()) else "0" for at in range(len(calls))).split("0")
        assert group.longest == max(map(len, runs))


@given(CALLS)
def test_three_calls_that_differ_in_one_thing_are_in_a_group(calls: list[dict[str, Any]]) -> None:
    """The definition, pair by pair: same arguments, outputs equal but for digits, not all of them equal."""
    alike = defaultdict(list)
    for at, one in enumerate(calls):
        if one["observation"]:
            shape = "".join("0" if sign.isdigit() else sign for sign in one["observation"])
            alike[one["tool"], json.dumps(one["arguments"]), shape].append(at)
    grouped = {at for group in find(calls).groups for at in group.calls.tolist()}
    for places in alike.values():
        if len(places) >= LEAST and len({calls[at]["observation"] for at in places}) > 1:
            assert 2 * len(grouped & set(places)) >= len(places)


@given(CALLS)
def test_the_nearest_before_agrees_with_trying_every_pair(calls: list[dict[str, Any]]) -> None:
    near = find(calls)
    for at in range(len(calls)):
        earlier = [other for other in range(at) if _near(calls[at], calls[other])]
        assert near.before(at) == (earlier[-1] if earlier else None)


def _near(one: dict[str, Any], other: dict[str, Any]) -> bool:
    def shape(value: Any) -> str:
        return "".join("0" if sign.isdigit() else sign for sign in json.dumps(value))

    if one["tool"] != other["tool"]:
        return False
    arguments = one["arguments"], other["arguments"]
    outputs = one["observation"], other["observation"]
    if all(isinstance(side, dict) for side in arguments):
        if sum(arguments[0][name] != arguments[1][name] for name in arguments[0]) <= 1:
            return True
    elif shape(arguments[0]) == shape(arguments[1]):
        return True
    return bool(outputs[0]) and shape(outputs[0]) == shape(outputs[1])


def test_one_run_of_very_many_calls() -> None:
    calls = [call("poll", {"job": "a", "try": n}, f"running {n}") for n in range(20_000)]
    runs = RunSet([trajectory_of([{**one, "turn": n} for n, one in enumerate(calls)])])
    groups = runs.near(None).groups
    assert [len(group.calls) for group in groups] == [20_000]
    assert runs.near(None) is runs.near(None)

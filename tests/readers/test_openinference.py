"""OpenInference: spans inside spans, how long they took, and spans that Phoenix exported."""

from __future__ import annotations

import json

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.openinference_by_hand import dump, nested, trace
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns


def load(document: Json, format: str = "openinference") -> Loaded:
    return read_bytes(dump(document), "a.json", format=format)


def only(*spans: Json) -> Trajectory:
    (trajectory,) = load(trace(*spans)).trajectories
    return trajectory


def test_a_trace_without_calls() -> None:
    trajectory = only(nested(0, "AGENT", nested(1, "CHAIN")))
    assert (trajectory.run, len(trajectory.calls), trajectory.n_turns) == ("s1", 0, 0)


def test_spans_are_found_at_every_level() -> None:
    step = nested(
        1, "CHAIN", nested(2, "LLM"), nested(3, "TOOL", tool__name="x", input__value='{"a": 1}', output__value="r")
    )
    trajectory = only(nested(0, "AGENT", step, nested(4, "LLM"), nested(5, "TOOL", tool__name="y")), nested(6, "LLM"))
    assert (tools(trajectory), turns(trajectory), trajectory.n_turns) == (["x", "y"], [0, 1], 3)
    assert observations(trajectory) == ["r", ABSENT]
    assert trajectory.calls.unknown_arguments.tolist() == [False, True]


@pytest.mark.parametrize(
    ("took", "duration_s"),
    [
        ("PT0S", 0),
        ("PT1M48.75S", 108.75),
        ("PT1H0.5S", 3600.5),
        ("P1DT1S", 86401),
        (3, None),
        ("soon", None),
        ("", None),
    ],
)
def test_how_long_a_span_took(took: Json, duration_s: float | None) -> None:
    assert only(nested(0, "AGENT", took=took)).duration_s == duration_s


def test_the_task_of_an_agent_is_the_prompt() -> None:
    trajectory = only(nested(0, "CHAIN", nested(1, "AGENT", input__value='{"task": "find it"}', output__value="33")))
    assert trajectory.prompt == "find it"


def test_spans_that_lie_too_deep_are_counted() -> None:
    deepest = nested(200, "TOOL", tool__name="x")
    for number in range(199, -1, -1):
        deepest = nested(number, "CHAIN", deepest)
    loaded = load(trace(deepest))
    assert "1 span that lies too deep left out." in loaded.notes


def test_spans_of_phoenix_with_nested_attributes() -> None:
    def phoenix(number: int, kind: str, **attributes: Json) -> Json:
        return {
            "name": "a",
            "context": {"trace_id": "s1", "span_id": f"{number}"},
            "span_kind": kind,
            "parent_id": None,
            "start_time": f"2026-01-01T00:00:0{number}Z",
            "end_time": None,
            "status_code": "OK",
            "attributes": attributes,
        }

    spans = [phoenix(2, "TOOL", tool={"name": "x"}, input={"value": "{}"}, output={"value": "r"}), phoenix(1, "LLM")]
    loaded = read_bytes(dump(spans), "a.json")
    assert loaded.source.format == "phoenix"
    (trajectory,) = loaded.trajectories
    assert (tools(trajectory), turns(trajectory), observations(trajectory)) == (["x"], [0], ["r"])


ODD = [
    {"span_id": 3, "parent_span_id": [], "span_name": {}, "timestamp": [1], "duration": {}, "status_code": []},
    {"span_id": "o", "span_attributes": 3, "child_spans": {}, "events": [1, {"Name": 3}]},
    {"context": 3, "span_kind": [], "attributes": [1], "events": {}, "child_spans": [{}]},
    {},
]


@pytest.mark.parametrize("odd", ODD, ids=json.dumps)
def test_odd_spans_do_no_harm(odd: Json) -> None:
    trajectory, *_ = load(trace(nested(0, "TOOL", tool__name="x"), odd, nested(1, "TOOL", tool__name="y"))).trajectories
    assert tools(trajectory) == ["x", "y"]
    load([odd, odd], "phoenix")

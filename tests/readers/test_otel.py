"""OpenTelemetry: values of OTLP, traces over several batches, flat lines, events, and what is not recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import read_bytes
from tests.readers.otel_by_hand import ERROR, chat, lines, otlp, pairs, tool
from tests.readers.vally_by_hand import ABSENT, observations, tools, turns

RECORDED: dict[str, Any] = {"gen_ai__tool__call__arguments": '{"a": 1}', "gen_ai__tool__call__result": "done"}


def load(*records: Json, format: str) -> Loaded:
    loaded = read_bytes(lines(*records), "a.jsonl")
    assert loaded.source.format == format
    return loaded


def flat(*spans: Json) -> Trajectory:
    (trajectory,) = load(*spans, format="otel.flat").trajectories
    return trajectory


def batch(*spans: Json) -> Trajectory:
    (trajectory,) = load(otlp(*spans), format="otel.otlp").trajectories
    return trajectory


def test_spans_of_no_model_and_no_tool_make_a_run_without_calls() -> None:
    loaded = load(otlp({"traceId": "s1", "spanId": "1", "name": "a"}), format="otel.otlp")
    assert [len(trajectory.calls) for trajectory in loaded.trajectories] == [0]
    assert loaded.notes == ("1 trace shows no call of a tool.",)


def test_a_trace_over_several_batches_is_one_run() -> None:
    loaded = load(
        otlp(tool("x", 1, flat=False)),
        otlp(chat(0, flat=False), chat(2, flat=False)),
        otlp(tool("y", 3, flat=False)),
        format="otel.otlp",
    )
    (trajectory,) = loaded.trajectories
    assert (trajectory.run, tools(trajectory), turns(trajectory)) == ("s1", ["x", "y"], [0, 1])
    assert trajectory.calls.line.tolist() == [1, 3]


VALUES = [
    pytest.param("r", "r", id="a text"),
    pytest.param(3, 3, id="a whole number"),
    pytest.param(0.5, 0.5, id="a number"),
    pytest.param(True, True, id="true"),
    pytest.param([1, "a"], [1, "a"], id="a list"),
    pytest.param({"a": {"b": [False]}}, {"a": {"b": [False]}}, id="an object"),
]


@pytest.mark.parametrize(("written", "expected"), VALUES)
def test_values_of_otlp(written: Json, expected: Json) -> None:
    trajectory = batch(tool("x", 0, flat=False, gen_ai__tool__call__result=written))
    assert observations(trajectory) == [expected]


def test_whole_numbers_of_otlp_are_texts_in_the_file() -> None:
    trajectory = batch(
        chat(0, flat=False, gen_ai__usage__input_tokens=5, gen_ai__usage__output_tokens=2), tool("x", 1, flat=False)
    )
    assert [(use.input_tokens, use.output_tokens) for use in trajectory.usage] == [(5, 2)]


def test_what_is_not_recorded_is_unknown() -> None:
    trajectory = flat(chat(0), tool("bash", 1), chat(2), tool("bash", 3, **RECORDED))
    assert observations(trajectory) == [ABSENT, "done"]
    assert trajectory.calls.unknown_arguments.tolist() == [True, False]
    assert trajectory.calls.unknown_observation.tolist() == [True, False]


@pytest.mark.parametrize(
    "status", [ERROR, {"code": "STATUS_CODE_ERROR"}, {"status_code": "ERROR", "description": "bad"}]
)
def test_a_failed_call(status: Json) -> None:
    trajectory = flat(
        {**tool("x", 0), "status": status}, tool("y", 1, error__type="timeout"), {**tool("z", 2), "status": {"code": 1}}
    )
    assert trajectory.calls.failed.tolist() == [True, True, False]


def test_an_exception_stands_for_the_result() -> None:
    event = {"name": "exception", "attributes": {"exception.type": "OSError", "exception.message": "no such file"}}
    trajectory = flat({**tool("x", 0), "status": ERROR, "events": [event]})
    assert observations(trajectory) == ["no such file"]


def test_messages_in_events() -> None:
    asked = [{"id": "c", "function": {"name": "x", "arguments": "{}"}}]
    events = [
        {"name": "gen_ai.user.message", "attributes": {"content": "go"}},
        {"name": "gen_ai.choice", "attributes": {"message": json.dumps({"content": "hi", "tool_calls": asked})}},
    ]
    trajectory = flat({**chat(0), "events": events}, tool("x", 1))
    assert [(told.kind, told.text) for told in trajectory.events] == [("user", "go"), ("assistant", "hi")]
    assert trajectory.calls.ids == ("c",)


def test_details_in_an_event() -> None:
    said = {"gen_ai.input.messages": '[{"role": "user", "content": "go"}]'}
    events = [{"name": "gen_ai.client.inference.operation.details", "attributes": pairs(said)}]
    trajectory = batch({**chat(0, flat=False), "events": events})
    assert trajectory.prompt == "go"


def test_spans_of_a_console() -> None:
    def printed(number: int, **attributes: Json) -> dict[str, Any]:
        context = {"trace_id": "0x1", "span_id": f"0x{number}", "trace_state": "[]"}
        times = {"start_time": f"2026-01-01T00:00:0{number}Z", "end_time": f"2026-01-01T00:00:0{number}.5Z"}
        own = {key.replace("__", "."): value for key, value in attributes.items()}
        return {
            "name": "a",
            "context": context,
            "kind": "SpanKind.INTERNAL",
            "parent_id": None,
            **times,
            "attributes": own,
        }

    trajectory = flat(
        printed(1, gen_ai__operation__name="chat"),
        printed(2, gen_ai__operation__name="execute_tool", gen_ai__tool__name="x"),
    )
    assert (trajectory.run, tools(trajectory), trajectory.duration_s) == ("0x1", ["x"], 1.5)


def test_metrics_and_logs_are_left_out() -> None:
    loaded = load({"type": "metric", "name": "m", "dataPoints": []}, tool("x", 0), format="otel.flat")
    assert loaded.notes == ("1 line that is no span left out.",)
    loaded = load({"resourceLogs": []}, otlp(tool("x", 0, flat=False)), format="otel.otlp")
    assert loaded.notes == ("1 batch of metrics or logs left out.",)


ODD = [
    {"traceId": 3, "spanId": [], "parentSpanId": {}, "name": 1, "attributes": 3, "status": 3, "events": 3},
    {
        "traceId": "s1",
        "spanId": "o",
        "attributes": [1, {"key": 2}, {"key": "a"}, {"key": "gen_ai.tool.name", "value": 3}],
    },
    {
        "traceId": "s1",
        "spanId": "o",
        "attributes": {"gen_ai.operation.name": []},
        "events": [1, {"name": 2, "attributes": []}],
    },
    {"traceId": "s1", "spanId": "o", "startTime": [1], "endTime": "?", "startTimeUnixNano": {}, "status": {"code": []}},
]


@pytest.mark.parametrize("odd", [*ODD, {}, 3, None], ids=lambda odd: json.dumps(odd)[:40])
def test_odd_spans_do_no_harm(odd: Json) -> None:
    for loaded in (
        load(tool("x", 0), odd, tool("y", 1), format="otel.flat"),
        load(otlp(tool("x", 0, flat=False), odd, tool("y", 1, flat=False)), format="otel.otlp"),
    ):
        named = [each for trajectory in loaded.trajectories for each in tools(trajectory)]
        assert {"x", "y"} <= set(named)


@pytest.mark.parametrize(
    "odd", [{"resourceSpans": 3}, {"resourceSpans": [3, {"scopeSpans": [{"spans": {}}, 4]}]}, {"a": 1}]
)
def test_odd_batches_do_no_harm(odd: Json) -> None:
    loaded = load(odd, otlp(tool("x", 0, flat=False)), format="otel.otlp")
    assert [tools(trajectory) for trajectory in loaded.trajectories] == [["x"]]


def test_instructions_that_stand_apart_are_told_once() -> None:
    said = json.dumps([{"type": "text", "content": "Be brief"}])
    trajectory = flat(chat(0, gen_ai__system_instructions=said), chat(1, gen_ai__system_instructions=said))
    assert [(told.kind, told.text) for told in trajectory.events] == [("system", "Be brief")]


@pytest.mark.parametrize(
    ("reasons", "kinds"), [(["stop"], []), (["length"], ["cut"]), ('["length"]', ["cut"]), ([], []), (5, [])]
)
def test_a_response_that_was_cut_off(reasons: Json, kinds: list[str]) -> None:
    trajectory = flat(chat(0, gen_ai__response__finish_reasons=reasons))
    assert [told.kind for told in trajectory.events] == kinds
    assert all(told.turn == 0 for told in trajectory.events)

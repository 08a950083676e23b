"""Calls of a Vally trajectory: said twice, named, answered (rules 3 and 4), and their places in the file."""

from __future__ import annotations

import json

import pytest

from loopviz.model import MISSING, Json
from loopviz.readers.problems import MOST
from tests.readers.vally_by_hand import (
    ABSENT,
    Event,
    call,
    document,
    end,
    event,
    lines,
    load,
    observations,
    only,
    read_events,
    result,
    start,
    tools,
    trial,
    troubles,
)

TWICE = [
    pytest.param([start(), call("x", "a", {}), call("x", "b", {})], 2, id="two ids"),
    pytest.param([start(), call("x", "a", {}), call("y", "a", {})], 2, id="two tools"),
    pytest.param([start(), call("x", "a", {"k": 1}), call("x", "a", {"k": 2})], 2, id="two arguments"),
    pytest.param([start(), call("x", "a", {}), call("x", "a")], 2, id="missing arguments are not {}"),
    pytest.param([start(), call("x", "a", True), call("x", "a", 1)], 2, id="true is not 1"),
    pytest.param([start(), call("x", "", {}), call("x", "", {})], 2, id="an empty id is none"),
    pytest.param([start(), call("x", arguments={}), call("x", arguments={})], 2, id="no ids"),
    pytest.param([start(), call("x", "a", {}), start(), call("x", "a", {})], 2, id="two turns"),
    pytest.param([call("x", "a", {}), call("x", "a", {})], 2, id="no turn"),
    pytest.param([start(), call("x", "a", {}), call("x", "a", {})], 1, id="said twice"),
    pytest.param([start(), call("x", "a", {}), call("x", "a", {}), call("x", "a", {})], 1, id="three times"),
    pytest.param(
        [start(), call("x", "a", {"k": 1, "l": 2}), call("x", "a", {"l": 2, "k": 1.0})],
        1,
        id="equal arguments, spelled otherwise",
    ),
    pytest.param([start(), call("x", "a"), call("x", "a", None)], 1, id="missing arguments equal null"),
    pytest.param([start(), call("x", "a"), call("y", "b"), call("x", "a")], 1 + 1, id="with another between"),
    pytest.param([start(), call(ABSENT, "a", name="x"), call("x", "a")], 1, id="named in two ways"),
]


@pytest.mark.parametrize(("events", "n_calls"), TWICE)
def test_counts_a_call_said_twice_once(events: list[Event], n_calls: int) -> None:
    trajectory = read_events(*events)
    said = sum(told["type"] == "tool_call" for told in events)
    assert len(trajectory.calls) == n_calls
    assert sum("twice" in problem.message for problem in trajectory.problems) == said - n_calls


TOOLS = [
    pytest.param([call("x")], ["x"], False, id="toolName"),
    pytest.param([call("x", name="y")], ["x"], False, id="toolName before name"),
    pytest.param([call("x", "a"), result(1, "a", "y")], ["x"], False, id="toolName before its result's"),
    pytest.param([call(name="y")], ["y"], False, id="name"),
    pytest.param([call("", name="y")], ["y"], False, id="an empty toolName is absent"),
    pytest.param([call(call_id="a", name="y"), result(1, "a", "z")], ["y"], False, id="name before its result's"),
    pytest.param([call(call_id="a"), result(1, "a", "z")], ["z"], False, id="its result's"),
    pytest.param([call(call_id="a"), result(1, "a", name="z")], ["z"], False, id="its result's name"),
    pytest.param([call(call_id="a"), result(1, "a", "y"), result(2, "a", "z")], ["z"], False, id="that of the last"),
    pytest.param([call(" ")], [" "], False, id="a blank is a name"),
    pytest.param([call()], ["unknown"], True, id="none"),
    pytest.param([call(call_id="a"), result(1, "a")], ["unknown"], True, id="nor its result"),
    pytest.param([call("", name="")], ["unknown"], True, id="empty names"),
    pytest.param([call(7)], ["unknown"], True, id="a number is no name"),
    pytest.param([call(7, name="y")], ["y"], True, id="a number, and a name beside it"),
    pytest.param([call(["x"], "a"), result(1, "a", "z")], ["z"], True, id="a list, and its result's"),
]


@pytest.mark.parametrize(("events", "names", "noted"), TOOLS)
def test_names_the_tool(events: list[Event], names: list[str], noted: bool) -> None:
    trajectory = read_events(*events)
    assert tools(trajectory) == names
    assert bool(trajectory.problems) is noted


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        pytest.param("text", "text", id="a text"),
        pytest.param("", "", id="an empty text"),
        pytest.param(None, None, id="null"),
        pytest.param(0, 0, id="a number"),
        pytest.param({"content": "x"}, {"content": "x"}, id="an object"),
        pytest.param([1, [2]], [1, [2]], id="a list"),
        pytest.param(ABSENT, ABSENT, id="nothing"),
    ],
)
def test_keeps_any_value(value: Json, seen: Json) -> None:
    trajectory = read_events(call("x", "a", value), result(value, "a"))
    raw = trajectory.arguments_json(0)
    assert observations(trajectory) == [seen]
    assert (ABSENT if raw is None else json.loads(raw)) == seen
    assert not trajectory.problems


def test_a_result_without_a_call_is_a_problem_and_no_call() -> None:
    trajectory = read_events(call("x", "a"), result("lost", "b"), result("more", ABSENT, "y"), result("ok", "a"))
    assert observations(trajectory) == ["ok"]
    assert troubles(trajectory) == [("event 2", "This result names the"), ("event 3", "This result of 'y'")]


def test_what_a_result_says_beside_its_value() -> None:
    trajectory = read_events(
        {**call("x", "a"), "timestamp": "2026-06-18T04:27:19.500Z"},
        {**result("no", "a", success=False), "timestamp": "2026-06-18T04:27:21Z"},
        call("x", "b"),
        result("fine", "b", success=True),
        call("x", "c"),
        result("fine", "c"),
        call("x", "d"),
    )
    assert trajectory.calls.failed.tolist() == [True, False, False, False]
    assert trajectory.calls.ended_s[0] - trajectory.calls.started_s[0] == 1.5
    assert trajectory.calls.started_s[1] != trajectory.calls.started_s[1]  # NaN
    assert trajectory.calls.executed.all()
    assert trajectory.calls.ids == ("a", "b", "c", "d")
    assert trajectory.calls.result_offset[3] == MISSING


def test_redacted_values_are_marked() -> None:
    trajectory = read_events(
        call("x", "a", "[REDACTED]"),
        result("<redacted>", "a"),
        call("x", "b", {"k": "***"}),
        result("fine", "b"),
        call("x", "c", {"k": "***", "l": 1}),
        call("x", "d"),
    )
    assert trajectory.calls.unknown_arguments.tolist() == [True, True, False, False]
    assert trajectory.calls.unknown_observation.tolist() == [True, False, False, False]


STRANGE = [
    pytest.param(7, "An event should be", id="a number"),
    pytest.param(None, "An event should be", id="null"),
    pytest.param("tool_call", "An event should be", id="a text"),
    pytest.param([call("x")], "An event should be", id="a list"),
    pytest.param({}, "This event has no", id="an empty object"),
    pytest.param({"type": 7}, "This event has no", id="a type that is a number"),
    pytest.param({"type": "tool_call", "data": ["x"]}, "`data` should be an", id="data that is a list"),
    pytest.param({"type": "tool_call", "data": "x"}, "`data` should be an", id="data that is a text"),
    pytest.param({"type": "tool_result", "data": 7}, "`data` should be an", id="a result whose data is a number"),
    pytest.param(call({"x": 1}), "`toolName` should be a", id="a toolName that is an object"),
    pytest.param(call("x", ["a"]), "`toolCallId` should be a", id="a toolCallId that is a list"),
    pytest.param(call("x", 7), "`toolCallId` should be a", id="a toolCallId that is a number"),
    pytest.param({**call("x"), "timestamp": "yesterday"}, "The timestamp of this", id="a timestamp that is none"),
    pytest.param({**call("x"), "timestamp": ["2026"]}, "The timestamp of this", id="a timestamp that is a list"),
    pytest.param(event("fancy_step", x=1), "Vally's pages know no", id="an unknown type"),
]


@pytest.mark.parametrize(("strange", "message"), STRANGE)
def test_a_strange_event_is_a_located_problem(strange: Json, message: str) -> None:
    trajectory = read_events(call("x", "a", 1), strange, result("fine", "a"), call("y", "b"))
    assert ("event 2", message) in troubles(trajectory)
    assert observations(trajectory)[0] == "fine"
    assert tools(trajectory)[-1] == "y"
    assert trajectory.calls.event[-1] == 3


@pytest.mark.parametrize("quiet", [{"type": "tool_call", "data": None}, {"type": "tool_call"}])
def test_a_call_without_data_lacks_a_name_and_nothing_else(quiet: Json) -> None:
    assert troubles(read_events(quiet)) == [("event 1", "This call names no")]


def test_an_unknown_type_is_said_once_with_its_number() -> None:
    trajectory = read_events(*[event("fancy_step", x=number) for number in range(40)])
    (problem,) = trajectory.problems
    assert "40" in problem.message
    assert len(trajectory.events) == 40


def test_many_problems_of_one_sort_are_counted() -> None:
    trajectory = read_events(*[result("lost", f"call {number}") for number in range(MOST + 30)])
    assert len(trajectory.problems) == MOST + 1
    assert "30" in trajectory.problems[-1].message


PLACES = [
    pytest.param({}, id="compact"),
    pytest.param({"separators": (",", ":")}, id="without blanks"),
    pytest.param({"indent": 2}, id="indented"),
    pytest.param({"indent": "\t", "ensure_ascii": False}, id="with tabs"),
]


@pytest.mark.parametrize("style", PLACES)
def test_a_call_knows_its_bytes(style: dict[str, Json]) -> None:
    story = [start("é"), call("x", "a", {"\u2028": "ü"}), result('[{"', "a"), end("é"), call("y", "b")]
    data = json.dumps({"stimulus": {"events": [call("z")]}, "events": story, "id": "t"}, **style).encode()
    trajectory = only(data)
    calls = trajectory.calls

    assert calls.line.tolist() == [0, 0]
    for number, at in enumerate((1, 4)):
        piece = data[calls.offset[number] : calls.offset[number] + calls.length[number]]
        assert json.loads(piece) == story[at]
    piece = data[calls.result_offset[0] : calls.result_offset[0] + calls.result_length[0]]
    assert json.loads(piece) == story[2]


def test_a_call_knows_its_line() -> None:
    data = lines(trial(call("x", "a")), b"", trial(call("y", "b"), event("user_message", content="go")))
    calls = load(data).trajectories[1].calls
    assert calls.line.tolist() == [3]
    assert data[calls.offset[0] :].startswith(json.dumps(call("y", "b")).encode())


ENCODINGS = [
    pytest.param(b"\xef\xbb\xbf", "utf-8", id="UTF-8 with a mark"),
    pytest.param(b"\xff\xfe", "utf-16-le", id="UTF-16, little end first"),
    pytest.param(b"\xfe\xff", "utf-16-be", id="UTF-16, big end first"),
]


@pytest.mark.parametrize(("mark", "encoding"), ENCODINGS)
def test_places_are_those_of_the_file_whatever_its_encoding(mark: bytes, encoding: str) -> None:
    story = [event("user_message", content="\U0001f600 é" * 3_000), call("x", "a", "ü"), result("\U0001f600", "a")]
    text = json.dumps({"id": "t", "stimulus": {}, "events": story}, ensure_ascii=False)
    data = mark + text.encode(encoding)
    calls = only(data).calls

    def piece(offset: int, length: int) -> Json:
        return json.loads(data[offset : offset + length].decode(encoding))

    assert piece(calls.offset[0], calls.length[0]) == story[1]
    assert piece(calls.result_offset[0], calls.result_length[0]) == story[2]


def test_runs_of_one_file_share_their_values() -> None:
    one, other = load(lines(trial(call("x", "a", {"k": 1})), trial(call("x", "b", {"k": 1.0})))).trajectories
    assert one.codebook is other.codebook
    codes = one.codebook.codes
    assert codes[one.calls.arguments[0]] == codes[other.calls.arguments[0]]


def test_the_document_builder_writes_what_it_says() -> None:
    assert json.loads(document(call("x")))["events"] == [{"type": "tool_call", "data": {"toolName": "x"}}]

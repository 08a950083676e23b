"""What a reader tells, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from loopviz.model import Json, Loaded, Source, Trajectory
from loopviz.readers.base import Opened
from loopviz.readers.reading import Reading
from loopviz.readers.telling import ABSENT, Telling
from tests.readers.packing import in_memory
from tests.readers.vally_by_hand import ABSENT as NOTHING
from tests.readers.vally_by_hand import observations, tools, troubles, turns

Tell = Callable[[Telling], Any]


def reading(data: bytes = b"{}", name: str = "runs/mine.v1.json", beside: dict[str, bytes] | None = None) -> Reading:
    source = Source(name=name, format="test", digest="0" * 32, size=len(data))
    return Reading(Opened(data=data, source=source, beside=in_memory(beside)))


def told(*those: Tell) -> Trajectory:
    """The run that these words tell, one a line."""
    file = reading(b'{"a": 1}\n' * max(len(those), 2))
    run = file.run(key="s")
    for (node, _), tell in zip(file.objects(), those, strict=False):
        run.at(node)
        tell(run)
    (trajectory,) = file.loaded().trajectories
    return trajectory


def call(tool: Json = "x", *arguments: Json, **how: Any) -> Tell:
    return lambda run: run.call(tool, *arguments, **how)


def result(*content: Json, **how: Any) -> Tell:
    return lambda run: run.result(*content, **how)


def respond(response: str) -> Tell:
    return lambda run: run.turn(response=response)


@pytest.mark.parametrize(
    ("those", "expected"),
    [
        pytest.param([call(), call()], [-1, -1], id="no turns"),
        pytest.param([lambda run: run.turn(), call(), call()], [0, 0], id="one turn"),
        pytest.param([lambda run: run.turn(), call(), lambda run: run.turn(), call()], [0, 1], id="two turns"),
        pytest.param(
            [respond("r"), call(), respond("r"), call()],
            [0, 0],
            id="one response over several lines",
        ),
        pytest.param([respond("r"), respond("s"), respond("r"), call()], [2], id="a response id that comes again"),
        pytest.param([lambda run: run.turn(), lambda run: run.end_turn(), call()], [-1], id="behind a turn"),
        pytest.param([lambda run: run.end_turn(), call()], [-1], id="an end of nothing"),
    ],
)
def test_turns(those: list[Tell], expected: list[int]) -> None:
    trajectory = told(*those)
    assert turns(trajectory) == expected
    assert not trajectory.problems


@pytest.mark.parametrize(
    ("given", "spelled"),
    [
        pytest.param(ABSENT, None, id="absent"),
        pytest.param(None, b"null", id="null"),
        pytest.param({"a": 1.0}, b'{"a":1.0}', id="an object"),
        pytest.param('{"a": 1.0}', b'{"a":1.0}', id="its text"),
        pytest.param("*** patch", b'"*** patch"', id="raw input"),
    ],
)
def test_arguments(given: Json, spelled: bytes | None) -> None:
    assert told(call("x", given)).arguments_json(0) == spelled


@pytest.mark.parametrize(
    ("those", "expected"),
    [
        pytest.param([call(id="a"), result("r", id="a")], ["r"], id="by id"),
        pytest.param([call(id=7), result("r", id=7)], ["r"], id="by a number"),
        pytest.param([call(id="7"), result("r", id=7)], ["r"], id="by a number and its text"),
        pytest.param([call(), result("r")], ["r"], id="without an id"),
        pytest.param([call(), call(), result("r", of=1)], [NOTHING, "r"], id="by its number"),
        pytest.param([call(id="a"), result(id="a")], [NOTHING], id="a result without content"),
        pytest.param([call(id="a"), result(None, id="a")], [None], id="null"),
        pytest.param([call(id="a"), result([{"type": "text", "text": ""}], id="a")], [""], id="an empty block"),
    ],
)
def test_results(those: list[Tell], expected: list[Json]) -> None:
    trajectory = told(*those)
    assert observations(trajectory) == expected
    assert not trajectory.problems


def test_a_result_in_the_object_of_its_call() -> None:
    both = told(lambda run: run.result("r", of=run.call("x", id="a")), call(id="a"))
    assert observations(both) == ["r", NOTHING]


def test_a_call_said_twice_has_the_number_of_the_first() -> None:
    numbers: list[int] = []

    def twice(run: Telling) -> None:
        run.turn()
        numbers.extend(run.call("x", {"a": 1}, id=name) for name in ("a", "b", "a", "b"))

    trajectory = told(twice)
    assert numbers == [0, 1, 0, 1]
    assert len(trajectory.calls) == 2
    assert [where for where, _ in troubles(trajectory)] == ["line 1", "line 1"]


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        pytest.param(call(id=["a"]), "A call id should be a text; it is a list and counts as absent.", id="an id"),
        pytest.param(call(3), "The name of a tool should be a text; it is a number and counts as absent.", id="a tool"),
        pytest.param(call(time="noon"), "A time could not be read.", id="a time"),
        pytest.param(
            result("r", id="z"),
            "This result names the call 'z', which is not in the file; it is left out.",
            id="an orphan",
        ),
    ],
)
def test_what_is_odd_is_a_problem_with_its_line(spoilt: Tell, message: str) -> None:
    trajectory = told(call(), spoilt)
    assert (trajectory.problems[0].where, trajectory.problems[0].message) == ("line 2", message)


def test_what_is_unknown_is_marked() -> None:
    trajectory = told(
        call(known=False), result(of=0, known=False), call("x", "[REDACTED]"), call("x", {}, executed=False)
    )
    assert trajectory.calls.unknown_arguments.tolist() == [True, True, False]
    assert trajectory.calls.unknown_observation.tolist() == [True, False, False]
    assert trajectory.calls.executed.tolist() == [True, True, False]


def test_of_a_response_the_last_record_counts() -> None:
    trajectory = told(
        lambda run: run.use(response="r", input=5, output=1, model="m"),
        lambda run: run.use(response="r", output=9),
        lambda run: run.use(response="s", input=-1, output=True),
        lambda run: run.use(input=1),
        lambda run: run.use(input=1),
    )
    assert [(use.input_tokens, use.output_tokens, use.model) for use in trajectory.usage] == [
        (5, 9, "m"),
        (1, None, None),
        (1, None, None),
    ]


def test_what_nobody_states_is_taken_from_the_events() -> None:
    trajectory = told(
        lambda run: run.say("user", "go", time=10),
        lambda run: run.say("assistant", "let me see", time=11),
        call(time=12),
        lambda run: run.say("user", [{"type": "text", "text": "and?"}]),
        lambda run: run.say("assistant", "done \ud800", time=15),
        lambda run: run.say("assistant", "  "),
        lambda run: run.use(input=1, model="m"),
    )
    assert (trajectory.prompt, trajectory.output, trajectory.model) == ("go\n\nand?", "done �", "m")
    assert (trajectory.started_s, trajectory.duration_s, trajectory.last_event_s) == (10, 5, 15)
    assert len(trajectory.events) == 4


def test_a_single_moment_is_no_duration() -> None:
    trajectory = told(lambda run: run.say("user", "go", time=10), lambda run: run.say("assistant", "done"))
    assert (trajectory.started_s, trajectory.duration_s) == (10, None)


def test_words_before_the_last_call_are_no_output() -> None:
    assert told(lambda run: run.say("assistant", "let me see"), call()).output is None


def test_what_is_stated_goes_first() -> None:
    def state(run: Telling) -> None:
        run.say("user", "go")
        run.facts.prompt, run.facts.run, run.facts.total_tokens, run.facts.total_cost = "stated", "r\ud800", 9, 2.0

    trajectory = told(state, lambda run: run.use(input=1))
    assert (trajectory.prompt, trajectory.run) == ("stated", "r\\ud800")
    assert (trajectory.total_tokens, trajectory.total_cost) == (None, 2.0)


def each(document: Json, **how: Any) -> tuple[Loaded, list[Json]]:
    file = reading(json.dumps(document).encode())
    seen = []
    for whole in file.documents():
        run = file.run(whole, noun="message")
        for message in run.each(whole, "messages", **how):
            seen.append(message)
            run.call("x", message)
    return file.loaded(), seen


def test_each_goes_through_a_list_with_places_and_times() -> None:
    loaded, seen = each({"messages": [{"t": 10}, 3, {"t": "2026-06-18T12:00:00Z"}]}, time="t")
    (trajectory,) = loaded.trajectories
    assert seen == [{"t": 10}, {"t": "2026-06-18T12:00:00Z"}]
    assert trajectory.calls.event.tolist() == [0, 2]
    assert trajectory.calls.started_s.tolist() == [10, 1_781_784_000]
    assert [problem.where for problem in trajectory.problems] == ["message 2"]
    assert trajectory.not_judged is None


@pytest.mark.parametrize("document", [{}, {"messages": None}, {"messages": {"a": 1}}, {"messages": 3}])
def test_without_its_list_a_run_is_not_judged(document: Json) -> None:
    (trajectory,) = each(document)[0].trajectories
    assert trajectory.not_judged == "The record has no list of messages."


def test_images_are_counted_among_what_is_left_out() -> None:
    image = {"type": "image", "data": "AAAA"}
    file = reading()
    run = file.run(key="s")
    run.call("x", id="a")
    run.result([image, image, {"type": "audio"}], id="a")
    assert file.loaded().notes == ("2 images left out.", "1 audio clip left out.")


def test_tools_bear_the_names_that_were_told() -> None:
    assert tools(told(call("a\ud800"), call(None))) == ["a\\ud800", "unknown"]


def test_images_of_a_message_are_counted() -> None:
    file = reading()
    file.run(key="s").say("user", [{"type": "text", "text": "look"}, {"type": "input_image"}, {"type": "document"}])
    assert file.loaded().notes == ("1 image left out.", "1 document left out.")


def test_arguments_that_the_file_does_not_give_are_unknown() -> None:
    file = reading()
    run = file.run(key="s")
    for given in ({}, {"arguments": None}, {"arguments": {}}, {"arguments": ""}):
        run.call("x", **given)
    assert file.loaded().trajectories[0].calls.unknown_arguments.tolist() == [True, False, False, False]


def test_an_unknown_sort_of_message_can_be_shown() -> None:
    (event,) = told(lambda run: run.say("a \ud800", "text")).events
    assert (event.kind, event.text) == ("a \N{REPLACEMENT CHARACTER}", "text")

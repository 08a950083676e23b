"""A conversation of OpenHands that is kept as a file for each event: one run, and what is missing in it is said."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

import pytest

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers import UnknownFormat, read_bytes
from loopviz.readers.base import Stopped
from loopviz.readers.openhands.parts import _in_order
from tests.readers.openhands_by_hand import action, observation, sdk, sdk_call, sdk_message, sdk_result
from tests.readers.packing import Files, in_memory
from tests.readers.stories import found

OLD = (action("message", 0, "user", content="go"), action("run", 1, command="ls"), observation("run", 1, "a"),
       action("run", 3, command="pwd"))  # fmt: skip
SDK = (sdk_message("user", "go"), sdk_call("x", {"a": 1}, "c"), sdk_result("r", "c"), sdk_call("y", {}, "d", "s"))
OLD_CALLS = [("run", "a"), ("run", None)]
SDK_CALLS = [("x", "r"), ("y", None)]


def files(name: str, events: Sequence[Json], **others: bytes) -> dict[str, bytes]:
    written = {name.format(number): json.dumps(event).encode() for number, event in enumerate(events)}
    return {**written, **{key.replace("_json", ".json"): data for key, data in others.items()}}


def read(folder: Files, skip: Sequence[str] = ()) -> list[Loaded]:
    """Every file of a folder in turn; those that no reader knows give nothing."""
    results = []
    for name in sorted(folder, reverse=True):  # each must know its own part, whatever was read before
        if name not in skip:
            try:
                results.append(read_bytes(folder[name], name, beside=in_memory(folder, name)))
            except UnknownFormat:
                continue
    return results


def runs(results: Sequence[Loaded]) -> list[Trajectory]:
    return [run for loaded in results for run in loaded.trajectories]


def calls(run: Trajectory) -> list[tuple[Json, Json]]:
    return [(call["tool"], call["observation"]) for call in found(run)]


STATE = {"id": "mine", "execution_status": "finished", "agent": {"llm": {"model": "m"}}}
WHOLE = [
    pytest.param(files("{}.json", OLD), OLD_CALLS, id="0.x"),
    pytest.param(files("{:03d}.json", OLD), OLD_CALLS, id="0.x with zeros"),
    pytest.param(files("event-{0:05d}-4f3a-b{0}.json", SDK), SDK_CALLS, id="the SDK"),
    pytest.param(files("event_{0:06d}_4f3ab{0}.json", SDK), SDK_CALLS, id="the cloud of the SDK"),
    pytest.param(files("{}.json", SDK), SDK_CALLS, id="numbers alone"),
    pytest.param(files("{}.json", OLD, base_state_json=b"{}", notes_json=b"{"), OLD_CALLS, id="with strange files"),
]


@pytest.mark.parametrize(("folder", "expected"), WHOLE)
def test_files_of_single_events_are_one_run(folder: Files, expected: Json) -> None:
    results = read(folder)
    (run,) = runs(results)
    assert calls(run) == expected
    assert not run.problems
    first, second, *_ = reversed(results)
    assert first.trajectories == (run,)
    assert "3 events of files beside it were joined." in first.notes
    assert second.notes == ("1 event left out: it is read with the first.",)


def test_more_than_ten_are_read_in_the_order_of_their_numbers() -> None:
    events = [action("run", number, command=str(number)) for number in range(12)]
    (run,) = runs(read(files("{}.json", events)))
    assert [json.loads(call["arguments"])["command"] for call in found(run)] == [str(number) for number in range(12)]


def test_the_state_beside_them_or_beside_their_folder_counts() -> None:
    state = json.dumps(STATE).encode()
    folder = files("event-{:05d}-a.json", SDK)
    for where in ("c/events/base_state.json", "c/base_state.json"):
        (run,) = runs(read({f"c/events/{name}": data for name, data in folder.items()} | {where: state}))
        assert (run.run, run.model, run.end_reason) == ("mine", "m", "finished")
    (alone,) = runs([read_bytes(json.dumps(SDK[1]).encode(), "e.json", beside=in_memory({"base_state.json": state}))])
    assert alone.run == "e"


DAMAGE: list[tuple[str, Callable[[dict[str, bytes], list[str]], object], list[str]]] = [
    ("the first is missing", lambda f, n: f.pop(n[0]), ["event 0: There is no file of this number"]),
    ("one is missing", lambda f, n: f.pop(n[2]), ["event 2: There is no file of this number"]),
    ("two are missing", lambda f, n: (f.pop(n[1]), f.pop(n[2])), ["events 1 to 2: There is no file of this number"]),
    ("the first is strange", lambda f, n: f.update({n[0]: b"hello"}), ["{0}: This file holds no event"]),
    ("one is strange", lambda f, n: f.update({n[2]: b'{"x": 1}'}), ["{2}: This file holds no event"]),
    ("one is empty", lambda f, n: f.update({n[2]: b""}), ["{2}: This file holds no event"]),
    ("a list", lambda f, n: f.update({n[2]: b"[" + f[n[2]] + b"]"}), ["{2}: This file holds no event"]),
    ("lines", lambda f, n: f.update({n[2]: f[n[2]] + b"\n" + f[n[2]]}), ["{2}: This file holds no event"]),
]


@pytest.mark.parametrize(("damage", "said"), [row[1:] for row in DAMAGE], ids=[row[0] for row in DAMAGE])
@pytest.mark.parametrize("name", ["{}.json", "event-{:05d}-a.json"])
def test_what_is_missing_is_said_and_the_rest_is_one_run(
    name: str, damage: Callable[[dict[str, bytes], list[str]], object], said: list[str]
) -> None:
    folder = files(name, OLD if name == "{}.json" else SDK)
    names = sorted(folder)
    damage(folder, names)
    others = [each for each, data in folder.items() if data.startswith(b"[") or b"\n" in data]  # runs of their own
    (run,) = runs(read(folder, skip=others))
    problems = [f"{problem.where}: {problem.message}" for problem in run.problems]
    assert [problem for problem in problems if "so the run is told without it" in problem] == [
        f"{start.format(*names)}, so the run is told without it." if "number" in start
        else f"{start.format(*names)} that can be read, so the run is told without it."
        for start in said
    ]  # fmt: skip


def test_no_event_is_lost_or_told_twice_whatever_is_strange() -> None:
    events = [action("run", number, command=str(number)) for number in range(6)]
    for strange in range(1 << 6):
        folder = files("{}.json", events)
        folder.update({f"{number}.json": b"{}" for number in range(6) if strange >> number & 1})
        told = [json.loads(call["arguments"])["command"] for run in runs(read(folder)) for call in found(run)]
        assert told == [str(number) for number in range(6) if not strange >> number & 1]
        assert len(runs(read(folder))) == (1 if told else 0)


def test_two_kinds_of_names_are_two_runs() -> None:
    assert len(runs(read({**files("{}.json", SDK), **files("event-{:05d}-a.json", SDK)}))) == 2


def test_the_digest_tells_whether_any_event_changed() -> None:
    one, other = ({**files("{}.json", OLD), "3.json": json.dumps(action("run", 3, command=c)).encode()} for c in "ab")
    (first,), (second,) = runs(read(one)), runs(read(other))
    assert first.digest != second.digest


def test_a_folder_can_be_stopped() -> None:
    events = [sdk("PauseEvent")] + [sdk_call("x", {}, str(number), str(number)) for number in range(50)]
    folder = files("event-{:05d}-a.json", events)
    times = 0

    def stop(_done: int) -> None:
        nonlocal times
        times += 1
        if times > 10:
            raise Stopped

    loaded = read_bytes(folder["event-00000-a.json"], "event-00000-a.json", beside=in_memory(folder), advance=stop)
    assert 5 < len(loaded.trajectories[0].calls) < 15
    assert "Reading was stopped here" in loaded.problems[0].message


def test_many_files_take_time_that_grows_with_their_number() -> None:
    took = []
    for number in (500, 2_000):
        folder = files("event-{:05d}-a.json", [sdk_call("x", {}, str(at), str(at)) for at in range(number)])
        beside = in_memory(folder)  # one listing for all, as where a folder is read
        _in_order.cache_clear()
        begun = time.process_time()
        for name, data in folder.items():
            read_bytes(data, name, beside=beside)
        took.append(time.process_time() - begun)
    assert took[1] < 10 * took[0]

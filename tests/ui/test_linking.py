"""Links to a run and a call: what they say, and how both are found again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from loopviz.analysis.matching import Query
from loopviz.model import Loaded, Source, Trajectory
from loopviz.ui.library import Library
from loopviz.ui.linking import (
    address,
    call_again,
    call_digest,
    find_again,
    find_call,
    find_run,
    leave,
    link_params,
    query_fields,
    query_of,
    run_name,
    without_names,
)
from tests.detectors.test_max_repeat import call
from tests.detectors.trajectories_by_hand import trajectory_of
from tests.ui.libraries import library_of
from tests.ui.vally_trials import trial

pytestmark = pytest.mark.usefixtures("as_recorded")


def run_of(*outputs: Any, ids: str = "") -> Trajectory:
    return trajectory_of(
        [call(out=out) | {"id": name or None} for out, name in zip(outputs, ids or " " * len(outputs), strict=True)]
    )


RUN = run_of("one", "two", "three", ids="abc")


def params_of(run: Trajectory, at: int) -> dict[str, str]:
    """The fields of a link to a call, written when the run was as it is here."""
    call_id = run.calls.ids[at]
    return {"call": str(at + 1), "content": call_digest(run, at)} | ({"call_id": call_id} if call_id else {})


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(call(out="one"), True, id="the same again"),
        pytest.param(call(out="two"), False, id="another output"),
        pytest.param(call(args="b", out="one"), False, id="other arguments"),
        pytest.param(call("read", out="one"), False, id="another tool"),
        pytest.param(call(out=None), False, id="no output"),
    ],
)
def test_the_digest_stands_for_tool_arguments_and_output(other: dict[str, Any], same: bool) -> None:
    digests = {call_digest(trajectory_of([one]), 0) for one in (call(out="one"), other)}
    assert (len(digests) == 1) == same
    assert all(len(digest) == 8 for digest in digests)


def test_the_digest_does_not_mind_how_a_file_spells_it() -> None:
    run = trajectory_of([call(args={"a": 1, "b": 2}, out="x")])
    respelled = tuple(value.replace(b'{"a":1,"b":2}', b'{"b": 2, "a": 1.0}') for value in run.codebook.values)
    assert respelled != run.codebook.values
    assert call_digest(run, 0) == call_digest(replace(run, codebook=replace(run.codebook, values=respelled)), 0)


@pytest.mark.parametrize(
    ("now", "at", "found", "note"),
    [
        pytest.param(run_of("zero", "one", "two", ids="zab"), 0, 1, "its id; it was call 1, with the same", id="moved"),
        pytest.param(run_of("new", "two", ids="ab"), 0, 0, "by its id, but its arguments or output", id="other output"),
        pytest.param(run_of("x", "one", ids="ab"), 0, 0, "those of the link stand in call 2 now.", id="ids moved"),
        pytest.param(run_of("zero", "one"), 0, 1, "by its arguments and output.", id="its id is gone"),
        pytest.param(run_of("one", "one"), 0, 0, "its number alone and holds the same", id="its number, and as it was"),
        pytest.param(run_of("x", "y"), 1, 1, "its number alone and may be another", id="its number only"),
        pytest.param(run_of("x", "y"), 2, None, "names call 3; this run has 2.", id="gone"),
        pytest.param(run_of("one", "one", "one", ids="aab"), 0, 0, "its number alone", id="an id that two calls bear"),
    ],
)
def test_a_call_in_a_run_that_changed(now: Trajectory, at: int, found: int | None, note: str) -> None:
    answer = find_call(now, params_of(RUN, at), changed=True)
    assert answer.call == found
    assert note in answer.note


@pytest.mark.parametrize(
    ("params", "found", "note"),
    [
        pytest.param({}, None, "", id="no call"),
        pytest.param({"call": "2"}, 1, "", id="a number"),
        pytest.param({"call": "2", "call_id": "a", "content": "0" * 8}, 1, "", id="a number changed by hand"),
        pytest.param({"call_id": "c"}, 2, "Call 3 was found by its id.", id="an id alone"),
        pytest.param({"call": "4"}, None, "names call 4; this run has 3.", id="beyond the end"),
        pytest.param({"call": "0"}, None, "names call 0; this run has 3.", id="nothing counts from 0"),
        pytest.param({"call": "x"}, None, "names the call “x”, which this run", id="no number"),
        pytest.param({"call_id": "x"}, None, "names the call “x”, which this run", id="an id that is not there"),
        pytest.param({"call": "9" * 400}, None, "this run has 3.", id="a number beyond all numbers"),
    ],
)
def test_a_call_in_a_run_that_is_as_it_was(params: dict[str, str], found: int | None, note: str) -> None:
    answer = find_call(RUN, params, changed=False)
    assert answer.call == found
    assert note in answer.note if note else answer.note == ""


@pytest.mark.parametrize(
    ("params", "found", "note"),
    [
        pytest.param({"call": "2"}, 1, "", id="a number"),
        pytest.param({"call": "2", "content": call_digest(RUN, 1)}, 1, "", id="its content"),
        pytest.param({"call": "2", "content": "0" * 8}, 1, "may be another call than the one meant", id="no content"),
        pytest.param({"call": "2", "content": call_digest(RUN, 0)}, 0, "by its arguments and output", id="another’s"),
        pytest.param({"call": "2", "call_id": "c"}, 2, "it was call 2", id="another id"),
    ],
)
def test_a_call_in_a_run_that_is_named_without_its_data(params: dict[str, str], found: int, note: str) -> None:
    answer = find_call(RUN, params, changed=False, certain=False)
    assert answer.call == found
    assert note in answer.note if note else answer.note == ""


def test_a_link_leads_back_to_its_call(tmp_path: Path) -> None:
    library = library_of(tmp_path, [trial("abc"), trial("abc", number=1)])
    params = link_params(library, 1, 2)
    run = find_run(library, str(params["run"]))
    assert run is not None and (run.index, run.changed) == (1, False)
    fields = {name: value for name, value in params.items() if isinstance(value, str)}
    assert find_call(library.trajectories[1], fields, changed=True).call == 2
    assert address(params).startswith("./?run=")


def test_a_link_without_names_leads_to_the_same_call(tmp_path: Path) -> None:
    library = library_of(tmp_path, [trial("abc"), trial("abd", number=1)])
    params = link_params(library, 1, 2, hidden=True)
    digest = library.trajectories[1].digest[:8]
    assert params == {"run": f"run-{digest}", "hide": "1", "call": "3"}
    run = find_run(library, str(params["run"]))
    assert run is not None and (run.index, run.changed, run.certain) == (1, False, True)
    assert find_call(library.trajectories[1], {"call": "3"}, changed=False, certain=True).call == 2


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        pytest.param({}, {}, id="nothing"),
        pytest.param({"max": ["3"], "tool": ["a", "b"], "unknown": ["x"]}, None, id="settings stay"),
        pytest.param({"find": ["secret"], "call_id": ["id-1"], "part": ["a.json"], "set_a": ["x"]}, {}, id="texts go"),
        pytest.param({"run": ["nowhere.01234567"], "b": ["no"]}, {}, id="runs that are not here go"),
    ],
)
def test_an_address_without_names(fields: dict[str, list[str]], told: dict[str, Any] | None, tmp_path: Path) -> None:
    library = library_of(tmp_path, [trial("abc")])
    assert without_names(library, fields) == {"hide": "1", **(fields if told is None else told)}


def test_two_runs_in_an_address_without_names(tmp_path: Path) -> None:
    library = library_of(tmp_path, [trial("abc"), trial("abd", number=1)])
    told = without_names(library, {"a": [library.key(0)], "b": [library.key(1)], "mode": ["runs"]})
    assert told == {"hide": "1", "a": library.hidden_key(0), "b": library.hidden_key(1), "mode": ["runs"]}


def test_a_run_is_found_by_its_name_when_its_data_changed(tmp_path: Path) -> None:
    library = library_of(tmp_path, [trial("abc"), trial("abc", number=1)])
    name = library.trajectories[0].run
    found = find_run(library, f"{name}.01234567")
    assert found is not None and (found.index, found.changed) == (0, True)
    by_name = find_run(library, name)
    assert by_name is not None and (by_name.index, by_name.changed, by_name.certain) == (0, False, False)
    assert find_run(library, "nowhere.01234567") is None


@pytest.mark.parametrize(
    ("key", "name"), [("a.b.01234567", "a.b"), ("a.b", "a.b"), ("a\nb.01234567", "a\nb"), (".01234567", ".01234567")]
)
def test_the_name_in_a_key(key: str, name: str) -> None:
    assert run_name(key) == name


@pytest.mark.parametrize("query", [Query("a b & c"), Query("^x", "pattern")])
def test_what_is_looked_for_travels(query: Query) -> None:
    assert query_of(query_fields(query)) == query


@pytest.mark.parametrize("fields", [{}, {"find": " "}, {"find_as": "pattern"}])
def test_an_address_that_looks_for_nothing(fields: dict[str, str]) -> None:
    assert query_of(fields) is None


def test_calls_without_ids_are_told_by_number_and_content(tmp_path: Path) -> None:
    library = library_of(tmp_path, [trial("ab")])
    run = library.trajectories[0]
    nameless = replace(run, calls=replace(run.calls, ids=(None,) * len(run.calls)))
    library.trajectories = (nameless,)
    assert set(link_params(library, 0, 1)) == {"run", "call", "content"}
    assert np.all([isinstance(value, str) for value in link_params(library, 0, 1).values()])


def again(before: Trajectory, now: Trajectory, call: int) -> tuple[int | None, str]:
    """Where a call stands after its file was read anew, and what is said of that."""
    left = leave(Library([loaded(before)], [], [], {}, samples=False), 0, call)
    found = call_again(now, left, changed=True)
    return found.call, found.note


@pytest.mark.parametrize(
    ("now", "call", "note"),
    [
        pytest.param(run_of("one", "two", "three", ids="abc"), 1, "", id="as it was"),
        pytest.param(run_of("one", "two", "three", "four", ids="abcd"), 1, "", id="the run went on"),
        pytest.param(
            run_of("new", "one", "two", ids="xab"), 2, "Call 3 was found by its id; it was call 2", id="moved"
        ),
        pytest.param(run_of("one", "other", ids="ab"), 1, "its arguments or output have changed", id="changed"),
        pytest.param(run_of("one", ids="a"), None, "The link names call 2; this run has 1.", id="gone"),
    ],
)
def test_a_call_is_found_again_when_its_file_is_read_anew(now: Trajectory, call: int | None, note: str) -> None:
    found, said = again(RUN, now, 1)
    assert found == call
    assert note in said if note else said == ""


def loaded(*runs: Trajectory, name: str = "a.json") -> Loaded:
    source = Source(name=name, format="test", digest="0", size=1)
    return Loaded(source=source, trajectories=tuple(replace(run, source=source) for run in runs))


def named(run: str, digest: str) -> Trajectory:
    return replace(RUN, run=run, digest=digest * 32)


def files(*loads: Loaded) -> Library:
    return Library(loads, [], [], {}, samples=False)


BEFORE = files(loaded(named("x", "1"), named("y", "2"), named("x", "3")), loaded(named("x", "4"), name="b.json"))


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param(BEFORE, (2, False), id="nothing changed"),
        pytest.param(files(loaded(named("x", "3"))), (0, False), id="the same data elsewhere in the file"),
        pytest.param(
            files(loaded(named("x", "4"), name="b.json"), loaded(named("x", "1"), named("x", "5"))),
            (2, True),
            id="other data in its place among those of its name",
        ),
        pytest.param(files(loaded(named("x", "5"), named("y", "2"))), (0, True), id="fewer of its name"),
        pytest.param(
            files(loaded(named("x", "5"), name="c.json")), (0, True), id="the one of its name, in another file"
        ),
        pytest.param(files(loaded(named("y", "2"))), None, id="gone"),
    ],
)
def test_a_run_is_found_again_when_its_file_is_read_anew(now: Library, expected: tuple[int, bool] | None) -> None:
    found = find_again(now, leave(BEFORE, 2, None))
    assert (found and (found.index, found.changed)) == expected

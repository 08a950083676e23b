"""Vally's files as a whole: which records there are, and what each says about its run."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from loopviz.model import Json
from loopviz.readers import read_bytes, watching
from tests.readers.vally_by_hand import ABSENT, call, document, event, lines, load, only, result, trial, troubles

TRAJECTORY = {"id": "t1", "stimulus": {"name": "s1"}, "events": [call("x")]}

FORMATS = [
    pytest.param(TRAJECTORY, "vally.trajectory", id="a trajectory"),
    pytest.param({"events": []}, "vally.trajectory", id="events alone"),
    pytest.param({"stimulus": {}, "id": "t"}, "vally.trajectory", id="stimulus and id"),
    pytest.param({"type": "trial-result", "trajectory": TRAJECTORY}, "vally.results", id="a trial"),
    pytest.param({"itemId": "i", "trajectory": TRAJECTORY}, "vally.results", id="a trial without a type"),
    pytest.param({"gradeResult": {"passed": True}}, "vally.results", id="a grade without a trajectory"),
    pytest.param({"type": "run-summary", "passed": True}, "vally.results", id="a run summary"),
    pytest.param({"status": "ok", "trajectory": TRAJECTORY, "gradeResult": {}}, "vally.outcome", id="an outcome"),
    pytest.param({"trajectory": None}, "vally.outcome", id="an outcome without a trajectory"),
]


@pytest.mark.parametrize(("record", "name"), FORMATS)
@pytest.mark.parametrize("style", ["document", "indented", "lines", "list"])
def test_knows_what_it_is_by_what_is_in_it(record: Json, name: str, style: str) -> None:
    data = {
        "document": json.dumps(record).encode(),
        "indented": json.dumps(record, indent=2).encode(),
        "lines": lines(record, record),
        "list": json.dumps([record, record]).encode(),
    }[style]
    loaded = load(data)
    assert loaded.source.format == name
    assert all(trajectory.source is loaded.source for trajectory in loaded.trajectories)


NO_RUN = [
    pytest.param({"trajectory": None}, "The record holds no trajectory.", id="null"),
    pytest.param({"trajectory": ABSENT}, "The record holds no trajectory.", id="none"),
    pytest.param({"trajectory": "runs/a.json"}, "The record's trajectory is a text, not an object.", id="a path"),
    pytest.param({"trajectory": {"output": "x"}}, "The trajectory has no list of events.", id="no events"),
    pytest.param({"trajectory": {"events": None}}, "The trajectory has no list of events.", id="events of null"),
    pytest.param(
        {"trajectory": {"events": {}}},
        "The trajectory's events are an object, not a list.",
        id="events that are no list",
    ),
]


@pytest.mark.parametrize(("fields", "reason"), NO_RUN)
def test_a_trial_without_a_run_is_kept_and_says_why(fields: dict[str, Any], reason: str) -> None:
    kept, judged = load(lines(trial(error="it broke", status="error", **fields), trial(call("x")))).trajectories
    assert kept.not_judged == reason
    assert (kept.error, kept.status, kept.line, len(kept.calls)) == ("it broke", "error", 1, 0)
    assert judged.not_judged is None


def test_a_run_without_events_to_watch_is_judged() -> None:
    assert only(document()).not_judged is None


@pytest.mark.parametrize(
    ("record", "run"),
    [
        pytest.param(trial(), "t1", id="the trajectory's id"),
        pytest.param({**trial(), "trajectory": {"events": []}}, "i1", id="the item's id"),
        pytest.param({"type": "trial-result", "trajectory": {"id": "", "events": []}}, "line 1", id="the line"),
        pytest.param({"type": "trial-result", "trajectory": {"id": 7, "events": []}}, "7", id="a number"),
    ],
)
def test_names_a_run(record: Json, run: str) -> None:
    assert only(lines(record)).run == run


def test_elements_of_a_list_without_a_name_are_numbered() -> None:
    assert [t.run for t in load(b'[{"events":[]},{"events":[]}]').trajectories] == ["record 1", "record 2"]
    assert only(b'{"events":[]}').run == "line 1"


TRIALS = [
    pytest.param({"trialIndex": 2, "totalTrials": 5}, (2, 5), id="both"),
    pytest.param({"trialIndex": 0}, (0, None), id="no total"),
    pytest.param({}, (0, 1), id="neither: the only trial"),
    pytest.param({"totalTrials": 3}, (0, 3), id="no number"),
    pytest.param({"trialIndex": 1.0, "totalTrials": "5"}, (1, None), id="other sorts"),
]


@pytest.mark.parametrize(("fields", "expected"), TRIALS)
def test_numbers_trials(fields: dict[str, Any], expected: tuple[int, int | None]) -> None:
    trajectory = only(lines(trial(**fields)))
    assert (trajectory.trial, trajectory.trials) == expected


def test_a_bare_trajectory_is_no_trial() -> None:
    assert (only(document()).trial, only(document()).trials) == (None, None)


def test_a_trial_tells_all_about_its_run() -> None:
    record = trial(
        call("x"), evalName="e", variant="v", stimulus="s", model="m", status="success", durationMs=1_500, error=None
    )
    record["trajectory"] |= {
        "stimulus": {"name": "inner", "prompt": "do it", "constraints": {"max_turns": 9}, "graders": [{"type": "x"}]},
        "output": "done",
        "endReason": "completed",
        "metadata": {"model": "other", "startedAt": "2026-06-18T12:00:00Z"},
        "metrics": {"wallTimeMs": 7},
    }
    told = only(lines(record))
    assert (told.eval_name, told.variant, told.stimulus, told.model, told.status) == ("e", "v", "s", "m", "success")
    assert (told.prompt, told.max_turns, told.output, told.end_reason) == ("do it", 9, "done", "completed")
    assert told.stimulus_spec["graders"] == [{"type": "x"}]
    assert (told.started_s, told.duration_s, told.error) == (1_781_784_000, 1.5, None)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({}, (None, None), id="nothing"),
        pytest.param({"metadata": {"startedAt": "x", "completedAt": 7}}, (None, None), id="no times"),
        pytest.param({"metrics": {"wallTimeMs": 2_500}}, (None, 2.5), id="the wall clock"),
        pytest.param({"metadata": {"startedAt": 1_000, "completedAt": 1_004}}, (1_000, 4), id="start and end"),
        pytest.param(
            {"metadata": {"startedAt": 1_004, "completedAt": 1_000}}, (1_004, None), id="an end before the start"
        ),
        pytest.param({"events": [{"timestamp": 1_000}, {}, {"timestamp": 1_003}]}, (1_000, 3), id="the events"),
    ],
)
def test_tells_when(fields: dict[str, Json], expected: tuple[float | None, float | None]) -> None:
    told = only(json.dumps({"id": "t", "stimulus": {}, "events": [], **fields}).encode())
    assert (told.started_s, told.duration_s) == expected


@pytest.mark.parametrize(
    ("stimulus", "prompt", "max_turns"),
    [
        pytest.param({}, None, None, id="nothing"),
        pytest.param({"prompt": 7, "constraints": {"max_turns": "9"}}, None, None, id="wrong sorts"),
        pytest.param({"constraints": {"max_turns": 0}}, None, None, id="zero turns"),
        pytest.param({"prompt": "go", "constraints": {"max_turns": 9.0}}, "go", 9, id="a prompt"),
        pytest.param({"turns": ["one", {"prompt": "two"}]}, "one\n\ntwo", None, id="several requests"),
    ],
)
def test_tells_what_was_asked(stimulus: Json, prompt: str | None, max_turns: int | None) -> None:
    told = only(document(stimulus=stimulus))
    assert (told.prompt, told.max_turns) == (prompt, max_turns)


@pytest.mark.parametrize("name", ["from the record", "from the grade", "from the trajectory", None])
def test_names_the_stimulus(name: str | None) -> None:
    record = trial(stimulus="from the record", gradeResult={"stimulusName": "from the grade"})
    record["trajectory"]["stimulus"]["name"] = "from the trajectory"
    if name != "from the record":
        del record["stimulus"]
        if name != "from the grade":
            del record["gradeResult"]
            if name is None:
                del record["trajectory"]["stimulus"]["name"]
    assert only(lines(record)).stimulus == name


def test_what_is_no_trial_is_told_apart() -> None:
    loaded = load(
        lines(
            trial(),
            {"type": "comparison", "trajectory": {}},
            {"type": "span", "name": "x"},
            {"type": "experiment-plan-snapshot"},
            {"type": "run-summary", "passed": False},
        )
    )
    assert len(loaded.trajectories) == 1
    assert not loaded.problems
    assert loaded.notes == (
        "1 comparison left out: no trial.",
        "1 telemetry span left out: no trial.",
        "1 plan of an experiment left out: no trial.",
        "1 run summary left out: no trial.",
        "The run summary says: failed.",
    )


def test_a_trial_behind_the_summary_makes_the_run_doubtful() -> None:
    loaded = load(lines(trial(), {"type": "run-summary", "passed": True}, trial()))
    assert "Trials stand behind the last run summary, so the run may not be complete." in loaded.notes
    assert len(loaded.trajectories) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param(
            {"type": "tax-return", "trajectory": {}}, "Records of type 'tax-return' are", id="an unknown type"
        ),
        pytest.param({"hello": 1}, "This is no record", id="nothing of Vally's"),
        pytest.param(b"oops", "This line is not", id="no JSON"),
        pytest.param(b"[1]", "This line is not", id="no object"),
        pytest.param(b'{"type": "trial-result", "traj', "This line is cut", id="cut off"),
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_strange_line_is_a_located_problem(line: Json, message: str, at: int) -> None:
    records: list[Json] = [trial(call("x")), trial(call("y"))]
    records.insert(at, line)
    loaded = load(lines(*records))
    (problem,) = loaded.problems
    assert problem.where == f"line {at + 1}"
    assert problem.message.startswith(message)
    assert len(loaded.trajectories) == 2


def test_problems_inside_a_line_name_it() -> None:
    loaded = load(lines(trial(), trial(result("lost", "a"))))
    assert troubles(loaded.trajectories[1]) == [("line 2, event 1", "This result names the")]


def test_a_document_cut_off_keeps_what_stands_before() -> None:
    whole = document(*[call("x", f"c{number}") for number in range(10)], output="done")
    cut = whole[: whole.index(b"c7")]
    trajectory = only(cut)
    assert len(trajectory.calls) == 7
    assert troubles(trajectory) == [
        (f"byte {len(cut):,}", "The file is cut"),
        ("event 8", "This event is not"),
    ]


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(rb'"\ud800"', id="a lone surrogate"),
        pytest.param(b"NaN", id="NaN"),
        pytest.param(b"-Infinity", id="infinity"),
        pytest.param(b"1e400", id="beyond the range"),
        pytest.param(b"9" * 400, id="400 digits"),
        pytest.param(b"9" * 5_000, id="5,000 digits"),
        pytest.param(b'"a\nb"', id="a line end as it stands"),
        pytest.param(b'"\x00"', id="a zero byte"),
        pytest.param(b"[" * 100_000 + b"]" * 100_000, id="very deep"),
    ],
)
def test_one_odd_value_costs_nothing_else(odd: bytes) -> None:
    story = [call("x", "a", "ODD"), result("ODD", "a"), event("assistant_message", content="ODD"), call("y", "b", 1)]
    trajectory = only(document(*story, output="ODD").replace(b'"ODD"', odd))
    assert [trajectory.tool(number) for number in (0, 1)] == ["x", "y"]
    assert (
        trajectory.codebook.codes[trajectory.calls.arguments[0]]
        == trajectory.codebook.codes[trajectory.calls.observation[0]]
    )
    assert not trajectory.problems
    assert trajectory.output is not None
    trajectory.output.encode()


def test_what_is_no_json_in_an_event_that_is_too_deep_costs_nothing_else() -> None:
    deep = b"[" * 300 + b"]" * 300
    data = document(call("x", "a", "ODD", extra="DEEP"), result("ODD", "a"), call("y", "b", 1))
    trajectory = only(data.replace(b'"ODD"', b'{"a" oops}').replace(b'"DEEP"', deep))
    assert [trajectory.tool(number) for number in (0, 1)] == ["x", "y"]
    assert trajectory.arguments_json(0) is None
    assert ("event 1", "`arguments` is not JSON;") in troubles(trajectory)


def test_names_of_runs_differ_and_fit_in_a_link() -> None:
    loaded = load(lines(*({"id": name, "events": [call("x")]} for name in ("a", "a", "a (2)", "b" * 500))))
    names = [trajectory.run for trajectory in loaded.trajectories]
    assert names[:3] == ["a", "a (2)", "a (2) (2)"]
    assert len(names[3]) <= 120


def test_bytes_that_are_not_utf8_are_noted_and_compared_exactly() -> None:
    story = [call("x", "a"), result("A?", "a"), call("x", "b"), result("B?", "b"), event("user_message", content="A?")]
    data = document(*story).replace(b"A?", b"\xff").replace(b"B?", b"\xfe")
    trajectory = only(data)
    codes = trajectory.codebook.codes[trajectory.calls.observation]
    assert codes[0] != codes[1]
    assert trajectory.events[0].text == "\ufffd"
    (problem,) = trajectory.problems
    assert problem.where == f"byte {data.index(0xFF):,}"
    assert problem.message.startswith("3 bytes from here on")


@pytest.mark.parametrize(
    ("count", "said"), [(1, "One byte here is"), (2, "2 bytes from here"), (900, "Bytes from here")]
)
def test_says_how_much_is_not_utf8(count: int, said: str) -> None:
    (problem,) = only(document(call("x", "a", "A?" * count)).replace(b"A?", b"\xff")).problems
    assert problem.message.startswith(said)


def test_every_text_can_be_shown() -> None:
    record = trial(
        call("x\ud800", "a\ud800"), evalName="e\ud800", gradeResult={"name": "g\ud800", "metadata": ["\ud800"]}
    )
    record["trajectory"]["id"] = "t\ud800"
    record["trajectory"]["stimulus"]["prompt"] = "p\ud800"
    told = only(lines(record))
    assert told.grade is not None
    for text in (told.run, told.prompt, told.eval_name, told.grade.name, told.grade.metadata[0], told.calls.ids[0]):
        assert text is not None
        assert text.endswith("\ufffd")
    assert told.tool(0) == r"x\ud800"  # Two tools never become one.


def test_digests_tell_runs_and_files_apart() -> None:
    data = lines(trial(call("x")), trial(call("y")))
    loaded = load(data)
    assert loaded.source.digest == hashlib.sha256(data).hexdigest()[:32]
    assert loaded.source.size == len(data)
    first = data[: data.index(b"\n")]
    assert loaded.trajectories[0].digest == hashlib.sha256(first).hexdigest()[:32]
    assert loaded.trajectories[1].digest != loaded.trajectories[0].digest
    whole = document(call("x"))
    assert only(whole).digest == hashlib.sha256(whole).hexdigest()[:32]


def test_says_how_far_it_is() -> None:
    done: list[int] = []
    data = lines(trial(), trial(), trial())
    read_bytes(data, "a", advance=done.append)
    assert done == [len(data)]


def test_says_how_far_it_is_inside_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    data = document(*(call("x") for _ in range(5)))
    monkeypatch.setattr(watching, "STRIDE", 1)
    read_bytes(data, "a", advance=done.append)
    assert len(done) > 5
    assert done == sorted(done)
    assert done[-1] == len(data)

"""What graders said, at any depth, and whether the trial passed."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.model import Json
from loopviz.readers.vally.grades import DEEPEST
from tests.readers.vally_by_hand import call, lines, load, only, trial


def graded(grade: Json, **fields: Any) -> bytes:
    return lines(trial(call("x"), gradeResult=grade, **fields))


@pytest.mark.parametrize("grade", [None, "passed", 1, []])
def test_what_is_no_result_is_none(grade: Json) -> None:
    trajectory = only(graded(grade))
    assert trajectory.grade is None
    assert trajectory.outcome is None
    assert bool(trajectory.problems) is (grade is not None)


def test_a_result_is_kept_whole() -> None:
    grade = only(
        graded(
            {
                "name": "no loops",
                "graderType": "max-repeat",
                "configuredName": "no-loops",
                "kind": "code",
                "score": 0,
                "passed": False,
                "status": "error",
                "evidence": "4 in a row",
                "label": "bad",
                "metadata": {"period": 2},
            }
        )
    ).grade
    assert grade is not None
    assert (grade.name, grade.type, grade.configured_name, grade.kind) == ("no loops", "max-repeat", "no-loops", "code")
    assert (grade.score, grade.passed, grade.status, grade.label) == (0.0, False, "error", "bad")
    assert (grade.evidence, grade.metadata) == ("4 in a row", {"period": 2})


@pytest.mark.parametrize(
    ("result", "name", "type_"),
    [
        pytest.param({}, "grader", None, id="nothing"),
        pytest.param({"name": "my check"}, "my check", None, id="a name"),
        pytest.param({"name": "max-repeat"}, "max-repeat", "max-repeat", id="a name that was the type"),
        pytest.param({"name": "a", "graderType": "max-repeat"}, "a", "max-repeat", id="a type"),
        pytest.param({"graderType": "max-repeat"}, "max-repeat", "max-repeat", id="a type alone"),
        pytest.param({"kind": "llm"}, "llm", None, id="a kind alone"),
        pytest.param({"name": 7, "graderType": ["x"], "passed": "yes", "score": "1"}, "grader", None, id="wrong sorts"),
    ],
)
def test_names_a_result(result: Json, name: str, type_: str | None) -> None:
    grade = only(graded(result)).grade
    assert grade is not None
    assert (grade.name, grade.type, grade.passed, grade.score) == (name, type_, None, None)


def test_results_inside_results() -> None:
    inner = {"name": "panel", "passed": True, "details": [{"name": "judge 1"}, {"name": "judge 2", "message": "fine"}]}
    grade = only(graded({"name": "all", "passed": True, "details": [{"name": "max-repeat"}, inner]})).grade
    assert grade is not None
    assert [part.name for part in grade.walk()] == ["all", "max-repeat", "panel", "judge 1", "judge 2"]
    assert [part.evidence for part in grade.walk()] == [None, None, None, None, "fine"]


@pytest.mark.parametrize("details", ["x", {}, 7, [7], [None, "x"]])
def test_strange_details_are_problems(details: Json) -> None:
    trajectory = only(graded({"name": "all", "details": details}))
    assert trajectory.grade is not None
    assert trajectory.grade.details == ()
    assert trajectory.problems
    assert "gradeResult.details" in trajectory.problems[0].where


def test_endless_depth_ends() -> None:
    result: Json = {"name": "innermost"}
    for _ in range(80):
        result = {"name": "outer", "details": [result]}
    trajectory = only(graded(result))
    assert trajectory.grade is not None
    assert len(list(trajectory.grade.walk())) == DEEPEST + 1
    assert len(trajectory.problems) == 1


def stimulus(threshold: Json) -> dict[str, Any]:
    return {"name": "s1", "scoring": {"threshold": threshold}}


OUTCOMES = [
    pytest.param({"passed": True}, {}, None, True, id="passed"),
    pytest.param({"passed": False}, {}, None, False, id="failed"),
    pytest.param({"score": 0.9}, {}, None, None, id="a score without a threshold says nothing"),
    pytest.param({"passed": False, "score": 0.83}, {"stimulus": stimulus(0.7)}, 0.7, True, id="over its threshold"),
    pytest.param({"passed": False, "score": 0.7}, {"stimulus": stimulus(0.7)}, 0.7, True, id="at its threshold"),
    pytest.param({"passed": True, "score": 0.69}, {"stimulus": stimulus(0.7)}, 0.7, False, id="under its threshold"),
    pytest.param({"passed": True}, {"stimulus": stimulus(0.7)}, 0.7, True, id="a threshold without a score"),
    pytest.param(
        {"passed": False, "score": 1}, {"stimulus": stimulus("0.7")}, None, False, id="a threshold that is a text"
    ),
    pytest.param({"passed": False, "score": 1, "metadata": {"threshold": 0.5}}, {}, 0.5, True, id="in its metadata"),
]


@pytest.mark.parametrize(("grade", "fields", "threshold", "outcome"), OUTCOMES)
def test_tells_whether_the_trial_passed(
    grade: Json, fields: dict[str, Any], threshold: float | None, outcome: bool | None
) -> None:
    record = trial(call("x"), gradeResult=grade)
    record["trajectory"] |= fields
    trajectory = only(lines(record))
    assert (trajectory.threshold, trajectory.outcome) == (threshold, outcome)


def summary(*evals: Json) -> Json:
    return {"type": "run-summary", "passed": True, "evals": list(evals)}


SUMMARIES = [
    pytest.param({"evalName": "e"}, summary({"name": "other", "threshold": 0.5}), None, id="another eval"),
    pytest.param({"evalName": "e"}, summary({"name": "e"}), None, id="no threshold"),
    pytest.param({}, summary({"name": "e", "threshold": 0.5}, {"name": "f", "threshold": 0.6}), None, id="which?"),
    pytest.param({"evalName": "e"}, {"type": "run-summary", "evals": "x"}, None, id="no list"),
    pytest.param(
        {"evalName": "e"}, summary({"name": "f", "threshold": 1}, {"name": "e", "threshold": 0.5}), 0.5, id="its eval"
    ),
    pytest.param({}, summary({"name": "e", "threshold": 0.5}), 0.5, id="the only eval"),
]


@pytest.mark.parametrize(("fields", "run_summary", "threshold"), SUMMARIES)
def test_takes_the_threshold_from_the_run_summary(fields: Json, run_summary: Json, threshold: float | None) -> None:
    grade = {"passed": False, "score": 0.8}
    trajectory = only(lines(trial(call("x"), gradeResult=grade, **fields), run_summary))
    assert trajectory.threshold == threshold
    assert trajectory.outcome is (threshold is not None)


def test_of_several_summaries_the_last_counts() -> None:
    one, other = ({"name": "e", "threshold": threshold} for threshold in (0.9, 0.5))
    loaded = load(lines(trial(call("x"), gradeResult={"score": 0.8}), summary(one), summary(other)))
    assert loaded.trajectories[0].threshold == 0.5
    assert loaded.notes[0] == "2 run summaries left out: no trial."

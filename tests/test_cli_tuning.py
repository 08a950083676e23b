"""`sweep`, `suggest`, and what `grade` holds against its verdicts: a baseline, and pinned stretches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from loopviz.cli import main
from loopviz.readers import read_path
from loopviz.tuning.files import change
from loopviz.tuning.labels import LOOP, NOT_A_LOOP, Verdict, label_of

STEPS = {"loop-1": "aaaaaab", "loop-2": "baaaaaa", "good-1": "abab", "good-2": "aab"}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Four runs in the generic form, each a file."""
    folder = tmp_path / "runs"
    folder.mkdir()
    for name, steps in STEPS.items():
        lines = [{"turn": n, "tool": "t", "args": {"x": step}, "observation": step} for n, step in enumerate(steps)]
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


def label(path: Path, runs: Path, name: str, verdict: Verdict, calls: tuple[int, int] | None, **more: Any) -> None:
    trajectory = read_path(runs / f"{name}.jsonl").trajectories[0]
    change(path, lambda book: book.put(label_of(trajectory, verdict, calls=calls, **more)))


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    status = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err


def test_sweep_prints_ten_figures_for_each_mode(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines, _ = printed(capsys, "sweep", runs, "--json")
    assert status == 0
    assert [line["run"] for line in lines] == sorted(STEPS)
    figures = {line["run"]: line["occurrences"] for line in lines}
    assert figures["loop-1"]["observation"] == [6] * 10
    assert figures["good-1"]["name-args"] == [1, *[2] * 9]
    assert figures["good-1"]["name"] == [4] * 10


def test_every_figure_is_the_one_that_grade_prints(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, swept, _ = printed(capsys, "sweep", runs, "--json")
    for bound, match in ((1, "observation"), (2, "name-args"), (10, "name")):
        options = ("--max", "3", "--max-cycle-period", str(bound), "--match", match)
        _, graded, _ = printed(capsys, "grade", runs, *options, "--json")
        expected = [line["metadata"]["occurrences"] for line in graded]
        assert [line["occurrences"][match][bound - 1] for line in swept] == expected


def test_the_table_says_how_many_fail(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", str(runs)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("4 runs judged.\n")
    assert " longest pattern 1  3  2  2  2  2  0" in out


def test_a_run_that_is_not_judged_has_no_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"id": "t", "stimulus": {}, "events": null}')
    status, lines, _ = printed(capsys, "sweep", path, "--json")
    assert (status, lines[0]["occurrences"]) == (2, None)


def test_a_refused_pattern_is_told(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = printed(capsys, "sweep", runs, "--tool", "(")
    assert status == 2 and "--tool" in err


def test_suggest_says_what_fits(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.jsonl"
    for name in STEPS:
        label(path, runs, name, LOOP if name.startswith("loop") else NOT_A_LOOP, None)
    status, (record,), _ = printed(capsys, "suggest", runs, "--labels", path, "--json")
    assert status == 0
    assert list(record) == ["settings", "labelled", "hits", "false_alarms", "held_out", "ties", "enough"]
    assert record["settings"] == {"max": 4, "max_cycle_period": 1, "match": "observation"}
    assert (record["labelled"], record["hits"], record["false_alarms"]) == ({"loop": 2, "fine": 2}, 2, 0)
    assert record["enough"] is False
    main(["suggest", str(runs), "--labels", str(path)])
    out = capsys.readouterr().out
    assert "Suggested: max 4, longest pattern 1, same tool and output\n" in out
    assert "Finds 2 of 2 labelled loops and flags 0 of 2 good runs." in out
    assert "Too few labels to tell: 2 loops and 2 good runs; 5 of each are the least." in out


def test_suggest_without_anything_said_has_no_settings(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, (record,), _ = printed(capsys, "suggest", runs, "--outcomes", "--json")
    assert (status, record["settings"], record["enough"]) == (0, None, False)


@pytest.mark.parametrize("command", [("suggest",), ("grade", "--max", "3")], ids=["suggest", "grade"])
def test_a_label_file_that_cannot_be_used_is_told(
    command: tuple[str, ...], runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "labels.jsonl"
    status, _, err = printed(capsys, *command, runs, "--labels", path, "--json")
    assert status == 2 and "there is no such label file" in err
    path.write_text("no label\n")
    status, _, err = printed(capsys, *command, runs, "--labels", path, "--json")
    assert status == 2 and "labels.jsonl, line 1: This is no JSON." in err


PINS = [
    pytest.param("loop-1", LOOP, (2, 4), True, "are caught", id="a loop that is caught"),
    pytest.param("loop-1", LOOP, (7, 7), False, "must be caught", id="a loop that is missed"),
    pytest.param("loop-1", NOT_A_LOOP, (7, 7), True, "left alone", id="a stretch beside the loop"),
    pytest.param("loop-1", NOT_A_LOOP, (6, 7), False, "must be left alone", id="a stretch that is flagged"),
]


@pytest.mark.parametrize(("run", "verdict", "calls", "holds", "words"), PINS)
def test_pins_are_checked(
    run: str,
    verdict: Verdict,
    calls: tuple[int, int],
    holds: bool,
    words: str,
    runs: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "labels.jsonl"
    label(path, runs, run, verdict, calls, pin=True, note="why")
    label(path, runs, "good-1", NOT_A_LOOP, None)
    status, lines, err = printed(capsys, "grade", runs, "--max", "3", "--labels", path, "--json")
    (line,) = [line for line in lines if line["grader"] == "pin"]
    assert (line["run"], line["passed"], line["metadata"]["calls"]) == (run, holds, list(calls))
    assert words in line["evidence"] and line["at"]["call"] == calls[0]
    assert (status, err) == (1, "")


def test_a_pin_of_a_run_that_changed_is_not_passed_over(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "labels.jsonl"
    label(path, runs, "good-1", NOT_A_LOOP, (1, 2), pin=True)
    with open(runs / "good-1.jsonl", "a") as file:
        file.write('{"turn": 9, "tool": "t", "args": {}, "observation": "z"}\n')
    status, lines, err = printed(capsys, "grade", runs / "good-1.jsonl", "--max", "3", "--labels", path, "--json")
    assert status == 2 and "1 label of runs that changed since, not used: good-1." in err
    assert [line["grader"] for line in lines] == ["max-repeat"]


def test_a_baseline_stands_beside_the_verdicts(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text("max_repeat: {max: 6}\n")
    new.write_text("max_repeat: {max: 1, max_cycle_period: 2}\nthrash: {n: 3}\n")
    status, lines, _ = printed(capsys, "grade", runs, "--config", new, "--baseline", old, "--json")
    assert status == 1
    told = {line["run"]: line for line in lines if line["grader"] == "max-repeat"}
    assert told["good-1"]["baseline"] == {"passed": True, "occurrences": 1}
    assert told["good-1"]["metadata"]["occurrences"] == 2
    assert {line["baseline"] for line in lines if line["grader"] == "thrash"} == {None}
    main(["grade", str(runs), "--config", str(new), "--baseline", str(old)])
    out = capsys.readouterr().out
    assert "≠ the baseline says PASS (1 in a row), not FAIL (2 in a row)" in out
    assert out.rstrip().endswith("; against the baseline 4 now fail, 0 now pass")


def test_a_refused_baseline_is_told(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old.yaml"
    old.write_text("max_repeat: {max: 0}\n")
    status, _, err = printed(capsys, "grade", runs, "--max", "3", "--baseline", old)
    assert status == 2 and "max is 0" in err


A6, A2, B2, B9 = "{name: a, max: 6}", "{name: a, max: 2}", "{name: b, max: 2}", "{name: b, max: 9}"
BASELINES = [
    pytest.param(A6, B2, {"loop-1": False, "loop-2": False}, id="another name"),
    pytest.param(f"{A6}, {B9}", f"{A6}, {B2}", {"loop-1": False, "loop-2": False}, id="the second of two"),
    pytest.param(A6, f"{A6}, {B2}", {"loop-1": False, "loop-2": False}, id="one more"),
    pytest.param(f"{A6}, {B2}", A6, {"loop-1": True, "loop-2": True}, id="one fewer"),
    pytest.param(A2, A2, {}, id="the same"),
]


@pytest.mark.parametrize(("old", "new", "flips"), BASELINES)
def test_no_flip_is_missed(
    old: str, new: str, flips: dict[str, bool], runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, graders in (("old", old), ("new", new)):
        (tmp_path / f"{name}.yaml").write_text(f"max_repeat: [{graders}]\n")
    main(["grade", str(runs), "--config", str(tmp_path / "new.yaml"), "--baseline", str(tmp_path / "old.yaml")])
    told = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("now ")]
    assert {words[-1]: words[1] == "passes" for words in told} == flips


def test_a_baseline_that_cannot_judge_is_told(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old.yaml"
    old.write_text("stimuli:\n- name: x\n  prompt: y\n  graders: [{type: max-repeat, config: {max: 3}}]\n")
    status, lines, err = printed(capsys, "grade", runs, "--max", "9", "--baseline", old, "--json")
    assert {line["passed"] for line in lines} == {True}
    assert status == 2 and "loop-1: the baseline says nothing: Not judged:" in err


def test_a_pin_of_calls_that_the_run_lacks_is_told(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "labels.jsonl"
    label(path, runs, "good-2", NOT_A_LOOP, (1, 3), pin=True)
    path.write_text(path.read_text().replace("[1, 3]", "[1, 9]"))
    status, _, err = printed(capsys, "grade", runs, "--max", "9", "--labels", path, "--json")
    assert status == 2 and "the run good-2 has no calls 1 to 9" in err


def test_a_pin_survives_a_merge(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.jsonl"
    label(path, runs, "loop-1", NOT_A_LOOP, (1, 3), pin=True)
    line = json.loads(path.read_text())
    line.pop("pin")
    path.write_text(path.read_text() + json.dumps(line) + "\n")
    status, lines, err = printed(capsys, "grade", runs, "--max", "3", "--labels", path, "--json")
    assert [one["passed"] for one in lines if one["grader"] == "pin"] == [False]
    assert status == 2 and "it stays one" in err


def test_another_trial_of_the_same_run_is_no_changed_one(tmp_path: Path) -> None:
    from loopviz.tuning.applying import apply
    from loopviz.tuning.labels import Book
    from tests.tuning.sets_by_hand import run_of

    first = run_of("aa", run="t", stimulus="s", trial=0)
    applied = apply(Book().put(label_of(first, LOOP)), [run_of("ab", run="t", stimulus="s", trial=1)])
    assert (applied.stale, len(applied.absent)) == ((), 1)


def junit(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, ElementTree.Element]:
    status = main(["grade", *map(str, arguments), "--format", "junit"])
    return status, ElementTree.fromstring(capsys.readouterr().out)


def case_of(root: ElementTree.Element, run: str, name: str) -> ElementTree.Element:
    (case,) = [one for one in root.iter("testcase") if (one.get("classname"), one.get("name")) == (run, name)]
    return case


def as_counted(root: ElementTree.Element) -> dict[str, int]:
    """What the cases themselves come to."""
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {"tests": len(list(root.iter("testcase"))), **{name: len(list(root.iter(kinds[name]))) for name in kinds}}


class TestJunit:
    def test_pins_are_cases(self, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "labels.jsonl"
        label(path, runs, "loop-1", LOOP, (2, 4), pin=True)
        label(path, runs, "loop-2", NOT_A_LOOP, (6, 7), pin=True)
        status, root = junit(capsys, runs, "--max", "3", "--labels", path)
        assert status == 1
        assert not list(case_of(root, "loop-1", "loop at calls 2 to 4"))
        assert case_of(root, "loop-2", "not a loop at calls 6 to 7").find("failure") is not None

    def test_a_pin_that_could_not_be_checked_is_an_error(
        self, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "labels.jsonl"
        for name in ("good-1", "good-2"):
            label(path, runs, name, NOT_A_LOOP, (1, 2), pin=True)
        label(path, runs, "good-1", NOT_A_LOOP, None)
        with open(runs / "good-1.jsonl", "a") as file:
            file.write('{"turn": 9, "tool": "t", "args": {}, "observation": "z"}\n')
        (runs / "good-2.jsonl").unlink()
        status, root = junit(capsys, runs, "--max", "9", "--labels", path)
        assert status == 2
        error = case_of(root, "good-1", "not a loop at calls 1 to 2").find("error")
        assert error is not None and "changed since it was pinned" in (error.get("message") or "")
        assert case_of(root, "good-2", "not a loop at calls 1 to 2").find("skipped") is not None
        fault = case_of(root, str(path), "labels").find("error")
        assert fault is not None and "2 labels of runs that changed since" in (fault.get("message") or "")
        assert as_counted(root) == {"tests": 6, "failures": 0, "errors": 2, "skipped": 1}
        assert {name: int(root.get(name) or 0) for name in as_counted(root)} == as_counted(root)

    def test_flips_stand_on_their_cases(self, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        old = tmp_path / "old.yaml"
        old.write_text("max_repeat: {max: 9}\n")
        _, root = junit(capsys, runs, "--max", "3", "--baseline", old)
        case = case_of(root, "loop-1", "max-repeat")
        assert {one.get("name"): one.get("value") for one in case.iter("property")} == {
            "baseline": "pass",
            "baseline.flips": "true",
        }
        assert [one.tag for one in case] == ["properties", "failure", "system-out"]
        assert case.findtext("system-out") == "The baseline says PASS (6 in a row), not FAIL (6 in a row)."
        quiet = case_of(root, "good-1", "max-repeat")
        assert [one.get("value") for one in quiet.iter("property")] == ["pass", "false"]
        assert quiet.find("system-out") is None
        told = [suite.findtext("system-out") for suite in root if suite.find("system-out") is not None]
        assert told == [f"loop-{n} fails now, unlike under the baseline." for n in (1, 2)]

    def test_a_baseline_that_cannot_judge_is_an_error(
        self, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        old = tmp_path / "old.yaml"
        old.write_text("stimuli:\n- name: x\n  prompt: y\n  graders: [{type: max-repeat, config: {max: 3}}]\n")
        status, root = junit(capsys, runs, "--max", "9", "--baseline", old)
        assert status == 2
        (suite,) = [one for one in root if one.get("name") == "baseline"]
        assert suite.get("errors") == "4"

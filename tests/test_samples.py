"""The bundled samples: complete, reproducible, free of the machine they were recorded on, and true to their lessons."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

Json = Any
ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "sample_runs"
INDEX: dict[str, Json] = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
SAMPLES: list[dict[str, Json]] = INDEX["samples"]
SINGLE = [sample for sample in SAMPLES if sample["run"]]
NIGHTLY = next(sample for sample in SAMPLES if "eval_spec" in sample)
EXPECTED = [pytest.param(s["file"], one, id=f"{one['run']} {one['grader']}") for s in SAMPLES for one in s["expected"]]
WHAT_IFS = [
    pytest.param(s, one, id=f"{s['run']} {json.dumps(one['settings'])}") for s in SINGLE for one in s["what_if"]
]
MAX_BYTES = 4_000_000
Line = dict[str, Json]
Graded = Mapping[tuple[str, str, str], Line]
"""A line of `grade --json` by file, run and the grader's name."""


def grade(*arguments: str) -> tuple[int, Graded]:
    """Exit status and lines of `loopviz grade --json` on all samples."""
    files = [f"sample_runs/{sample['file']}" for sample in SAMPLES]
    command = [sys.executable, "-m", "loopviz", "grade", *files, "--json", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode in (0, 1, 2), done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines, done.stderr
    return done.returncode, {
        (line["source"].removeprefix("sample_runs/"), line["run"], line["name"]): line for line in lines
    }


@pytest.fixture(scope="module")
def as_recorded() -> tuple[int, Graded]:
    return grade()


@pytest.fixture(scope="module")
def otherwise(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Every sample under every setting that an index entry speaks of, and under both guards' defaults."""
    settings = {json.dumps(one["settings"], sort_keys=True) for sample in SINGLE for one in sample["what_if"]}
    graders = [{"name": name, **json.loads(name)} for name in sorted(settings)]
    config = tmp_path_factory.mktemp("config") / "otherwise.yaml"
    config.write_text(yaml.safe_dump({"max_repeat": graders, "escalation": {"fail_level": 3}, "thrash": {"n": 3}}))
    return grade("--config", str(config))[1]


def recorded_texts() -> dict[str, str]:
    paths = [p for p in FOLDER.rglob("*") if p.suffix in (".json", ".jsonl", ".yaml", ".md")]
    return {p.relative_to(FOLDER).as_posix(): p.read_text(encoding="utf-8") for p in paths}


def nightly_records() -> list[Line]:
    lines = (FOLDER / NIGHTLY["file"]).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


class TestIndex:
    def test_names_every_file_and_no_other(self) -> None:
        named = {sample["file"] for sample in SAMPLES} | {NIGHTLY["eval_spec"], "index.json", "README.md"}
        assert named == set(recorded_texts())

    def test_counts_from_one_in_reading_order(self) -> None:
        assert [sample["order"] for sample in SAMPLES] == list(range(1, len(SAMPLES) + 1))

    def test_opens_on_the_plain_failure(self) -> None:
        first = SAMPLES[0]
        assert first["file"] == INDEX["default"]
        (expected,) = first["expected"]
        assert (expected["passed"], expected["occurrences"], expected["settings"]) == (False, 7, {"max": 3})
        assert expected["recorded"] is False

    def test_names_the_one_disagreement(self) -> None:
        differing = [
            (sample["file"], one["run"], one["grader"])
            for sample in SAMPLES
            for one in sample["expected"]
            if one["recorded"] not in (None, one["passed"])
        ]
        named = INDEX["disagreement"]
        assert differing == [(named["file"], named["run"], named["grader"])]

    def test_every_lesson_is_a_sentence(self) -> None:
        for sample in SAMPLES:
            assert sample["title"]
            assert re.fullmatch(r"[A-Z0-9][^\n]*\.", sample["lesson"])

    def test_readme_lists_every_title(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        assert re.findall(r"^\| \[(.+?)\]", text, re.M) == [s["title"] for s in SAMPLES]


class TestFiles:
    @pytest.mark.slow
    def test_recording_again_gives_the_same_bytes(self) -> None:
        """Without site packages (`-S`), which shows that the recorder needs none."""
        done = subprocess.run(
            [sys.executable, "-S", "-B", "sample_runs/record.py", "--check"],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize(
        "pattern",
        [
            pytest.param(r"(?<![\w.])/(tmp|var|home|root|Users|private|usr|opt)/", id="an absolute path"),
            pytest.param(r"[A-Za-z]:\\\\?(Users|Temp)", id="a Windows path"),
            pytest.param(r"\b[\w-]+\.(com|net|io|dev|local|internal|lan)\b", id="a host"),
            pytest.param(r"Python 3\.\d|python3\.\d", id="a Python version"),
        ],
    )
    def test_say_nothing_of_the_machine(self, pattern: str) -> None:
        found = {name: re.search(pattern, text) for name, text in recorded_texts().items()}
        assert {name: hit.group() for name, hit in found.items() if hit} == {}

    def test_name_the_temporary_folder_neutrally(self) -> None:
        for sample in SINGLE:
            assert '"workDir":"/workspace"' in (FOLDER / sample["file"]).read_text(encoding="utf-8").replace(" ", "")

    def test_stay_small(self) -> None:
        assert sum(len(text.encode()) for text in recorded_texts().values()) < MAX_BYTES


class TestNightly:
    def test_ends_with_the_summary(self) -> None:
        types = [record["type"] for record in nightly_records()]
        assert types[-1] == "run-summary"
        assert set(types[:-1]) == {"trial-result"}

    def test_eval_spec_is_what_the_trials_carry(self) -> None:
        spec = yaml.safe_load((FOLDER / NIGHTLY["eval_spec"]).read_text(encoding="utf-8"))
        carried = {r["stimulus"]: r["trajectory"]["stimulus"] for r in nightly_records()[:-1] if r["trajectory"]}
        assert {stimulus["name"]: stimulus for stimulus in spec["stimuli"]} == carried

    def test_one_trial_passes_in_spite_of_a_loop(self) -> None:
        threshold = nightly_records()[-1]["evals"][0]["threshold"]
        grades = [record["gradeResult"] for record in nightly_records()[:-1] if record["gradeResult"]]
        assert [g["score"] for g in grades if not g["passed"] and g["score"] >= threshold] == [0.8333]


class TestFigures:
    """loopviz against the figures of the index, which the recorder's brute force counted."""

    @pytest.mark.parametrize(("file", "expected"), EXPECTED)
    def test_agree_as_recorded(self, as_recorded: tuple[int, Graded], file: str, expected: Line) -> None:
        line = as_recorded[1][file, expected["run"], expected["grader"]]
        metadata = line["metadata"]
        assert (metadata["occurrences"], metadata["period"]) == (expected["occurrences"], expected["period"])
        assert line["passed"] is expected["passed"]
        assert (line["recorded"] and line["recorded"]["passed"]) is expected["recorded"]
        assert line["problems"] == []

    def test_leave_out_only_the_run_without_a_trajectory(self, as_recorded: tuple[int, Graded]) -> None:
        status, lines = as_recorded
        assert status == 2
        assert [run for (_, run, _), line in lines.items() if line["passed"] is None] == NIGHTLY["not_judged"]

    def test_agree_under_the_eval_spec(self, as_recorded: tuple[int, Graded]) -> None:
        _, lines = grade("--config", f"sample_runs/{NIGHTLY['eval_spec']}")
        for one in NIGHTLY["expected"]:
            key = NIGHTLY["file"], one["run"], one["grader"]
            assert lines[key]["metadata"] == as_recorded[1][key]["metadata"]

    @pytest.mark.parametrize(("sample", "what_if"), WHAT_IFS)
    def test_agree_under_other_settings(self, otherwise: Graded, sample: Line, what_if: Line) -> None:
        line = otherwise[sample["file"], sample["run"], json.dumps(what_if["settings"], sort_keys=True)]
        assert line["metadata"]["occurrences"] == what_if["occurrences"]

    @pytest.mark.parametrize("sample", [pytest.param(s, id=s["run"]) for s in SINGLE])
    def test_guards_say_what_the_lesson_says(self, otherwise: Graded, sample: Line) -> None:
        ladder = otherwise[sample["file"], sample["run"], "escalation"]["metadata"]
        thrash = otherwise[sample["file"], sample["run"], "thrash"]["metadata"]
        said = {"escalation_level": ladder["level"], "thrash": thrash["kind"]}
        assert said == sample["guards"]

    def test_empty_steps_left_out(self, as_recorded: tuple[int, Graded]) -> None:
        named = {s["file"]: s["without_empty"] for s in SINGLE if s["without_empty"] is not None}
        found = {
            file: line["metadata"]["occurrences_without_empty"]
            for (file, _, _), line in as_recorded[1].items()
            if file in named
        }
        assert found == named

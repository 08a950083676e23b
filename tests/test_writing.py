"""`loopviz report` as a contract: what it writes where, what it refuses, and its exit status."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from loopviz import cli
from tests.report.recorded import record, trajectory
from tests.ui.vally_trials import trial, without_trajectory


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Any:
    """Report some paths: status, output, and what was said beside."""

    def run(*words: str) -> SimpleNamespace:
        status = cli.main(["report", *words])
        told = capsys.readouterr()
        return SimpleNamespace(status=status, out=told.out, err=told.err)

    return run


def save(path: Path, *documents: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), "utf-8")
    return str(path)


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_one_run_becomes_one_file(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    done = say("a.json", "-o", "a.html")
    assert (done.status, done.err) == (cli.OK, "")
    assert done.out == "Wrote a.html: FAIL. `bash` gave the same output 5 times in a row; 3 are allowed.\n"
    assert "fix-cart" in (folder / "a.html").read_text("utf-8")
    assert files_in(folder) == ["a.html", "a.json"]


@pytest.mark.parametrize(
    ("documents", "status"),
    [
        pytest.param([trajectory(1)], 0, id="a pass"),
        pytest.param([trajectory(5)], 0, id="a fail is written like any other"),
        pytest.param([without_trajectory()], 2, id="a run that is not judged"),
        pytest.param([{**trajectory(), "stimulus": {}}], 2, id="a run without a grader"),
        pytest.param([{"type": "trial-result"}, trajectory(), without_trajectory()], 2, id="one of several"),
    ],
)
def test_status(documents: list[Any], status: int, folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", *documents)
    assert say("a.jsonl", "-o", "out").status == status
    assert len(files_in(folder / "out")) == len(documents) + 1


def test_a_run_that_is_not_judged_is_said(folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", without_trajectory())
    done = say("a.jsonl", "-o", "a.html")
    assert done.out == "Wrote a.html: NOT JUDGED. The record holds no trajectory.\n"
    assert "update-dependency, trial 1: not judged: The record holds no trajectory." in done.err


def test_many_runs_become_a_folder(folder: Path, say: Any) -> None:
    save(folder / "runs" / "a.jsonl", trial("aaaa", number=0), trial("ab", number=1))
    save(folder / "runs" / "b.json", trajectory())
    (folder / "runs" / "notes.txt").write_text("nothing", "utf-8")
    done = say("runs", "-o", "out/night")
    assert done.status == cli.OK
    names = files_in(folder / "out" / "night")
    assert [re.sub(r"-[0-9a-f]{8}", "", name) for name in names] == [
        "fix-cart.html",
        "fix-failing-test-trial-1.html",
        "fix-failing-test-trial-2.html",
        "index.html",
    ]
    index = (folder / "out" / "night" / "index.html").read_text("utf-8")
    assert sorted(re.findall(r'href="([^"]+)"', index)) == names[:-1]
    assert all('href="index.html"' in (folder / "out" / "night" / name).read_text("utf-8") for name in names[:-1])
    assert done.out == "Wrote out/night/index.html and 3 reports: 2 of 3 runs fail max-repeat. 1 passes.\n"


def test_names_in_a_folder_do_not_depend_on_what_else_is_there(folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", trial("aaaa"), trial("ab", number=1))
    save(folder / "b.jsonl", trial("ab", number=1))
    say("a.jsonl", "-o", "a")
    say("b.jsonl", "-o", "b")
    assert set(files_in(folder / "b")) < set(files_in(folder / "a"))


def test_the_same_file_twice_becomes_two_pages(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    say("a.json", "a.json", "-o", "out")
    first, second, _ = files_in(folder / "out")
    assert re.fullmatch(r"fix-cart-([0-9a-f]{8})-2\.html", first)
    assert second == first.replace("-2.html", ".html")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param(
            ["-o", "a.html"], "a.html holds one run, and there are 2: name a folder, or one", id="several runs"
        ),
        pytest.param(
            ["-o", "a.svg"],
            "a.svg holds one run, and there are 2: name a folder, or one",
            id="several runs, one picture",
        ),
        pytest.param(
            ["-o", "a.pdf"],
            "-o a.pdf: name a file that ends in .html, .md, .csv, .json or .svg, or a folder",
            id="another ending",
        ),
        pytest.param(["-o", "a.csv", "--run", "ducks"], "--run ducks: there is no such run.", id="none for a table"),
        pytest.param(["-o", "a.html", "--run", "ducks"], "--run ducks: there is no such run.", id="no such run"),
        pytest.param(["-o", "out", "--run", "ducks"], "--run ducks: there is no such run.", id="none for a folder"),
        pytest.param(["-o", "a.html", "--max", "0"], "--max", id="a refused setting"),
        pytest.param(
            ["-o", "a.html", "--config", "none.yaml"], "none.yaml: cannot be read", id="a config that is not there"
        ),
    ],
)
def test_what_is_refused_writes_nothing(words: list[str], message: str, folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", trial("aaaa"), trial("ab", number=1))
    done = say("a.jsonl", *words)
    assert done.status == cli.UNUSABLE
    assert message in done.err
    assert done.out == ""
    assert files_in(folder) == ["a.jsonl"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("fix-failing-test-trial-1", id="its own name"),
        pytest.param("fix-failing-test, trial 2", id="the title of its page"),
    ],
)
def test_one_of_several_runs_by_name(name: str, folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", trial("aaaa"), trial("ab", number=1))
    done = say("a.jsonl", "-o", "a.html", "--run", name)
    assert done.out == "Wrote a.html: PASS. At most 1 in a row; 3 are allowed.\n"


def test_of_runs_that_share_a_name_the_message_says_how_to_name_one(folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", trial("aaaa"))
    save(folder / "b.jsonl", trial("ab"))
    done = say("a.jsonl", "b.jsonl", "-o", "a.html", "--run", "fix-failing-test-trial-0")
    assert done.status == cli.UNUSABLE
    (key, _) = re.findall(r"fix-failing-test-trial-0\.[0-9a-f]{8}", done.err)
    assert say("a.jsonl", "b.jsonl", "-o", "a.html", "--run", key).status == cli.OK


def test_what_is_there_is_replaced_and_keeps_its_mode(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    (folder / "a.html").write_text("before", "utf-8")
    os.chmod(folder / "a.html", 0o640)
    say("a.json", "-o", "a.html")
    assert (folder / "a.html").read_text("utf-8").startswith("<!doctype html>")
    assert stat.S_IMODE((folder / "a.html").stat().st_mode) == 0o640


@pytest.mark.parametrize("named", ["a.json", "."], ids=["by its name", "by its folder"])
def test_a_recording_is_never_written_over(named: str, folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    before = (folder / "a.json").read_bytes()
    done = say(named, "-o", str(folder / "a.json"))
    assert done.status == cli.UNUSABLE and "that is one of the recordings; name another file." in done.err
    assert (folder / "a.json").read_bytes() == before


def test_a_failure_leaves_what_is_there(folder: Path, say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder / "a.json", trajectory())
    (folder / "a.html").write_text("before", "utf-8")

    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(os, "replace", full)
    done = say("a.json", "-o", "a.html")
    assert done.status == cli.UNUSABLE
    assert "a.html: cannot be written: No space left on device." in done.err
    assert (folder / "a.html").read_text("utf-8") == "before"
    assert files_in(folder) == ["a.html", "a.json"]


def test_a_folder_that_cannot_be_made_is_said(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    done = say("a.json", "-o", "a.json/out")
    assert done.status == cli.UNUSABLE
    assert "cannot be written" in done.err


def test_standard_input(folder: Path, say: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO(json.dumps(trajectory()).encode())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=data))
    assert say("-", "-o", "a.html").status == cli.OK
    assert "&lt;stdin&gt;" in (folder / "a.html").read_text("utf-8")


def test_a_file_that_cannot_be_read_is_said_and_listed(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    (folder / "b.json").write_text("ducks", "utf-8")
    done = say("a.json", "b.json", "none.json", "-o", "out")
    assert done.status == cli.UNUSABLE
    assert "none.json: There is no such file or folder." in done.err
    assert "2 files could not be read" in (folder / "out" / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param(["--max", "7"], "At most 5 in a row; 7 are allowed.", id="another limit"),
        pytest.param(["--match", "name"], "match: name", id="another way of same"),
        pytest.param(["--max-cycle-period", "4"], "max_cycle_period: 4", id="longer patterns"),
        pytest.param(["--tool", "^poll$"], 'tools: ["^poll$"]', id="another tool"),
        pytest.param(["--unknown", "distinct"], "unknown: distinct", id="unknown values"),
        pytest.param(["--note", "<b>Look</b>"], "&lt;b&gt;Look&lt;/b&gt;", id="a note"),
        pytest.param(["--config", "c.yaml"], "Settings, from the config", id="a config"),
    ],
)
def test_options(options: list[str], words: str, folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    (folder / "c.yaml").write_text("max_repeat: {max: 2}", "utf-8")
    assert say("a.json", "-o", "a.html", *options).status == cli.OK
    assert words in (folder / "a.html").read_text("utf-8")


def test_the_stimulus_of_an_eval_spec(folder: Path, say: Any) -> None:
    save(folder / "a.json", {**trajectory(), "stimulus": {}})
    grader = "{type: max-repeat, config: {max: 4}}"
    (folder / "eval.yaml").write_text(f"stimuli: [{{name: s, prompt: p, graders: [{grader}]}}]", "utf-8")
    assert say("a.json", "-o", "a.html", "--config", "eval.yaml").status == cli.UNUSABLE
    assert say("a.json", "-o", "a.html", "--config", "eval.yaml", "--stimulus", "s").status == cli.OK


def test_help_says_what_the_status_means(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["report", "--help"])
    words = " ".join(capsys.readouterr().out.split())
    assert "Exit status: 0 all was written, whatever the verdicts; 2 something could not be used" in words


def test_a_grader_that_cannot_be_used_counts_as_unusable(folder: Path, say: Any) -> None:
    document = record()
    document["trajectory"]["stimulus"]["graders"][1]["config"] = {"max": 0}
    save(folder / "a.json", document)
    done = say("a.json", "-o", "a.html")
    assert done.status == cli.UNUSABLE
    assert "no-pairs: not judged" in done.err


def test_pages_of_an_earlier_report_are_removed_and_nothing_else(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    save(folder / "b.json", {**trajectory(), "stimulus": {}})
    say("a.json", "b.json", "-o", "out", "--max", "3")
    old = set(files_in(folder / "out"))
    say("a.json", "-o", "out/fix-cart-01234567.html")  # a report of its own
    (folder / "out" / "mine-01234567.html").write_text("<p>loopviz-listed</p>", "utf-8")
    done = say("b.json", "-o", "out", "--redact", "--max", "3")
    (page,) = [name for name in files_in(folder / "out") if name.startswith("run-")]
    assert set(files_in(folder / "out")) == {"index.html", page, "mine-01234567.html", "fix-cart-01234567.html"}
    gone = sorted(old - {"index.html"})
    assert f"note: removed 2 pages of an earlier report: {', '.join(gone)}" in done.err


@pytest.mark.parametrize(
    ("to", "message"),
    [
        pytest.param(
            "", "-o: it is empty; name a file that ends in .html, .md, .csv, .json or .svg, or a folder.", id="nothing"
        ),
        pytest.param(" ", "-o: it is empty", id="a blank"),
        pytest.param("c/.html", "-o c/.html: .html is an ending without a name", id="an ending alone"),
        pytest.param(".HTM", "-o .HTM: .HTM is an ending without a name", id="another one"),
    ],
)
def test_no_name_is_refused(to: str, message: str, folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    done = say("a.json", "-o", to)
    assert (done.status, done.out) == (cli.UNUSABLE, "")
    assert message in done.err
    assert files_in(folder) == ["a.json"]


def test_a_name_as_long_as_names_can_be(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    name = "x" * 250 + ".html"
    assert say("a.json", "-o", name).status == cli.OK
    assert files_in(folder) == ["a.json", name]


def test_a_link_is_written_through(folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    (folder / "deep").mkdir()
    (folder / "link.html").symlink_to(folder / "deep" / "real.html")
    for _ in range(2):  # the first makes what the link leads to
        assert say("a.json", "-o", "link.html").status == cli.OK
        assert (folder / "link.html").is_symlink()
        assert files_in(folder / "deep") == ["real.html"]


@pytest.mark.parametrize(
    ("to", "named"),
    [
        pytest.param("x" * 300 + ".html", "x.html", id="too long a name"),
        pytest.param("a.json/b.html", "a.json/b.html", id="no folder"),
    ],
)
def test_a_message_names_the_file_that_was_asked_for(to: str, named: str, folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    done = say("a.json", "-o", to)
    assert done.status == cli.UNUSABLE
    assert f"{named}: cannot be written: " in done.err and "tmp" not in done.err


@pytest.mark.parametrize("ending", [".md", ".csv", ".json", ".svg", ".SVG"])
def test_one_run_in_each_format(ending: str, folder: Path, say: Any) -> None:
    save(folder / "a.json", trajectory())
    done = say("a.json", "-o", f"out/a{ending}", "--note", "Look")
    assert (done.status, done.err) == (cli.OK, "")
    assert done.out == f"Wrote out/a{ending}: FAIL. bash gave the same output 5 times in a row; 3 are allowed.\n"
    written = (folder / "out" / f"a{ending}").read_text("utf-8")
    assert "Look" in written and "fix-cart" in written
    assert files_in(folder / "out") == [f"a{ending}"]


def test_many_runs_become_a_summary(folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", trial("aaaa", number=0), trial("ab", number=1))
    save(folder / "b.json", trajectory())
    done = say(".", "-o", "summary.md")
    assert (done.status, done.out) == (cli.OK, "Wrote summary.md: 2 of 3 runs fail max-repeat.\n")
    assert (folder / "summary.md").read_text("utf-8").startswith("## ✗ 2 of 3 runs fail max-repeat\n")
    say(".", "-o", "summary.md", "--run", "fix-cart-1")
    assert (folder / "summary.md").read_text("utf-8").startswith("### ✗ FAIL · `fix-cart`\n")


def test_a_table_holds_the_runs_of_all_files(folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", trial("aaaa", number=0), without_trajectory())
    save(folder / "b.json", trajectory())
    (folder / "c.json").write_text("ducks", "utf-8")
    done = say("a.jsonl", "b.json", "c.json", "-o", "all.json")
    assert done.status == cli.UNUSABLE
    assert "update-dependency, trial 1: Not judged: The record holds no trajectory." in done.err
    written = json.loads((folder / "all.json").read_text("utf-8"))
    assert [(row["source"], row["name"], row["passed"]) for row in written["findings"]] == [
        ("a.jsonl", "grader-0", False),
        ("a.jsonl", "max-repeat", None),
        ("b.json", "no-circles", False),
        ("b.json", "no-pairs", True),
    ]
    assert [one["file"] for one in written["unread"]] == ["c.json"]


def test_a_redacted_run_is_found_by_the_name_it_leaves_under(folder: Path, say: Any) -> None:
    save(folder / "a.jsonl", trial("aaaa"), trial("ab", number=1))
    say("a.jsonl", "-o", "a.json", "--redact")
    key = json.loads((folder / "a.json").read_text("utf-8"))["findings"][1]["run"]
    assert (
        say("a.jsonl", "-o", "a.md", "--run", key).out
        == "Wrote a.md: PASS. At most 1 in a row (tool_a); 3 are allowed.\n"
    )

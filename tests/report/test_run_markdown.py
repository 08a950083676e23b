"""One run as Markdown: it answers what repeated, which calls, when to stop, at what cost, and how to see it again."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from loopviz import cli
from loopviz.analysis.lines import Question
from loopviz.config import Config, Overrides
from loopviz.evalspec import GraderSpec
from loopviz.report.export import Export
from loopviz.report.run_markdown import make_run_markdown
from loopviz.settings import MaxRepeatSettings
from tests.report.planting import Planter
from tests.report.recorded import DAY, PLAIN, read, record, trajectory
from tests.report.test_markdown import without_code
from tests.ui.vally_trials import trial, without_trajectory

OWN = GraderSpec(name="own", type="max-repeat", where="max_repeat", settings=MaxRepeatSettings(max=4))


def made(document: Any, export: Export = PLAIN, question: Question | None = None, name: str = "runs/a.json") -> str:
    (run,) = read(document, name=name)
    return make_run_markdown(run, question or Question(), export)


def test_it_answers_what_a_reader_asks() -> None:
    told = made(record())
    for words in (
        "### ✗ FAIL · `fix-cart, trial 2`",
        "**The agent ran `npm test` 5 times in a row and got the same result each time.**",
        "| Verdict | `bash` gave the same output 5 times in a row; 3 are allowed. The trial failed, 0.42. |",
        "| Where | Over the limit at turn 5 (call 5). The 5 steps are calls 2–6. |",
        "it would have ended this run after call 4. |",
        "| What came after | **5** of 9 calls came after the point where a stop guard would have ended the run.",
        "The run ended badly: score 0.42.",
        '| 2 | turn 2 · line 1 · id-1 · error | `bash` | 1st of 5 | `{"command": "npm test"}` |',
        "<details><summary>Every grader of this run (2)</summary>",
        "loopviz grade runs/a.json\n",
        "<sub>loopviz 0.1.0, 30 November 2026. Guards are simulated.</sub>",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("document", "words"),
    [
        pytest.param(trial("abc"), "### ✓ PASS · ", id="a pass without a loop"),
        pytest.param(trial(""), "### ✓ PASS · ", id="no calls"),
        pytest.param(without_trajectory(), "**This run could not be judged: The record holds no", id="not judged"),
        pytest.param({**trajectory(), "stimulus": {}}, "### – NOT JUDGED · `fix-cart-1`", id="no grader"),
    ],
)
def test_a_run_with_little_to_tell(document: Any, words: str) -> None:
    told = made(document)
    assert words in told and "The calls that show it" not in told and "To see it again" in told


def test_the_note_is_quoted_and_is_no_markup() -> None:
    told = made(record(), Export(date=DAY, note="Look, <b>Ada</b>.\n# at this"))
    assert "> Look, `<b>Ada</b>`.  \n> `#` at this" in told


def test_a_redacted_run_is_called_by_its_digest_and_its_file_by_nothing() -> None:
    told = made({**trajectory(), "stimulus": {}}, Export(date=DAY, redact=True), Question(overrides=Overrides(max=3)))
    (key,) = set(re.findall(r"run-[0-9a-f]{8}", told))
    assert f"loopviz report RUN_FILE --run {key} -o run.html --max 3" in told
    assert "runs/a.json" not in told and "same arguments as call 4" in told


@pytest.mark.parametrize(
    ("question", "name"),
    [
        pytest.param(Question(), "a b's.json", id="as recorded"),
        pytest.param(
            Question(overrides=Overrides(max=2, match="name", tools=("^ba(s| )h$",))), "-a.json", id="settings"
        ),
        pytest.param(Question(unknown="distinct"), "a.json", id="unknown values"),
        pytest.param(
            Question(config=Config(max_repeat=(OWN,))),
            "a.json",
            id="a config",
        ),
    ],
)
def test_its_commands_give_the_same_verdict(
    question: Question, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(json.dumps(trajectory()), "utf-8")
    told = made(trajectory(), question=question, name=name)
    yaml = re.search(r"```yaml\n(.*?)```", told, re.DOTALL)
    assert yaml is not None
    (tmp_path / "loopviz.yaml").write_text(yaml[1], "utf-8")
    commands = re.search(r"```sh\n(.*?)\n(.*?)\n```", told)
    assert commands is not None
    grade, report = (shlex.split(command)[1:] for command in commands.groups())
    assert cli.main(grade) == (cli.OK if "✓ PASS" in told else 1)
    assert cli.main(report) == cli.OK and (tmp_path / "run.html").is_file()
    evidence = capsys.readouterr().out.splitlines()[0].partition(": ")[2].partition(" (turn")[0].partition(";")[0]
    assert evidence.replace("bash ", "`bash` ") in told


@pytest.mark.parametrize("hostile", ["![x](http://a.b) | @ada #12 `", "```\n</details><img src=x>\n# h\n---\n| a |"])
def test_no_text_of_the_run_breaks_out(hostile: str) -> None:
    document = Planter(lambda text: f"{text} {hostile}", chosen=lambda place: place[-1] != "toolName").plant(record())
    told = made(document)
    own = re.sub(r"</?(details|summary|sub)>", "", re.sub(r"(?m)^(`{3,})\w*\n.*?\n\1$", "", told, flags=re.DOTALL))
    for line in own.split("\n"):
        left = without_code(line)
        assert not re.search(r"[<>`@]|\]\(|://", left.removeprefix("> ")), line
        assert "#" not in left.removeprefix("### "), line
    shown = without_code(re.sub(r"(?m)^(`{3,})\w*\n.*?\n\1$", "", told, flags=re.DOTALL))
    assert shown.count("<details>") == shown.count("</details>") == 3
    assert len(told) < 60_000

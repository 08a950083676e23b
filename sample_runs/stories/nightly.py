"""A nightly evaluation: five stimuli, seventeen trials, judged by nightly/eval.yaml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from agent.session import Session, use
from stories.job_projects import PREVIEW
from stories.projects import ATLAS, TILL, Files

Json = Any
EVAL_NAME = "nightly"
WEIGHTS = {"max-repeat": 1, "completed": 2, "output-matches": 2}
THRESHOLD = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One try at a stimulus."""

    story: Callable[[Session], None]
    missing: tuple[str, ...] = ()
    """Files that this trial's workspace lacks."""
    judged_with: Mapping[str, Json] | None = None
    """Settings laid over those of the stimulus when max-repeat was judged: a deliberate disagreement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stimulus:
    """A task of the evaluation and how each of its trials goes."""

    name: str
    prompt: str
    graders: tuple[Mapping[str, Json], ...]
    project: Files
    trials: tuple[Trial, ...]
    setup: tuple[str, ...] = ()
    """A command that has to succeed before the agent starts."""

    def spec(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "prompt": self.prompt,
            "graders": [dict(grader) for grader in self.graders],
            "constraints": {"max_turns": 40},
        }


def fix_rounding(s: Session, tries: int, gives_up: bool = False) -> None:
    tests = use("run_tests", target="tests/test_money.py")
    s.turn(use("list_dir", path="."), use("list_dir", path="till"))
    s.turn(use("read_file", path="tests/test_money.py"))
    s.turn(use("read_file", path="till/money.py"), think="Rounding happens in parse.")
    for number in range(tries):
        s.turn(tests, think="Run it again." if number else "How does it fail?")
    if gives_up:
        s.turn(use("grep", pattern="half", path="."))
        s.finish("I could not find out why the test fails.")
        return
    s.turn(use("edit", path="till/money.py", old_string="> 5", new_string=">= 5"))
    s.turn(use("edit", path="till/money.py", old_string="[cents // people] * people", new_string=SHARES))
    s.turn(tests)
    s.turn(use("run_tests"))
    s.finish("Done: all tests pass.")


def answer_from_docs(s: Session, laps: int) -> None:
    s.turn(use("list_dir", path="docs"))
    s.turn(use("read_file", path="docs/errors.md"), think="429 is mentioned here.")
    for lap in range(laps):
        s.turn(use("search_docs", query="429 pauses"), think="And again." if lap else "Search for the pauses.")
        s.turn(use("read_file", path="docs/limits.md"))
    s.turn(use("read_file", path="docs/retry.md"))
    s.turn(use("grep", pattern="PAUSES", path="client"))
    s.finish("After a 429 pause 1, 2, then 4 seconds, at most 5 times.")


def deploy_preview(s: Session, polls: int) -> None:
    s.turn(use("read_file", path="README.md"))
    s.turn(use("read_file", path="site.ini"), use("list_dir", path="."))
    s.workspace.write("queue.txt", "another site\n" * polls)
    s.turn(use("start_job", job="preview", command="python3 deploy.py"), say="Deploying.")
    for number in range(polls + 2):
        s.turn(use("get_status", job="preview"), think="Still in the queue; wait." if number == 2 < polls else "")
        s.wait(30)
    s.turn(use("bash", command="cat jobs/preview.status"))
    s.turn(use("stop_job", job="preview"))
    s.finish("The preview is live at preview.example.")


def update_config(s: Session, checks: int) -> None:
    s.turn(use("list_dir", path="."))
    s.turn(use("read_file", path="site.ini"))
    s.turn(use("edit", path="site.ini", old_string="theme = plain", new_string="theme = dark"))
    for _ in range(checks):
        s.turn(use("grep", pattern="theme", path="site.ini"), think="Is it in?")
    s.turn(use("bash", command="python3 -S seed.py"))
    s.finish("The theme is dark now.")


def note_changes(s: Session, reads: int) -> None:
    s.turn(use("read_file", path="till/receipt.py"), use("read_file", path="README.md"))
    for _ in range(reads):
        s.turn(use("read_file", path="CHANGES.md"))
    s.turn(
        use(
            "edit",
            path="CHANGES.md",
            old_string="## Unreleased\n",
            new_string="## Unreleased\n\n- VAT in the footer.\n",
        )
    )
    s.turn(use("grep", pattern="VAT", path="CHANGES.md"))
    s.turn(use("run_tests", target="tests/test_receipt.py"))
    s.turn(use("bash", command="tail -n 1 CHANGES.md"))
    s.finish("CHANGES.md mentions the VAT in the footer.")


SHARES = "[(cents + n) // people for n in range(people)]"
SEED = """\
import pathlib
import sys

found = pathlib.Path("site.ini")
if not found.exists():
    sys.exit("seed.py: site.ini is missing")
print("site ready:", found.read_text().split()[-1])
"""
NO_LOOPS: Mapping[str, Json] = {"type": "max-repeat", "name": "no-loops", "config": {"max": 3}}
COMPLETED: Mapping[str, Json] = {"type": "completed"}


def _says(pattern: str) -> Mapping[str, Json]:
    return {"type": "output-matches", "config": {"pattern": pattern}}


STIMULI = (
    Stimulus(
        name="fix-rounding",
        prompt="tests/test_money.py fails. Fix till/money.py.",
        graders=(NO_LOOPS, COMPLETED, _says("tests pass")),
        project=TILL,
        trials=(
            Trial(story=partial(fix_rounding, tries=1)),
            Trial(story=partial(fix_rounding, tries=2)),
            Trial(story=partial(fix_rounding, tries=6, gives_up=True)),
            Trial(story=partial(fix_rounding, tries=3)),
        ),
    ),
    Stimulus(
        name="answer-from-docs",
        prompt="How long should a client pause after a 429?",
        graders=(
            {"type": "max-repeat", "name": "no-circles", "config": {"max": 3, "max_cycle_period": 2}},
            COMPLETED,
            _says("1, 2"),
        ),
        project=ATLAS,
        trials=(
            Trial(story=partial(answer_from_docs, laps=1)),
            Trial(story=partial(answer_from_docs, laps=5), judged_with={"max_cycle_period": 1}),
            Trial(story=partial(answer_from_docs, laps=2)),
        ),
    ),
    Stimulus(
        name="deploy-preview",
        prompt="Deploy a preview of the site and say where it is.",
        graders=(
            {"type": "max-repeat", "name": "status-polls", "config": {"max": 3, "tools": ["^get_status$"]}},
            {"type": "max-repeat", "name": "other-calls", "config": {"max": 2, "tools": ["^(?!get_status$)"]}},
            COMPLETED,
            _says("preview\\.example"),
        ),
        project=PREVIEW,
        trials=tuple(Trial(story=partial(deploy_preview, polls=polls)) for polls in (1, 2, 6, 3)),
    ),
    Stimulus(
        name="update-config",
        prompt="Switch the site to the dark theme.",
        graders=(
            {"type": "max-repeat", "name": "no-loops", "config": {"max": 2, "match": "name-args"}},
            COMPLETED,
            _says("dark"),
        ),
        project={**PREVIEW, "seed.py": SEED},
        setup=("python3", "-S", "seed.py"),
        trials=(
            Trial(story=partial(update_config, checks=1)),
            Trial(story=partial(update_config, checks=1), missing=("site.ini",)),
            Trial(story=partial(update_config, checks=2)),
        ),
    ),
    Stimulus(
        name="note-changes",
        prompt="Mention in CHANGES.md that receipts show the VAT.",
        graders=(NO_LOOPS, COMPLETED, _says("CHANGES")),
        project=TILL,
        trials=tuple(Trial(story=partial(note_changes, reads=reads)) for reads in (1, 2, 1)),
    ),
)

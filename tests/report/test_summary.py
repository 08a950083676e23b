"""Many runs as Markdown: short however many they are, with every failing run named or counted."""

from __future__ import annotations

from typing import Any

import pytest

from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.config import Config, Overrides
from loopviz.report.export import Export
from loopviz.report.rows import RunRows, rows_of
from loopviz.report.summary import FOLDED, OPEN, headline, make_summary
from loopviz.settings import ThrashSettings
from tests.report.recorded import DAY, PLAIN, read, record, trajectory
from tests.ui.vally_trials import trial, without_trajectory


def told(*documents: Any, question: Question | None = None) -> list[RunRows]:
    return rows_of(RunSet(read(*documents, name="out/results.jsonl")), question or Question(), PLAIN)


def summary(*documents: Any, export: Export = PLAIN, question: Question | None = None) -> str:
    return make_summary(told(*documents, question=question), [], export)


@pytest.mark.parametrize(
    ("documents", "words"),
    [
        pytest.param([trial("ab"), trial("abc")], "None of 2 runs fails max-repeat", id="none fails"),
        pytest.param([trial("ab"), trial("aaaa")], "1 of 2 runs fails max-repeat", id="one fails"),
        pytest.param([trial("aaaa"), trial("aaaa")], "2 of 2 runs fail max-repeat", id="all fail"),
        pytest.param([trial("aaaa")], "1 run, which fails max-repeat", id="one run"),
        pytest.param([without_trajectory()], "1 run, which could not be judged by max-repeat", id="one not judged"),
    ],
)
def test_the_headline(documents: list[Any], words: str) -> None:
    assert headline(told(*documents)) == words


def test_several_detectors_are_not_called_max_repeat() -> None:
    question = Question(config=Config(thrash=ThrashSettings()), overrides=Overrides(max=9))
    assert headline(told(trajectory(), trial("ab"), question=question)) == "1 of 2 runs fails a detector"


def test_what_fails_stands_with_its_reason_and_its_place() -> None:
    made = summary(trial("ab"), record(), without_trajectory())
    assert made.startswith("## ✗ 1 of 3 runs fails max-repeat\n\n✗ 1 fails. ✓ 1 passes. – 1 could not be judged. ")
    assert "A live guard, simulated, would have stopped 1 of them: at most 5 calls came after that." in made
    reason = "`no-circles`: `bash` gave the same output 5 times in a row; 3 are allowed."
    assert f"| `fix-cart, trial 2` | {reason} | `out/results.jsonl`, line 2, turn 5, call 5 |" in made
    assert "<details><summary>1 not judged</summary>" in made
    assert "Settings: those of each run." in made


def test_nothing_but_passes_is_short() -> None:
    made = summary(trial("ab"), trial("abc", number=1), question=Question(overrides=Overrides(max=3)))
    assert made.startswith("## ✓ None of 2 runs fails max-repeat\n\n✓ 2 pass.\n\nSettings: max 3, longest pattern 1,")
    assert "|" not in made


def test_however_many_fail_it_stays_short() -> None:
    one = told(trajectory())
    made = make_summary(one * 3_000, [("a.json", "It holds ducks.")] * 500, PLAIN)
    assert len(made) < 60_000
    assert made.count("| `fix-cart` |") == OPEN + FOLDED
    assert f"<details><summary>{3_000 - OPEN:,} more that fail</summary>" in made
    assert f"… {3_000 - OPEN - FOLDED:,} more." in made
    assert "<details><summary>500 files could not be read</summary>" in made and f"… {500 - FOLDED} more." in made


def test_a_redacted_summary_counts_the_files_it_could_not_read() -> None:
    made = make_summary(told(trial("ab")), [("/home/ada.json", "It holds ducks.")], Export(date=DAY, redact=True))
    assert "1 file could not be read." in made and "ada" not in made and "ducks" not in made


def test_names_cannot_break_out() -> None:
    hostile = "a | b\n\n# @ada <img src=x> `` ![x](y)"
    made = summary({**record(), "stimulus": hostile}, export=Export(date=DAY, note=hostile))
    lines = [line for line in made.split("\n") if "@ada" in line]
    assert len(lines) == 2
    row = "| ```a \\| b # @ada <img src=x> `` ![x](y), trial 2``` |"
    assert all("`@ada`" in line or line.startswith(row) for line in lines)

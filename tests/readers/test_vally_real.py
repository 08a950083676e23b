"""Real files, where they lie beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopviz.readers import READERS, UnknownFormat, read_path
from loopviz.readers.base import heads

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"
VALLY = REAL / "vally"

pytestmark = pytest.mark.skipif(not VALLY.is_dir(), reason="the folder of real files is not beside the checkout")


def test_old_results_without_a_type() -> None:
    loaded = read_path(VALLY / "vally_results_legacy_untyped.jsonl")
    assert not loaded.problems
    one, other = loaded.trajectories
    assert [one.stimulus, one.prompt, one.output] == ["test-stim-a", "say hi", "hello world"]
    assert (one.line, one.trial, one.trials, one.duration_s, one.total_tokens) == (1, 0, 1, 0.1, 50)
    assert one.not_judged == other.not_judged == "The trajectory has no list of events."
    assert (one.outcome, other.outcome) == (True, True)
    assert other.grade is not None
    assert [(part.kind, part.evidence) for part in other.grade.details] == [("llm", "ok"), ("weirdkind", "odd grader")]


def test_run_summaries_alone() -> None:
    loaded = read_path(VALLY / "vally_run_summary_lines.jsonl")
    assert loaded.trajectories == loaded.problems == ()
    assert loaded.notes == ("9 run summaries left out: no trial.", "The run summary says: passed.")


@pytest.mark.parametrize("name", ["vally_hve_prompts.eval.yaml", "vally_azsdk_dot_vally.yaml"])
def test_eval_specs_are_no_runs(name: str) -> None:
    with pytest.raises(UnknownFormat, match="looks like YAML"):
        read_path(VALLY / name)


def test_no_other_format_is_taken_for_vally() -> None:
    others = [path for path in REAL.rglob("*") if path.is_file() and path.parent != VALLY]
    assert others
    for path in others:
        head = next(heads(path.read_bytes()))
        claimed = [reader.name for reader in READERS if reader.name.startswith("vally.") and reader.sniff(head) > 0]
        assert not claimed, path.name

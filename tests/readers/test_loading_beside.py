"""The files beside one that is read: which of them a reader may have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopviz.model import Loaded
from loopviz.readers import loading
from loopviz.readers.loading import beside, read_file
from tests.readers.atif_by_hand import agent, call, document


@pytest.fixture
def trial(tmp_path: Path) -> Path:
    """A trial as Harbor leaves it."""
    (tmp_path / "trial" / "agent").mkdir(parents=True)
    (tmp_path / "secret.txt").write_bytes(b"secret")
    (tmp_path / "trial" / "result.json").write_bytes(b'{"verifier_result": {"rewards": {"reward": 1}}}')
    run = json.dumps(document(agent(call("x", {}))))
    (tmp_path / "trial" / "agent" / "trajectory.json").write_text(run)
    return tmp_path / "trial"


def test_the_outcome_lies_one_folder_up(trial: Path) -> None:
    (loaded,) = read_file(str(trial / "agent" / "trajectory.json"), named=True)
    assert isinstance(loaded, Loaded)
    assert loaded.trajectories[0].outcome is True


def test_the_own_folder_goes_first(trial: Path) -> None:
    (trial / "agent" / "result.json").write_bytes(b'{"verifier_result": {"rewards": {"reward": 0}}}')
    (loaded,) = read_file(str(trial / "agent" / "trajectory.json"), named=True)
    assert isinstance(loaded, Loaded)
    assert loaded.trajectories[0].outcome is False


@pytest.mark.parametrize("name", ["../secret.txt", "../../secret.txt", "link.txt", "", ".", "none.json", "a\0b"])
def test_no_name_leads_out(trial: Path, name: str) -> None:
    (trial / "agent" / "link.txt").symlink_to(trial.parent / "secret.txt")
    find = beside(str(trial / "agent" / "trajectory.json"))
    assert find(name) is None
    assert find(str(trial.parent / "secret.txt")) is None


def test_what_is_too_large_is_not_given(trial: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = beside(str(trial / "agent" / "trajectory.json"))
    assert find("result.json")
    monkeypatch.setattr(loading, "LARGEST_SIBLING", 10)
    assert find("result.json") is None

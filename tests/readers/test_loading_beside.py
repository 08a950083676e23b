"""The files beside one that is read: which of them a reader may have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopviz.model import Loaded
from loopviz.readers import beside
from loopviz.readers.beside import Disk
from loopviz.readers.loading import Unread, find_and_read, read_file
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


def test_a_named_file_that_was_read_with_another_is_no_mistake(trial: Path) -> None:
    (trial / "notes.txt").write_bytes(b"hello")
    names = [trial / "result.json", trial / "notes.txt", trial / "agent"]  # as a shell gives them for trial/*
    loaded, *strange = find_and_read([str(name) for name in names])
    assert isinstance(loaded, Loaded)
    assert loaded.trajectories[0].outcome is True
    told = {result.path: result.named for result in strange if isinstance(result, Unread)}
    assert told == {str(trial / "result.json"): False, str(trial / "notes.txt"): True}


@pytest.mark.parametrize("name", ["../secret.txt", "../../secret.txt", "link.txt", "", ".", "none.json", "a\0b"])
def test_no_name_leads_out(trial: Path, name: str) -> None:
    (trial / "agent" / "link.txt").symlink_to(trial.parent / "secret.txt")
    find = Disk().beside(str(trial / "agent" / "trajectory.json")).find
    assert find(name) is None
    assert find(str(trial.parent / "secret.txt")) is None


def test_what_is_too_large_is_not_given(trial: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = Disk().beside(str(trial / "agent" / "trajectory.json")).find
    assert find("result.json")
    monkeypatch.setattr(beside, "LARGEST", 10)
    assert find("result.json") is None

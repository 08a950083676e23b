"""Writing an edit: whole or not at all, and never over somebody else's change."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from loopviz import config
from loopviz.settings import MaxRepeatSettings
from loopviz.specedit import Change, Edit, WriteRefused, plan_edit, write
from loopviz.specedit.splices import Block

SPEC = b"stimuli:\n  - name: s\n    graders:\n      - type: max-repeat\n        config:\n          max: 3 # low\n"
AFTER = SPEC.replace(b"3", b"4")


def edit(max: int = 4) -> Edit:
    return plan_edit(SPEC, [Change(stimulus=0, grader=0, settings=MaxRepeatSettings(max=max))])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A spec in a folder of its own."""
    path = tmp_path / "eval.yaml"
    path.write_bytes(SPEC)
    return path


def alone(path: Path) -> bool:
    """Whether nothing is left over beside a file."""
    return [one.name for one in path.parent.iterdir()] == [path.name]


def test_nothing_to_change_writes_nothing(path: Path) -> None:
    os.utime(path, ns=(1, 1))
    path.chmod(0o444)
    write(path, edit(3))
    assert path.stat().st_mtime_ns == 1


def test_it_is_written_and_judges_so(path: Path) -> None:
    write(path, edit())
    assert path.read_bytes() == AFTER
    (grader,) = config.read_file(path).stimuli[0].graders
    assert grader.settings == MaxRepeatSettings(max=4)
    assert alone(path)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_stays(path: Path, mode: int) -> None:
    path.chmod(mode)
    write(path, edit())
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_link_stays_and_what_it_leads_to_is_written(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    link = folder / "link.yaml"
    link.symlink_to("../eval.yaml")
    write(link, edit())
    assert link.is_symlink()
    assert path.read_bytes() == AFTER
    assert sorted(one.name for one in tmp_path.iterdir()) == ["eval.yaml", "other"]


def test_a_file_that_changed_is_left_alone(path: Path) -> None:
    planned = edit()
    path.write_bytes(SPEC + b"# by somebody else\n")
    with pytest.raises(
        WriteRefused, match=r"eval\.yaml: it has changed since it was opened\. Nothing was written; open"
    ):
        write(path, planned)
    assert path.read_bytes() == SPEC + b"# by somebody else\n"
    assert alone(path)


def test_a_file_that_changes_at_the_last_moment_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def meanwhile(handle: int) -> None:
        real(handle)
        path.write_bytes(b"by somebody else\n")

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(WriteRefused, match="it has changed since"):
        write(path, edit())
    assert path.read_bytes() == b"by somebody else\n"
    assert alone(path)


def test_a_file_that_is_gone(path: Path) -> None:
    planned = edit()
    path.unlink()
    with pytest.raises(WriteRefused, match="there is no such file any more"):
        write(path, planned)
    assert not path.exists()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(WriteRefused, match="there is no such file"):
        write(tmp_path, edit())


def test_a_file_that_is_to_be_read_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs the tests may be allowed everything
    with pytest.raises(WriteRefused, match=r"read only\. Nothing was changed\. Download"):
        write(path, edit())
    assert path.read_bytes() == SPEC


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_is_full(path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(WriteRefused, match=r"cannot be written: No space left on device\. Nothing was changed\."):
        write(path, edit())
    assert path.read_bytes() == SPEC
    assert alone(path)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        pytest.param("          max: 5 # low\n", "something else in it has changed too", id="another setting"),
        pytest.param("          max: 4\n    prompt: x\n", "something else in it has changed too", id="one more"),
        pytest.param("          max: [\n", "it can no longer be read", id="no YAML"),
    ],
)
def test_what_does_not_read_back_is_put_back(path: Path, line: str, wrong: str) -> None:
    path.chmod(0o640)
    crooked = replace(edit(), blocks=(Block(5, (), (line,)), Block(5, ("",), ())))
    assert crooked.after == SPEC.replace(b"          max: 3 # low\n", line.encode())
    with pytest.raises(
        WriteRefused, match=rf"read back, it is not as planned: {wrong}.*\. The old content was put back"
    ):
        write(path, crooked)
    assert path.read_bytes() == SPEC
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert alone(path)


def test_what_cannot_be_put_back_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crooked = replace(edit(), blocks=(Block(5, ("",), ("          max: 5\n",)),))
    real, times = os.replace, []

    def once(old: str, new: Path) -> None:
        times.append(new)
        if len(times) > 1:
            raise OSError(5, "Input/output error")
        real(old, new)

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(WriteRefused, match="The old content could not be put back: Input/output error"):
        write(path, crooked)

"""The command line on packed files, and what it says while it reads."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from loopviz import cli, status
from tests.readers.packing import ARCHIVES, zipped
from tests.readers.vally_by_hand import call, document

RUN = document(call("x", "1"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("pack", ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_is_judged_file_by_file(pack: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(pack({"inner/run.json": RUN, "b.json": RUN}))  # type: ignore[operator]
    assert cli.main(["grade", str(path), "--max", "3", "--json"]) == cli.OK
    sources = [json.loads(line)["source"] for line in capsys.readouterr().out.splitlines()]
    assert sources == [f"{path}/b.json", f"{path}/inner/run.json"]


def test_what_is_strange_inside_is_a_note_and_a_cut_archive_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = zipped({"a.json": RUN, "link/../../x.json": RUN, "notes.txt": b"hello"})
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    assert cli.main(["grade", str(path), "--max", "3"]) == cli.OK
    said = capsys.readouterr().err
    assert f"note: {path}/link/../../x.json: Its name leads out of the archive; it is left out." in said
    assert f"passed over 1 that are no recorded runs: {path}/notes.txt" in said

    path.write_bytes(data[:-30])
    assert cli.main(["grade", str(path), "--max", "3"]) == cli.UNUSABLE
    assert f"{path}: The archive is cut off" in capsys.readouterr().err


@pytest.mark.parametrize(("stream", "told"), [(Terminal(), True), (io.StringIO(), False)], ids=["terminal", "pipe"])
def test_progress_goes_to_a_terminal_alone(
    stream: io.StringIO, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a\x1b[2J.json"
    path.write_bytes(RUN)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(status, "LARGE", 1)
    assert cli.main(["grade", str(path), "--max", "3", "--json"]) == cli.OK
    assert ("a\\x1b[2J.json: 100 %" in stream.getvalue()) == told
    assert "\x1b" not in stream.getvalue()
    assert len(capsys.readouterr().out.splitlines()) == 1

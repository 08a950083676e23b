"""From paths to files: folders, links, pipes, standard input, and what cannot be read."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from loopviz.model import Loaded
from loopviz.readers.loading import Unread, find_and_read, read_record, stamp
from tests.readers.vally_by_hand import call, document, lines, trial

RUN = document(call("x", "é"))


def outcome(*paths: str | Path) -> list[tuple[str, str, bool | None]]:
    """For each file its path, the beginning of what was said, or `read`, and whether it was named."""
    found = []
    for result in find_and_read([str(path) for path in paths]):
        if isinstance(result, Loaded):
            found.append((result.source.name, "read", None))
        else:
            found.append((result.path, " ".join(result.reason.split()[:6]), result.named))
    return found


def write(folder: Path, **files: bytes) -> Path:
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def test_reads_what_is_named(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b_jsonl=lines(trial()))
    assert outcome(tmp_path / "b.jsonl", tmp_path / "a.json") == [
        (f"{tmp_path}/b.jsonl", "read", None),
        (f"{tmp_path}/a.json", "read", None),
    ]


def test_searches_folders_in_sorted_order(tmp_path: Path) -> None:
    write(tmp_path, b_json=RUN, a_json=RUN, d__x_json=RUN, c__y_json=RUN, c__e__z_json=RUN)
    found = [os.path.relpath(path, tmp_path) for path, *_ in outcome(tmp_path)]
    assert found == ["a.json", "b.json", "c/y.json", "c/e/z.json", "d/x.json"]


def test_passes_over_what_is_hidden(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    (tmp_path / ".b.json").write_bytes(RUN)
    write(tmp_path / ".git", c_json=RUN)
    assert outcome(tmp_path) == [(f"{tmp_path}/a.json", "read", None)]
    assert outcome(tmp_path / ".git") == [(f"{tmp_path}/.git/c.json", "read", None)]


def test_a_strange_file_is_a_note_inside_a_folder_and_a_mistake_when_named(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, notes_txt=b"hello")
    said = "This is no recorded run that"
    assert outcome(tmp_path) == [(f"{tmp_path}/a.json", "read", None), (f"{tmp_path}/notes.txt", said, False)]
    assert outcome(tmp_path / "notes.txt") == [(f"{tmp_path}/notes.txt", said, True)]


def test_a_folder_without_a_run_is_a_mistake(tmp_path: Path) -> None:
    write(tmp_path, notes_txt=b"hello")
    assert outcome(tmp_path)[-1] == (str(tmp_path), "No file in this folder holds", True)


def test_what_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    assert outcome(tmp_path / "b.json", tmp_path / "a.json") == [
        (f"{tmp_path}/b.json", "There is no such file or", True),
        (f"{tmp_path}/a.json", "read", None),
    ]


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    write(tmp_path, a_json=RUN)
    assert outcome(tmp_path / "pipe.json") == [(f"{tmp_path}/pipe.json", "This is no ordinary file.", True)]
    assert outcome(tmp_path) == [(f"{tmp_path}/a.json", "read", None)]


def test_links_that_lead_back_end(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b__c_json=RUN)
    (tmp_path / "b" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    assert [path for path, *_ in outcome(tmp_path)] == [f"{tmp_path}/a.json", f"{tmp_path}/b/c.json"]


def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "gone.json")
    assert outcome(tmp_path / "link.json") == [(f"{tmp_path}/link.json", "The file cannot be read: No", True)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_must_not_be_read(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    (tmp_path / "a.json").chmod(0)
    assert outcome(tmp_path / "a.json") == [(f"{tmp_path}/a.json", "The file cannot be read: Permission", True)]


def test_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN)))
    assert outcome("-") == [("<stdin>", "read", None)]


def test_says_how_far_it_is(tmp_path: Path) -> None:
    write(tmp_path, a_jsonl=lines(trial(), trial()))
    said: list[tuple[str, int, int]] = []
    path = str(tmp_path / "a.jsonl")
    list(find_and_read([path], progress=lambda *progress: said.append(progress)))
    size = (tmp_path / "a.jsonl").stat().st_size
    assert [(name, total) for name, _, total in said] == [(path, size)] * 2
    assert [done for _, done, _ in said] == [size // 2 - 1, size - 1]


def test_gives_the_raw_record_again_until_the_file_changes(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    path = str(tmp_path / "a.json")
    (loaded,) = find_and_read([path])
    assert isinstance(loaded, Loaded)
    calls = loaded.trajectories[0].calls
    place = {"offset": int(calls.offset[0]), "length": int(calls.length[0])}
    known = stamp(path)

    record = read_record(path, known, **place)
    assert record is not None
    assert record.startswith('{"type": "tool_call"')
    assert record.endswith("}")

    (tmp_path / "a.json").write_bytes(b" " + RUN)
    assert read_record(path, known, **place) is None
    (tmp_path / "a.json").unlink()
    assert read_record(path, known, **place) is None
    assert read_record(path, stamp(path), **place) is None


def test_nothing_named_gives_nothing() -> None:
    assert list(find_and_read([])) == []
    assert not isinstance(Unread(path="a", reason="b", named=True), Loaded)

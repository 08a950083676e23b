"""From paths to files: folders, links, pipes, standard input, and what cannot be read."""

from __future__ import annotations

import gzip
import io
import os
import socket
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Loaded
from loopviz.readers import loading, watching
from loopviz.readers.folders import find_files
from loopviz.readers.limits import Limits
from loopviz.readers.loading import STOPPED, Stopped, Unread, find_and_read, read_data, read_record, stamp
from tests.readers.packing import zipped
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
    assert outcome(tmp_path / "pipe.json") == [(f"{tmp_path}/pipe.json", "This is no ordinary file but", True)]
    assert outcome(tmp_path) == [
        (f"{tmp_path}/a.json", "read", None),
        (f"{tmp_path}/pipe.json", "This is no ordinary file but", False),
    ]


def test_links_that_lead_back_end(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b__c_json=RUN)
    (tmp_path / "b" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to("self")
    assert outcome(tmp_path) == [
        (f"{tmp_path}/a.json", "read", None),
        (f"{tmp_path}/self", "This link leads nowhere, or in", False),
        (f"{tmp_path}/b/c.json", "read", None),
        (f"{tmp_path}/b/up", "This link leads to a folder", False),
    ]


def test_folders_may_lie_as_deep_as_the_system_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    depth = 1_500
    for _ in range(depth):
        os.mkdir("a")
        os.chdir("a")
    Path("run.json").write_bytes(RUN)
    os.chdir(tmp_path)
    assert outcome(".") == [(f"./{'a/' * depth}run.json", "read", None)]
    for _ in range(depth):  # pytest's own way to remove them is not deep enough
        os.chdir("a")
    os.unlink("run.json")
    for _ in range(depth):
        os.chdir("..")
        os.rmdir("a")


def test_two_links_to_a_folder_give_its_files_once(tmp_path: Path) -> None:
    write(tmp_path, c__a_json=RUN)
    (tmp_path / "d").symlink_to("c")
    (tmp_path / "b").symlink_to("c")
    assert [said for _, said, _ in outcome(tmp_path)] == ["read", *["This link leads to a folder"] * 2]


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null"])
def test_a_device_is_not_opened(name: str) -> None:
    assert outcome(name) == [(name, "This is no ordinary file but", True)]


def test_files_beyond_the_limit_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b_json=RUN, c__d_json=RUN, e__f_json=RUN)
    *read, last = find_and_read([str(tmp_path)], limits=Limits(files=3))
    assert len(read) == 3
    assert isinstance(last, Unread)
    assert last == Unread(
        path=str(tmp_path),
        reason="There are more than 3 files in this folder; the rest is left out. "
        "Set the environment variable LOOPVIZ_MAX_FILES to raise this limit.",
        named=True,
    )
    assert len(list(find_and_read([str(tmp_path)], limits=Limits(files=4)))) == 4


def test_a_file_beyond_the_limit_is_not_read_and_never_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = b"\x00\x01" * loading.HEAD
    write(tmp_path, a_json=RUN, b_json=RUN + b" ", film=film)
    limits = Limits(file=len(RUN))
    first, second, third = find_and_read([str(tmp_path)], limits=limits)
    assert isinstance(first, Loaded)
    assert isinstance(second, Unread)
    assert second.reason == (
        f"There are more than {len(RUN):,} bytes in it, so it is not read. "
        "Set the environment variable LOOPVIZ_MAX_FILE to raise this limit."
    )
    assert second.named
    assert isinstance(third, Unread)
    assert not third.named
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN + b" ")))
    (piped,) = find_and_read(["-"], limits=limits)
    assert isinstance(piped, Unread)
    assert piped.reason == second.reason
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN)))
    assert isinstance(next(find_and_read(["-"], limits=limits)), Loaded)


def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "gone.json")
    assert outcome(tmp_path / "link.json") == [(f"{tmp_path}/link.json", "This link leads nowhere, or in", True)]


def test_a_socket_and_a_device_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    write(tmp_path, a_json=RUN)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.json")
        (tmp_path / "zero").symlink_to("/dev/zero")
        found = list(find_and_read(["."]))
    odd = [(result.path, result.reason, result.named) for result in found if isinstance(result, Unread)]
    assert odd == [
        ("./s.json", "This is no ordinary file but a socket.", False),
        ("./zero", "This is no ordinary file but a device.", False),
    ]


def test_what_must_not_be_read_is_told_and_the_rest_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, a_json=RUN, b_json=RUN, c__d_json=RUN)
    refuse(monkeypatch, str(tmp_path / "b.json"), str(tmp_path / "c"))
    assert outcome(tmp_path) == [
        (f"{tmp_path}/a.json", "read", None),
        (f"{tmp_path}/b.json", "The file cannot be read: Permission", False),
        (f"{tmp_path}/c", "The folder cannot be read: Permission", False),
    ]
    assert outcome(tmp_path / "b.json") == [(f"{tmp_path}/b.json", "The file cannot be read: Permission", True)]
    assert outcome(tmp_path / "c")[0] == (f"{tmp_path}/c", "The folder cannot be read: Permission", True)


def refuse(monkeypatch: pytest.MonkeyPatch, *paths: str) -> None:
    """Let the system refuse to open some paths, as it does to all but the administrator."""

    def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *arguments: Any, **options: Any) -> Any:
            if path in paths:
                raise PermissionError(13, "Permission denied", path)
            return function(path, *arguments, **options)

        return call

    monkeypatch.setattr("builtins.open", refusing(open))
    monkeypatch.setattr(os, "scandir", refusing(os.scandir))


def test_a_file_that_vanishes_is_told(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b_json=RUN)
    found = find_and_read([str(tmp_path)])
    assert isinstance(next(found), Loaded)
    (tmp_path / "b.json").unlink()
    gone = next(found)
    assert isinstance(gone, Unread)
    assert (gone.path, gone.named) == (f"{tmp_path}/b.json", False)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(lines(trial()))


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def replace(path: Path) -> None:
    other = path.with_name(".other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def write_again(path: Path) -> None:
    path.write_bytes(path.read_bytes())
    os.utime(path, ns=(path.stat().st_mtime_ns, path.stat().st_mtime_ns + 1))


CHANGES = [
    pytest.param(append, "it grew from {4} to {5} bytes", 5, id="it grows"),
    pytest.param(cut, "it was cut from {4} to {2} bytes", 2, id="it is cut"),
    pytest.param(replace, "another file took its place", 4, id="another takes its place"),
    pytest.param(write_again, "its content was written anew", 4, id="it is written anew"),
    pytest.param(os.unlink, "", 4, id="it is deleted"),
    pytest.param(lambda _path: None, "", 4, id="it stays"),
]


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize(("change", "how", "n_runs"), CHANGES)
def test_a_file_that_changes_while_it_is_read(
    change: Callable[[Path], object], how: str, n_runs: int, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(*[trial()] * 4))
    sizes = [f"{path.stat().st_size // 4 * number:,}" for number in range(6)]
    asked = count()
    is_hopeless = loading.is_hopeless

    def meanwhile(head: bytes) -> bool:
        if next(asked) < times:  # asked when the beginning is read, at each attempt
            change(path)
        return is_hopeless(head)

    monkeypatch.setattr(loading, "is_hopeless", meanwhile)
    (loaded,) = find_and_read([str(path)])
    assert isinstance(loaded, Loaded)
    said = " ".join(problem.message for problem in loaded.problems)
    if times == 1:
        assert said == (f"The file changed while it was read ({how}), so it was read again." if how else "").format(
            *sizes
        )
        assert len(loaded.trajectories) == n_runs
    elif how:
        assert said.startswith("The file changes while it is read, twice now (")
        assert len(loaded.trajectories) <= 6


def test_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN)))
    assert outcome("-") == [("<stdin>", "read", None)]


def test_says_how_far_it_is(tmp_path: Path) -> None:
    write(tmp_path, a_jsonl=lines(trial(), trial()))
    said: list[tuple[str, int, int]] = []
    path = str(tmp_path / "a.jsonl")
    list(find_and_read([path], progress=lambda *progress: said.append(progress)))
    size = (tmp_path / "a.jsonl").stat().st_size
    assert said == [(path, size, size)]


def test_gives_the_raw_record_again_until_the_file_changes(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    path = str(tmp_path / "a.json")
    (loaded,) = find_and_read([path])
    assert isinstance(loaded, Loaded)
    calls = loaded.trajectories[0].calls
    place: dict[str, Any] = {"offset": int(calls.offset[0]), "length": int(calls.length[0])}
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


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "compressed"])
def test_reading_can_be_stopped_and_what_was_read_is_kept(
    compress: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "STRIDE", 1)

    def stop(_name: str, done: int, total: int) -> None:
        if done > total / 2:
            raise Stopped

    loaded, *rest = read_data(compress(lines(*[trial()] * 100)), "a", named=True, progress=stop)
    assert isinstance(loaded, Loaded)
    assert 45 < len(loaded.trajectories) < 55
    assert "Reading was stopped here" in loaded.problems[-1].message
    assert not rest


def test_an_archive_that_is_stopped_says_so() -> None:
    def stop(_name: str, done: int, total: int) -> None:
        if done > total / 2:
            raise Stopped

    *read, last = read_data(zipped({f"{n}.json": RUN for n in range(10)}), "a", named=True, progress=stop)
    assert 4 < len(read) < 8
    assert last == Unread(path="a", reason=STOPPED, named=True)


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zipped({"a": data})], ids=["compressed", "zip"])
def test_a_large_member_can_be_stopped_while_it_is_unpacked(pack: Callable[[bytes], bytes]) -> None:
    data = pack(lines(*[trial(call("x", "y" * 9_000))] * 1_000))
    times = 0

    def stop(_name: str, _done: int, _total: int) -> None:
        nonlocal times
        times += 1
        if times == 3:
            raise Stopped

    assert list(read_data(data, "a", named=True, progress=stop)) == [Unread(path="a", reason=STOPPED, named=True)]
    assert times == 3


def test_nothing_named_gives_nothing() -> None:
    assert list(find_and_read([])) == []
    assert not isinstance(Unread(path="a", reason="b", named=True), Loaded)


@pytest.mark.parametrize(
    ("data", "format", "said"),
    [
        pytest.param(RUN, "vally.trajectory", "", id="what it is"),
        pytest.param(RUN, "atif", "It looks like vally.trajectory.", id="another format"),
        pytest.param(b"hello", "atif", "No other reader knows it either.", id="no format at all"),
        pytest.param(b"{}", "openai.chat", "No other reader knows it either.", id="an empty run is none"),
        pytest.param(b"", "codex.rollout", "No other reader knows it either.", id="an empty file"),
    ],
)
def test_a_reader_that_is_chosen_says_when_it_finds_nothing(data: bytes, format: str, said: str) -> None:
    (result,) = read_data(data, "file", named=True, format=format)
    if not said:
        assert isinstance(result, Loaded) and result.source.format == format
    else:
        assert isinstance(result, Unread)
        assert result.reason.startswith(f"This is no recorded run of the format {format}, which was chosen for it.")
        assert result.reason.endswith(said)


def test_a_reader_that_is_chosen_gets_the_whole_file(tmp_path: Path) -> None:
    film = write(tmp_path, film_txt=b"x" * (1 << 17) + b"\n" + RUN) / "film.txt"
    (plain,) = find_and_read([str(film)])
    assert isinstance(plain, Unread)
    (chosen,) = find_and_read([str(film)], format="vally.results")
    assert isinstance(chosen, Loaded)
    assert [len(run.calls) for run in chosen.trajectories] == [1]


def test_every_file_of_an_archive_is_read_by_the_reader_that_is_chosen() -> None:
    results = list(read_data(zipped({"a.json": RUN, "b.txt": b"hello"}), "z", named=True, format="vally.trajectory"))
    assert [isinstance(result, Loaded) for result in results] == [True, False]


def test_a_link_to_a_folder_that_holds_this_one_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outer" / "runs").mkdir(parents=True)
    (tmp_path / "outer" / "elsewhere.json").write_text("{}")
    (tmp_path / "outer" / "runs" / "up").symlink_to(tmp_path / "outer")
    (tmp_path / "outer" / "runs" / "root").symlink_to("/")
    found = list(find_files([str(tmp_path / "outer" / "runs")]))
    assert [each.reason for each in found if isinstance(each, Unread)] == [
        "This link leads up, to a folder that holds this one."
    ] * 2
    assert len(found) == 2

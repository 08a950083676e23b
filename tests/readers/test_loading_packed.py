"""Packed files give the same runs as the files in them, and none can do harm."""

from __future__ import annotations

import gzip
import io
import json
import stat
import sys
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.model import Loaded, Trajectory
from loopviz.readers.limits import LIMITS, Limits
from loopviz.readers.loading import Unread, find_and_read, piece, read_data, read_file, read_record, stamp
from tests.readers import atif_by_hand as atif
from tests.readers.inspect_ai_by_hand import archive as inspect_archive
from tests.readers.inspect_ai_by_hand import document as inspect_document
from tests.readers.inspect_ai_by_hand import model, sample
from tests.readers.packing import ARCHIVES, COMPRESSED, Files, tarred_special, zipfile, zipped
from tests.readers.vally_by_hand import call, document, lines, result, trial

RUN = document(call("x", "é"))
OUTCOME = b'{"verifier_result": {"rewards": {"reward": 1}}}'
FILES: Files = {
    "trial/agent/trajectory.json": json.dumps(atif.document(atif.agent(atif.call("x", {})))).encode(),
    "trial/result.json": OUTCOME,
    "b.jsonl": lines(trial(), trial()),
    "a/z.json": document(call("y", "1")),
    "a.json": RUN,
    "notes.txt": b"hello",
    ".hidden.json": RUN,
    "__MACOSX/._a.json": b"\x00",
    f"{'long' * 30}/{'name' * 20}.json": RUN,
    "é.json": RUN,
}
each_archive = pytest.mark.parametrize("pack", ARCHIVES.values(), ids=ARCHIVES)
each_way = pytest.mark.parametrize("pack", COMPRESSED.values(), ids=COMPRESSED)
Pack = Callable[[Files], bytes]


def loaded(data: bytes, name: str = "p", *, named: bool = True, limits: Limits = LIMITS) -> list[Loaded | Unread]:
    return list(read_data(data, name, named=named, limits=limits))


def runs(results: list[Loaded | Unread]) -> list[Trajectory]:
    return [run for result in results if isinstance(result, Loaded) for run in result.trajectories]


def told(run: Trajectory) -> tuple[object, ...]:
    """What must be the same, whatever the run was packed in."""
    calls = run.calls
    return (
        run.run, run.digest, run.source.format, run.outcome, run.n_turns, calls.offset.tolist(),
        calls.length.tolist(), calls.tool.tolist(), calls.observation.tolist(),
    )  # fmt: skip


def said(results: list[Loaded | Unread]) -> dict[str, str]:
    return {result.path: result.reason for result in results if isinstance(result, Unread)}


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "files"


@each_archive
def test_an_archive_is_the_folder_of_its_files(pack: Pack, unpacked: Path, tmp_path: Path) -> None:
    plain = list(find_and_read([str(unpacked)]))
    path = tmp_path / "named-as-it-likes.json"
    path.write_bytes(pack(FILES))
    packed = list(find_and_read([str(path)]))
    assert [told(run) for run in runs(packed)] == [told(run) for run in runs(plain)]
    assert [run.outcome for run in runs(packed)].count(True) == 1
    names = [run.source.name for run in runs(packed)]
    assert names == [run.source.name.replace(str(unpacked), str(path)) for run in runs(plain)]
    assert {name.replace(str(path), str(unpacked)) for name in said(packed)} == said(plain).keys()


@each_way
def test_a_compressed_file_is_the_file_itself(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    for name, data in {"a.json": RUN, "b.jsonl": FILES["b.jsonl"]}.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / f"{name}.gz").write_bytes(pack(data))
        plain, packed = (list(find_and_read([str(tmp_path / end)])) for end in (name, f"{name}.gz"))
        assert [told(run) for run in runs(packed)] == [told(run) for run in runs(plain)]
        assert [run.source.name for run in runs(packed)] == [f"{tmp_path / name}.gz"] * len(runs(plain))


def test_a_run_without_a_name_is_called_after_the_file_in_it() -> None:
    data = b'{"turn": 1, "tool": "x", "args": {}, "observation": "1"}\n'
    assert [run.run for run in runs(loaded(data, "a/b.jsonl"))] == ["b"]
    assert [run.run for run in runs(loaded(gzip.compress(data), "a/b.jsonl.gz"))] == ["b"]


@each_archive
def test_uploads_and_standard_input_are_read_alike(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pack(FILES)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    piped = list(find_and_read(["-"]))
    assert [told(run) for run in runs(piped)] == [told(run) for run in runs(loaded(data))]
    assert runs(piped)[0].source.name == "<stdin>/a.json"


@pytest.mark.parametrize("pack", [*ARCHIVES.values(), lambda files: gzip.compress(files["a.json"])])
def test_records_are_found_inside(pack: Pack, tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(pack(FILES))
    for run in runs(loaded(path.read_bytes(), str(path))):
        if not len(run.calls):
            continue
        member = run.source.name.removeprefix(str(path)).removeprefix("/")
        place = {"offset": int(run.calls.offset[0]), "length": int(run.calls.length[0]), "member": member}
        record = read_record(str(path), stamp(str(path)), **place)  # type: ignore[arg-type]
        assert record is not None
        assert record == piece(path.read_bytes(), **place)  # type: ignore[arg-type]
        assert record in FILES[member or "a.json"].decode()
        assert json.loads(record)
    assert piece(path.read_bytes(), offset=0, length=1, member="none.json") is None


def test_a_log_of_inspect_stays_one_log_alone_and_in_an_archive() -> None:
    log = inspect_archive(inspect_document(sample(model("x"), id="1")))
    (alone,) = loaded(log, "log.eval")
    (inside,) = loaded(zipped({"logs/log.eval": log}), "a.zip")
    assert isinstance(alone, Loaded)
    assert isinstance(inside, Loaded)
    assert (alone.source.format, inside.source.format) == ("inspect", "inspect")
    assert inside.source.name == "a.zip/logs/log.eval"


def test_compressed_files_in_an_archive_are_read() -> None:
    results = loaded(zipped({"a.json.gz": gzip.compress(RUN)}), "a.zip")
    assert [run.source.name for run in runs(results)] == ["a.zip/a.json.gz"]


OTHERS = [
    pytest.param(
        zipped({"word/document.xml": b"<w/>", "x.xml": b"<x/>"}), "none of the 2 files in it", id="a document"
    ),
    pytest.param(zipped({}), "an empty zip archive", id="an empty zip"),
    pytest.param(gzip.compress(b"hello"), "it is not JSON", id="a compressed text"),
    pytest.param(gzip.compress(b""), "it is empty", id="compressed nothing"),
]


@pytest.mark.parametrize(("data", "expected"), OTHERS)
def test_without_a_run_it_is_told_once(data: bytes, expected: str, tmp_path: Path) -> None:
    for named in (True, False):
        (unread,) = loaded(data, "p", named=named)
        assert isinstance(unread, Unread)
        assert (unread.path, unread.named) == ("p", named)
        assert unread.reason.startswith("This is no recorded run that loopviz can read: ")
        assert expected in unread.reason
    (tmp_path / "other").write_bytes(data)
    (tmp_path / "run.json").write_bytes(RUN)
    assert len(list(find_and_read([str(tmp_path)]))) == 2


def link(name: str, mode: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.create_system, info.external_attr = 3, mode << 16
        archive.writestr(info, "/etc/passwd")
        archive.writestr("run.json", RUN)
    return file.getvalue()


def encrypted() -> bytes:
    data = bytearray(zipped({"a.json": RUN, "run.json": RUN}))
    data[6] |= 1
    return bytes(data)


KEPT = {"run.json": RUN}
LEADS_OUT = "Its name leads out of the archive"
HARMFUL = [
    *(
        pytest.param(ARCHIVES[kind]({**KEPT, name: RUN}), f"p/{name}", LEADS_OUT, id=f"{name} in {kind}")
        for kind in ("zip", "tar.gz")
        for name in ("/etc/passwd", "../up.json", "a/../../up.json", "C:\\x.json", "..\\up.json")
    ),
    pytest.param(link("link", stat.S_IFLNK | 0o777), "p/link", "It is a link or a device", id="a link in a zip"),
    pytest.param(link("pipe", stat.S_IFIFO | 0o777), "p/pipe", "It is a link or a device", id="a pipe in a zip"),
    *(
        pytest.param(tarred_special(KEPT, "x", kind, "/etc"), "p/x", f"It is {words}", id=f"{said} in a tar")
        for kind, words, said in (
            (tarfile.SYMTYPE, "a link", "a link"),
            (tarfile.LNKTYPE, "a link", "a hard link"),
            (tarfile.CHRTYPE, "a device", "a device"),
            (tarfile.FIFOTYPE, "a pipe", "a pipe"),
        )
    ),
    pytest.param(encrypted(), "p/a.json", "is encrypted", id="an encrypted member"),
    pytest.param(zipped({**KEPT, "in.zip": zipped(KEPT)}), "p/in.zip", "An archive inside an archive", id="zip in zip"),
    pytest.param(
        ARCHIVES["tar"]({**KEPT, "in": ARCHIVES["tar.gz"](KEPT)}), "p/in", "An archive inside", id="tar.gz in tar"
    ),
    pytest.param(
        zipped({**KEPT, "x": gzip.compress(gzip.compress(RUN))}), "p/x", "compressed more than once", id="gz in gz"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("data", "place", "expected"), HARMFUL)
def test_harm_is_left_out_and_the_rest_is_kept(data: bytes, place: str, expected: str) -> None:
    results = loaded(data)
    assert [run.source.name for run in runs(results)] == ["p/run.json"]
    ((path, reason),) = said(results).items()
    assert (path, expected in reason) == (place, True)


def test_archives_inside_each_other_open_as_deep_as_is_allowed() -> None:
    data = zipped({"in.zip": ARCHIVES["tar.gz"]({"deep.zip": zipped(KEPT), **KEPT})})
    found = [[run.source.name for run in runs(loaded(data, limits=Limits(depth=depth)))] for depth in (1, 2, 3)]
    assert found == [[], ["p/in.zip/run.json"], ["p/in.zip/deep.zip/run.json", "p/in.zip/run.json"]]
    assert piece(zipped({"in.gz": gzip.compress(RUN)}), offset=0, length=4, member="in.gz") == RUN[:4].decode()


MANY = {f"{number}.json": RUN for number in range(20)}


@each_archive
def test_members_beyond_the_limit_are_left_out(pack: Pack) -> None:
    results = loaded(pack(MANY), limits=Limits(members=5))
    assert len(runs(results)) == 5
    words = "The archive has more than 5 members; the rest is left out. "
    assert said(results) == {"p": f"{words}Set the environment variable LOOPVIZ_MAX_MEMBERS to raise this limit."}


@pytest.mark.parametrize("limits", [Limits(size=1 << 16), Limits(spared=1 << 16, ratio=2)], ids=["size", "ratio"])
@pytest.mark.parametrize("kind", ["zip", "zip with Zstandard", "tar.gz", "tar.zst"])
def test_a_bomb_gives_what_there_is_room_for_and_no_more(kind: str, limits: Limits) -> None:
    data = ARCHIVES[kind]({"a.json": RUN, "b.json": b" " * (1 << 26), "c.json": RUN})
    tracemalloc.start()
    results = loaded(data, limits=limits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20
    assert [run.source.name for run in runs(results)] == ["p/a.json"]
    words = [result.reason for result in results if isinstance(result, Unread)]
    words += [problem.message for result in results if isinstance(result, Loaded) for problem in result.problems]
    assert any("The archive unpacks to more than" in word for word in words)


def peak(path: Path) -> int:
    """Most bytes that are held while a file is read, all that it gives included."""
    tracemalloc.start()
    results = list(read_file(str(path), named=True))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert runs(results)
    return most


@pytest.mark.parametrize("kind", ["zip", "zip with Zstandard", "stored zip", "tar", "tar.gz", "tar.zst", "gz", "zst"])
def test_a_packed_file_takes_little_more_memory_than_the_file_itself(kind: str, tmp_path: Path) -> None:
    data = document(*(part for n in range(2_500) for part in (call("x", f"{n}"), result("x", f"{n} done"))))
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "packed").write_bytes(COMPRESSED[kind](data) if kind in COMPRESSED else ARCHIVES[kind]({"a": data}))
    plain, packed = (peak(tmp_path / name) for name in ("plain", "packed"))
    assert packed - plain < len(data) // 3


def test_a_compressed_file_is_read_as_far_as_there_is_room() -> None:
    data = gzip.compress(lines(*[trial()] * 1_000))
    (result,) = loaded(data, limits=Limits(size=10_000))
    assert isinstance(result, Loaded)
    assert 10 < len(result.trajectories) < 1_000
    assert result.problems[0].message == (
        "The archive unpacks to more than 10,000 bytes; the rest is left out. "
        "Set the environment variable LOOPVIZ_MAX_UNPACKED to raise this limit."
    )


@each_archive
def test_cut_off_anywhere_gives_what_stands_before(pack: Pack) -> None:
    data = pack({f"{number}.jsonl": lines(trial(), trial()) for number in range(3)})
    whole = [told(run)[0] for run in runs(loaded(data))]
    for cut in (len(data) * part // 20 for part in range(1, 20)):
        results = loaded(data[:cut])
        assert len(runs(results)) <= len(whole)
        problems = [problem for result in results if isinstance(result, Loaded) for problem in result.problems]
        assert problems or said(results) or [told(run)[0] for run in runs(results)] == whole


@each_way
def test_a_compressed_file_that_is_cut_off_says_so(pack: Callable[[bytes], bytes]) -> None:
    data = pack(lines(*[trial()] * 40))
    (result,) = loaded(data[: len(data) * 9 // 10])
    problems = [result.reason] if isinstance(result, Unread) else [problem.message for problem in result.problems]
    assert any("is cut off" in problem for problem in problems)


def test_a_name_that_stands_twice_is_read_once() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.json", b"{}")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.json", RUN)
    results = loaded(file.getvalue())
    assert len(runs(results)) == 1
    assert said(results) == {"p": "The archive holds 'a.json' 2 times; the last one is read."}


def test_progress_is_told_in_bytes_of_the_packed_file() -> None:
    data = zipped(MANY)
    steps: list[tuple[str, int, int]] = []
    list(read_data(data, "p", named=True, progress=lambda *step: steps.append(step)))
    assert {(name, total) for name, _, total in steps} == {("p", len(data))}
    done = [done for _, done, _ in steps]
    assert done == sorted(done)
    assert done[-1] == len(data)


@given(st.data())
def test_survives_any_damage(data: st.DataObject) -> None:
    sound = data.draw(st.sampled_from([pack(KEPT | {"b": b"x"}) for pack in ARCHIVES.values()]))
    at = data.draw(st.integers(0, len(sound)), label="at")
    length = data.draw(st.integers(0, 600), label="length")
    junk = data.draw(st.binary(max_size=12), label="junk")
    results = loaded(sound[:at] + junk + sound[at + length :])
    assert results
    assert len(runs(results)) <= 1


@pytest.mark.parametrize("damage", [-8, -1], ids=["the check sum", "the length"])
def test_what_stands_before_a_wrong_check_sum_is_kept(damage: int) -> None:
    data = bytearray(gzip.compress(RUN))
    data[damage] ^= 255
    (result,) = loaded(bytes(data), "a.json.gz")
    assert isinstance(result, Loaded) and len(result.trajectories) == 1
    assert "damaged; what stands before is kept" in " ".join(each.message for each in result.problems)

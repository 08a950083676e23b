"""What is kept of files: the same as they gave, never out of date, and no harm when it is damaged."""

from __future__ import annotations

import dataclasses
import os
import pickle
import struct
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.model import Loaded
from loopviz.readers import cache as caches
from loopviz.readers import read_bytes, watching
from loopviz.readers.base import NOTHING, Beside
from loopviz.readers.beside import Disk
from loopviz.readers.cache import Cache, user_cache
from loopviz.readers.limits import LIMITS, Limits
from loopviz.readers.loading import Stopped, Unread, read_data, read_file
from tests.readers import atif_by_hand as atif
from tests.readers import openhands_by_hand as openhands
from tests.readers.contract import FORMATS, Format
from tests.readers.inspect_ai_by_hand import archive as inspect_archive
from tests.readers.inspect_ai_by_hand import document as inspect_document
from tests.readers.inspect_ai_by_hand import model, sample
from tests.readers.packing import zipped
from tests.readers.stories import STORIES
from tests.readers.vally_by_hand import call, document, lines, trial

RUN = document(call("x", "é"))


def parts(value: Any) -> Any:
    """Everything in a value, so that two can be compared."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tobytes()
    if dataclasses.is_dataclass(value):
        return type(value), [parts(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, msgspec.Struct):
        return type(value), [parts(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, list | tuple):
        return type(value), [parts(part) for part in value]
    return repr(value)


class Reader:
    """Reads a file, and counts how often it was asked to."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.times = 0

    def __call__(self, beside: Beside) -> Loaded:
        self.times += 1
        return read_bytes(self.data, "a.json", beside=beside)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(folder=tmp_path / "cache", smallest=0)


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_what_is_kept_is_what_was_read(format: Format, cache: Cache) -> None:
    for name in format.stories():
        read = Reader(format.write([STORIES[name]]))
        own = dataclasses.replace(cache, folder=cache.folder / name)  # two stories may be told in the same bytes
        first, second = (own.load(read.data, "a.json", NOTHING, read) for _ in range(2))
        assert read.times == 1
        assert second is not first
        assert parts(second) == parts(first)
        assert all(run.codebook is second.trajectories[0].codebook for run in second.trajectories)


def test_another_name_or_content_or_code_is_read_anew(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Reader(RUN)
    cache.load(RUN, "a.json", NOTHING, read)
    cache.load(RUN, "b.json", NOTHING, read)
    cache.load(RUN + b" ", "a.json", NOTHING, read)
    monkeypatch.setattr(caches, "_code", lambda: b"a later version")
    cache.load(RUN, "a.json", NOTHING, read)
    assert read.times == 4


def test_a_file_beside_it_that_changed_is_noticed(tmp_path: Path, cache: Cache) -> None:
    path = tmp_path / "trajectory.json"
    path.write_bytes(msgspec.json.encode(atif.document(atif.agent(atif.call("x", {})))))
    outcomes = []
    for reward in (None, 1, 1, 0, None):
        beside = tmp_path / "result.json"
        beside.unlink(missing_ok=True)
        if reward is not None:
            beside.write_text(f'{{"verifier_result": {{"rewards": {{"reward": {reward}}}}}}}')
        (loaded,) = read_file(str(path), named=True, cache=cache)
        assert isinstance(loaded, Loaded)
        outcomes.append(loaded.trajectories[0].outcome)
    assert outcomes == [None, True, True, False, None]


def test_a_file_that_joins_the_folder_is_noticed(tmp_path: Path, cache: Cache) -> None:
    events = [openhands.action("run", number, command=str(number)) for number in range(3)]
    counts = []
    for number in (0, 1, 1, 2):
        (tmp_path / f"{number}.json").write_bytes(msgspec.json.encode(events[number]))
        (loaded,) = read_file(str(tmp_path / "0.json"), named=True, cache=cache)
        assert isinstance(loaded, Loaded)
        counts.append(len(loaded.trajectories[0].calls))
    assert counts == [1, 2, 2, 3]
    (tmp_path / "2.json").write_bytes(msgspec.json.encode(openhands.action("run", 2, command="other")))
    (loaded,) = read_file(str(tmp_path / "0.json"), named=True, cache=cache)
    assert isinstance(loaded, Loaded)
    assert b'{"command":"other"}' in loaded.trajectories[0].codebook.keys


def test_what_was_not_asked_for_does_not_matter(tmp_path: Path, cache: Cache) -> None:
    read = Reader(msgspec.json.encode(atif.document(atif.agent(atif.call("x", {})))))
    for name in ("none", "notes.txt", "other.json"):
        (tmp_path / name).write_bytes(b"{}")
        cache.load(read.data, "a.json", Disk().beside(str(tmp_path / "a.json")), read)
    assert read.times == 1
    (tmp_path / "result.json").write_bytes(b"{}")  # asked for, and not there before
    cache.load(read.data, "a.json", Disk().beside(str(tmp_path / "a.json")), read)
    assert read.times == 2


def test_other_limits_are_read_anew(cache: Cache) -> None:
    data = inspect_archive(inspect_document(*(sample(model("x" * 1000), id=str(number)) for number in range(5))))
    counts = []
    for limits in (Limits(size=4_000), LIMITS, Limits(size=4_000)):
        (loaded,) = read_data(data, "a.eval", named=True, cache=cache, limits=limits)
        assert isinstance(loaded, Loaded)
        counts.append(len(loaded.trajectories))
    assert counts[0] == counts[2] < counts[1] == 5


def test_small_files_are_not_kept(cache: Cache) -> None:
    small = dataclasses.replace(cache, smallest=len(RUN) + 1)
    small.load(RUN, "a.json", NOTHING, Reader(RUN))
    assert not cache.folder.exists()


def test_what_was_stopped_is_not_kept(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "STRIDE", 1)

    def stop(_name: str, _done: int, _total: int) -> None:
        raise Stopped

    data = lines(*[trial()] * 9)
    list(read_data(data, "a", named=True, progress=stop, cache=cache))
    (loaded,) = read_data(data, "a", named=True, cache=cache)
    assert isinstance(loaded, Loaded)
    assert len(loaded.trajectories) == 9


def test_files_in_archives_are_kept_each(cache: Cache) -> None:
    data = zipped({"a.json": RUN, "b.json": RUN})
    first, second = ([parts(found) for found in read_data(data, "p", named=True, cache=cache)] for _ in range(2))
    assert first == second
    assert len(list(cache.folder.iterdir())) == 2


def test_a_strange_file_is_told_as_ever(cache: Cache) -> None:
    for _ in range(2):
        (unread,) = read_data(b"hello", "a", named=True, cache=cache)
        assert isinstance(unread, Unread)


def entry(cache: Cache) -> Path:
    (path,) = cache.folder.iterdir()
    return path


@given(data=st.data())
def test_a_damaged_entry_is_made_anew(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    cache = Cache(folder=tmp_path_factory.mktemp("cache"), smallest=0)
    read = Reader(RUN)
    whole = cache.load(RUN, "a.json", NOTHING, read)
    kept = entry(cache).read_bytes()
    at = data.draw(st.integers(0, len(kept) - 1), label="at")
    junk = data.draw(st.binary(max_size=8), label="junk")
    spoilt = kept[:at] + junk
    entry(cache).write_bytes(spoilt)
    assert parts(cache.load(RUN, "a.json", NOTHING, read)) == parts(whole)
    assert read.times == 1 + (spoilt != kept)
    assert entry(cache).read_bytes() == kept


class Harm:
    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("harm",)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(pickle.dumps(((), Harm())), id="a call"),
        pytest.param(b"\x80\x04\x8c\x0dloopviz.model\x8c\x07np.load\x93.", id="a way round"),
        pytest.param(pickle.dumps(((), "no runs")), id="something else"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_an_entry_that_was_forged_does_nothing(
    body: bytes, cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    read = Reader(RUN)
    cache.load(RUN, "a.json", NOTHING, read)
    told = blake2b(body, digest_size=32).digest()
    entry(cache).write_bytes(struct.pack(">16s32sQ", b"loopviz cache 2\n", told, 56) + body)
    cache.load(RUN, "a.json", NOTHING, read)
    assert read.times == 2
    assert not (tmp_path / "harm").exists()


def test_the_folder_is_bounded_and_what_was_used_last_stays(cache: Cache) -> None:
    files = [document(call("x", str(number))) for number in range(4)]
    cache.load(files[0], "a", NOTHING, Reader(files[0]))
    size = entry(cache).stat().st_size
    bounded = dataclasses.replace(cache, largest=3 * size + size // 2)
    for age, data in enumerate(files[:3]):
        before = set(cache.folder.iterdir())
        bounded.load(data, "a", NOTHING, Reader(data))
        for path in set(cache.folder.iterdir()) - before or before:
            os.utime(path, ns=(age, age))
    bounded.load(files[0], "a", NOTHING, Reader(files[0]))
    bounded.load(files[3], "a", NOTHING, Reader(files[3]))
    assert sum(path.stat().st_size for path in cache.folder.iterdir()) <= bounded.largest
    again = []
    for number in (0, 2, 3, 1):
        read = Reader(files[number])
        bounded.load(files[number], "a", NOTHING, read)
        again.append(read.times)
    assert again == [0, 0, 0, 1]


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    read = Reader(RUN)
    for _ in range(2):
        assert Cache(folder=tmp_path / "file" / "cache", smallest=0).load(RUN, "a", NOTHING, read).trajectories
    assert read.times == 2


def test_entries_are_for_the_user_alone(cache: Cache) -> None:
    cache.load(RUN, "a.json", NOTHING, Reader(RUN))
    assert cache.folder.stat().st_mode & 0o077 == 0
    assert entry(cache).stat().st_mode & 0o077 == 0


def test_the_users_folder_is_asked_for_at_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = user_cache()
    assert found is not None
    assert found.folder == tmp_path / "loopviz" / "runs"
    assert list(tmp_path.iterdir()) == []


def test_what_another_reader_gave_is_another_entry(tmp_path: Path) -> None:
    cache = Cache(folder=tmp_path, smallest=1)
    read = Reader(RUN)
    for format in (None, "atif", None, "atif"):
        cache.load(RUN, "file", NOTHING, read, format=format)
    assert read.times == 2

"""What has changed on disk since it was read, and that looking costs little."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from loopviz.readers.limits import LIMITS
from loopviz.ui import disk_watch
from loopviz.ui.disk_watch import Changes, DiskWatch, Stamps, compare, stamps_of

SECOND = 1_000_000_000
OLD, NEW = (5 * SECOND, 10), (9 * SECOND, 12)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        pytest.param({}, {}, Changes(), id="nothing at all"),
        pytest.param({"a": OLD, "b": None}, {"a": OLD, "b": None}, Changes(), id="all as it was"),
        pytest.param({"a": OLD}, {"a": NEW}, Changes(changed=("a",), last_s=9.0), id="one changed"),
        pytest.param({"a": OLD}, {"a": (5 * SECOND, 11)}, Changes(changed=("a",)), id="one grew within the same tick"),
        pytest.param({"a": NEW}, {"a": OLD}, Changes(changed=("a",)), id="an older one was put back"),
        pytest.param({"a": OLD}, {}, Changes(gone=("a",)), id="one is gone"),
        pytest.param({"a": OLD}, {"a": OLD, "b": NEW}, Changes(new=("b",), last_s=9.0), id="one is new"),
        pytest.param(
            {"c": OLD, "a": OLD, "d": OLD},
            {"c": NEW, "a": NEW, "b": OLD},
            Changes(changed=("a", "c"), new=("b",), gone=("d",), last_s=9.0),
            id="all at once, in order",
        ),
    ],
)
def test_changes_are_told_apart(before: Stamps, now: Stamps, expected: Changes) -> None:
    found = compare(before, now)
    assert found == expected
    assert bool(found) == (before != now)


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    for name in ("a.json", "in/b.json", ".hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    paths = [str(tmp_path), str(tmp_path / "missing")]
    before = stamps_of(paths, LIMITS)
    assert list(before) == [f"{tmp_path}/a.json", f"{tmp_path}/in/b.json"]
    (tmp_path / "a.json").write_text("longer")
    (tmp_path / "missing").write_text("x")
    os.remove(tmp_path / "in/b.json")
    found = compare(before, stamps_of(paths, LIMITS))
    assert (found.changed, found.new, found.gone) == (
        (f"{tmp_path}/a.json",),
        (f"{tmp_path}/missing",),
        (f"{tmp_path}/in/b.json",),
    )


class Disk:
    """A disk on which one file changes at each look."""

    def __init__(self) -> None:
        self.looks = 0
        self.looked = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def look(self) -> Stamps:
        self.go_on.wait(10)
        self.looks += 1
        self.looked.set()
        return {"a": (self.looks * SECOND, 1)}


def looked_at(watch: DiskWatch) -> Changes:
    """What a look finds that is due at once."""
    watch.changes()
    assert watch._thread is not None
    watch._thread.join(10)
    return watch.changes()


def test_nothing_is_looked_at_before_it_is_due() -> None:
    disk = Disk()
    watch = DiskWatch({"a": OLD}, disk.look)
    assert [watch.changes() for _ in range(50)] == [Changes()] * 50
    assert disk.looks == 0


def test_a_slow_disk_never_holds_up_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_watch, "EVERY_S", 0.0)
    disk = Disk()
    disk.go_on.clear()
    watch = DiskWatch({"a": OLD}, disk.look)
    assert [watch.changes() for _ in range(50)] == [Changes()] * 50
    disk.go_on.set()
    assert disk.looked.wait(10)
    assert looked_at(watch).changed == ("a",)


def test_a_long_look_is_followed_by_a_long_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_watch, "EVERY_S", 0.0)
    now = iter([0.0, 1.0, 10.0, 12.0, 111.0, 113.0, 113.0, 113.5])
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    disk = Disk()
    watch = DiskWatch({"a": OLD}, disk.look)  # due at 0; at 1 it looks, from 10 to 12, so the next is due at 112
    watch.changes()
    assert watch._thread is not None
    watch._thread.join(10)
    watch.changes()
    assert disk.looks == 1
    watch.changes()
    watch._thread.join(10)
    assert disk.looks == 2


def test_a_disk_that_fails_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_watch, "EVERY_S", 0.0)
    monkeypatch.setattr(disk_watch, "REST", 0)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    answers: list[Stamps | None] = [None, {"a": NEW}]

    def look() -> Stamps:
        answer = answers.pop(0)
        if answer is None:
            raise OSError
        return answer

    watch = DiskWatch({"a": OLD}, look)
    watch.changes()
    assert watch._thread is not None
    watch._thread.join(10)
    assert watch._changes == Changes()
    watch.changes()
    watch._thread.join(10)
    assert watch._changes.changed == ("a",)

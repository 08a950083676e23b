"""Files as the app reads them: a folder on disk, an archive and what is dropped on the page give the same runs."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopviz.model import Json, Loaded, Trajectory
from loopviz.readers.loading import Found, Unread, find_files, stamp
from loopviz.ui.loading import Meter
from loopviz.ui.shelf import Files as Opened
from loopviz.ui.shelf import LastUsed, Neighbours, OnDisk, Reads, Upload, dropped, results_of
from tests.readers import atif_by_hand as atif
from tests.readers import openhands_by_hand as openhands
from tests.readers.packing import ARCHIVES, Files, zipped
from tests.readers.vally_by_hand import call, document, result

RUNS: Files = {
    "in/a.json": document(call("x", "1")),
    "b.json": document(call("y", "2"), call("z", "3"), result("done", "3")),
}


def atif_trial(reward: float) -> Files:
    """A trial as Harbor leaves it, the run in two parts."""
    first = atif.document(atif.agent(atif.call("x", {"a": reward})))
    parts = {
        "trajectory.json": {**first, "continued_trajectory_ref": "trajectory.cont-1.json"},
        "trajectory.cont-1.json": atif.document(atif.agent(atif.call("y", {"a": reward}))),
    }
    return {
        **{f"agent/{name}": json.dumps(part).encode() for name, part in parts.items()},
        "result.json": json.dumps({"verifier_result": {"rewards": {"reward": reward}}}).encode(),
    }


def flat(files: Files) -> Files:
    return {name.rpartition("/")[2]: data for name, data in files.items()}


def events(name: str, *those: Json) -> Files:
    """A file for each event."""
    return {name.format(number): json.dumps(event).encode() for number, event in enumerate(those)}


def fresh() -> Reads:
    return Reads(LastUsed(99), {})


def read(files: Opened, kept: Reads | None = None) -> list[Loaded | Unread]:
    beside = Neighbours(files)
    to_read = [file for file in files if isinstance(file, OnDisk) or file.is_open]
    kept = fresh() if kept is None else kept
    return [each for file in to_read for each in results_of(file, Meter([9] * 99), kept, beside.of(file))]


def runs(found: Iterable[Loaded | Unread]) -> list[Trajectory]:
    return [run for each in found if isinstance(each, Loaded) for run in each.trajectories]


def told(found: list[Loaded | Unread]) -> list[tuple[object, ...]]:
    """What must be the same, wherever the files come from."""
    return [
        (
            run.run, run.digest, run.outcome, run.end_reason, run.n_turns, run.calls.tool.tolist(),
            run.calls.arguments.tolist(), run.calls.observation.tolist(), [problem.message for problem in run.problems],
        )
        for run in runs(found)
    ]  # fmt: skip


def named(found: list[Loaded | Unread], root: str) -> list[tuple[str, bool | None]]:
    """Each file, and whether it counts as named where it could not be read."""
    paths = [(each.path, each.named) if isinstance(each, Unread) else (each.source.name, None) for each in found]
    return [(path.removeprefix(root), is_named) for path, is_named in paths]


def on_disk(folder: Path, files: Files) -> Opened:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    found = [file for file in find_files([str(folder)]) if isinstance(file, Found)]
    return tuple(OnDisk(file.path, stamp(file.path), file.named) for file in found)


REWARD = {"verifier/reward.txt": b"1.0", "trajectory.json": atif_trial(0)["agent/trajectory.cont-1.json"]}
SDK = (openhands.sdk_message("user", "go"), openhands.sdk_call("x", {}), openhands.sdk_result("r"))
OLD = (openhands.action("message", 0, "user", content="go"), openhands.action("run", 1, command="ls"),
       openhands.observation("run", 1, "a"))  # fmt: skip
STATE = {"base_state.json": b'{"id": "mine", "execution_status": "finished"}'}
TREES = [
    pytest.param(RUNS, 2, id="runs of their own"),
    pytest.param(atif_trial(1), 1, id="a trial"),
    pytest.param(flat(atif_trial(1)), 1, id="a trial in one folder"),
    pytest.param(REWARD, 1, id="a reward"),
    pytest.param({f"{n}/{name}": data for n in (0, 1) for name, data in atif_trial(n).items()}, 2, id="two trials"),
    pytest.param({**events("events/event-{0:05d}-4f-a{0}.json", *SDK), **STATE}, 1, id="events of the SDK"),
    pytest.param({**events("event_{0:06d}_4fa{0}.json", *SDK), **STATE}, 1, id="events of its cloud"),
    pytest.param(events("{0}.json", *OLD), 1, id="events of OpenHands 0.x"),
    pytest.param(
        {
            "a/t.json.gz": gzip.compress(REWARD["trajectory.json"]),
            "a/verifier/reward.txt": b"0",
            ".git/x.json": RUNS["b.json"],
            "notes.txt": b"hello",
        },
        1,
        id="compressed, with strange files",
    ),
]


@pytest.mark.parametrize(("files", "n_runs"), TREES)
def test_a_folder_an_archive_and_uploads_give_the_same(files: Files, n_runs: int, tmp_path: Path) -> None:
    plain = read(on_disk(tmp_path / "runs", files))
    assert len(runs(plain)) == n_runs
    inside = {f"runs/{name}": data for name, data in files.items()}
    others: dict[str, Opened] = {
        "a folder that is dropped": dropped(inside.items(), ()),
        "a zip archive": (Upload("runs", "1", zipped(files)),),
        "a compressed tar archive": (Upload("runs", "1", ARCHIVES["tar.gz"](files)),),
        "an archive on disk": on_disk(tmp_path / "packed", {"runs": zipped(files)}),
    }
    for kind, opened in others.items():
        found = read(opened)
        assert told(found) == told(plain), kind
        root = f"{tmp_path}/packed/runs/" if kind == "an archive on disk" else "runs/"
        assert named(found, root) == named(plain, f"{tmp_path}/runs/"), kind
    assert told(read((Upload("x.zip", "1", zipped(inside)),))) == told(plain)
    if not any("/" in name for name in files):
        assert told(read(dropped(files.items(), ()))) == told(plain)


FOLDERS = st.sampled_from(["", "a/", "a/b/", "b/", "A/", "a/b/c/", ".git/"])
PIECES = st.sampled_from([
    *flat(atif_trial(0)).items(), *flat(atif_trial(1)).items(), *REWARD.items(), *STATE.items(),
    *events("{0}.json", *OLD).items(), *events("event-{0:05d}-a.json", *SDK).items(), ("0.json", b"{}"),
    ("notes.txt", b"hello"), ("a b.json", RUNS["b.json"]), ("é", RUNS["in/a.json"]), (".x.json", RUNS["b.json"]),
])  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(FOLDERS, PIECES), min_size=1, max_size=9))
def test_any_folder_gives_what_its_archive_and_its_uploads_give(files: list[tuple[str, tuple[str, bytes]]]) -> None:
    inside = {f"runs/{folder}{name}": data for folder, (name, data) in files}
    with TemporaryDirectory() as root:
        plain = read(on_disk(Path(root, "runs"), {name.removeprefix("runs/"): data for name, data in inside.items()}))
        for opened in (dropped(inside.items(), ()), (Upload("x", "1", zipped(inside)),)):
            assert told(read(opened)) == told(plain)


@pytest.mark.parametrize("place", ["disk", "uploads"])
def test_what_changes_beside_a_file_is_noticed(place: str, tmp_path: Path) -> None:
    kept = fresh()
    outcomes = []
    for reward in (None, 1, 1, 0, None):
        files = dict(flat(atif_trial(2)))
        files["result.json"] = b"{}" if reward is None else atif_trial(reward)["result.json"]
        opened = on_disk(tmp_path, files) if place == "disk" else dropped(files.items(), ())
        (run,) = runs(read(opened, kept))
        outcomes.append(run.outcome)
    assert outcomes == [None, True, True, False, None]


def test_what_has_not_changed_is_not_read_again(tmp_path: Path) -> None:
    kept = fresh()
    opened = on_disk(tmp_path, flat(atif_trial(1)))
    first, second = (read(opened, kept) for _ in range(2))
    assert [one is other for one, other in zip(first, second, strict=True)] == [True] * 3
    (tmp_path / "events").mkdir()
    opened = on_disk(tmp_path / "events", events("{0}.json", *OLD))
    first = read(opened, kept)
    third = read(on_disk(tmp_path / "events", events("{0}.json", *OLD, openhands.action("run", 3, command="x"))), kept)
    assert [len(run.calls) for run in (*runs(first), *runs(third))] == [1, 2]


A, B = (flat(atif_trial(number)) for number in (0, 1))
SAME = {**B, "result.json": A["result.json"]}
DROPS = [
    pytest.param([A], [False], id="at once"),
    pytest.param([{name: A[name]} for name in A], [False], id="one after the other"),
    pytest.param([A, A], [False], id="the same again"),
    pytest.param([A, B], [False, True], id="another trial"),
    pytest.param([A, [*A.items(), *B.items()]], [False, True], id="another trial into the same box"),
    pytest.param([A, SAME], [False, False], id="another trial with the same outcome"),
    pytest.param([A, B, A], [False, True], id="one and the other and the one again"),
    pytest.param([{"trajectory.cont-1.json": A["trajectory.cont-1.json"]}], [None], id="without the outcome"),
    pytest.param([{"result.json": B["result.json"]}, {"t/x.json": A["trajectory.cont-1.json"]}], [None],
                 id="an outcome dropped beside a folder"),
]  # fmt: skip


@pytest.mark.parametrize(("drops", "outcomes"), DROPS)
def test_files_that_are_dropped_find_their_own(
    drops: list[Files | list[tuple[str, bytes]]], outcomes: list[bool | None]
) -> None:
    uploads: tuple[Upload, ...] = ()
    for files in drops:
        uploads = dropped(files.items() if isinstance(files, Mapping) else files, uploads)
    assert [run.outcome for run in runs(read(uploads))] == outcomes
    names = [file.key for file in uploads if file.is_open]
    assert len(names) == len(set(names))


def test_a_folder_that_is_dropped_is_read_in_the_order_of_a_search() -> None:
    uploads = dropped([(name, b"") for name in ("d/z.json", "d/a/x.json", "d/.git/x.json", "d/b.json", "d/.x")], ())
    assert [upload.name for upload in uploads] == ["d/b.json", "d/z.json", "d/a/x.json"]
    assert [upload.named for upload in uploads] == [False] * 3
    loose = dropped([(name, b"") for name in ("z", "a", ".x")], ())
    assert [(upload.name, upload.named) for upload in loose] == [("z", True), ("a", True), (".x", True)]


@pytest.mark.parametrize("place", ["disk", "uploads"])
def test_a_file_that_was_read_with_another_is_no_mistake(place: str, tmp_path: Path) -> None:
    files = {**flat(atif_trial(1)), "notes.txt": b"hello"}
    found = on_disk(tmp_path, files)
    opened = found if place == "disk" else dropped(files.items(), ())
    beside = Neighbours(opened)
    for file in opened:
        results_of(file, Meter([9] * 9), fresh(), beside.of(file))
    told = {file.path: beside.noted(Unread(path=file.path, reason="", named=True)).named for file in opened}
    assert {os.path.basename(path): named for path, named in told.items()} == {
        "notes.txt": True,
        "result.json": False,
        "trajectory.cont-1.json": False,
        "trajectory.json": False,
    }


def test_limits_hold_in_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    files = (Upload("a.zip", "1", zipped(RUNS)),)
    assert len(runs(read(files))) == 2
    monkeypatch.setenv("LOOPVIZ_MAX_MEMBERS", "1")
    unread, *rest = read(files)
    assert len(runs(rest)) == 1
    assert isinstance(unread, Unread)
    assert os.path.basename(unread.path) == "a.zip"
    assert "LOOPVIZ_MAX_MEMBERS" in unread.reason

"""A file that is followed: how its format is told, and what is another file in its place."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from loopviz.analysis.lines import Question
from loopviz.config import Overrides
from loopviz.following.asking import Asked
from loopviz.following.beginning import Unusable
from loopviz.following.events import Restarted
from loopviz.following.follower import Follower
from loopviz.readers import HEAD, read_bytes
from loopviz.readers.limits import LIMITS
from tests.following.lines_by_hand import KINDS, spelled
from tests.readers import claude_by_hand as claude
from tests.readers import copilot_by_hand as copilot
from tests.readers import vally_by_hand as vally

ASKED = Asked(question=Question(overrides=Overrides(max=3, match="name")))
LONG = "x" * (HEAD + 10_000)


def loop(n_calls: int, first: int = 0) -> bytes:
    calls = (claude.said(f"m{number}", claude.use(f"c{number}")) for number in range(first, first + n_calls))
    return claude.lines(*calls)


def plain(n_calls: int) -> bytes:
    return claude.lines(*({"turn": number, "tool": "a", "args": {}} for number in range(n_calls)))


def trial(number: int) -> bytes:
    calls = [vally.call("bash", f"c{number}", {"text": LONG}), vally.result("no", f"c{number}")]
    return claude.lines(vally.trial(*calls, itemId=f"i{number}"))


TOLD = claude.line("user", LONG)
LONG_FIRST = {
    "claude.session": (claude.lines(claude.line("user", LONG)), loop(4)),
    "claude.session, told at its end": (
        claude.lines({"message": TOLD.pop("message"), **TOLD}),
        loop(4),
    ),
    "copilot.events": (
        claude.lines(copilot.event("session.start", sessionId="s1", version=1, context={"text": LONG})),
        claude.lines(*(copilot.start(f"c{number}", "a", {}) for number in range(4))),
    ),
    "generic, told at its end": (claude.lines({"args": {"text": LONG}, "tool": "a"}), plain(4)),
    "vally.results": (trial(0), trial(1)),
}


@pytest.mark.parametrize("kind", LONG_FIRST)
def test_a_long_first_line_is_told_as_soon_as_it_ends(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    first, more = LONG_FIRST[kind]
    follower = Follower(str(path), ASKED)
    for cut in (HEAD - 1, HEAD, HEAD + 1, HEAD + 5_000):
        path.write_bytes(first[:cut])
        assert (follower.poll(), follower.is_known) == ([], False)
    for so_far in (first, first + more):
        path.write_bytes(so_far)
        follower.poll()
        whole, loaded = read_bytes(so_far, str(path)), follower.loaded()
        assert loaded is not None
        assert loaded.source == whole.source
        assert [len(run.calls) for run in loaded.trajectories] == [len(run.calls) for run in whole.trajectories]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_begins_with_a_line_of_any_length_is_of_its_format(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    lines = [spelled(line) for line in KINDS[kind](Random(3))]
    data = b"".join(line + b"\n" for line in lines).replace(b"{", b"{" + b" " * HEAD, 1)
    path.write_bytes(data)
    follower = Follower(str(path), ASKED)
    follower.poll()
    loaded = follower.loaded()
    assert loaded is not None
    assert loaded.source == read_bytes(data, str(path)).source


def test_lines_behind_a_long_one_that_says_nothing_are_looked_at_each(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(claude.lines({"of the future": LONG}))
    follower = Follower(str(path), ASKED)
    assert (follower.poll(), follower.is_known) == ([], False)
    with path.open("ab") as file:
        file.write(loop(1))
    follower.poll()
    assert follower.is_known


def test_a_long_first_line_is_read_once_while_it_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from loopviz.following import beginning as module

    path = tmp_path / "run.jsonl"
    follower = Follower(str(path), ASKED)
    first = claude.lines(claude.line("user", LONG))
    path.write_bytes(first[: HEAD + 1])
    follower.poll()
    monkeypatch.setattr(module, "is_packed", lambda data: pytest.fail("it was read from its beginning"))
    for size in range(HEAD + 2, HEAD + 9):
        path.write_bytes(first[:size])
        assert follower.poll() == []
        assert follower.bytes_read == size
    assert (
        follower.fault()
        == f"Its first line has not ended: {size:,} bytes without the end of a line, and no whole object."
    )


def test_a_first_line_is_bounded_as_files_are(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(claude.lines(claude.line("user", LONG))[:-9])
    with pytest.raises(Unusable, match="LOOPVIZ_MAX_FILE"):
        Follower(str(path), ASKED, limits=replace(LIMITS, file=HEAD)).poll()


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_at_once(fifo: Path) -> None:
    follower = Follower(str(fifo), ASKED)
    with pytest.raises(Unusable, match="no ordinary file"):
        follower.poll()
    assert "no ordinary file" in follower.fault()


def test_a_device_is_refused_at_once() -> None:
    with pytest.raises(Unusable, match="no ordinary file"):
        Follower(os.devnull, ASKED).poll()


def overwrite(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def rename_over(path: Path, data: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(data)
    os.replace(other, path)


@pytest.mark.parametrize(
    ("put", "reason"),
    [pytest.param(overwrite, "rewritten", id="overwritten"), pytest.param(rename_over, "replaced", id="renamed over")],
)
def test_another_format_in_its_place_is_told(put: Callable[[Path, bytes], None], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(plain(3))
    follower = Follower(str(path), ASKED)
    follower.poll()
    put(path, loop(5))
    events = follower.poll()
    assert events[0] == Restarted(reason=reason)  # type: ignore[arg-type]
    assert len(events) > 1
    loaded = follower.loaded()
    assert loaded is not None
    assert loaded.source.format == "claude.session"


def test_a_file_that_is_gone_is_known_to_be(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    follower = Follower(str(path), ASKED)
    follower.poll()
    assert not follower.is_gone  # it was never there
    path.write_bytes(loop(1))
    follower.poll()
    assert not follower.is_gone
    path.rename(path.with_name("old"))
    assert (follower.poll(), follower.is_gone) == ([], True)
    path.with_name("old").rename(path)
    assert (follower.poll(), follower.is_gone) == ([], False)


def test_a_half_line_that_another_file_takes_the_place_of_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(json.dumps({"text": LONG}).encode()[:-9])
    follower = Follower(str(path), ASKED)
    follower.poll()
    path.write_bytes(loop(1))
    follower.poll()
    assert follower.is_known

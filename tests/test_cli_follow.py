"""`loopviz follow` as a contract: its lines, its exit status, and when it ends. The clock is ours, so nothing waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from loopviz import cli
from loopviz.analysis.lines import Question
from loopviz.config import Config, Overrides, read_file
from loopviz.following_cli import Following, follow
from loopviz.settings import ThrashSettings
from tests.readers import claude_by_hand as claude
from tests.readers import codex_by_hand as codex
from tests.readers import copilot_by_hand as copilot
from tests.readers import vally_by_hand as vally

Line = dict[str, Any]


def looping(n_calls: int, first: int = 0, output: str = "1 failed") -> list[bytes]:
    """Lines of a Claude Code session that makes one call again and again."""
    told = [
        line
        for number in range(first, first + n_calls)
        for line in (claude.said(f"m{number}", claude.use(f"c{number}")), claude.answered(f"c{number}", output))
    ]
    return [claude.lines(line) for line in told]


class Writer:
    """A file that grows by a piece whenever somebody waits for it, and the time that passes meanwhile."""

    def __init__(self, path: Path, pieces: Sequence[bytes | Callable[[Path], object]]) -> None:
        self.path = path
        self.now_s = 0.0
        self.waits: list[float] = []
        self._pieces = list(pieces)

    def clock_s(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now_s += seconds
        if self._pieces:
            piece = self._pieces.pop(0)
            if isinstance(piece, bytes):
                with self.path.open("ab") as file:
                    file.write(piece)
            else:
                piece(self.path)


@pytest.fixture
def watch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Follow a file that grows piece by piece: exit status, events, and what was said beside."""

    def run(
        pieces: Sequence[bytes | Callable[[Path], object]], *,
        max: int | None = 3, config: Config | None = None, **how: Any,
    ) -> SimpleNamespace:  # fmt: skip
        writer = Writer(tmp_path / "run.jsonl", pieces)
        question = Question(config=config, overrides=Overrides(max=max))
        following = Following(path=str(writer.path), question=question, as_json=True, **{"idle_s": 5.0, **how})
        status = follow(following, clock_s=writer.clock_s, wait=writer.wait)
        told = capsys.readouterr()
        events = [json.loads(line) for line in told.out.splitlines()]
        return SimpleNamespace(status=status, events=events, err=told.err, writer=writer)

    return run


def words(events: Sequence[Line]) -> list[str]:
    """`fired 1 at 3` for each event."""
    what = {"fired": "level", "stopped": "kind", "verdict": "passed", "restarted": "reason"}
    return [
        f"{event['event']} {event[what[event['event']]]}" + (f" at {event['at']['call']}" if event.get("at") else "")
        for event in events
    ]


def test_a_quiet_run_has_a_verdict_and_nothing_else(watch: Any) -> None:
    found = watch([*looping(1), *looping(1, 1, "2 failed")], until="level=1")
    assert (found.status, words(found.events)) == (0, ["verdict True"])
    assert "nothing new for 5 s" in found.err


def test_each_thing_is_told_when_it_happens(watch: Any) -> None:
    found = watch(looping(8))
    assert words(found.events) == [
        "verdict True", "fired 1 at 3", "stopped identical at 3", "verdict False at 4", "fired 2 at 5", "fired 3 at 8",
        "verdict False at 4",
    ]  # fmt: skip
    assert [event["occurrences"] for event in found.events if event["event"] == "verdict"] == [1, 4, 8]
    assert found.status == 0


def test_the_contract_of_a_line(watch: Any) -> None:
    fired = watch(looping(3)).events[1]
    at = {"turn": 3, "call": 3, "call_id": "c2", "line": 5, "offset": None}
    assert fired == {"event": "fired", "level": 1, "at": at, "run": "s1"}
    assert list(fired)[:3] == ["event", "level", "at"]


@pytest.mark.parametrize(
    ("until", "n_lines"),
    [
        pytest.param("level=1", 5, id="the call of a level, before its result"),
        pytest.param("level=2", 9, id="level 2"),
        pytest.param("level=3", 15, id="level 3"),
        pytest.param("stopped", 5, id="stopped"),
        pytest.param("fail", 8, id="the result that makes it fail"),
    ],
)
def test_it_ends_at_the_line_that_makes_the_condition_true(until: str, n_lines: int, watch: Any) -> None:
    found = watch(looping(12), until=until)
    assert found.status == 1
    assert found.writer.path.read_bytes().count(b"\n") == n_lines
    assert f"{until} came true" in found.err


def test_a_condition_that_is_true_already_ends_it_at_once(watch: Any) -> None:
    found = watch([b"".join(looping(12))], until="level=3")
    assert (found.status, len(found.writer.waits)) == (1, 1)


STREAM_END = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "session_id": "s1"}
STREAM = {"type": "system", "subtype": "init", "session_id": "s1", "model": "claude", "tools": []}
COPILOT = copilot.event("session.start", sessionId="s1", version=1)
CODEX = codex.line("session_meta", id="s1", cwd="/w")
GRADED = {"name": "s1", "graders": [{"type": "max-repeat", "config": {"max": 3}}]}


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([STREAM, STREAM_END], id="stream-json: its result"),
        pytest.param([COPILOT, copilot.event("session.shutdown")], id="Copilot: the session is shut down"),
        pytest.param([CODEX, codex.event("task_started"), codex.event("task_complete")], id="Codex: a task is over"),
        pytest.param([CODEX, codex.event("turn_aborted")], id="Codex: a task is aborted"),
        pytest.param([{"type": "thread.started", "thread_id": "t"}, {"type": "turn.completed"}], id="codex exec"),
        pytest.param([vally.trial(), {"type": "run-summary", "passed": True}], id="Vally: the run summary"),
        pytest.param([{"turn": 1, "tool": "a", "args": {}, "end_reason": "done"}], id="the plain form: a reason"),
    ],
)
def test_the_formats_own_end_is_the_end(lines: list[Line], watch: Any) -> None:
    found = watch([claude.lines(line) for line in lines], idle_s=1_000.0)
    assert found.status == 0
    assert "the run has ended" in found.err
    assert len(found.writer.waits) == len(lines)


def test_a_task_that_another_follows_is_no_end(watch: Any) -> None:
    lines = [CODEX, codex.event("task_complete"), codex.event("task_started"), codex.call("a")]
    found = watch([claude.lines(*lines)])
    assert "nothing new for 5 s" in found.err


def test_silence_counts_from_the_last_byte(watch: Any) -> None:
    lines = looping(4)
    quiet: list[Callable[[Path], object]] = [lambda path: None] * 8
    found = watch([lines[0], *quiet, lines[1][:9], *quiet, lines[1][9:]], idle_s=5.0)
    assert found.status == 0
    assert found.writer.now_s == pytest.approx(0.5 * (1 + 8 + 1 + 8 + 1) + 5.0)


def test_it_looks_twice_a_second_and_never_more_often(watch: Any) -> None:
    waits = watch(looping(3)).writer.waits
    assert set(waits) == {0.5}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(lambda path: path.write_bytes(b"".join(looping(1))), "cut", id="cut"),
        pytest.param(lambda path: path.write_bytes(b"".join(looping(9, 50))), "rewritten", id="written anew"),
        pytest.param(
            lambda path: (path.rename(path.with_name("old")), path.write_bytes(b"".join(looping(3, 50)))),
            "replaced",
            id="rotated",
        ),
    ],
)
def test_another_file_is_told_and_read_from_its_beginning(
    change: Callable[[Path], object], reason: str, watch: Any
) -> None:
    found = watch([b"".join(looping(3)), change, *looping(2, 90)])
    told = words(found.events)
    again = told.index(f"restarted {reason}")
    assert found.events[again] == {"event": "restarted", "reason": reason}
    assert told.count("fired 1 at 3") == 2
    assert "fired 1 at 3" in told[again:]


def test_a_file_that_goes_away_for_good_ends_in_silence(watch: Any) -> None:
    found = watch([*looping(3), lambda path: path.unlink()])
    assert (found.status, "restarted" in str(found.events)) == (0, False)


def test_every_run_of_a_file_is_told_by_name(watch: Any) -> None:
    side = {"isSidechain": True, "agentId": "a1"}
    lines = [claude.lines(claude.said(f"m{n}", claude.use(f"c{n}"), **side)) for n in range(3)]
    found = watch([*looping(1), *lines])
    assert [(event["event"], event["run"]) for event in found.events] == [
        ("verdict", "s1"), ("fired", "s1/a1"), ("stopped", "s1/a1"), ("verdict", "s1/a1"),
    ]  # fmt: skip


def test_results_of_vally_are_judged_as_they_record_it(watch: Any) -> None:
    loop = [event for n in range(4) for event in (vally.call("bash", f"c{n}", {}), vally.result("no", f"c{n}"))]
    trials = []
    for number, events in enumerate((loop[:2], loop)):
        trial = vally.trial(*events, itemId=f"i{number}")
        trial["trajectory"] |= {"stimulus": GRADED, "id": f"t{number}"}
        trials.append(claude.lines(trial))
    found = watch(trials, max=None, until="fail")
    assert found.status == 1
    assert [(event["run"], event.get("passed")) for event in found.events if event["event"] == "verdict"] == [
        ("t0", True), ("t1", False),
    ]  # fmt: skip


def test_what_looks_like_a_secret_is_masked(watch: Any) -> None:
    tool = "sk-proj-abcdefghijklmnopqrstuvwxyz0123"
    lines = claude.lines(*(claude.said(f"m{n}", claude.use(f"c{n}", tool)) for n in range(2)))
    assert tool not in str(watch([lines]).events)
    (verdict,) = watch([lambda path: path.unlink(), lines], masked=False, max=1).events[-1:]
    assert verdict["passed"] is True


def test_a_call_that_is_answered_late_is_not_counted_before(watch: Any) -> None:
    lines = [claude.lines(claude.said(f"m{n}", claude.use(f"c{n}"))) for n in range(4)]
    late = [claude.lines(claude.answered(f"c{n}", "same")) for n in (3, 1, 2, 0)]
    told = words(watch([*lines, *late]).events)
    assert told.index("verdict False at 4") == len(told) - 1


PING_PONG = [claude.use(f"c{number}", "Bash", {"command": "ab"[number % 2]}) for number in range(4)]
ASKED_AT_ONCE = [claude.lines(claude.said("m0", block)) for block in PING_PONG]


def answered(outputs: str) -> list[bytes]:
    return [claude.lines(claude.answered(f"c{number}", output)) for number, output in enumerate(outputs)]


@pytest.mark.parametrize(
    ("lines", "status", "n_lines"),
    [
        pytest.param([*ASKED_AT_ONCE, *answered("1234")], 0, 8, id="the results differ"),
        pytest.param([*ASKED_AT_ONCE, *answered("1212")], 1, 8, id="the last result makes them equal"),
        pytest.param([*ASKED_AT_ONCE, *looping(1, 7)], 1, 5, id="another turn begins without them"),
        pytest.param(ASKED_AT_ONCE, 1, 4, id="the run ends without them"),
    ],
)
def test_a_stop_by_results_waits_for_those_of_the_last_turn(
    lines: list[bytes], status: int, n_lines: int, watch: Any
) -> None:
    found = watch(lines, until="stopped")
    assert (found.status, found.writer.path.read_bytes().count(b"\n")) == (status, n_lines)
    assert ("stopped ping-pong at 4" in words(found.events)) == bool(status)


@pytest.mark.parametrize(
    ("output", "status", "n_lines"),
    [pytest.param("good", 0, 4, id="it is not empty"), pytest.param("", 1, 2, id="it is empty")],
)
def test_a_call_came_back_empty_only_once_it_came_back(
    output: str, status: int, n_lines: int, tmp_path: Path, watch: Any
) -> None:
    config = Config(thrash=ThrashSettings(empty_retry=0))
    lines = [*looping(1, 0, output), *looping(1, 1, "more")]
    found = watch(lines, until="stopped", config=config)
    assert (found.status, found.writer.path.read_bytes().count(b"\n")) == (status, n_lines)


def test_searches_that_have_not_said_what_they_look_for_reach_no_level(watch: Any) -> None:
    started = [{"type": "item.started", "item": {"id": f"i{n}", "type": "web_search"}} for n in range(3)]
    done = [
        {"type": "item.completed", "item": {"id": f"i{n}", "type": "web_search", "query": f"{'abc'[n] * 9} {n}"}}
        for n in range(3)
    ]
    lines = [claude.lines(line) for line in ({"type": "thread.started", "thread_id": "t"}, *started, *done)]
    assert watch(lines, until="level=1").status == 0
    assert watch([lambda path: path.unlink(), *lines[:4]], until="level=1").status == 1  # the run ends without them


def test_a_verdict_waits_for_the_results_of_its_turn(watch: Any) -> None:
    lines = [*looping(3), claude.lines(claude.said("m3", claude.use("c3"), claude.use("d3", "Read")))]
    same = claude.lines(claude.answered("c3", "1 failed"))
    other = claude.lines(claude.answered("d3", "text"))
    assert "verdict False" not in " ".join(words(watch([*lines, same, other]).events))
    again = watch([lambda path: path.unlink(), *lines, same, *looping(1, 9, "else")], until="fail")
    assert (again.status, words(again.events)[-1]) == (1, "verdict False at 4")


def test_a_verdict_whose_first_failing_call_moves_is_told_again(watch: Any) -> None:
    calls = [claude.lines(claude.said(f"m{n}", claude.use(f"c{n}"))) for n in range(6)]
    results = [claude.lines(claude.answered(f"c{n}", "same")) for n in (2, 3, 4, 5, 1, 0)]
    told = words(watch([*calls, *results], max=3).events)
    assert [each for each in told if each.startswith("verdict False")][:2] == [
        "verdict False at 6", "verdict False at 5",
    ]  # fmt: skip


SPEC = """
stimuli:
  - name: b
    graders: [{type: max-repeat, config: {max: 1}}]
"""


def trial_of(stimulus: str, *outputs: str) -> bytes:
    loop = [
        event
        for n, output in enumerate(outputs)
        for event in (vally.call("bash", f"c{n}", {}), vally.result(output, f"c{n}"))
    ]
    trial = vally.trial(*loop, itemId=f"of {stimulus}")
    trial["trajectory"]["stimulus"] = {"name": stimulus}
    return claude.lines(trial)


@pytest.mark.parametrize(
    ("trials", "status"),
    [
        pytest.param([trial_of("a", "x"), trial_of("b", "x", "x")], 1, id="one that fails comes behind"),
        pytest.param([trial_of("b", "x", "x"), trial_of("a", "x")], 1, id="one that fails comes before"),
        pytest.param([trial_of("a", "x"), trial_of("b", "x")], 2, id="none fails, and one is not judged"),
        pytest.param([trial_of("a", "x")], 2, id="none is judged"),
        pytest.param([trial_of("b", "x")], 0, id="all are judged"),
    ],
)
def test_a_run_that_the_spec_lacks_is_not_judged_and_the_others_are(
    trials: list[bytes], status: int, tmp_path: Path, watch: Any
) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC)
    found = watch(trials, max=None, config=read_file(path), until="fail")
    assert found.status == status
    assert ("no stimulus 'a'" in found.err) == (status == 2)


def test_a_file_that_is_gone_is_said_to_be(watch: Any) -> None:
    found = watch([*looping(1), lambda path: path.unlink()])
    assert found.err.count("the file is gone; it is followed on if it comes back") == 1
    assert "the file is gone, and there was nothing new for 5 s" in found.err
    back = watch([*looping(1), lambda path: path.rename(path.with_name("old")), *looping(1)])
    assert "file is gone" not in back.err


def test_without_settings_the_guards_watch_and_the_verdict_is_missing(watch: Any) -> None:
    found = watch(looping(3), max=None)
    assert words(found.events) == ["fired 1 at 3", "stopped identical at 3"]
    assert found.err.count("no max-repeat verdict") == 1
    assert watch(looping(3), max=None, until="fail").status == 2


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        pytest.param([], "There is no such file", id="never comes"),
        pytest.param([b"\n"], "There is nothing in this file", id="stays empty"),
        pytest.param([b"hello\n", b"again\n"], "no recorded run", id="is no run"),
        pytest.param([b"\x1f\x8b\x08\x00"], "packed", id="is packed"),
        pytest.param([b'{\n "schema_version": "ATIF-v1.6",\n "steps": []\n}\n'], "cannot be followed", id="a document"),
        pytest.param([lambda path: path.mkdir()], "This is a folder", id="a folder"),
    ],
)
def test_what_cannot_be_followed_is_unusable(
    pieces: list[bytes | Callable[[Path], object]], said: str, watch: Any
) -> None:
    found = watch(pieces, until="level=1")
    assert (found.status, found.events) == (2, [])
    assert said in found.err


def test_ctrl_c_ends_it_cleanly(watch: Any) -> None:
    def interrupt(_path: Path) -> None:
        raise KeyboardInterrupt

    found = watch([*looping(3), interrupt])
    assert (found.status, len(found.events)) == (130, 3)
    assert "Ended by hand" in found.err


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command: its status, its output, and what it said beside."""

    def run(*given: str | Path) -> SimpleNamespace:
        status = cli.main([str(word) for word in given])
        told = capsys.readouterr()
        return SimpleNamespace(status=status, out=told.out, err=told.err)

    return run


def test_the_command_prints_words_for_people(say: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(looping(4)))
    found = say("follow", path, "--max", "3", "--idle", "0")
    assert found.status == 0
    assert found.out.splitlines() == [
        "fired    s1  ladder: level 1 (replan), 3 similar calls in a row (turn 3, call 3)",
        "stopped  s1  thrash: an identical call was made 3 times (turn 3, call 3)",
        "FAIL     s1  max-repeat: Bash gave the same output 4 times in a row; 3 are allowed. (turn 4, call 4)",
    ]


def test_the_config_sets_all_three_detectors(say: Any, tmp_path: Path) -> None:
    path, config = tmp_path / "run.jsonl", tmp_path / "guards.yaml"
    path.write_bytes(b"".join(looping(4)))
    config.write_text("max_repeat: {max: 4}\nescalation: {replan: 4, explore: 5, force_done: 6}\nthrash: {n: 5}\n")
    found = say("follow", path, "--config", config, "--idle", "0")
    assert [line.split()[0] for line in found.out.splitlines()] == ["PASS", "fired"]
    assert "level 1 (replan), 4 similar calls" in found.out


def test_a_filter_holds_for_guards_and_grader(say: Any, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join(looping(4)))
    found = say("follow", path, "--max", "3", "--tool", "^Read$", "--idle", "0", "--until", "level=1")
    assert (found.status, found.out.split()[0]) == (0, "PASS")


@pytest.mark.parametrize("words", [["--until", "level=4"], ["--until", "done"], ["--idle", "-1"], ["--idle", "soon"]])
def test_other_conditions_are_refused(words: list[str], say: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        say("follow", "run.jsonl", *words)
    assert ended.value.code == 2
    assert words[1] in capsys.readouterr().err


def test_standard_input_and_formats_that_are_documents_are_refused(say: Any, tmp_path: Path) -> None:
    assert say("follow", "-").status == 2
    found = say("follow", tmp_path / "x", "--read-as", "atif")
    assert found.status == 2
    assert "claude.session" in found.err

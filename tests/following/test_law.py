"""The law of following: whatever the file holds so far, every answer is what reading that much at once gives.

What is told is the same, where no result of the last turn may still come.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopviz.analysis.lines import Question, judge_lines
from loopviz.analysis.runset import RunSet
from loopviz.config import Config, Overrides
from loopviz.following.asking import Asked
from loopviz.following.events import Event, Restarted, Stopped
from loopviz.following.follower import Follower
from loopviz.following.session import Session
from loopviz.model import Loaded, Trajectory
from loopviz.readers import UnknownFormat, read_bytes
from loopviz.settings import EscalationSettings, ThrashSettings
from tests.following.lines_by_hand import KINDS, file_of

SESSIONS = [kind for kind in KINDS if not kind.startswith("vally")]


def question(random: Random) -> Question:
    """Settings under which something is likely to happen in a short run."""
    first = random.randint(2, 3)
    ladder = EscalationSettings(
        replan=first, explore=first + 1, force_done=first + 2,
        same_tool=random.random() < 0.7, tokens=random.choice(["space", "word"]), similarity=random.choice([0.4, 0.75]),
    )  # fmt: skip
    thrash = ThrashSettings(
        n=random.randint(2, 3), scope=random.choice(["consecutive", "run"]),
        empty_retry=random.choice([None, 0, 1]), ignore_args=random.choice([(), ("timeout",)]),
    )  # fmt: skip
    tools = random.choice([None, None, ("^Bash$",)])
    overrides = Overrides(
        max=random.randint(1, 2), max_cycle_period=random.randint(1, 4),
        match=random.choice(["observation", "name-args", "name"]), tools=tools,
    )  # fmt: skip
    config = Config(escalation=ladder, thrash=thrash, unknown=random.choice(["equal", "distinct"]))
    return Question(config=config, overrides=overrides)


def pieces(data: bytes, random: Random) -> Iterator[bytes]:
    """The bytes as they may arrive: in pieces of any size, cut in the middle of lines and of characters."""
    position = 0
    while position < len(data):
        size = random.choice([1, 3, 40, 200, 1000])
        yield data[position : position + size]
        position += size


def by_lines(data: bytes, random: Random) -> Iterator[bytes]:
    """The bytes line by line, now and then several at once."""
    lines = data.splitlines(keepends=True)
    while lines:
        some = random.randint(1, 3)
        yield b"".join(lines[:some])
        del lines[:some]


def read_at_once(data: bytes, name: str) -> Loaded | None:
    try:
        return read_bytes(data, name)
    except UnknownFormat:
        return None


def facts(trajectory: Trajectory) -> object:
    """What a trajectory says of itself, its calls aside."""
    return (
        trajectory.run, trajectory.n_turns, trajectory.prompt, trajectory.output, trajectory.model, trajectory.status,
        trajectory.digest, trajectory.events, trajectory.usage, trajectory.problems, trajectory.end_reason,
        trajectory.line, [trajectory.arguments_json(call) for call in range(len(trajectory.calls))],
        [trajectory.observation_json(call) for call in range(len(trajectory.calls))],
        trajectory.calls.failed.tolist(), trajectory.calls.result_offset.tolist(),
    )  # fmt: skip


def assert_as_at_once(follower: Follower, asked: Asked, whole: Loaded) -> None:
    so_far = follower.loaded()
    assert so_far is not None
    assert so_far.source == whole.source
    assert (so_far.notes, so_far.problems) == (whole.notes, whole.problems)
    assert list(map(facts, so_far.trajectories)) == list(map(facts, whole.trajectories))
    grade = list(judge_lines(RunSet(whole.trajectories), asked.question))
    assert list(judge_lines(RunSet(so_far.trajectories), asked.question)) == grade
    if isinstance(follower._growing, Session):
        assert_moves(follower._growing, asked, whole)


def assert_moves(session: Session, asked: Asked, whole: Loaded) -> None:
    """What was derived call by call is what the detectors say of the whole."""
    runs = RunSet(whole.trajectories)
    assert len(session.runs) == len(runs)
    for number, run in enumerate(session.runs):
        ladder = runs.escalation(asked.escalation, asked.tools, asked.unknown)
        fired = [(firing.level, firing.call) for firing in ladder.fired(number)]
        assert (run.ladder.level, run.ladder.longest) == (ladder.level[number], ladder.longest_stretch[number])
        assert [tuple(firing) for firing in run.ladder.fired] == fired
        thrash = runs.thrash(asked.thrash, asked.tools, asked.unknown)
        stop = thrash.stop(number)
        assert run.thrash.count == thrash.count[number]
        assert (run.thrash.stop and run.thrash.stop[:2]) == (stop and (stop.kind, stop.call))
        assert (run.thrash.stop and run.thrash.stop.key) == (stop and stop.key)
        choice = asked.question.graders_of(whole.trajectories[number])
        assert [grader.name for grader, _ in run.graders] == [grader.name for grader in choice.graders]
        for grader, repeats in run.graders:
            assert repeats is not None and grader.settings is not None
            found = runs.max_repeat(grader.settings.tools, asked.unknown).judge(number, grader.settings)
            assert (repeats.best.occurrences, repeats.best.period or None) == (found.occurrences, found.period)
            assert repeats.best.start == (-1 if found.start is None else found.start)
            assert (repeats.passed, repeats.evidence) == (found.passed, found.evidence)
            assert repeats.first_failing_call == found.first_failing_call
            assert repeats.n_steps == found.steps


def is_pending(trajectory: Trajectory) -> bool:
    """Whether a call of the last turn has no result, or was told ahead of its arguments."""
    turns, results = trajectory.calls.turn.tolist(), trajectory.calls.result_offset.tolist()
    last = (
        [len(turns) - 1] if turns and turns[-1] < 0 else [n for n, t in enumerate(turns) if t == trajectory.n_turns - 1]
    )
    return any(results[call] < 0 or trajectory.calls.unknown_arguments[call] for call in last if call >= 0)


def assert_told(session: Session, asked: Asked, whole: Loaded, *, is_over: bool = False) -> None:
    """What was told is what the detectors say, where nothing is waited for."""
    runs = RunSet(whole.trajectories)
    thrash = runs.thrash(asked.thrash, asked.tools, asked.unknown)
    ladder = runs.escalation(asked.escalation, asked.tools, asked.unknown)
    for number, (run, trajectory) in enumerate(zip(session.runs, whole.trajectories, strict=True)):
        if is_over or not is_pending(trajectory):
            stop = thrash.stop(number)
            assert stop is None or run.told.stop == stop.call
            assert {(firing.level, firing.call) for firing in ladder.fired(number)} <= run.told.levels


def assert_never_early(events: list[Event], whole: Loaded) -> None:
    """No stop by results was told that a result of its turn may still undo."""
    for event in events:
        if isinstance(event, Stopped) and event.kind != "identical":
            (trajectory,) = (one for one in whole.trajectories if one.run == event.run)
            turns, call = trajectory.calls.turn.tolist(), event.at["call"] - 1
            turn = [call] if turns[call] < 0 else [n for n, t in enumerate(turns) if t == turns[call]]
            is_last = turn[-1] == len(turns) - 1 and turns[call] in (-1, trajectory.n_turns - 1)
            assert not is_last or all(trajectory.calls.result_offset[n] >= 0 for n in turn if n <= call)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1 << 32), in_lines=st.booleans())
def test_every_beginning_of_a_file_is_told_as_if_it_were_all(kind: str, seed: int, in_lines: bool) -> None:
    random = Random(seed)
    data = file_of(kind, random)
    asked = Asked(question=question(random))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        follower = Follower(str(path), asked)
        so_far = b""
        whole = None
        for piece in (by_lines if in_lines else pieces)(data, random):
            so_far += piece
            with path.open("ab") as file:
                file.write(piece)
            events = follower.poll()
            if so_far.endswith(b"\n") or so_far == data:
                whole = read_at_once(so_far, str(path))
                assert follower.is_known == (whole is not None)
                if whole is not None:
                    assert_as_at_once(follower, asked, whole)
                    if isinstance(follower._growing, Session):
                        assert_told(follower._growing, asked, whole)
                        if not any(isinstance(event, Restarted) for event in events):
                            assert_never_early(events, whole)
        if whole is not None and isinstance(follower._growing, Session):
            follower.final()
            assert_told(follower._growing, asked, whole, is_over=True)

"""Logs of requests: each repeats what was said before it, and every call comes out once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loopviz.model import Loaded, Trajectory
from loopviz.readers import read_bytes, read_path
from tests.readers.openai_by_hand import assistant, call, lines, request, response, result, user

REAL = Path(__file__).resolve().parents[3] / "shared" / "real" / "openai_chat_request_log"
real = pytest.mark.skipif(not REAL.is_dir(), reason="the folder of real files is not beside the checkout")

GO, OTHER = user("Go"), user("Do something else")
A, B = assistant(call("a", {}, "1")), assistant(call("b", {}, "2"))
ONE, TWO = result("one", "1"), result("two", "2")
USED = {"prompt_tokens": 7, "completion_tokens": 3}


def read(*records: Any) -> Loaded:
    return read_bytes(lines(*records), "a.jsonl", format="openai.log")


def told(trajectory: Trajectory) -> list[tuple[str, bytes | None, bool]]:
    """Tool and result of each call, and whether it ran."""
    return [
        (trajectory.tool(number), trajectory.observation_json(number), bool(trajectory.calls.executed[number]))
        for number in range(len(trajectory.calls))
    ]


BOTH = [("a", b'"one"', True), ("b", b'"two"', True)]


@pytest.mark.parametrize(
    ("records", "expected", "n_turns"),
    [
        pytest.param([request(GO)], [], 0, id="nobody answers"),
        pytest.param([request(GO), response(A)], [("a", None, True)], 1, id="an answer at the end"),
        pytest.param([request(GO), response(A), request(GO, A, ONE)], BOTH[:1], 1, id="an answer that is repeated"),
        pytest.param(
            [request(GO), response(A), request(GO, A, ONE), response(B), request(GO, A, ONE, B, TWO)],
            BOTH,
            2,
            id="and one more",
        ),
        pytest.param([request(GO, A, ONE), request(GO, A, ONE, B, TWO)], BOTH, 2, id="requests alone"),
        pytest.param(
            [request(GO), request(GO), response(A), request(GO, A, ONE)],
            BOTH[:1],
            1,
            id="sent again, unanswered before",
        ),
        pytest.param(
            [request(GO), response(B), request(GO), response(A), request(GO, A, ONE)],
            BOTH[:1],
            1,
            id="sent again, answered before",
        ),
        pytest.param(
            [
                request(GO, A, result("a long text", "1")),
                response(B),
                request(GO, A, result("(left out)", "1"), B, TWO),
            ],
            [("a", b'"a long text"', True), ("b", b'"two"', True)],
            2,
            id="a result that is shortened later",
        ),
        pytest.param(
            [
                request(GO),
                response(A),
                request(GO, assistant(content="?"), user("Could not be parsed")),
                response(A),
                request(GO, A, ONE),
            ],
            [("a", None, False), ("a", b'"one"', True)],
            2,
            id="an answer that could not be parsed",
        ),
        pytest.param(
            [request(GO), response(A), request(GO, user("Well?")), response(B)],
            [("a", None, False), ("b", None, True)],
            2,
            id="an answer that nobody took up",
        ),
    ],
)
def test_every_call_comes_out_once(records: list[Any], expected: list[Any], n_turns: int) -> None:
    loaded = read(*records)
    (trajectory,) = loaded.trajectories
    assert not loaded.problems
    assert not trajectory.problems
    assert told(trajectory) == expected
    assert trajectory.n_turns == n_turns


def test_conversations_that_take_turns_stay_apart() -> None:
    loaded = read(
        *(request(GO), response(A), request(OTHER), response(B)),
        *(request(GO, A, ONE), request(OTHER, B, TWO)),
    )
    assert [told(run) for run in loaded.trajectories] == [BOTH[:1], BOTH[1:]]


def test_going_back_to_the_beginning_is_another_run() -> None:
    loaded = read(request(GO), response(A), request(GO, A, ONE), request(GO), response(B))
    assert [told(run) for run in loaded.trajectories] == [BOTH[:1], [("b", None, True)]]
    one, other = loaded.trajectories
    assert one.run != other.run


def test_hints_to_a_cache_make_no_other_message() -> None:
    hinted = user([{"type": "text", "text": "Go", "cache_control": {"type": "ephemeral"}}])
    (trajectory,) = read(request(hinted), response(A), request(GO, A, ONE)).trajectories
    assert told(trajectory) == BOTH[:1]
    assert trajectory.prompt == "Go"


def test_tokens_of_each_response_count_once() -> None:
    loaded = read(
        *(request(GO), response(B, id="r1", usage=USED)),
        *(request(GO), {**response(A, id="r2", usage=USED), "cost": 0.5}),
        request(GO, A, ONE),
    )
    (trajectory,) = loaded.trajectories
    assert [(used.input_tokens, used.output_tokens, used.cost) for used in trajectory.usage] == [
        (7, 3, None),
        (7, 3, 0.5),
    ]
    assert loaded.notes == ("1 response that was not used left out.",)


def test_lines_of_other_sorts() -> None:
    loaded = read({"type": "note"}, response(A), request(GO))
    assert [problem.where for problem in loaded.problems] == ["line 2"]
    assert loaded.notes == ("1 line of another sort left out.",)
    assert len(loaded.trajectories) == 1


@pytest.mark.parametrize("messages", [None, 5, {}, [5], [None, [], "x"]])
def test_requests_without_messages(messages: Any) -> None:
    loaded = read({"type": "request", "request_params": {"messages": messages}}, response(A))
    assert sum(len(run.calls) for run in loaded.trajectories) <= 1


@real
def test_a_real_log() -> None:
    """Fourteen responses ask for twelve calls; one could not be parsed, and the log ends with one."""
    loaded = read_path(REAL / "SWE-agent__interactions_20251107_092915.jsonl")
    (run,) = loaded.trajectories
    assert loaded.problems == run.problems == ()
    assert (run.n_turns, len(run.calls), run.model) == (14, 12, "gpt-3.5-turbo-0613")
    assert run.calls.executed.tolist() == [True] * 5 + [False] + [True] * 6
    assert (run.calls.observation < 0).tolist() == [False] * 5 + [True] + [False] * 5 + [True]
    assert [run.tool(number) for number in (10, 11)] == ["submit", "submit"]
    assert sum(used.output_tokens or 0 for used in run.usage) == 766
    assert len(run.usage) == 14

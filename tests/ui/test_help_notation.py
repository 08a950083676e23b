"""The short lines of the examples become runs that the reader reads without a complaint."""

from __future__ import annotations

import pytest

from loopviz.ui.help_notation import (
    MOST_CALLS,
    MOST_SIGNS,
    NotationError,
    Sign,
    read_line,
    run_of_commands,
    run_of_line,
)

A, B = Sign(tool="A"), Sign(tool="B")


@pytest.mark.parametrize(
    ("line", "turns"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("A A B", [(A,), (A,), (B,)], id="calls"),
        pytest.param("(A B) A", [(A, B), (A,)], id="two calls in a turn"),
        pytest.param("A()B", [(A,), (), (B,)], id="an empty turn, and no space around it"),
        pytest.param("Ap2", [(Sign(tool="A", id="p", output="2"),)], id="arguments and output"),
        pytest.param("x", [(Sign(tool="x"),)], id="not watched"),
        pytest.param("A!", [(Sign(tool="A", failed=True),)], id="failed"),
        pytest.param(
            "Bp _ _", [(Sign(tool="B", id="p"),), *2 * [(Sign(tool="B", id="p", empty=True),)]], id="again, empty"
        ),
        pytest.param("_ A_", 2 * [(Sign(tool="A", empty=True),)], id="empty from the start"),
    ],
)
def test_reading_a_line(line: str, turns: list[tuple[Sign, ...]]) -> None:
    assert read_line(line) == turns


@pytest.mark.parametrize(
    ("line", "why"),
    [
        pytest.param("A ?", "This means nothing here: ?", id="an unknown sign"),
        pytest.param("AB", "This means nothing here: AB", id="two letters at once"),
        pytest.param("(A B", "A bracket stands alone: (", id="a bracket left open"),
        pytest.param("A " * (MOST_CALLS + 1), f"This line has more than {MOST_CALLS} calls", id="too long"),
        pytest.param(
            "A" * 1_500,
            f"This line is too long: it has 1,500 signs, and at most {MOST_SIGNS} are read",
            id="too many signs",
        ),
    ],
)
def test_what_means_nothing_is_refused(line: str, why: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_line(line)
    assert str(refused.value) == why


def test_a_line_is_read_as_a_file_is() -> None:
    trajectory = run_of_line("(A Bp) A1! x _").trajectories[0]
    assert not trajectory.problems
    assert [trajectory.tool(call) for call in range(5)] == ["A", "B", "A", "x", "x"]
    assert trajectory.calls.turn.tolist() == [0, 0, 1, 2, 3]
    assert trajectory.calls.failed.tolist() == [False, False, True, False, False]
    assert trajectory.arguments_json(1) == b'{"id": "p"}'
    assert [trajectory.observation_json(call) for call in (0, 2, 4)] == [b'"output"', b'"output 1"', b'""']


def test_commands_are_arguments() -> None:
    trajectory = run_of_commands(['echo "é"', "ls"], ["bash", "read"]).trajectories[0]
    assert not trajectory.problems
    assert [trajectory.tool(call) for call in range(2)] == ["bash", "read"]
    assert trajectory.arguments_json(1) == b'{"command": "ls"}'

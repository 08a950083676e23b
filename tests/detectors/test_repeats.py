"""The arithmetic of repeats: worked cases, laws, and agreement with the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.repeats import find_cycles, tabulate
from tests import oracles

EMPTY = -1
LETTERS = st.lists(st.integers(-1, 2), max_size=24)  # three symbols and empties, so that loops really happen


def codes_of(text: str) -> list[int]:
    return [EMPTY if symbol == "_" else ord(symbol) for symbol in text.split()]


def figure(codes: list[int], bound: int) -> tuple[int, int, int]:
    best = tabulate(np.array(codes, dtype=np.int64), np.array([0, len(codes)]), max_period=bound).best(bound)
    return int(best.occurrences[0]), int(best.period[0]), int(best.start[0])


def as_steps(codes: list[int]) -> list[oracles.Step]:
    return [None if code == EMPTY else frozenset([code]) for code in codes]


@pytest.mark.parametrize(
    ("steps", "bound", "occurrences", "period", "start"),
    [
        pytest.param("", 1, 0, 0, -1, id="no step"),
        pytest.param("_ _ _", 3, 0, 0, -1, id="only empty steps"),
        pytest.param("A", 1, 1, 1, 0, id="one step"),
        pytest.param("A B C D", 10, 1, 1, 0, id="nothing repeats"),
        pytest.param("A B A B A B", 1, 1, 1, 0, id="two in turn, but only plain repeats are looked for"),
        pytest.param("A B C A B C A B", 2, 1, 1, 0, id="three in turn, longest pattern too short"),
        pytest.param("A B _ A B", 2, 1, 1, 0, id="an empty step is not bridged"),
        pytest.param("A A A A", 1, 4, 1, 0, id="plain repeat"),
        pytest.param("A A A A", 2, 4, 1, 0, id="plain repeat is not a pattern of two"),
        pytest.param("A A _ A A", 1, 2, 1, 0, id="an empty step ends a repeat"),
        pytest.param("_ A A _", 1, 2, 1, 1, id="empty steps around"),
        pytest.param("A B A B A B", 2, 3, 2, 0, id="two in turn"),
        pytest.param("A B A B A", 2, 2, 2, 0, id="a started copy does not count"),
        pytest.param("B A B A B A B", 2, 3, 2, 0, id="a fragment at the end"),
        pytest.param("X A B A B A", 2, 2, 2, 1, id="a fragment after a start elsewhere"),
        pytest.param("A B C A B C A B", 3, 2, 3, 0, id="three in turn"),
        pytest.param("A A B A A B", 3, 2, 1, 0, id="on a tie the shorter period"),
        pytest.param("A A B A A B A A B", 3, 3, 3, 0, id="the longer period when it counts more"),
        pytest.param("A A X B B", 1, 2, 1, 0, id="on a tie the earlier start"),
    ],
)
def test_worked_cases(steps: str, bound: int, occurrences: int, period: int, start: int) -> None:
    assert figure(codes_of(steps), bound) == (occurrences, period, start)


@pytest.mark.parametrize("max_period", [0, 11, -1])
def test_refuses_a_period_out_of_range(max_period: int) -> None:
    with pytest.raises(ValueError, match=f"max_period is {max_period}; it must be a whole number from 1 to 10"):
        tabulate(np.zeros(3, dtype=np.int64), np.array([0, 3]), max_period=max_period)


@given(LETTERS, st.integers(1, 10))
def test_agrees_with_the_definition(codes: list[int], bound: int) -> None:
    assert figure(codes, bound) == oracles.best(as_steps(codes), bound)


@given(st.lists(LETTERS, max_size=6), st.integers(1, 10))
def test_runs_end_to_end_are_judged_apart(runs: list[list[int]], bound: int) -> None:
    starts = np.cumsum([0, *(len(run) for run in runs)])
    best = tabulate(np.array([code for run in runs for code in run], dtype=np.int64), starts, max_period=bound).best(
        bound
    )
    for run, codes in enumerate(runs):
        occurrences, period, start = oracles.best(as_steps(codes), bound)
        assert (best.occurrences[run], best.period[run]) == (occurrences, period)
        assert best.start[run] == (start if start < 0 else starts[run] + start)


@given(LETTERS, st.integers(1, 10))
def test_cycles_are_the_maximal_primitive_spans(codes: list[int], bound: int) -> None:
    found = find_cycles(np.array(codes, dtype=np.int64), bound=bound)
    assert {(c.start, c.stop, c.period, c.occurrences, c.ended_by) for c in found} == oracles.cycles(
        as_steps(codes), bound
    )
    assert list(found) == sorted(found, key=lambda cycle: (cycle.start, cycle.period))
    assert [cycle.occurrences for cycle in found] == found.occurrences.tolist()


@given(LETTERS, st.integers(1, 10), st.integers(1, 4))
def test_first_over_is_the_shortest_failing_beginning(codes: list[int], bound: int, limit: int) -> None:
    found = find_cycles(np.array(codes, dtype=np.int64), bound=bound)
    assert found.first_over(limit) == oracles.first_failing(as_steps(codes), bound, limit)


@given(LETTERS, st.permutations([0, 1, 2]), st.integers(1, 10))
def test_renaming_codes_changes_nothing(codes: list[int], names: list[int], bound: int) -> None:
    renamed = [EMPTY if code == EMPTY else names[code] + 7 for code in codes]
    assert figure(renamed, bound) == figure(codes, bound)


@given(LETTERS, st.integers(-1, 2), st.integers(1, 10))
def test_an_appended_step_never_lowers_the_figure(codes: list[int], more: int, bound: int) -> None:
    assert figure([*codes, more], bound)[0] >= figure(codes, bound)[0]

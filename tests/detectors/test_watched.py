"""Selected calls of several runs, laid end to end."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from loopviz.detectors.core.watched import length_so_far, select
from tests.detectors.guard_columns import guard_columns
from tests.oracles_guards import call

RUNS = st.lists(st.lists(st.booleans(), max_size=5), max_size=5)


@given(RUNS, st.data())
def test_agrees_with_plain_lists(runs: list[list[bool]], data: st.DataObject) -> None:
    columns, watched = guard_columns([[call(watched=flag) for flag in run] for run in runs])
    selection = select(columns, watched)
    values = data.draw(st.lists(st.integers(1, 9), min_size=len(selection), max_size=len(selection)))
    per_run: list[list[int]] = []
    calls, first, numbers, left = [], [], [], iter(values)
    position = 0
    for number, run in enumerate(runs):
        per_run.append([])
        for flag in run:
            if flag:
                calls.append(position)
                first.append(not per_run[-1])
                numbers.append(number)
                per_run[-1].append(next(left))
            position += 1
    assert selection.call.tolist() == calls
    assert selection.first_of_run().tolist() == first
    assert selection.run().tolist() == numbers
    assert selection.highest(np.array(values, dtype=np.int64)).tolist() == [max(run, default=0) for run in per_run]


@given(st.lists(st.booleans(), max_size=8))
def test_counts_within_stretches(begins: list[bool]) -> None:
    begins[:1] = [True] * len(begins[:1])
    lengths: list[int] = []
    for begin in begins:
        lengths.append(1 if begin else lengths[-1] + 1)
    assert length_so_far(np.array(begins, dtype=bool)).tolist() == lengths

"""Results given out while they come: always what giving them all out at once says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopviz.following.pairs import Pairs
from loopviz.readers.pairing import NO_CALL, NO_RESULT, pair
from loopviz.readers.rows import CallRows, ResultRows

IDS = st.sampled_from(["a", "a", "b", "c", ""])
TOLD = st.lists(st.tuples(st.booleans(), IDS, st.booleans()), max_size=14)
"""Calls and results in file order: which it is, its id, and whether a result stands in its call's own element."""


def tell(calls: CallRows, results: ResultRows, event: int, told: tuple[bool, str, bool]) -> None:
    is_call, call_id, is_known = told
    if is_call:
        calls.waiting.append((call_id, "t", 0, event, 0, 0, 0.0, False, -1, 0, True))
        calls.settle()
    else:
        answers = len(calls.ids) - 1 if is_known and calls.ids else NO_CALL
        results.waiting.append((call_id, "", 0, event, 0, 0, 0.0, False, False, answers))
        results.settle()


@given(settled=TOLD, ahead=TOLD)
def test_as_if_all_were_given_out_at_once(
    settled: list[tuple[bool, str, bool]], ahead: list[tuple[bool, str, bool]]
) -> None:
    """What is told ahead of time is taken back before what comes next."""
    calls, results, pairs = CallRows(), ResultRows(), Pairs()
    known: list[int] = []
    for event, told in enumerate(settled):
        pairs.cut(len(calls.ids), len(results.ids))
        tell(calls, results, event, told)
        kept = len(calls.ids), len(results.ids)
        for place, early in enumerate(ahead):
            tell(calls, results, event + place + 1, early)
        answers, changed = pairs.extend(calls, results)
        assert list(answers) == pair(calls.side(), results.side())[0]
        assert known[:changed] == list(answers)[: min(changed, len(known))]
        known = list(answers)[: kept[0]]
        calls.cut(kept[0])
        results.cut(kept[1])


def test_many_calls_of_one_id_take_one_result_each() -> None:
    calls, results, pairs = CallRows(), ResultRows(), Pairs()
    for event in range(2_000):
        tell(calls, results, event, (True, "0", False))
    for event in range(2_001):
        tell(calls, results, 2_000 + event, (False, "0", False))
    answers, _ = pairs.extend(calls, results)
    assert list(answers) == [*range(1_999), 2_000]
    pairs.cut(2_000, 0)
    assert list(pairs._answers) == [NO_RESULT] * 2_000

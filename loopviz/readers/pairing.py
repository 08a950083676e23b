"""Which result answers which call.

Source: SPEC, section 1, "From events to steps", rule 3.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

NO_RESULT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The calls, or the results, of one trajectory in file order; all three have the same length."""

    ids: Sequence[str]
    """Call ids; empty where there is none."""
    tools: Sequence[str]
    """Tools as the events themselves name them; empty where they name none."""
    events: Sequence[int]
    """Positions in the list of events, ascending."""


def pair(calls: Side, results: Side) -> tuple[list[int], list[int]]:
    """Give out the results to the calls.

    Returns:
        For each call the number of its result or `NO_RESULT`, and the numbers of the results that have no call.
    """
    answers = [NO_RESULT] * len(calls.ids)
    orphans = _pair_by_id(calls, results, answers) + _pair_in_order(calls, results, answers)
    return answers, sorted(orphans)


def _pair_by_id(calls: Side, results: Side, answers: list[int]) -> list[int]:
    """Call k of an id takes its result k; the last call takes those beyond, of which the last counts."""
    bearers: dict[str, list[int]] = {}
    for call, call_id in enumerate(calls.ids):
        if call_id:
            bearers.setdefault(call_id, []).append(call)
    given: dict[str, int] = {}
    orphans = []
    for result, call_id in enumerate(results.ids):
        if not call_id:
            continue
        same = bearers.get(call_id)
        if same is None:
            orphans.append(result)
            continue
        turn = given[call_id] = given.get(call_id, -1) + 1
        answers[same[min(turn, len(same) - 1)]] = result
    return orphans


def _pair_in_order(calls: Side, results: Side, answers: list[int]) -> list[int]:
    """A result without an id answers the earliest earlier call that has none: of its tool, if it names one."""
    waiting: deque[int] = deque()
    by_tool: defaultdict[str, deque[int]] = defaultdict(deque)
    following = 0
    orphans = []
    for result, call_id in enumerate(results.ids):
        if call_id:
            continue
        while following < len(answers) and calls.events[following] < results.events[result]:
            if answers[following] == NO_RESULT:
                waiting.append(following)
                by_tool[calls.tools[following]].append(following)
            following += 1
        tool = results.tools[result]
        queue = by_tool[tool] if tool else waiting
        while queue and answers[queue[0]] != NO_RESULT:
            queue.popleft()  # Answered meanwhile, through the other queue.
        if queue:
            answers[queue.popleft()] = result
        else:
            orphans.append(result)
    return orphans

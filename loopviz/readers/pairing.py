"""Which result answers which call.

Decided:

- Results with an id come first: over the whole file they are given to the calls of that id, wherever they stand. Only
  then are those without one given out, in file order, to the calls that still wait.
- Several results of one call: the last one counts. Where several calls bear one id, the first result is the first
  call's and so on, and what is left over goes to the last call.
- A result without an id: it answers the earliest call before it that has no result yet, of its own tool where it names
  one. A call that names no tool is answered only by a result that names none.
- A result without a call: it is left out and listed among the problems of the file, never dropped in silence.

Source: SPEC, section 1, "From events to steps", rule 3.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

NO_RESULT = -1
NO_CALL = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The calls, or the results, of one trajectory in file order; all three have the same length."""

    ids: Sequence[str]
    """Call ids; empty where there is none."""
    tools: Sequence[str]
    """Tools as the events themselves name them; empty where they name none."""
    events: Sequence[int]
    """Positions in the list of events, ascending."""
    answers: Sequence[int] = ()
    """Of results: the call that each is known to answer because the file holds it there, or `NO_CALL`."""


def pair(calls: Side, results: Side) -> tuple[list[int], list[int]]:
    """Give out the results to the calls.

    Returns:
        For each call the number of its result or `NO_RESULT`, and the numbers of the results that have no call.
    """
    answers = [NO_RESULT] * len(calls.ids)
    given = bytearray(len(results.ids))
    if not {NO_CALL}.issuperset(results.answers):
        for result, call in enumerate(results.answers):
            if call != NO_CALL:
                answers[call] = result
                given[result] = True
    orphans = _pair_by_id(calls, results, given, answers)
    if not all(results.ids):
        orphans += _pair_in_order(calls, results, given, answers)
    return answers, sorted(orphans)


def _pair_by_id(calls: Side, results: Side, is_given: bytearray, answers: list[int]) -> list[int]:
    """Call k of an id takes its result k; the last call takes those beyond, of which the last counts."""
    last = dict(zip(calls.ids, range(len(calls.ids)), strict=True))
    is_plain = len(last) == len(calls.ids) and all(results.ids) and not any(is_given)
    if is_plain and all(map(last.__contains__, results.ids)):  # As in most files: every id has one call.
        for result, call_id in enumerate(results.ids):
            answers[last[call_id]] = result
        return []
    bearers = _bearers(calls.ids) if len(last) < len(calls.ids) else {}
    given: dict[str, int] = {}
    orphans = []
    for result, call_id in enumerate(results.ids):
        if not call_id or is_given[result]:
            continue
        call = last.get(call_id)
        if call is None:
            orphans.append(result)
            continue
        if call_id in bearers:
            turn = given[call_id] = given.get(call_id, -1) + 1
            call = bearers[call_id][min(turn, len(bearers[call_id]) - 1)]
        answers[call] = result
    return orphans


def _bearers(ids: Sequence[str]) -> dict[str, list[int]]:
    """The calls of each id."""
    bearers: dict[str, list[int]] = {}
    for call, call_id in enumerate(ids):
        bearers.setdefault(call_id, []).append(call)
    return bearers


def _pair_in_order(calls: Side, results: Side, is_given: bytearray, answers: list[int]) -> list[int]:
    """A result without an id answers the earliest earlier call that has none: of its tool, if it names one."""
    waiting: deque[int] = deque()
    by_tool: defaultdict[str, deque[int]] = defaultdict(deque)
    following = 0
    orphans = []
    for result, call_id in enumerate(results.ids):
        if call_id or is_given[result]:
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

"""Brute-force readings of the definitions, for tests. Slow on purpose; they share no code with the detectors.

A call is a dict: turn (a number, or None for a call that stands alone), tool, arguments and observation (any hashable
value; None is a missing one), watched.
"""

from __future__ import annotations

from typing import Any

Call = dict[str, Any]
Step = frozenset[Any] | None
"""The set of identities of a step, None for an empty one."""


def count_copies(steps: list[Step], start: int, period: int) -> int:
    """Complete copies of steps[start : start + period] that follow each other directly from `start`."""
    pattern = steps[start : start + period]
    if len(pattern) < period or None in pattern:
        return 0
    copies = 0
    while steps[start + copies * period : start + (copies + 1) * period] == pattern:
        copies += 1
    return copies


def best(steps: list[Step], bound: int) -> tuple[int, int, int]:
    """(occurrences, period, start): shortest period, then earliest start; (0, 0, -1) if there is none."""
    found = (0, 0, -1)
    for period in range(1, bound + 1):
        for start in range(len(steps)):
            copies = count_copies(steps, start, period)
            if copies > found[0]:
                found = (copies, period, start)
    return found


def first_failing(steps: list[Step], bound: int, limit: int) -> int | None:
    for i in range(len(steps)):
        if best(steps[: i + 1], bound)[0] > limit:
            return i
    return None


def cycles(steps: list[Step], bound: int) -> set[tuple[int, int, int, int, str]]:
    """(start, stop, period, occurrences, ended_by) of every maximal span with a primitive period and two copies."""
    n = len(steps)

    def has_period(start: int, stop: int, period: int) -> bool:
        return None not in steps[start:stop] and all(steps[i] == steps[i + period] for i in range(start, stop - period))

    found = set()
    for period in range(1, bound + 1):
        for start in range(n):
            for stop in range(start + 2 * period, n + 1):
                if not has_period(start, stop, period):
                    continue
                if any(has_period(start, stop, shorter) for shorter in range(1, period)):
                    continue
                if start > 0 and has_period(start - 1, stop, period):
                    continue
                if stop < n and has_period(start, stop + 1, period):
                    continue
                ending = "end" if stop == n else "empty" if steps[stop] is None else "different"
                found.add((start, stop, period, (stop - start) // period, ending))
    return found


def steps_of(calls: list[Call], match: str, bound: int, *, counting_empty: bool = False) -> list[Step]:
    """Steps in the order of their first watched call."""
    groups: dict[Any, list[Call]] = {}
    for number, call in enumerate(calls):
        if call["watched"]:
            key = ("turn", call["turn"]) if call["turn"] is not None else ("alone", number)
            groups.setdefault(key, []).append(call)
    return [_identity(group, match, bound, counting_empty) for group in groups.values()]


def _identity(group: list[Call], match: str, bound: int, counting_empty: bool) -> Step:
    if match == "name":
        return frozenset(call["tool"] for call in group)
    if match == "name-args":
        return frozenset((call["tool"], call["arguments"]) for call in group)
    if counting_empty:
        return frozenset(
            (call["tool"], "nothing", call["arguments"])
            if call["observation"] is None
            else (call["tool"], "something", call["observation"])
            for call in group
        )
    some_empty = any(call["observation"] is None for call in group)
    if some_empty and bound > 1:
        return None
    full = frozenset((call["tool"], call["observation"]) for call in group if call["observation"] is not None)
    return full or None

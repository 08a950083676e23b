"""A made-up agent at work: calls as a coding agent makes them, in any number, the same in every run of the benchmark.

Nine calls in a hundred repeat an earlier one: a file read again, a command run again and again, two or three calls in
turn. All others have arguments of their own, and one tool sends a fresh `request_id` each time, which only *looks* new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

REPEATED = 0.09
"""Share of calls whose tool and arguments were there before."""
REQUEST_ID = "request_id"
"""An argument that is new in every call and means nothing."""

_AREAS = ("bills", "mail", "shop", "stock", "tax", "users", "web")
_FAULTS = ("AssertionError: assert {n} == {m}", "KeyError: 'total'", "TypeError: unsupported operand", "TimeoutError")
_PERIODS = (1, 1, 1, 2, 3)
_MORE_COPIES = 40
_REMEMBERED = 200


@dataclass(frozen=True, slots=True)
class Action:
    """One call and what came back."""

    tool: str
    arguments: dict[str, Any]
    result: str
    success: bool = True


def actions(n_calls: int, random: Random) -> Iterator[Action]:
    """Make calls.

    Args:
        n_calls: How many.
        random: Where chance comes from; seeded by the caller.
    """
    recent: deque[Action] = deque(maxlen=_REMEMBERED)
    repeated = made = 0
    loop = _plan_loop(random)
    while made < n_calls:
        again = loop.repeats
        if recent and repeated + again <= REPEATED * (made + loop.n_calls):
            episode = _run_loop(loop, recent, random, made)
            repeated += again
            loop = _plan_loop(random)
        else:
            episode = [_new_action(made, random)]
        recent.extend(episode)
        yield from episode[: n_calls - made]
        made += len(episode)


@dataclass(frozen=True, slots=True)
class _Loop:
    """New calls that come several times, or, with a period of 0, one earlier call that comes once more."""

    period: int
    copies: int

    @property
    def n_calls(self) -> int:
        return self.period * self.copies or 1

    @property
    def repeats(self) -> int:
        return self.n_calls - self.period


def _plan_loop(random: Random) -> _Loop:
    if random.random() < 0.4:
        return _Loop(0, 1)
    return _Loop(random.choice(_PERIODS), 2 + min(int(random.expovariate(0.25)), _MORE_COPIES))


def _run_loop(loop: _Loop, recent: Sequence[Action], random: Random, number: int) -> list[Action]:
    if not loop.period:
        return [random.choice(recent)]
    return [_new_action(number + place, random) for place in range(loop.period)] * loop.copies


def _new_action(number: int, random: Random) -> Action:
    (make,) = random.choices(_MAKERS, _WEIGHTS)
    return make(number, random.choice(_AREAS), random)


def _command(number: int, area: str, random: Random) -> Action:
    result = random.choice(("", "", "ok", f"{number % 97} changed", f"{number % 613} ms"))
    return Action("bash", {"command": f"make -C {area} check-{number}"}, result)


def _read(number: int, area: str, random: Random) -> Action:
    path = f"{area}/part_{number}.py"
    if random.random() < 0.05:
        return Action("read_file", {"path": path}, f"No such file: {path}", success=False)
    return Action("read_file", {"path": path, "limit": 80}, f"total_{number} = {number % 8}")


def _edit(number: int, area: str, random: Random) -> Action:
    old, new = f"rate={number}", f"rate={number + random.randint(1, 9)}"
    return Action("edit", {"path": f"{area}/rates.py", "old": old, "new": new}, "edited")


def _search(number: int, area: str, random: Random) -> Action:
    found = "\n".join(f"src/a.py:{line}" for line in range(7, random.randint(8, 10)))
    return Action("grep", {"pattern": f"total_{number}", "path": area}, found)


def _test(number: int, area: str, random: Random) -> Action:
    arguments = {"target": f"tests/{area}/test_{number}.py"}
    if random.random() < 0.4:
        fault = random.choice(_FAULTS).format(n=number, m=number % 7)
        return Action("run_tests", arguments, f"test_{area}: {fault}", success=False)
    return Action("run_tests", arguments, f"{number % 40 + 1} passed")


def _fetch(number: int, area: str, random: Random) -> Action:
    arguments = {"path": f"/v1/{area}/{number // 50}", REQUEST_ID: f"{random.getrandbits(64):016x}"}
    return Action("fetch", arguments, random.choice(("{}", '{"state":"pending"}', f'{{"count":{number % 11}}}')))


_MAKERS: tuple[Callable[[int, str, Random], Action], ...] = (_command, _read, _edit, _search, _test, _fetch)
_WEIGHTS = (28, 24, 16, 12, 10, 10)

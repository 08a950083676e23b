"""What stands before a step and after it, and why that is not the same: the ends of cycles, and calls in none.

A cycle ends where a step differs from the one a period earlier. This names the two, and the one thing in which they
differ under the way of "same" in force.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import chain, product

import numpy as np

from loopviz.analysis.difference import Difference, compare_values
from loopviz.analysis.near_repeats import value_of
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.core.steps import EMPTY, Match
from loopviz.detectors.max_repeat import MaxRepeat


class Apart(Enum):
    """Why a step is not the same as another."""

    EDGE = "edge"
    """The run begins or ends there."""
    EMPTY = "empty"
    TOOLS = "tools"
    ARGUMENTS = "arguments"
    OUTPUT = "output"
    UNKNOWN = "unknown"
    """Nobody recorded what they would be compared by, and it is taken as different."""
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Boundary:
    """A step and what keeps it from being the same as another; calls count from 0 within the run."""

    apart: Apart
    step: int | None = None
    call: int | None = None
    """Of the step, the call that differs, or is empty; else its first."""
    other: int | None = None
    """The call that it was compared with."""
    difference: Difference | None = None
    """Of their arguments or outputs."""
    n_calls: int = 1
    """Watched calls of the step: more than one where a turn holds several."""


EDGE = Boundary(Apart.EDGE)


def after(grader: MaxRepeat, run: int, cycle: Cycle, match: Match, bound: int) -> Boundary:
    """What ended a cycle: the next step, against the one that would have gone on with the pattern."""
    return contrast_steps(grader, run, cycle.stop, cycle.stop - cycle.period, match, bound)


def before(grader: MaxRepeat, run: int, cycle: Cycle, match: Match, bound: int) -> Boundary:
    """What stood before a cycle: the step before, against the one at its place in the pattern."""
    return contrast_steps(grader, run, cycle.start - 1, cycle.start - 1 + cycle.period, match, bound)


def contrast_steps(grader: MaxRepeat, run: int, step: int, like: int, match: Match, bound: int) -> Boundary:
    """Hold a step against another one of the run; a step beyond its ends is an edge."""
    codes = grader.run_codes(run, match, bound)
    if not 0 <= step < len(codes):
        return EDGE
    mine, others = calls_of(grader, run, step), calls_of(grader, run, like)
    size = len(mine)
    if codes[step] == EMPTY:
        empty = next(call for call in mine if grader.columns.empty[grader.columns.starts[run] + call])
        return Boundary(Apart.EMPTY, step, empty, n_calls=size)
    if codes[step] == codes[like]:
        return Boundary(Apart.SAME, step, mine[0], others[0], n_calls=size)
    if grader.step_tools(run, step) != grader.step_tools(run, like):
        return Boundary(Apart.TOOLS, step, mine[0], others[0], n_calls=size)
    return _by_value(grader, run, step, mine, others, match)


def _by_value(grader: MaxRepeat, run: int, step: int, mine: list[int], others: list[int], match: Match) -> Boundary:
    """The first call whose arguments or output none of the other step's calls of that tool has."""
    columns, begin = grader.columns, int(grader.columns.starts[run])
    pair = differing_calls(grader, run, mine, others, match)
    column = columns.arguments if match == "name-args" else columns.observation
    unrecorded = columns.unknown_arguments if match == "name-args" else columns.unknown_observation
    places = [begin + call for call in pair or ()]
    if pair is None or (grader.unknown == "distinct" and unrecorded[places].any()):
        call, other = pair or (mine[0], others[0])
        return Boundary(Apart.UNKNOWN, step, call, other, n_calls=len(mine))
    difference = compare_values(*(value_of(columns, int(column[place])) for place in reversed(places)))
    apart = Apart.ARGUMENTS if match == "name-args" else Apart.OUTPUT
    return Boundary(apart, step, *pair, difference, len(mine))


def differing_calls(
    grader: MaxRepeat, run: int, mine: list[int], others: list[int], match: Match
) -> tuple[int, int] | None:
    """A call of each of two steps that are not the same call in a way of "same", of one tool if there are such.

    One of the two has no counterpart in the other step. None where every call has one, as far as is recorded. Under
    *same output* empty ones are passed over: they are compared with nothing.
    """
    columns, begin = grader.columns, int(grader.columns.starts[run])
    values = {"observation": columns.observation, "name-args": columns.arguments, "name": columns.tool}[match]

    def keys(some: list[int]) -> dict[int, tuple[int, int]]:
        here = [call for call in some if match != "observation" or not columns.empty[begin + call]] or some
        return {call: (int(columns.tool[begin + call]), int(values[begin + call])) for call in here}

    my_keys, other_keys = keys(mine), keys(others)
    have, other_have = {*my_keys.values()}, {*other_keys.values()}
    new = [call for call, key in my_keys.items() if key not in other_have]
    gone = [call for call, key in other_keys.items() if key not in have]
    if not new and not gone:
        return None
    pairs = chain(product(new, gone), product(new, other_keys), product(my_keys, gone))
    alike = (pair for pair in pairs if my_keys[pair[0]][0] == other_keys[pair[1]][0])
    return next(alike, ((new or mine)[0], (gone or others)[0]))


def calls_of(grader: MaxRepeat, run: int, step: int) -> list[int]:
    """The watched calls of a step."""
    number, begin = int(grader.steps.starts[run]) + step, int(grader.columns.starts[run])
    first, last = int(grader.steps.first_call[number]), int(grader.steps.last_call[number])
    inside = first + np.flatnonzero(grader.steps.of_call[first : last + 1] == number)
    calls: list[int] = (inside - begin).tolist()
    return calls


@dataclass(frozen=True, slots=True)
class Gap:
    """Calls that are not watched and lie between two steps of a cycle, which therefore are neighbours."""

    step: int
    """The step before them."""
    calls: tuple[int, ...]


def gaps(grader: MaxRepeat, run: int, cycle: Cycle) -> list[Gap]:
    """The unwatched calls inside a cycle's complete copies, by the steps that they lie between."""
    begin = int(grader.columns.starts[run])
    first, last = grader.first_call(run, cycle.start), grader.last_call_of_steps(run, cycle.start, cycle.complete)
    hidden = first + np.flatnonzero(~grader.watched[begin + first : begin + last + 1])
    steps = slice(grader.steps.starts[run], grader.steps.starts[run + 1])
    step = np.searchsorted(grader.steps.first_call[steps] - begin, hidden, side="right") - 1
    between = hidden > grader.steps.last_call[steps][step] - begin
    turn = grader.columns.turn
    between &= ~np.isin(turn[begin + hidden], turn[grader.steps.first_call[steps]])  # part of the turn of a step
    return [Gap(int(at), tuple(hidden[between & (step == at)].tolist())) for at in np.unique(step[between])]

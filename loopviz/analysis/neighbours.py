"""How the counted steps of a stretch differ, each from the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from loopviz.analysis.boundaries import calls_of, differing_calls
from loopviz.detectors.core.steps import EMPTY, Match
from loopviz.detectors.max_repeat import MaxRepeat
from loopviz.model import IntArray
from loopviz.settings import MaxRepeatSettings


class Apart(Enum):
    """In what two steps differ; the first that holds."""

    EMPTY = "one of them is empty"
    TOOL = "the tool"
    BOTH = "arguments and output"
    ARGUMENTS = "arguments only"
    OUTPUT = "output only"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Pairs:
    """Some pairs of neighbours that differ in the same way."""

    apart: Apart
    count: int
    calls: tuple[int, int]
    """Two calls of the first such pair that differ in this way, from 0."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """All pairs of counted steps of a stretch that follow each other directly, the most frequent difference first."""

    total: int
    pairs: tuple[Pairs, ...]


def compare_neighbours(grader: MaxRepeat, settings: MaxRepeatSettings, steps: IntArray) -> Neighbours:
    """Tell in what the steps of a run, alone in its set, differ from the next.

    Args:
        grader: The run under a tool filter.
        settings: What is in force; a step is empty only in its match mode.
        steps: Counted steps, ascending; the steps between two of them that are none of these are passed over.
    """
    bound = settings.max_cycle_period
    # Where an empty output decides nothing, a turn with some of them is told apart by the others.
    outputs = grader.run_codes(0, "observation", bound if settings.match == "observation" else 1)[steps]
    tools, arguments = grader.run_codes(0, "name", bound)[steps], grader.run_codes(0, "name-args", bound)[steps]
    same_tool, same_arguments, same_output = (codes[1:] == codes[:-1] for codes in (tools, arguments, outputs))
    empty = ((outputs[1:] == EMPTY) | (outputs[:-1] == EMPTY)) & (settings.match == "observation")
    kinds = (
        (Apart.EMPTY, empty),
        (Apart.TOOL, ~same_tool),
        (Apart.BOTH, ~same_arguments & ~same_output),
        (Apart.ARGUMENTS, ~same_arguments),
        (Apart.OUTPUT, ~same_output),
        (Apart.NOTHING, np.ones_like(empty)),
    )
    left = np.ones_like(empty)
    pairs = []
    for apart, holds in kinds:
        places = np.flatnonzero(holds & left)
        left &= ~holds
        if len(places):
            pair = int(steps[places[0]]), int(steps[places[0] + 1])
            pairs.append(Pairs(apart, len(places), _calls(grader, *pair, apart)))
    return Neighbours(len(empty), tuple(sorted(pairs, key=lambda one: -one.count)))


_COMPARED: Mapping[Apart, tuple[Match, ...]] = {
    Apart.TOOL: ("name",),
    Apart.ARGUMENTS: ("name-args",),
    Apart.OUTPUT: ("observation",),
    Apart.BOTH: ("name-args", "observation"),
}


def _calls(grader: MaxRepeat, step: int, then: int, apart: Apart) -> tuple[int, int]:
    """The two calls in which a step and the one after it show their difference."""
    before, after = calls_of(grader, 0, step), calls_of(grader, 0, then)
    if apart is Apart.EMPTY:
        empty = grader.columns.empty
        return tuple(next((call for call in calls if empty[call]), calls[0]) for calls in (before, after))  # type: ignore[return-value]
    found = [differing_calls(grader, 0, before, after, match) for match in _COMPARED.get(apart, ())]
    return next((pair for pair in found if pair), (before[0], after[0]))

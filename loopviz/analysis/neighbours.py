"""How the counted steps of a stretch differ, each from the next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from loopviz.detectors.core.steps import EMPTY
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
    """First watched calls of the first such pair, from 0."""


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
    outputs = grader.run_codes(0, "observation", bound)[steps]
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
            calls = (grader.first_call(0, int(steps[places[0]])), grader.first_call(0, int(steps[places[0] + 1])))
            pairs.append(Pairs(apart, len(places), calls))
    return Neighbours(len(empty), tuple(sorted(pairs, key=lambda one: -one.count)))

"""What the copies of a pattern have in common: their requests, their results, and whether that is known.

The way of "same" in force says how copies were counted. What else is alike among them is looked up here, so that no
sentence claims it unseen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.columns import Columns
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.core.sets import number_sets
from loopviz.detectors.core.steps import EMPTY, UNWATCHED, Steps
from loopviz.model import BoolArray, IntArray
from loopviz.timeline.contract import CycleState

Alike = Literal["same", "new", "mixed", "empty", "unknown"]
"""Of the copies of a pattern: all the same, no two the same, some the same, nothing there, or not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Copies:
    """The complete copies of a pattern."""

    state: CycleState
    times: int
    period: int
    pattern: tuple[str, ...]
    """For each step the names of its tools, joined by ` + `."""
    copy_of_call: IntArray
    """Number of the copy that each call of the run belongs to, from 0; -1 for one in none: shape (n_calls,)."""
    started: BoolArray
    """Calls of a started copy after the last complete one, which does not count; shape (n_calls,)."""
    alone: bool
    """Each step holds one call; else some calls were made at once, in one turn."""
    at_once: bool
    """Each step holds several calls."""
    interrupted: bool
    """Between the copies, or in them, there are calls that are not watched."""
    requests: Alike
    results: Alike

    @property
    def tool(self) -> str | None:
        """The one tool of a pattern of one call; None of any other."""
        return self.pattern[0] if self.period == 1 and self.alone else None

    def first_call(self) -> int:
        """The first call of the first copy, from 0."""
        return int(np.argmax(self.copy_of_call >= 0))

    def last_call(self) -> int:
        """The last call of the last copy, from 0."""
        return len(self.copy_of_call) - 1 - int(np.argmax(self.copy_of_call[::-1] >= 0))


def copies_of(inspection: Inspection) -> Copies | None:
    """The copies of the deciding pattern; None where nothing came twice in a row."""
    finding = inspection.finding
    if finding.occurrences < 2:
        return None
    deciding = (finding.start, finding.period)
    cycle = next(each for each in finding.cycles if (each.start, each.period) == deciding)
    state = CycleState.COUNTED if finding.passed else CycleState.OVER
    return _copies(inspection, cycle, state)


def shown_copies(inspection: Inspection) -> Copies | None:
    """The copies that a picture shows: where no pattern is over the limit, those of one that other settings count.

    What only has its tools in common is left out of that: who uses one tool eleven times need not repeat anything.
    """
    hollow = [found for found in inspection.hollow if found.match != "name"]
    if inspection.finding.passed and hollow:
        most = max(hollow, key=lambda found: found.cycle.occurrences)
        return _copies(inspection, most.cycle, CycleState.NOT_COUNTED)
    return copies_of(inspection)


def _copies(inspection: Inspection, cycle: Cycle, state: CycleState) -> Copies:
    grader = inspection.grader
    begin = int(grader.steps.starts[0])
    step = grader.steps.of_call - begin  # of a run that is alone, so that begin is 0 and UNWATCHED stays
    inside = (step >= cycle.start) & (step < cycle.complete)
    first, last = np.flatnonzero(inside)[[0, -1]].tolist()
    n_calls = grader.steps.n_calls[begin + cycle.start : begin + cycle.complete]
    return Copies(
        state=state,
        times=cycle.occurrences,
        period=cycle.period,
        pattern=grader.pattern(0, cycle.start, cycle.period),
        copy_of_call=np.where(inside, (step - cycle.start) // cycle.period, -1),
        started=(step >= cycle.complete) & (step < cycle.stop),
        alone=bool((n_calls == 1).all()),
        at_once=bool((n_calls > 1).all()),
        interrupted=bool((step[first : last + 1] == UNWATCHED).any()),
        requests=_requests(inspection, cycle, inside),
        results=_results(inspection, cycle, inside),
    )


def _requests(inspection: Inspection, cycle: Cycle, inside: BoolArray) -> Alike:
    if inspection.grader.columns.unknown_arguments[inside].any():
        return "unknown"
    return _compare(cycle, inspection.grader.run_codes(0, "name-args", 1))


def _results(inspection: Inspection, cycle: Cycle, inside: BoolArray) -> Alike:
    columns = inspection.grader.columns
    if columns.unknown_observation[inside].any():
        return "unknown"
    if columns.empty[inside].all():
        return "empty"
    return _compare(cycle, _result_codes(columns, inspection.grader.steps))


def _result_codes(columns: Columns, steps: Steps) -> IntArray:
    """What came back in each step, nothing being a result like any other: shape (n_steps,).

    Counting takes an empty result for no value; whether results were the same, is another question.
    """
    n_keys = len(columns.keys)
    nothing = len(columns.tools) * n_keys + columns.tool
    codes = np.where(columns.empty, nothing, columns.tool * n_keys + columns.observation)
    calls = np.flatnonzero(steps.of_call >= 0)
    return number_sets(codes[calls], steps.of_call[calls], len(steps), none=EMPTY)


def _compare(cycle: Cycle, codes: IntArray) -> Alike:
    """How the copies compare, step by step, under some way of "same"."""
    table = codes[cycle.start : cycle.complete].reshape(-1, cycle.period)
    if (table == table[0]).all():
        return "same"
    new = all(len(np.unique(column)) == len(column) for column in table.T)
    return "new" if new else "mixed"


def among_watched(inspection: Inspection) -> str:
    """What `in a row` needs where calls that are not watched lie between the copies of the deciding pattern."""
    copies = copies_of(inspection)
    return " among the watched calls" if copies is not None and copies.interrupted else ""

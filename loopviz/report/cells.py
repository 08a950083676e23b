"""The counted steps as a row of letters: what the timeline shows first, for where no script runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.steps import EMPTY
from loopviz.timeline.contract import CycleState, Payload, decode

MOST_CELLS = 400
"""Steps shown; of a longer run those around the deciding pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One counted step."""

    call: int
    """Its first call, from 0."""
    letter: str = ""
    period: int = 0
    """Length of the pattern it lies in, 0 outside every cycle."""
    state: CycleState | None = None
    started: bool = False
    """It belongs to a started copy, which does not count."""
    empty: bool = False
    fails: bool = False
    """The first failing step."""


def step_cells(found: Inspection, picture: Payload) -> tuple[list[Cell], str]:
    """(cells, what is left out): every step, or those around the deciding pattern."""
    n_steps = found.finding.steps
    start, stop, period, copies, state = (
        decode(picture["cycles"][name]).tolist() for name in ("start", "stop", "period", "occurrences", "state")
    )
    owner = np.full(n_steps, -1)
    for cycle, (begin, end) in enumerate(zip(start, stop, strict=True)):
        owner[begin:end] = cycle
    settings = found.finding.settings
    codes = found.grader.run_codes(0, settings.match, settings.max_cycle_period)
    first = max(0, min((found.finding.start or 0) - MOST_CELLS // 4, n_steps - MOST_CELLS))
    last = min(first + MOST_CELLS, n_steps)
    cells = []
    for step in range(first, last):
        cycle = int(owner[step])
        look = {}
        if cycle >= 0:
            copy, place = divmod(step - start[cycle], period[cycle])
            look = {
                "letter": chr(ord("a") + place),
                "period": period[cycle],
                "state": CycleState(state[cycle]),
                "started": copy >= copies[cycle],
            }
        cells.append(
            Cell(
                call=found.grader.first_call(0, step),
                empty=bool(codes[step] == EMPTY),
                fails=step == found.finding.first_failing_step,
                **look,
            )
        )
    if last - first == n_steps:
        return cells, ""
    return cells, f"Counted steps {first + 1:,} to {last:,} of {n_steps:,}."

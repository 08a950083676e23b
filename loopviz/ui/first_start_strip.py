"""The few steps of a run that tell its story, as cells of a strip for its card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.core.steps import EMPTY
from loopviz.timeline.contract import CycleState
from loopviz.timeline.guards import level_of_call
from loopviz.timeline.strip import Cell

MOST_CELLS = 13
LEAD = 2
"""Steps shown before the cycle, where there is room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The cells in sight, and at which sides the run goes on."""

    cells: tuple[Cell, ...] = ()
    cut_left: bool = False
    cut_right: bool = False


def strip_of(found: Inspection) -> Window:
    """The stretch of a run that its card shows: the deciding cycle with its neighbours, else where the run begins."""
    cells = _cells(found)
    start = _first(found, cells)
    stop = min(len(cells), start + MOST_CELLS)
    start = max(0, stop - MOST_CELLS)
    return Window(cells=tuple(cells[start:stop]), cut_left=start > 0, cut_right=stop < len(cells))


def _cells(found: Inspection) -> list[Cell]:
    """Every counted step as a cell; where nothing repeats directly, what a guard did or what was seen before."""
    finding, settings = found.finding, found.finding.settings
    codes = found.grader.run_codes(0, settings.match, settings.max_cycle_period)
    cells = [Cell(empty=code == EMPTY) for code in codes.tolist()]
    if all(cycle.occurrences < 2 for cycle in finding.cycles):
        for hollow in found.hollow:
            _paint(cells, hollow.cycle, CycleState.NOT_COUNTED)
    for cycle in sorted(finding.cycles, key=lambda cycle: (cycle.occurrences, -cycle.period, -cycle.start)):
        _paint(cells, cycle, CycleState.OVER if cycle.occurrences > settings.max else CycleState.COUNTED)
    if finding.first_failing_step is not None:
        at = finding.first_failing_step
        cells[at] = replace(cells[at], fails=True)
    if not any(cell.state is not None for cell in cells):
        _mark_below(cells, found)
    return cells


def _paint(cells: list[Cell], cycle: Cycle, state: CycleState) -> None:
    for step in range(cycle.start, cycle.stop):
        place = (step - cycle.start) % cycle.period
        cells[step] = replace(
            cells[step],
            letter=chr(ord("a") + place),
            period=cycle.period,
            state=state,
            started=step >= cycle.start + cycle.period * cycle.occurrences,
        )


def _mark_below(cells: list[Cell], found: Inspection) -> None:
    """A dash below each step: the ladder's level, else that its call was seen before."""
    levels = level_of_call(found)
    for step, cell in enumerate(cells):
        call = found.grader.first_call(0, step)
        cells[step] = replace(cell, level=int(levels[call]), seen=bool(found.seen.same_arguments[call] >= 0))


def _first(found: Inspection, cells: list[Cell]) -> int:
    """First cell in sight."""
    finding = found.finding
    if finding.start is not None and finding.period is not None and finding.occurrences > 1:
        last = finding.start if finding.first_failing_step is None else finding.first_failing_step
        room = min(LEAD, MOST_CELLS - 2 - (last - finding.start))  # the failing step is always in sight
        return max(0, finding.start - room)
    marked = _where(cell.state is not None for cell in cells)
    if marked is None:
        marked = _where(bool(cell.seen or cell.level) for cell in cells)
    return 0 if marked is None else max(0, marked - LEAD)


def _where(flags: Iterable[bool]) -> int | None:
    return next((place for place, flag in enumerate(flags) if flag), None)

"""What stands below the timeline, as plain data: how the figure came about, the grid, the chosen call, the cycles."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.analysis.around import Around
from loopviz.analysis.boundaries import calls_of
from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.repeats import MAX_PERIOD, Cycle
from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.timeline.answering import show_answers
from loopviz.timeline.beginning import show_before
from loopviz.timeline.contract import CycleState
from loopviz.timeline.empties import copies_without_empty, what_ifs
from loopviz.timeline.nearing import show_near
from loopviz.timeline.seeing import show_seen
from loopviz.timeline.telling import tell_call, tell_run
from loopviz.timeline.why import at_the_end, ended_by, needed, state_of
from loopviz.timeline.words import SAME_WHEN, number, span

FIRST_CYCLES = 12
"""Rows of the cycles table at first; the strongest come first."""
MOST_CYCLES = 200
"""Rows when more are asked for."""

Data = dict[str, Any]


def show_evidence(
    inspection: Inspection,
    call: int | None,
    *,
    raw: str | None,
    raw_result: str | None = None,
    whole: frozenset[str],
    all_cycles: bool = False,
    compare: int | None = None,
    near: str | None = None,
) -> Data:
    """Everything below the timeline.

    Args:
        inspection: The run and what was found in it.
        call: The chosen call, from 0.
        raw: The chosen call's record as the file spells it, if it could be read.
        raw_result: That of its result, in the same way.
        whole: Names of the texts to give in full length: `arguments`, `output`, `raw`, `raw_result`.
        all_cycles: Give more than the strongest few cycles.
        compare: The call to set against the chosen one, from 0; None for the near-repeat before it.
        near: Which near-repeats are asked for: `all`, `look` in a run of very many calls; None at first.
    """
    return {
        "figures": {
            "funnel": _funnel(inspection),
            "foot": what_ifs(inspection.grader, inspection.finding),
            "grid": _grid(inspection),
        },
        "call": None
        if call is None
        else tell_call(inspection, call, raw, whole, raw_result=raw_result, compare=compare),
        "cycles": show_cycles(inspection, all_cycles=all_cycles),
        "near": show_near(inspection, near),
        "answers": show_answers(inspection) | {"before": show_before(inspection, None) if call is None else []},
        "seen": show_seen(inspection),
        "run": tell_run(inspection.trajectory, with_texts=call is None),
    }


def _funnel(inspection: Inspection) -> list[Data]:
    finding, n_calls = inspection.finding, len(inspection.trajectory.calls)
    n_full = finding.steps - finding.empty_steps
    longest = finding.occurrences * (finding.period or 0)
    stages = [
        (n_calls, "calls", ""),
        (finding.watched_calls, "watched", _left_out(inspection)),
        (finding.steps, "counted steps", _parallel(inspection)),
        (n_full, "non-empty", _empties(inspection)),
        (longest, "longest pattern", _longest(inspection)),
    ]
    rows: list[Data] = [
        {"n": number(n), "label": label, "note": note, "share": n / n_calls if n_calls else 0}
        for n, label, note in stages
    ]
    if finding.period and not finding.passed:
        rows[-1]["period"] = finding.period
    return rows


def _left_out(inspection: Inspection) -> str:
    columns, watched = inspection.grader.columns, inspection.grader.watched
    counts = np.bincount(columns.tool[~watched], minlength=len(columns.tools))
    tools = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist()
    names = [f"{number(int(counts[tool]))} {columns.tools[tool]}" for tool in tools[:2]]
    if not names:
        return ""
    more = len(tools) - len(names)
    return ", ".join(names) + (f" and {more} more tool{'s' if more > 1 else ''}" if more else "") + " left out"


def _parallel(inspection: Inspection) -> str:
    steps = inspection.grader.steps
    sizes = steps.n_calls
    several = int((sizes > 1).sum())
    if not len(steps):
        return ""
    if not several:
        alone = int((inspection.trajectory.calls.turn[steps.first_call] < 0).sum())
        if not alone:
            return "one call in each turn"
        if alone == len(steps):
            return "calls that stand alone, in no turn"
        return f"one call in each turn; {number(alone)} stand{'s' if alone == 1 else ''} alone, in no turn"
    if several == 1:
        return f"one turn held {number(int(sizes.max()))} calls"
    return f"{number(several)} turns held several calls"


def _empties(inspection: Inspection) -> str:
    n_empty = inspection.finding.empty_steps
    if not n_empty:
        return ""
    if n_empty > 1:
        return f"{number(n_empty)} steps gave an empty output"
    codes = _codes(inspection, inspection.finding.settings.match)
    step = int(np.flatnonzero(codes < 0)[0])
    call = next(call for call in calls_of(inspection.grader, 0, step) if inspection.grader.columns.empty[call])
    return f"call {number(call + 1)} gave an empty output"


def _codes(inspection: Inspection, match: Match) -> Any:
    return inspection.grader.run_codes(0, match, inspection.finding.settings.max_cycle_period)


def _longest(inspection: Inspection) -> str:
    finding = inspection.finding
    if not finding.period:
        return "nothing to compare"
    steps = "1 step" if finding.period == 1 else f"{finding.period} steps"
    return f"{steps} × {number(finding.occurrences)} in a row"


def _grid(inspection: Inspection) -> Data:
    settings, grader = inspection.finding.settings, inspection.grader
    rows = []
    for match in MATCHES:
        cells = []
        for bound in range(1, MAX_PERIOD + 1):
            best = grader.best(match, bound)
            figure = int(best.occurrences[0])
            cells.append(
                {
                    "n": number(figure),
                    "period": int(best.period[0]) or 1,
                    "over": figure > settings.max,
                    "now": (match, bound) == (settings.match, settings.max_cycle_period),
                }
            )
        rows.append({"match": match, "label": SAME_WHEN[match], "cells": cells})
    caption = f"times in a row · tinted: over the limit of {number(settings.max)} · framed: now · a click sets both"
    return {"rows": rows, "caption": caption}


def show_cycles(inspection: Inspection, *, all_cycles: bool = False, quoting: bool = True) -> Data:
    """The table of cycles: those over the limit first, then those counted, then those found and not counted.

    `quoting` allows it to name the fields of arguments and outputs in which a pattern and what ended it differ.
    """
    counted = inspection.finding.cycles
    strongest = counted.where(np.lexsort((counted.start, -counted.occurrences))[:MOST_CYCLES])
    settings = inspection.finding.settings
    drawn = [Around(cycle, settings.match, settings.max_cycle_period, counted=True) for cycle in strongest]
    drawn += [Around(hollow.cycle, hollow.match, hollow.bound, counted=False) for hollow in inspection.hollow]
    drawn.sort(key=lambda row: (-state_of(inspection, row), -row.cycle.occurrences, row.cycle.start))
    n_cycles, most = len(counted) + len(inspection.hollow), MOST_CYCLES if all_cycles else FIRST_CYCLES
    return {
        "rows": [_cycle_row(inspection, row, quoting=quoting) for row in drawn[:most]],
        "caption": f"the strongest {min(most, n_cycles)} of {number(n_cycles)}" if n_cycles > most else "",
        "more": _more_cycles(n_cycles, all_cycles),
    }


def _more_cycles(n_cycles: int, all_cycles: bool) -> Data | None:
    if n_cycles <= FIRST_CYCLES:
        return None
    if all_cycles:
        return {"label": "Show fewer", "action": "cycles=few"}
    which = f"all {n_cycles}" if n_cycles <= MOST_CYCLES else f"the strongest {MOST_CYCLES}"
    return {"label": f"Show {which}", "action": "cycles=all"}


def _cycle_row(inspection: Inspection, row: Around, *, quoting: bool) -> Data:
    cycle, state = row.cycle, state_of(inspection, row)
    grader, turns = inspection.grader, inspection.trajectory.calls.turn
    first, last = grader.first_call(0, cycle.start), grader.last_call_of_steps(0, cycle.start, cycle.stop)
    turn = turns[grader.steps.first_call[cycle.start : cycle.stop]]
    ended, sentence = ended_by(inspection, cycle, row.match, row.bound) if quoting else (_ending(inspection, cycle), "")
    return {
        "period": cycle.period,
        "state": int(state),
        "call": first,
        "cells": [
            number(cycle.occurrences),
            " → ".join(grader.pattern(0, cycle.start, cycle.period)),
            str(cycle.period),
            span(first, last),
            span(int(turn.min()), int(turn.max())) if turn.min() >= 0 else "–",
            span(cycle.start, cycle.stop - 1),
            ended,
            _standing(inspection, state, row),
        ],
        "tip": sentence,
    }


def _ending(inspection: Inspection, cycle: Cycle) -> str:
    return at_the_end(inspection) if cycle.ended_by == "end" else f"{cycle.ended_by} step"


def _standing(inspection: Inspection, state: CycleState, row: Around) -> str:
    settings, cycle = inspection.finding.settings, row.cycle
    if state == CycleState.OVER:
        step = cycle.start + (settings.max + 1) * cycle.period - 1
        return f"over the limit at call {number(inspection.grader.first_call(0, step) + 1)}"
    if state == CycleState.COUNTED:
        without = copies_without_empty(_codes(inspection, row.match), cycle) if cycle.ended_by == "empty" else 0
        return f"counted; {number(without)} without empty steps" if without > cycle.occurrences else "counted"
    return f"not counted; it would be with {needed(inspection, cycle, row.match, row.bound)}"

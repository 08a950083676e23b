"""From findings to the picture: fills the payload that the canvas script draws.

Only the order of things is decided here: which tool row comes first, which mark is drawn over which, what is noted
beside it. What repeats, and how often, comes from the detectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loopviz import model
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.seen import NEVER
from loopviz.detectors.core.repeats import ENDINGS, Cycle
from loopviz.detectors.core.steps import EMPTY
from loopviz.model import BoolArray, IntArray, Trajectory
from loopviz.timeline.contract import (
    VERSION,
    BreakNote,
    CallFlag,
    CycleColumns,
    CycleState,
    Event,
    Figures,
    Flag,
    Part,
    Payload,
    Selected,
    Times,
    ToolRow,
    Verdict,
    WouldBe,
    encode,
)
from loopviz.timeline.guards import (
    count_of_call,
    draw_ladder,
    draw_thrash,
    ladder_figure,
    level_of_call,
    score_of_call,
    thrash_figure,
)
from loopviz.timeline.words import number, text

MOST_EVENTS = 2_000
"""Events drawn at most; what is beyond is counted in the lane's figure."""
MOST_NOTES = 200
"""Notes on breaks at most: more would never find room."""


def run_drawn(trajectory: Trajectory) -> str:
    """What the picture of a run names it."""
    return f"{trajectory.run}/{trajectory.digest}"


def draw(inspection: Inspection, verdict: Verdict | None, selected: Selected) -> Payload:
    """The picture of one run."""
    calls = inspection.trajectory.calls
    tools, row = _tool_rows(inspection)
    cut_off = _cut_off(inspection)
    return {
        "version": VERSION,
        "run": run_drawn(inspection.trajectory),
        "n_calls": len(calls),
        "n_steps": inspection.finding.steps,
        "limit": inspection.finding.settings.max,
        "verdict": verdict,
        "idle": _idle(inspection),
        "figures": _figures(inspection),
        "tools": tools,
        "calls": {
            "step": encode(inspection.grader.steps.of_call),
            "row": encode(row),
            "turn": encode(calls.turn),
            "flags": encode(_flags(inspection)),
            "level": encode(level_of_call(inspection)),
            "identical": encode(count_of_call(inspection)),
            "score": encode(score_of_call(inspection)),
            "same_arguments": encode(_known(inspection.seen.same_arguments)),
            "same_output": encode(_known(inspection.seen.same_output)),
        },
        "empty_steps": encode(np.flatnonzero(_codes(inspection) == EMPTY)),
        "cycles": _cycles(inspection),
        "would_be": _would_be(inspection, cut_off),
        "flag": _flag(inspection),
        "break_notes": _break_notes(inspection, cut_off),
        "ladder": draw_ladder(inspection.ladder, len(calls)),
        "thrash": draw_thrash(inspection.thrash, len(calls)),
        "events": _events(inspection.trajectory),
        "times": _times(inspection.trajectory),
        "selected": selected,
        "stretch": None,
    }


def _codes(inspection: Inspection) -> IntArray:
    settings = inspection.finding.settings
    return inspection.grader.run_codes(0, settings.match, settings.max_cycle_period)


def _known(nearest: IntArray) -> IntArray:
    known: IntArray = nearest[nearest != NEVER]
    return known


def _idle(inspection: Inspection) -> list[Part]:
    if not len(inspection.trajectory.calls):
        return [text("No calls in this run.")]
    return [text("Choose a call: click it, or walk with the arrow keys.")]


def _figures(inspection: Inspection) -> Figures:
    cycles = number(len(inspection.finding.cycles))
    return {
        "call": number(len(inspection.trajectory.calls)),
        "cycles": f"{cycles} + {number(len(inspection.hollow))}" if inspection.hollow else cycles,
        "steps": number(inspection.finding.steps),
        "breaks": number(inspection.finding.empty_steps),
        "seen": number(int((inspection.seen.same_arguments != NEVER).sum())),
        "ladder": ladder_figure(inspection.ladder),
        "thrash": thrash_figure(inspection.thrash),
        "events": number(len(_shown(inspection.trajectory))),
    }


def _flags(inspection: Inspection) -> IntArray:
    calls, columns = inspection.trajectory.calls, inspection.grader.columns
    marks: Sequence[tuple[CallFlag, BoolArray]] = (
        (CallFlag.ERROR, calls.failed),
        (CallFlag.EMPTY, columns.empty),
        (CallFlag.WATCHED, inspection.grader.watched),
        (CallFlag.SEEN_ARGUMENTS, inspection.seen.same_arguments != NEVER),
        (CallFlag.SEEN_OUTPUT, inspection.seen.same_output != NEVER),
        (CallFlag.UNKNOWN, columns.unknown_arguments | columns.unknown_observation),
    )
    flags = np.zeros(len(calls), dtype=np.int64)
    for flag, where in marks:
        flags |= np.where(where, int(flag), 0)
    return flags


def _tool_rows(inspection: Inspection) -> tuple[list[ToolRow], IntArray]:
    """(rows in their order, row of each call): tools of the loop first, then by count, unwatched ones last."""
    columns = inspection.grader.columns
    count = np.bincount(columns.tool, minlength=len(columns.tools))
    watched = np.zeros(len(columns.tools), dtype=np.bool_)
    watched[columns.tool[inspection.grader.watched]] = True
    loop = {name: place for place, name in enumerate(inspection.row_order)}

    def rank(tool: int) -> tuple[bool, int, int, str]:
        name = columns.tools[tool]
        return not watched[tool], loop.get(name, len(loop)), -int(count[tool]), name

    used = sorted(np.flatnonzero(count).tolist(), key=rank)
    place = np.zeros(len(columns.tools), dtype=np.int64)
    place[used] = np.arange(len(used))
    rows: list[ToolRow] = [
        {"name": columns.tools[tool], "figure": number(int(count[tool])), "watched": bool(watched[tool])}
        for tool in used
    ]
    return rows, place[columns.tool]


def _cycles(inspection: Inspection) -> CycleColumns:
    """Weakest first, and the deciding one last: what is drawn later lies on top."""
    finding, hollow = inspection.finding, [found.cycle for found in inspection.hollow]
    counted = finding.cycles
    start = np.concatenate([[cycle.start for cycle in hollow], counted.start]).astype(np.int64)
    stop = np.concatenate([[cycle.stop for cycle in hollow], counted.stop]).astype(np.int64)
    period = np.concatenate([[cycle.period for cycle in hollow], counted.period]).astype(np.int64)
    occurrences = (stop - start) // period
    state = np.where(occurrences > finding.settings.max, CycleState.OVER, CycleState.COUNTED)
    state[: len(hollow)] = CycleState.NOT_COUNTED
    deciding = (start == finding.start) & (period == finding.period) & (state != CycleState.NOT_COUNTED)
    order = np.lexsort((deciding, occurrences, state))
    return {
        "start": encode(start[order]),
        "stop": encode(stop[order]),
        "period": encode(period[order]),
        "occurrences": encode(occurrences[order]),
        "state": encode(state[order]),
    }


def _flag(inspection: Inspection) -> Flag | None:
    finding = inspection.finding
    if finding.first_failing_step is None:
        return None
    call = inspection.grader.last_call(0, finding.first_failing_step)
    shown = number((finding.first_failing_call or 0) + 1)
    several = len(finding.cycles.over(finding.settings.max)) > 1
    return {
        "call": call,
        "text": f"{'first ' if several else ''}over the limit at call {shown}",
        "short": f"over at {shown}",
    }


@dataclass(frozen=True, slots=True)
class _CutOff:
    """A cycle that an empty step ended, and the steps that would have gone on with it."""

    cycle: Cycle
    steps: list[int]
    """Every step of it that has an output, those beyond the empty one included."""

    @property
    def occurrences(self) -> int:
        return len(self.steps) // self.cycle.period


def _cut_off(inspection: Inspection) -> list[_CutOff]:
    """The cycles that an empty step cut off from at least one more copy."""
    codes, cycles = _codes(inspection), inspection.finding.cycles
    full = np.flatnonzero(codes != EMPTY)
    found = []
    for cycle in cycles.where(cycles.ending == ENDINGS.index("empty")):
        first = int(np.searchsorted(full, cycle.start))
        steps = full[first : first + cycle.stop - cycle.start].tolist()
        for step in full[first + len(steps) :]:
            if codes[step] != codes[steps[len(steps) % cycle.period]]:
                break
            steps.append(int(step))
        longer = _CutOff(cycle, steps)
        if longer.occurrences > cycle.occurrences:
            found.append(longer)
        if len(found) == MOST_NOTES:
            break
    return found


def _would_be(inspection: Inspection, cut_off: Sequence[_CutOff]) -> list[WouldBe]:
    grader = inspection.grader
    drawn: list[WouldBe] = []
    for found in cut_off:
        cycle, period = found.cycle, found.cycle.period
        copies = [found.steps[k * period : (k + 1) * period] for k in range(cycle.occurrences, found.occurrences)]
        ends = [max(grader.last_call(0, step) for step in copy) for copy in copies]
        drawn.append(
            {
                "first": grader.first_call(0, cycle.stop),
                "last": max(grader.last_call(0, step) for step in found.steps[cycle.occurrences * period :]),
                "period": period,
                "number": cycle.occurrences + 1,
                "copies": [(grader.first_call(0, copy[0]), end) for copy, end in zip(copies, ends, strict=True)],
            }
        )
    return drawn


def _break_notes(inspection: Inspection, cut_off: Sequence[_CutOff]) -> list[BreakNote]:
    notes: list[BreakNote] = []
    for found in cut_off:
        letters = " ".join(chr(ord("a") + place) for place in range(found.cycle.period))
        words = f"empty output ended {letters}; without it {letters} × {number(found.occurrences)}"
        notes.append({"call": inspection.grader.first_call(0, found.cycle.stop), "text": words})
    return notes


def _shown(trajectory: Trajectory) -> list[model.Event]:
    """What stands between the calls; what the agent said is shown with the call that follows."""
    return [event for event in trajectory.events if event.kind not in ("assistant", "reasoning")]


def _events(trajectory: Trajectory) -> list[Event]:
    kinds = {"user", "compaction", "cut", "agent", "error"}
    return [
        {
            "call": event.call,
            "kind": event.kind if event.kind in kinds else "other",  # type: ignore[typeddict-item]
            "label": _label(event.kind, event.text),
        }
        for event in _shown(trajectory)[:MOST_EVENTS]
    ]


def _label(kind: str, words: str) -> str:
    line = " ".join(words.split())
    line = line if len(line) <= 60 else f"{line[:59]}…"
    if kind == "user":
        return "user message"
    return line or kind


def _times(trajectory: Trajectory) -> Times | None:
    start = trajectory.calls.started_s
    if not len(start) or np.isnan(start).all():
        return None
    first = float(np.nanmin(start))
    return {"start": encode(start - first), "end": encode(trajectory.calls.ended_s - first)}

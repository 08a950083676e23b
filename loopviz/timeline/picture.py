"""From findings to the picture: fills the payload that the canvas script draws.

Only the order of things is decided here: which tool row comes first, which mark is drawn over which, what is noted
beside it. What repeats, and how often, comes from the detectors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from loopviz import model
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.seen import NEVER
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.core.steps import EMPTY
from loopviz.detectors.max_repeat import MaxRepeatFinding
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
    thrash_figure,
)
from loopviz.timeline.words import number, text

MOST_EVENTS = 2_000
"""Events drawn at most; what is beyond is counted in the lane's figure."""
MOST_NOTES = 200
"""Notes on breaks at most: more would never find room."""


def draw(inspection: Inspection, verdict: Verdict | None, selected: Selected) -> Payload:
    """The picture of one run."""
    calls = inspection.trajectory.calls
    tools, row = _tool_rows(inspection)
    return {
        "version": VERSION,
        "run": f"{inspection.trajectory.run}/{inspection.trajectory.digest}",
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
            "same_arguments": encode(_known(inspection.seen.same_arguments)),
            "same_output": encode(_known(inspection.seen.same_output)),
        },
        "empty_steps": encode(np.flatnonzero(_codes(inspection) == EMPTY)),
        "cycles": _cycles(inspection),
        "would_be": _would_be(inspection),
        "flag": _flag(inspection),
        "break_notes": _break_notes(inspection),
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
        "seen": number(int(((inspection.seen.same_arguments != NEVER) | (inspection.seen.same_output != NEVER)).sum())),
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


def _state(cycle: Cycle, limit: int) -> CycleState:
    return CycleState.OVER if cycle.occurrences > limit else CycleState.COUNTED


def _cycles(inspection: Inspection) -> CycleColumns:
    """Weakest first, and the deciding one last: what is drawn later lies on top."""
    finding = inspection.finding
    drawn = [(CycleState.NOT_COUNTED, hollow.cycle) for hollow in inspection.hollow]
    drawn += [(_state(cycle, finding.settings.max), cycle) for cycle in finding.cycles]
    drawn.sort(key=lambda item: (item[0], item[1].occurrences, _is_deciding(item[1], finding)))
    return {
        "start": encode([cycle.start for _, cycle in drawn]),
        "stop": encode([cycle.stop for _, cycle in drawn]),
        "period": encode([cycle.period for _, cycle in drawn]),
        "occurrences": encode([cycle.occurrences for _, cycle in drawn]),
        "state": encode([int(state) for state, _ in drawn]),
    }


def _is_deciding(cycle: Cycle, finding: MaxRepeatFinding) -> bool:
    return (cycle.start, cycle.period) == (finding.start, finding.period)


def _flag(inspection: Inspection) -> Flag | None:
    finding = inspection.finding
    if finding.first_failing_step is None:
        return None
    call = inspection.grader.last_call(0, finding.first_failing_step)
    shown = number((finding.first_failing_call or 0) + 1)
    several = sum(cycle.occurrences > finding.settings.max for cycle in finding.cycles) > 1
    return {
        "call": call,
        "text": f"{'first ' if several else ''}over the limit at call {shown}",
        "short": f"over at {shown}",
    }


def _cut_off(inspection: Inspection) -> list[tuple[Cycle, Cycle]]:
    """(cycle ended by an empty step, the cycle it would have been without that step)."""
    codes = _codes(inspection)
    full = np.flatnonzero(codes != EMPTY)
    pairs = []
    for cycle in inspection.finding.cycles:
        if cycle.ended_by != "empty":
            continue
        after = full[np.searchsorted(full, cycle.stop) :]
        following = codes[after]
        have = cycle.stop - cycle.start
        pattern = codes[cycle.start : cycle.start + cycle.period]
        expected = pattern[(have + np.arange(len(following))) % cycle.period]
        different = np.flatnonzero(following != expected)
        more = int(different[0]) if len(different) else len(following)
        if (have + more) // cycle.period > cycle.occurrences:
            stop = int(after[more - 1]) + 1
            pairs.append((cycle, Cycle(cycle.start, stop, cycle.period, "different")))
        if len(pairs) == MOST_NOTES:
            break
    return pairs


def _would_be(inspection: Inspection) -> list[WouldBe]:
    drawn: list[WouldBe] = []
    codes, grader = _codes(inspection), inspection.grader
    for cycle, longer in _cut_off(inspection):
        full = [step for step in range(cycle.start, longer.stop) if codes[step] != EMPTY]
        copies = [full[at : at + cycle.period] for at in range(0, len(full), cycle.period)]
        rest = [copy for copy in copies[cycle.occurrences :] if len(copy) == cycle.period]
        drawn.append(
            {
                "first": inspection.grader.first_call(0, cycle.stop),
                "last": inspection.grader.last_call(0, longer.stop - 1),
                "period": cycle.period,
                "number": cycle.occurrences + 1,
                "copies": [(grader.first_call(0, copy[0]), grader.last_call(0, copy[-1])) for copy in rest],
            }
        )
    return drawn


def _break_notes(inspection: Inspection) -> list[BreakNote]:
    codes = _codes(inspection)
    notes: list[BreakNote] = []
    for cycle, longer in _cut_off(inspection):
        letters = " ".join(chr(ord("a") + place) for place in range(cycle.period))
        copies = int((codes[cycle.start : longer.stop] != EMPTY).sum()) // cycle.period
        notes.append(
            {
                "call": inspection.grader.first_call(0, cycle.stop),
                "text": f"empty output ended {letters}; without it {letters} × {copies}",
            }
        )
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

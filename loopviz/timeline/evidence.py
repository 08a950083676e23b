"""What stands below the timeline, as plain data: how the figure came about, the grid, the chosen call, the cycles."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np

from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.repeats import MAX_PERIOD, Cycle
from loopviz.detectors.core.steps import MATCHES, Match
from loopviz.model import Event, Trajectory
from loopviz.timeline.contract import CycleState
from loopviz.timeline.words import SAME_WHEN, number, span

SHOWN = 20_000
"""Characters of a text that travel to the page at first."""
MOST_CYCLES = 200
"""Rows of the cycles table; the strongest come first."""

Data = dict[str, Any]


def show_evidence(inspection: Inspection, call: int | None, *, raw: str | None, whole: frozenset[str]) -> Data:
    """Everything below the timeline.

    Args:
        inspection: The run and what was found in it.
        call: The chosen call, from 0.
        raw: The chosen call's record as the file spells it, if it could be read.
        whole: Names of the texts to give in full length: `arguments`, `output`, `raw`.
    """
    return {
        "figures": {
            "funnel": _funnel(inspection),
            "foot": _what_ifs(inspection),
            "grid": _grid(inspection),
        },
        "call": None if call is None else _call(inspection, call, raw, whole),
        "cycles": _cycles(inspection),
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
    sizes = inspection.grader.steps.n_calls
    several = int((sizes > 1).sum())
    if not several:
        return "one call in each turn"
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
    call = inspection.grader.first_call(0, int(np.flatnonzero(codes < 0)[0]))
    return f"call {number(call + 1)} gave an empty output"


def _codes(inspection: Inspection, match: Match) -> Any:
    return inspection.grader.run_codes(0, match, inspection.finding.settings.max_cycle_period)


def _longest(inspection: Inspection) -> str:
    finding = inspection.finding
    if not finding.period:
        return "nothing to compare"
    steps = "1 step" if finding.period == 1 else f"{finding.period} steps"
    return f"{steps} × {number(finding.occurrences)} in a row"


def _what_ifs(inspection: Inspection) -> list[str]:
    finding = inspection.finding
    lines = []
    if finding.empty_steps:
        lines.append(
            f"If empty steps were left out: {number(finding.occurrences_without_empty)}. "
            f"If empty outputs counted: {number(finding.occurrences_counting_empty)}."
        )
    match, bound = finding.settings.match, finding.settings.max_cycle_period
    plain = int(inspection.grader.best(match, 1).occurrences[0])
    if bound > 1 and finding.occurrences < plain:
        lines.append(
            f"Longest pattern 1 gives {number(plain)}: there a turn with some empty outputs keeps its other calls, "
            "while with longer patterns it counts as empty altogether."
        )
    return lines


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


def _cycles(inspection: Inspection) -> Data:
    limit = inspection.finding.settings.max
    counted = inspection.finding.cycles
    strongest = counted.where(np.lexsort((counted.start, -counted.occurrences))[:MOST_CYCLES])
    drawn = [(_state(cycle, limit), cycle, inspection.finding.settings.match) for cycle in strongest]
    drawn += [(CycleState.NOT_COUNTED, hollow.cycle, hollow.match) for hollow in inspection.hollow]
    drawn.sort(key=lambda row: (-row[0], -row[1].occurrences, row[1].start))
    n_cycles = len(counted) + len(inspection.hollow)
    caption = f"the strongest {MOST_CYCLES} of {number(n_cycles)}" if n_cycles > MOST_CYCLES else ""
    return {
        "rows": [_cycle_row(inspection, *row) for row in drawn[:MOST_CYCLES]],
        "caption": caption,
    }


def _state(cycle: Cycle, limit: int) -> CycleState:
    return CycleState.OVER if cycle.occurrences > limit else CycleState.COUNTED


def _cycle_row(inspection: Inspection, state: CycleState, cycle: Cycle, match: Match) -> Data:
    grader, turns = inspection.grader, inspection.trajectory.calls.turn
    first, last = grader.first_call(0, cycle.start), grader.last_call(0, cycle.stop - 1)
    turn = [int(turns[first]), int(turns[last])]
    ended = {"different": "different step", "empty": "empty step", "end": "end of the run"}[cycle.ended_by]
    return {
        "period": cycle.period,
        "state": int(state),
        "call": first,
        "cells": [
            number(cycle.occurrences),
            " → ".join(grader.pattern(0, cycle.start, cycle.period)),
            str(cycle.period),
            span(first, last),
            span(min(turn), max(turn)) if min(turn) >= 0 else "–",
            span(cycle.start, cycle.stop - 1),
            ended,
            _standing(inspection, state, cycle, match),
        ],
    }


def _standing(inspection: Inspection, state: CycleState, cycle: Cycle, match: Match) -> str:
    settings = inspection.finding.settings
    if state == CycleState.OVER:
        step = cycle.start + (settings.max + 1) * cycle.period - 1
        return f"over the limit at call {number(inspection.grader.first_call(0, step) + 1)}"
    if state == CycleState.COUNTED:
        return "counted"
    if match != settings.match:
        return f"not counted; it would be with {SAME_WHEN[match]}"
    return f"not counted; it would be with longest pattern {cycle.period}"


def _call(inspection: Inspection, call: int, raw: str | None, whole: frozenset[str]) -> Data:
    trajectory = inspection.trajectory
    return {
        "title": f"Call {number(call + 1)}",
        "tool": trajectory.tool(call),
        "chips": _chips(inspection, call),
        "blocks": [
            *_said_before(trajectory, call),
            _arguments(trajectory, call, whole),
            _output(inspection, call, whole),
        ],
        "folds": _folds(trajectory, call, raw, whole),
    }


def _chips(inspection: Inspection, call: int) -> list[Data]:
    trajectory, calls = inspection.trajectory, inspection.trajectory.calls
    turn, step = int(calls.turn[call]), int(inspection.grader.steps.of_call[call])
    chips: list[Data] = [{"text": f"turn {number(turn + 1)}" if turn >= 0 else "stands alone, in no turn"}]
    if step < 0:
        chips.append({"text": "not watched"})
    else:
        chips.append({"text": f"step {number(step + 1)} of {number(inspection.finding.steps)}"})
        chips += _cycle_chip(inspection, step)
    if calls.failed[call]:
        chips.append({"text": "× error"})
    if not calls.executed[call]:
        chips.append({"text": "never ran"})
    if calls.line[call]:
        chips.append({"text": f"line {number(int(calls.line[call]))}"})
    else:
        chips.append({"text": f"byte {number(int(calls.offset[call]))}"})
    if calls.ids[call]:
        chips.append({"text": calls.ids[call], "mono": True})
    seconds = calls.ended_s[call] - calls.started_s[call]
    if not np.isnan(seconds) and seconds >= 0:
        chips.append({"text": f"{seconds:,.1f} s"})
    if trajectory.calls.unknown_arguments[call] or trajectory.calls.unknown_observation[call]:
        chips.append({"text": "partly redacted or unrecorded"})
    return chips


def _cycle_chip(inspection: Inspection, step: int) -> list[Data]:
    """The strongest cycle the step lies in: its letter and the number of the copy."""
    limit = inspection.finding.settings.max
    counted = inspection.finding.cycles
    inside = counted.where((counted.start <= step) & (step < counted.stop))
    around = [(_state(cycle, limit), cycle) for cycle in inside]
    around += [(CycleState.NOT_COUNTED, h.cycle) for h in inspection.hollow if h.cycle.start <= step < h.cycle.stop]
    if not around:
        return []
    state, cycle = max(around, key=lambda item: (item[0], item[1].occurrences))
    copy, place = divmod(step - cycle.start, cycle.period)
    words = f"copy {copy + 1} of {cycle.occurrences}" if copy < cycle.occurrences else "a started copy"
    letter = {"text": chr(ord("a") + place), "period": cycle.period, "state": int(state)}
    return [{"swatch": letter, "text": words + (", not counted" if state == CycleState.NOT_COUNTED else "")}]


def _said_before(trajectory: Trajectory, call: int) -> list[Data]:
    """What the agent thought and said in this turn before the call, and what came just before it."""
    events = trajectory.events
    turn = int(trajectory.calls.turn[call])
    first = call
    while turn >= 0 and first > 0 and int(trajectory.calls.turn[first - 1]) == turn:
        first -= 1
    here = events[_events_from(events, first) : _events_to(events, call)]
    titles = {"reasoning": "Reasoning", "assistant": "Message", "user": "User message", "error": "Error"}
    return [
        _text_block(titles.get(event.kind, event.kind.capitalize()), event.text, aside="before the call")
        for event in here[-6:]
        if event.text
    ]


def _events_from(events: tuple[Event, ...], call: int) -> int:
    return bisect_left(events, call, key=lambda event: event.call)


def _events_to(events: tuple[Event, ...], call: int) -> int:
    return bisect_right(events, call, key=lambda event: event.call)


def _text_block(title: str, words: str, *, aside: str = "", name: str = "", whole: bool = False) -> Data:
    block: Data = {"title": title, "aside": aside, "text": words if whole else words[:SHOWN]}
    if len(words) > SHOWN and name and not whole:
        block["more"] = {"label": f"Show all {number(len(words))} characters", "action": f"whole={name}"}
    return block


def _arguments(trajectory: Trajectory, call: int, whole: frozenset[str]) -> Data:
    raw = trajectory.arguments_json(call)
    if raw is None:
        return {"title": "Arguments", "aside": "", "text": "none recorded", "missing": True}
    value = decoded(raw)
    if isinstance(value, dict) and value:
        fields = [(name, as_text(field)) for name, field in value.items()]
        cut = any(len(words) > SHOWN for _, words in fields) and "arguments" not in whole
        block: Data = {
            "title": "Arguments",
            "aside": "",
            "fields": [(name, words[:SHOWN] if cut else words) for name, words in fields],
        }
        if cut:
            block["more"] = {"label": "Show the arguments in full", "action": "whole=arguments"}
        return block
    return _text_block("Arguments", as_text(value), name="arguments", whole="arguments" in whole)


def _output(inspection: Inspection, call: int, whole: frozenset[str]) -> Data:
    raw = inspection.trajectory.observation_json(call)
    if raw is None:
        return {"title": "Output", "aside": "", "text": "no result in the file", "missing": True}
    words = as_text(decoded(raw))
    if not words:
        return {"title": "Output", "aside": "", "text": "empty", "missing": True}
    return _text_block("Output", words, aside=_same_output(inspection, call), name="output", whole="output" in whole)


def _same_output(inspection: Inspection, call: int) -> str:
    """Which other watched calls of this tool gave the same output."""
    columns = inspection.grader.columns
    same = (columns.tool == columns.tool[call]) & (columns.observation == columns.observation[call])
    same &= inspection.grader.watched & ~columns.empty
    others = [other for other in np.flatnonzero(same).tolist() if other != call]
    if not others or not same[call]:
        return ""
    names = ", ".join(number(other + 1) for other in others[:6])
    rest = f" and {number(len(others) - 6)} more" if len(others) > 6 else ""
    return f"same as call{'s' if len(others) > 1 else ''} {names}{rest}"


def _folds(trajectory: Trajectory, call: int, raw: str | None, whole: frozenset[str]) -> list[Data]:
    texts = [("Prompt", trajectory.prompt), ("Final answer", trajectory.output)]
    folds = [_fold(title, words) for title, words in texts if words]
    place = int(trajectory.calls.line[call])
    where = f"line {number(place)}" if place else f"byte {number(int(trajectory.calls.offset[call]))}"
    size = f"{number(int(trajectory.calls.length[call]))} bytes"
    if raw is None:
        words = "The file is no longer there as it was read, so its record cannot be shown."
        folds.append({"title": "Raw record", "preview": f"{where}, {size}", "text": words})
    else:
        fold = _fold("Raw record", raw, preview=f"{where}, {size}", whole="raw" in whole)
        if len(raw) > SHOWN and "raw" not in whole:
            fold["more"] = {"label": f"Show all {number(len(raw))} characters", "action": "whole=raw"}
        folds.append(fold)
    return folds


def _fold(title: str, words: str, *, preview: str = "", whole: bool = True) -> Data:
    line = preview or " ".join(words[:300].split())
    return {"title": title, "preview": line, "text": words if whole else words[:SHOWN]}


def decoded(raw: bytes) -> Any:
    """A JSON text of the file as a value; as the text itself where nothing can decode it."""
    try:
        return json.loads(raw.decode("utf-8", "surrogatepass"), strict=False)
    except (ValueError, RecursionError):
        return raw.decode("utf-8", "replace")


def as_text(value: Any) -> str:
    """A JSON value as a person reads it: texts as they are, everything else as indented JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2)

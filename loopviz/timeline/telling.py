"""What the file tells: a call with what was said around it, and the run as a whole. Texts are cut, never dropped."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from loopviz.analysis.around import around
from loopviz.analysis.inspection import Inspection
from loopviz.evalspec import LOOP_OUTCOME, read_stimulus
from loopviz.model import Event, GraderResult, Trajectory
from loopviz.timeline.beginning import show_before
from loopviz.timeline.comparing import show_comparison
from loopviz.timeline.contract import CycleState
from loopviz.timeline.why import show_why, state_of
from loopviz.timeline.words import number

SHOWN = 20_000
"""Characters of a text that travel to the page at first."""
MOST = 500_000
"""Characters that travel when more is asked for: what a browser lays out without a stall."""

Data = dict[str, Any]


def tell_call(
    inspection: Inspection,
    call: int,
    raw: str | None,
    whole: frozenset[str],
    *,
    raw_result: str | None = None,
    compare: int | None = None,
) -> Data:
    """A call, what was said around it, and beside it why it counts or not; arguments as `show_evidence` has them."""
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
        "folds": _folds(trajectory, call, raw, raw_result, whole),
        "beside": [
            *show_comparison(inspection, call, compare),
            show_why(inspection, call),
            *show_before(inspection, call),
        ],
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
    found = around(inspection, step)
    if found is None:
        return []
    state, cycle = state_of(inspection, found), found.cycle
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


def _cut(words: str, name: str, whole: bool) -> Data:
    """A text as far as it travels to the page, and how to get at more of it."""
    limit = MOST if whole else SHOWN
    told: Data = {"text": words[:limit]}
    if len(words) > MOST and (whole or not name):
        told["note"] = f"The first {number(limit)} of {number(len(words))} characters; the file holds the rest."
    elif len(words) > limit and not name:
        told["note"] = f"The first {number(limit)} of {number(len(words))} characters."
    elif len(words) > limit:
        label = f"Show all {number(len(words))} characters" if len(words) <= MOST else f"Show {number(MOST)} characters"
        told["more"] = {"label": label, "action": f"whole={name}"}
    return told


def _text_block(title: str, words: str, *, aside: str = "", name: str = "", whole: bool = False) -> Data:
    return {"title": title, "aside": aside, **_cut(words, name, whole)}


def _arguments(trajectory: Trajectory, call: int, whole: frozenset[str]) -> Data:
    raw = trajectory.arguments_json(call)
    if raw is None:
        return {"title": "Arguments", "aside": "", "text": "none recorded", "missing": True}
    value = decoded(raw)
    if isinstance(value, dict) and value:
        fields = [(name, as_text(field)) for name, field in value.items()]
        limit = MOST if "arguments" in whole else SHOWN
        block: Data = {
            "title": "Arguments",
            "aside": "",
            "fields": [(name, words[:limit]) for name, words in fields],
        }
        if any(len(words) > limit for _, words in fields):
            more = {"label": f"Show up to {number(MOST)} characters of each", "action": "whole=arguments"}
            block |= {"note": "Cut; the file holds the rest."} if limit == MOST else {"more": more}
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


def _folds(
    trajectory: Trajectory, call: int, raw: str | None, raw_result: str | None, whole: frozenset[str]
) -> list[Data]:
    folds = _texts(trajectory)
    place = int(trajectory.calls.line[call])
    where = f"line {number(place)}" if place else f"byte {number(int(trajectory.calls.offset[call]))}"
    size = f"{number(int(trajectory.calls.length[call]))} bytes"
    if raw is None:
        words = "The file is no longer there as it was read, so its record cannot be shown."
        folds.append({"title": "Raw record", "preview": f"{where}, {size}", "text": words})
    else:
        fold = _fold("Raw record", raw, preview=f"{where}, {size}", name="raw", whole="raw" in whole)
        folds.append(fold | {"save": "call"})
    if raw_result is not None and trajectory.calls.result_offset[call] != trajectory.calls.offset[call]:
        size = f"{number(int(trajectory.calls.result_length[call]))} bytes"
        where = f"byte {number(int(trajectory.calls.result_offset[call]))}, {size}"
        fold = _fold("Raw result", raw_result, preview=where, name="raw_result", whole="raw_result" in whole)
        folds.append(fold | {"save": "result"})
    return folds


def _texts(trajectory: Trajectory) -> list[Data]:
    told = (("Prompt", trajectory.prompt), ("Final answer", trajectory.output), ("Error", trajectory.error))
    return [_fold(title, words) for title, words in told if words]


def tell_run(trajectory: Trajectory, *, with_texts: bool) -> Data | None:
    """What the file says of the run as a whole: prompt and answer, every grader's result, what could not be read."""
    told: Data = {
        "folds": _texts(trajectory) if with_texts else [],
        "recorded": [] if trajectory.grade is None else list(_recorded(trajectory.grade, 0, _sibling_note(trajectory))),
        "problems": [f"{problem.where}: {problem.message}" for problem in trajectory.problems],
    }
    return told if any(told.values()) else None


def _sibling_note(trajectory: Trajectory) -> str:
    """What to say of a result of the grader's sibling, of which only one form is judged here."""
    siblings = read_stimulus(trajectory.stimulus_spec).siblings
    return "" if siblings and all(one.settings for one in siblings) else ", not judged here"


def _recorded(result: GraderResult, depth: int, sibling_note: str) -> Iterator[Data]:
    """Every result in the file, outermost first, with how deep it lies."""
    note = sibling_note if LOOP_OUTCOME in (result.type, result.name) else ""
    verdict = {True: "✓ pass", False: "✗ fail", None: "–"}[result.passed]
    yield {
        "depth": min(depth, 6),
        "cells": [
            result.configured_name or result.name,
            result.type or "",
            verdict + (f" ({result.status})" if result.status else "") + note,
            "" if result.score is None else f"{result.score:.2f}",
            (result.evidence or "")[:SHOWN],
        ],
    }
    for part in result.details:
        yield from _recorded(part, depth + 1, sibling_note)


def _fold(title: str, words: str, *, preview: str = "", name: str = "", whole: bool = False) -> Data:
    return {"title": title, "preview": preview or " ".join(words[:300].split()), **_cut(words, name, whole)}


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

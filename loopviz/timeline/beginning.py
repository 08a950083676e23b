"""What came just before a pattern began, in words: seen before, not a cause."""

from __future__ import annotations

from typing import Any

from loopviz.analysis.before import CALLS_BEFORE, Before, Seen, Sign, before_it_began
from loopviz.analysis.inspection import Inspection
from loopviz.timeline.answering import to_call, to_calls
from loopviz.timeline.contract import Part
from loopviz.timeline.words import number, spaced, text

Data = dict[str, Any]
LONGEST = 200
"""Characters of what the file says of an event."""
MOST = 6
"""Things that are named one by one."""
_EVENTS = {Sign.COMPACTION: "Compacted", Sign.CUT: "An output was cut", Sign.ERROR: "An error was recorded"}
_CALLS = {Sign.EMPTY: "gave an empty output", Sign.FAILED: "failed"}


def show_before(inspection: Inspection, call: int | None) -> list[Data]:
    """The block for the pattern around a call, or without a call for that which decides; none where there is none."""
    before = before_it_began(inspection, call)
    if before is None:
        return []
    lines = [spaced(line) for line in (*_lines(before), _looked_at(before))]
    return [{"kind": "before", "title": "Before it began", "aside": "seen before, not a cause", "lines": lines}]


def _lines(before: Before) -> list[list[Part]]:
    lines = [_line(seen) for seen in before.seen[:MOST]]
    if len(before.seen) > MOST:
        lines.append([text(f"And {number(len(before.seen) - MOST)} more of the kind.")])
    return lines


def _line(seen: Seen) -> list[Part]:
    if seen.sign in _CALLS:
        return [{**to_call(seen.call), "text": f"Call {number(seen.call + 1)}"}, text(f"{_CALLS[seen.sign]}.")]
    said = " ".join(seen.text.split())
    said = f"({said if len(said) <= LONGEST else f'{said[:LONGEST]}…'})" if said else ""
    return [text(f"{_EVENTS[seen.sign]} just before"), to_call(seen.call), *([text(said)] if said else []), text(".")]


def _looked_at(before: Before) -> list[Part]:
    if not before.start:
        return [text("It begins with the run's first call.")]
    nothing = "" if before.seen else "No compaction, no cut or empty output, no error. "
    return [
        {"kind": "muted", "text": f"{nothing}Looked at: {_how_far(before)}"},
        to_calls(before.first, before.start - 1),
        text("."),
    ]


def _how_far(before: Before) -> str:
    if not before.first:
        return "all that lies before it," if before.start > 1 else "what lies before it,"
    if before.in_turn:
        return f"the turn before and at least {CALLS_BEFORE} calls,"
    return f"the {CALLS_BEFORE} calls before it,"

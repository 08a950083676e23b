"""The timeline at the top of the Help page: a short run that holds every mark, read and judged like any other."""

from __future__ import annotations

from functools import cache

from loopviz.analysis.inspection import inspect
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.contract import Payload
from loopviz.timeline.picture import draw
from loopviz.timeline.verdict import judge_in_words
from loopviz.ui.help_notation import events_of, read_line, run_of

TOOLS = {"R": "read_file", "E": "edit", "T": "run_tests", "G": "grep", "B": "bash", "P": "update_plan"}
BEFORE = "P1 G1 (R1 R2 G2) R3 G4 R5 G4 R5 _ G4 R5 E1 B1 B2 B3 B4 B5"
AFTER = "R6 E6! T6 R6 E6! T6 P2 R6 E6! T6 R6 E6! T6 R6 B6 G7"
SETTINGS = MaxRepeatSettings(max=3, max_cycle_period=3, tools=("^(?!update_plan$)",))


@cache
def picture() -> Payload:
    """The picture: a loop over the limit, one within it, one not counted, an empty step, both guards, two events."""
    turns = read_line(f"{BEFORE} {AFTER}")
    events = events_of(turns, TOOLS)
    starts = [number for number, event in enumerate(events) if event["type"] == "turn_start"]
    compacted = {"type": "custom", "data": {"type": "compaction", "message": "118 k to 31 k tokens"}}
    events.insert(starts[len(read_line(BEFORE))], compacted)
    asked = {"type": "user_message", "data": {"content": "Make the failing test pass."}}
    found = inspect(run_of([asked, *events]), SETTINGS)
    verdict = judge_in_words(found, None)
    rows = [row for row in verdict["rows"] if row["label"] == "Where"]
    return draw(found, {**verdict, "rows": rows}, {"call": None, "seq": 0})

"""The findings as data files: JSON for programs, CSV for tables, an entry for each run and detector.

A CSV opens in spreadsheets, which run a cell that looks like a formula; such a text gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from loopviz import __version__
from loopviz.report.export import Export, Masks
from loopviz.report.markup import readable
from loopviz.report.rows import Row
from loopviz.report.texts import brief
from loopviz.timeline.words import span

MOST_CYCLES = 20
"""Cycles that a cell tells."""
LONGEST_CELL = 30_000
"""Characters of a cell; spreadsheets hold 32,767."""
_FORMULA = re.compile(r"(^|[;\t\n])(?=[\s\"']*[=+\-@\uff0b\uff0d\uff1d\uff20])")
"""What begins a formula, at the start of a cell or where a spreadsheet set to other separators begins one."""

Unread = Sequence[tuple[str, str]]
"""(file, reason) of what could not be used."""


def make_json(rows: Iterable[Row], unread: Unread, export: Export) -> str:
    """Every row in one document, in the order of the runs; `findings` holds the objects of `grade --json` and more."""
    masks = Masks(on=export.masked)
    document = {
        "loopviz": __version__,
        "date": export.date.isoformat(),
        "note": masks.text(export.note.strip()),
        "redacted": export.redact,
        "masked": export.masked,
        "findings": list(rows),
        "unread": masks.value(
            [{"file": "", "reason": ""} if export.redact else {"file": file, "reason": why} for file, why in unread]
        ),
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def make_csv(rows: Iterable[Row], export: Export) -> str:
    """Every row as a line, under the names of `COLUMNS`; what is not known, or does not apply, is empty."""
    note = Masks(on=export.masked).text(export.note.strip())
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*COLUMNS, "note"])
    for row in rows:
        writer.writerow([_cell(read(row)) for read in COLUMNS.values()] + [_cell(note)])
    return file.getvalue()


def _at(*names: str) -> Callable[[Row], Any]:
    """Reads a value inside a row; None where anything on the way is missing."""

    def read(row: Row) -> Any:
        value: Any = row
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value

    return read


def _tools(row: Row) -> str | None:
    tools = _at("metadata", "tools")(row)
    return None if tools is None else " ".join(tools)


def _told_cycles(row: Row) -> str:
    """`7 × run_tests (4–22); 2 × read → edit (1–4)`."""
    cycles = row["cycles"]
    told = [
        f"{cycle['occurrences']} × {' → '.join(cycle['pattern'])} "
        f"({span(cycle['first_call'] - 1, cycle['last_call'] - 1)})"
        for cycle in cycles[:MOST_CYCLES]
    ]
    return "; ".join([*told, *([f"{len(cycles) - MOST_CYCLES:,} more"] if len(cycles) > MOST_CYCLES else [])])


COLUMNS: dict[str, Callable[[Row], Any]] = {
    **{name: _at(name) for name in ("source", "run", "format")},
    **{name: _at("about", name) for name in ("stimulus", "trial", "variant", "model")},
    **{name: _at(name) for name in ("grader", "name", "passed", "score", "evidence")},
    **{f"recorded_{name}": _at("recorded", name) for name in ("passed", "evidence")},
    **{f"at_{name}": _at("at", name) for name in ("turn", "call", "call_id", "line", "offset")},
    **{name: _at("metadata", name) for name in ("max", "max_cycle_period", "match")},
    "tools": _tools,
    **{name: _at("metadata", name) for name in ("occurrences", "period")},
    "pattern": _at("metadata", "pattern_preview"),
    "cycles": _told_cycles,
    **{name: _at("metadata", name) for name in ("level", "longest_stretch", "stopped", "kind", "count")},
    **{f"stop_{name}": _at("stop", name) for name in ("guard", "turn", "call")},
    **{name: _at("stop", name) for name in ("calls_after", "tokens_after", "cost_after", "seconds_after")},
    **{name: _at("about", name) for name in ("turns", "calls", "tokens", "cost", "seconds")},
    "outcome": _at("about", "passed"),
    "problems": lambda row: len(row["problems"]),
}
"""The columns in their order, and where each finds its value; new ones are added behind, before `note`."""


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value) if isinstance(value, float) else str(value)
    return _FORMULA.sub(r"\1'", brief(readable(value), LONGEST_CELL))

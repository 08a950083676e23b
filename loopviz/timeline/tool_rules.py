"""*Ignore this tool* and *Own limit for this tool* in words: what is written, and what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.tool_rules import CycleChange, LeftOut, OwnLimit, graders_as_yaml
from loopviz.detectors.max_repeat import MaxRepeatFinding, preview
from loopviz.timeline.contract import Part
from loopviz.timeline.words import allowed, code, muted, number, spaced, span, strong, text, verdict_word

SHOWN = 6
"""Changed cycles that are shown, the strongest first."""

Data = dict[str, Any]


def tool_buttons(inspection: Inspection, call: int) -> list[Data]:
    """What can be done about the tool of a call; nothing where it is not watched."""
    if not inspection.grader.watched[call]:
        return []
    tool = int(inspection.grader.columns.tool[call])
    return [
        {"label": "Ignore this tool", "action": f"treat=ignore&name={tool}"},
        {"label": "Own limit for this tool", "action": f"treat=limit&name={tool}"},
    ]


def tell_left_out(inspection: Inspection, left: LeftOut, others: Data | None) -> Data:
    """The section about a run without a tool.

    Args:
        inspection: The run as it is judged now.
        left: What it is without the tool.
        others: What `tell_others` gives; None where no other run is open.
    """
    n_watched = inspection.finding.watched_calls
    n_left = n_watched - left.finding.watched_calls
    rows: list[Data] = [
        {"label": "This run", "parts": _from_to(inspection.finding, left.finding)},
        {"label": "No longer watched", "parts": [text(f"{number(n_left)} of {_calls(n_watched)}")]},
    ]
    patterns = left.settings.tools or ()
    return {
        "title": spaced([text("Without"), code(left.tool)]),
        "rows": [{**row, "parts": spaced(row["parts"])} for row in rows],
        "others": others,
        "warning": _warning(left),
        "cycles": _cycles(left.cycles, "What becomes of the cycles", "No cycle changes."),
        "written": {"title": "Pattern" if len(patterns) == 1 else "Patterns", "text": "\n".join(patterns)},
        "apply": {"label": "Apply", "action": urlencode([("tools", pattern) for pattern in patterns])},
    }


def tell_own_limit(inspection: Inspection, apart: OwnLimit, others: Data | None) -> Data:
    """The section about a run judged by two graders; arguments as `tell_left_out` has them."""
    rows: list[Data] = [
        {"label": "This run", "parts": _both(inspection.finding, apart)},
        {"label": apart.tool, "mono": True, "parts": [*_figure(apart.finding), *_closed_up(apart)]},
        {"label": "Everything else", "parts": [*_figure(apart.rest.finding), *_deciding(apart.rest.finding)]},
    ]
    names = (apart.tool, f"without {apart.tool}")
    written = graders_as_yaml(list(zip(names, apart.graders, strict=True)))
    tool = inspection.grader.columns.tools.index(apart.tool)
    others_cycles = tuple(change for change in apart.rest.cycles if set(change.pattern) != {apart.tool})
    return {
        "title": spaced([text("An own limit for"), code(apart.tool)]),
        "limit": _limit(apart.finding.settings.max, f"treat=limit&name={tool}"),
        "rows": [{**row, "parts": spaced(row["parts"])} for row in rows],
        "others": others,
        "warning": _warning(apart.rest),
        "cycles": _cycles(others_cycles, "What becomes of the cycles of everything else", "No other cycle changes."),
        "written": {"title": "Two graders, for an eval spec", "text": written.rstrip("\n")},
        "apply": None,
    }


def tell_others(n_judged: int, groups: list[Data], *, n_graders: int) -> Data:
    """What becomes of the other runs.

    Args:
        n_judged: How many there are.
        groups: Those that newly fail and newly pass, as `loopviz.timeline.asking.tell_effects` gives them.
        n_graders: How many graders judge them then.
    """
    changed = [group for group in groups if group["runs"]]
    then = " with and without it" if n_graders == 1 else ", then by the two graders"
    judged = f"judged by the settings on this page{then}"
    if n_judged == 1:
        lead = f"The other run, {judged}" + (":" if changed else ", keeps its verdict.")
    else:
        lead = f"{number(n_judged)} other runs, {judged}" + (":" if changed else ": none changes its verdict.")
    return {"lead": lead, "groups": changed}


def _limit(limit: int, action: str) -> Data:
    return {
        "n": number(limit),
        "less": f"{action}&limit={limit - 1}" if limit > 1 else None,
        "more": f"{action}&limit={limit + 1}",
    }


def _from_to(now: MaxRepeatFinding, then: MaxRepeatFinding) -> list[Part]:
    """`FAIL, 7 in a row → PASS, 2 in a row; 3 are allowed`."""
    after = f"{verdict_word(then.passed)}, {_in_a_row(then)}"
    turned = now.passed != then.passed
    return [
        muted(f"{verdict_word(now.passed)}, {_in_a_row(now)}"),
        {"kind": "mark", "text": "→"},
        strong(after) if turned else text(after),
        muted(f"; {allowed(now.settings.max)}"),
    ]


def _both(now: MaxRepeatFinding, apart: OwnLimit) -> list[Part]:
    """`FAIL → PASS: both graders pass`."""
    failing = [finding for finding in (apart.finding, apart.rest.finding) if not finding.passed]
    which = ("both graders pass", "one of the two graders fails", "both graders fail")[len(failing)]
    after = f"{verdict_word(apart.passed)}:"
    turned = now.passed != apart.passed
    return [
        muted(f"{verdict_word(now.passed)}, {_in_a_row(now)}"),
        {"kind": "mark", "text": "→"},
        strong(after) if turned else text(after),
        text(which),
    ]


def _figure(finding: MaxRepeatFinding) -> list[Part]:
    return [text(f"{verdict_word(finding.passed)}, {_in_a_row(finding)}; {allowed(finding.settings.max)}")]


def _deciding(finding: MaxRepeatFinding) -> list[Part]:
    return [muted("·"), code(preview(finding.pattern))] if finding.occurrences > 1 else []


def _closed_up(apart: OwnLimit) -> list[Part]:
    return [muted("· other calls stand in between and do not separate it")] if apart.closes_up else []


def _in_a_row(finding: MaxRepeatFinding) -> str:
    return f"{number(finding.occurrences)} in a row" if finding.watched_calls else "no watched call"


def _warning(left: LeftOut) -> list[Part] | None:
    """A loop that is there only where the tool is left out."""
    joined = [change for change in left.cycles if change.joins]
    if not joined:
        return None
    first, rest = joined[0], len(joined) - 1
    more = f" So it is with {number(rest)} more." if rest else ""
    where = f"{number(first.after)} times in a row, calls {span(first.first_call, first.last_call)}, is over the limit."
    return spaced(
        [
            strong("This makes a new loop."),
            code(preview(first.pattern)),
            text(where),
            text("Now calls of"),
            code(left.tool),
            text(f"keep it apart.{more}"),
        ]
    )


def _cycles(cycles: Sequence[CycleChange], title: str, none: str) -> Data:
    shown, n_more = cycles[:SHOWN], len(cycles) - SHOWN
    return {
        "title": title,
        "rows": [_cycle(change) for change in shown],
        "foot": none if not shown else f"and {number(n_more)} more" if n_more > 0 else "",
    }


def _cycle(change: CycleChange) -> Data:
    if len(change.before) > 1:
        fate, was = "joined", " + ".join(number(times) for times in change.before[:4])
        was += " + …" if len(change.before) > 4 else ""
    else:
        fate, was = change.fate, number(change.before[0]) if change.before else "–"
    return {
        "fate": fate + (", new loop" if change.joins else ""),
        "strong": change.joins,
        "pattern": preview(change.pattern),
        "was": was,
        "then": number(change.after) if change.after else "–",
        "calls": span(change.first_call, change.last_call),
        "action": f"call={change.first_call}",
    }


def _calls(count: int) -> str:
    return f"{number(count)} call{'' if count == 1 else 's'}"

"""The table *What would change it* in words: each row applies one change of one setting."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from loopviz.analysis.changes import Change, tools_are_cheap, what_would_change
from loopviz.analysis.inspection import Inspection
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.contract import Part
from loopviz.timeline.words import SAME_WHEN, muted, number, spaced, text, verdict_word

FEW = 8
"""Rows about tools at first; more fold away, those that change nothing first."""

Data = dict[str, Any]


def show_changes(inspection: Inspection, *, everything: bool = False) -> Data:
    """Both halves of the table: settings, and tools.

    Args:
        inspection: The run and what was found in it.
        everything: Give every row about tools, however long they take to count.
    """
    counted = everything or tools_are_cheap(inspection.grader)
    now, *changes = what_would_change(inspection, with_tools=counted)
    settings = [now, *(change for change in changes if not change.of_tools)]
    tools = [change for change in changes if change.of_tools]
    shown = tools if everything else _few(now, tools)
    return {
        "caption": "one setting moved, the others as they are · a click applies it",
        "settings": [_row(change, now) for change in settings],
        "tools": [_row(change, now) for change in shown],
        "untold": _UNTOLD if counted else "",
        "more": _more(len(shown), len(tools), counted=counted, everything=everything),
    }


_UNTOLD = "No tool left out changes the figure, and none watched alone raises it."


def _few(now: Change, tools: list[Change]) -> list[Change]:
    """All rows where they are few; else those that move the figure, and of tools alone those that raise it."""
    if len(tools) <= FEW:
        return tools
    telling = [
        change
        for change in tools
        if (change.occurrences > now.occurrences if change.kind == "alone" else change.occurrences != now.occurrences)
    ]
    return telling[:FEW]


def _more(n_shown: int, n_rows: int, *, counted: bool, everything: bool) -> Data | None:
    if not counted:
        return {"label": "Show what each tool does", "action": "changes=all"}
    if everything:
        return {"label": "Show fewer", "action": "changes=few"} if n_rows > FEW else None
    if n_shown == n_rows:
        return None
    return {"label": f"Show all {number(n_rows)} rows about tools", "action": "changes=all"}


def _row(change: Change, now: Change) -> Data:
    row: Data = {
        "parts": spaced(_setting(change)),
        "n": number(change.occurrences),
        "verdict": verdict_word(change.passed),
    }
    if change.kind == "now":
        return row
    if change.turns:
        row["aside"] = f"instead of {verdict_word(now.passed)}"
    return {**row, "action": _action(change)}


def _setting(change: Change) -> list[Part]:
    settings = change.settings
    match change.kind:
        case "now":
            return [text("as now"), muted(_in_words(settings))]
        case "max":
            which = "the least that passes" if change.passed else "the most that fails"
            return [text(f"{number(settings.max)} allowed"), muted(which)]
        case "match":
            return [text(SAME_WHEN[settings.match]), muted(settings.match)]
        case "max_cycle_period":
            first, last = change.bounds or (settings.max_cycle_period,) * 2
            return [text(f"longest pattern {first}" if first == last else f"longest pattern {first} to {last}")]
        case "every tool":
            return [text("every tool watched")]
        case "without":
            return [text("without"), {"kind": "code", "text": change.tool or ""}]
        case "alone":
            return [{"kind": "code", "text": change.tool or ""}, text("alone")]


def _in_words(settings: MaxRepeatSettings) -> str:
    """`3 allowed, longest pattern 2, same output`."""
    words = f"{number(settings.max)} allowed, longest pattern {settings.max_cycle_period}, {SAME_WHEN[settings.match]}"
    n_tools = len(settings.tools or ())
    return words + (f", {n_tools} tool pattern{'s' if n_tools > 1 else ''}" if n_tools else "")


def _action(change: Change) -> str:
    """What a click asks for: the one field that is changed, and its value."""
    if change.of_tools:
        return urlencode([("tools", pattern) for pattern in change.settings.tools or ("",)])
    return f"{change.kind}={getattr(change.settings, change.kind)}"

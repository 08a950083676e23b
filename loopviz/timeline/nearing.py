"""The section of near-repeats: calls of one tool that are the same but for a little, and in what they differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.analysis.difference import Change, Kind
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.near_repeats import NearGroup, Varies
from loopviz.detectors.core.steps import Match
from loopviz.timeline.comparing import MOST_NAMED, in_what, tell_whole
from loopviz.timeline.contract import Part
from loopviz.timeline.words import SAME_WHEN, code, muted, number, spaced, span, strong, text

FIRST_GROUPS = 6
"""Rows at first; the strongest come first."""
AT_ONCE = 10_000
"""Watched calls up to which groups are looked for unasked."""

Data = dict[str, Any]


def show_near(inspection: Inspection, asked: str | None) -> Data | None:
    """The section; None where there is nothing to show.

    Args:
        inspection: The run and what was found in it.
        asked: `all` for every group, `look` to search in a run of very many calls; None at first.
    """
    n_watched = inspection.finding.watched_calls
    if n_watched > AT_ONCE and asked is None:
        button = {"label": f"Look through {number(n_watched)} calls", "action": "near=look"}
        return {"rows": [], "caption": _CAPTION, "more": button}
    groups = [group for group in inspection.near.groups if not _counted_already(inspection, group)]
    if not groups:
        return None if asked is None else {"rows": [], "caption": "none found", "more": None}
    shown = groups if asked == "all" else groups[:FIRST_GROUPS]
    return {
        "rows": [_row(inspection, group) for group in shown],
        "caption": _CAPTION if len(shown) == len(groups) else f"the strongest {len(shown)} of {number(len(groups))}",
        "more": _more(len(groups), asked),
    }


_CAPTION = "calls of one tool that are the same, or nearly so: a description, not a verdict"


def _more(n_groups: int, asked: str | None) -> Data | None:
    if n_groups <= FIRST_GROUPS:
        return None
    if asked == "all":
        return {"label": "Show fewer", "action": "near=look"}
    return {"label": f"Show all {number(n_groups)}", "action": "near=all"}


def _counted_already(inspection: Inspection, group: NearGroup) -> bool:
    """Calls that differ in nothing and mostly lie in counted cycles: the table of cycles tells of them."""
    if not (group.same_arguments and group.same_output):
        return False
    steps = inspection.grader.steps.of_call[group.calls]
    covered = np.zeros(inspection.finding.steps + 1, dtype=np.int64)
    np.add.at(covered, inspection.finding.cycles.start, 1)
    np.add.at(covered, inspection.finding.cycles.stop, -1)
    return 2 * int(np.count_nonzero(np.cumsum(covered)[steps])) >= len(steps)


def _row(inspection: Inspection, group: NearGroup) -> Data:
    columns = inspection.grader.columns
    found = inspection.near.varies(group)
    first, second = int(group.calls[0]), int(group.calls[1])
    n_calls = len(group.calls)
    return {
        "tool": columns.tools[group.tool],
        "n": number(n_calls),
        "calls": span(first, int(group.calls[-1])),
        "row": "never two" if group.longest == 1 else number(group.longest),
        "arguments": spaced(_arguments(found)),
        "outputs": spaced(_outputs(inspection, group, found)),
        "same": spaced(_same_with(inspection, group)),
        "action": f"call={second}&compare={first}",
        "tip": f"Compare calls {number(second + 1)} and {number(first + 1)}",
    }


def _arguments(found: Varies) -> list[Part]:
    if not found.arguments:
        return [text("same")]
    return [*_changes(found.arguments, "Arguments"), muted(f"· {number(found.n_arguments)} values")]


def _outputs(inspection: Inspection, group: NearGroup, found: Varies) -> list[Part]:
    if not found.outputs:
        return [text("empty" if inspection.grader.columns.empty[group.calls[0]] else "same")]
    return [*_changes(found.outputs, "Outputs"), muted(f"· {number(found.n_outputs)} values")]


def _changes(changes: tuple[Change, ...], noun: str) -> list[Part]:
    """`only [request_id] differs`, `equal but for 2 numbers in line 3`."""
    if len(changes) == 1 and not changes[0].path:
        return [text(tell_whole(noun, changes[0]).removeprefix(f"{noun} ").removeprefix("are ").removeprefix("have "))]
    if len(changes) > MOST_NAMED:
        return [text(f"{number(len(changes))} fields differ")]
    parts = [text("only")]
    for place, change in enumerate(changes):
        parts += [*([text("and")] if place else []), code(change.path)]
    parts.append(text("differs" if len(changes) == 1 else "differ"))
    if len(changes) == 1 and changes[0].contrast.kind is not Kind.APART:
        parts.append(text(f"in {in_what(changes[0])}"))
    return parts


def _same_with(inspection: Inspection, group: NearGroup) -> list[Part]:
    """The ways of "same" that take all of these calls for one, the one in force in semibold."""
    empty = bool(inspection.grader.columns.empty[group.calls[0]])
    ways: list[Match] = ["observation"] if group.same_output and not empty else []
    ways += ["name-args"] if group.same_arguments else []
    now = inspection.finding.settings.match
    parts: list[Part] = []
    for way in ways or ["name"]:
        parts += [text("·")] if parts else []
        parts.append(strong(SAME_WHEN[way]) if way == now else text(SAME_WHEN[way]))
    return parts + ([] if ways else [text("only")])

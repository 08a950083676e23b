"""The section of near-repeats: calls of one tool that are the same but for a little, and in what they differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.analysis.difference import Change, Difference, Kind
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.near_repeats import NearGroup, Side
from loopviz.detectors.core.steps import Match, Unknown
from loopviz.model import BoolArray
from loopviz.timeline.contract import Part
from loopviz.timeline.differing import MOST_NAMED, beyond, in_what, tell_whole
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
        "arguments": spaced(_arguments(inspection, group, found.arguments)),
        "outputs": spaced(_outputs(inspection, group, found.outputs)),
        "same": spaced(_same_with(inspection, group)),
        "action": f"call={second}&compare={first}",
        "tip": f"Compare calls {number(second + 1)} and {number(first + 1)}",
    }


def _arguments(inspection: Inspection, group: NearGroup, side: Side) -> list[Part]:
    return _side(side, "Arguments", inspection.grader.columns.unknown_arguments[group.calls], inspection.grader.unknown)


def _outputs(inspection: Inspection, group: NearGroup, side: Side) -> list[Part]:
    columns = inspection.grader.columns
    if columns.empty[group.calls].all():
        return [text("empty")]
    return _side(side, "Outputs", columns.unknown_observation[group.calls], inspection.grader.unknown)


def _side(side: Side, noun: str, unrecorded: BoolArray, unknown: Unknown) -> list[Part]:
    """In what the arguments of a group differ, or its outputs, and how many different ones there are."""
    n_missing = int(np.count_nonzero(unrecorded))
    if n_missing == len(unrecorded):
        return [text("not recorded"), muted(f"· taken as {'equal' if unknown == 'equal' else 'different'}")]
    missing = [muted(f"· {number(n_missing)} not recorded")] if n_missing else []
    if side.n_values == 1:
        return [text("same"), *missing]
    values = f"· {number(side.n_values)} values"
    values += f", the first {number(side.n_compared)} compared" if side.n_compared < side.n_values else ""
    return [*_changes(side.difference, noun), muted(values), *missing]


def _changes(difference: Difference, noun: str) -> list[Part]:
    """`only [request_id] differs`, `equal but for 2 numbers in line 3`."""
    changes = difference.changes
    if not changes:
        return [text(f"differ {beyond(difference)}")]
    if len(changes) == 1 and not changes[0].path:
        return [text(tell_whole(noun, changes[0]).removeprefix(f"{noun} ").removeprefix("are ").removeprefix("have "))]
    if len(changes) > MOST_NAMED:
        return [text(f"{'at least ' if difference.cut else ''}{number(len(changes))} fields differ")]
    names = [[*([text("and")] if place else []), code(change.path)] for place, change in enumerate(changes)]
    parts = [*([] if difference.cut else [text("only")]), *(part for name in names for part in name)]
    return [*parts, text(_differs(changes[0]) if len(changes) == 1 else "differ")]


def _differs(change: Change) -> str:
    match change.contrast.kind:
        case Kind.APART:
            return "differs"
        case Kind.ADDED | Kind.REMOVED:
            return "is not there in all of them"
        case Kind.TYPE:
            return "differs, also in the kind of value"
    return f"differs in {in_what(change)}"


def _same_with(inspection: Inspection, group: NearGroup) -> list[Part]:
    """The ways of "same" that take all of these calls for one, the one in force in semibold."""
    columns, apart = inspection.grader.columns, inspection.grader.unknown == "distinct"
    missing = [apart and flags[group.calls].any() for flags in (columns.unknown_observation, columns.unknown_arguments)]
    output = group.same_output and not columns.empty[group.calls].any() and not missing[0]
    arguments = group.same_arguments and not missing[1]
    ways: list[Match] = ["observation"] if output else []
    ways += ["name-args"] if arguments else []
    now = inspection.finding.settings.match
    parts: list[Part] = []
    for way in ways or ["name"]:
        parts += [text("·")] if parts else []
        parts.append(strong(SAME_WHEN[way]) if way == now else text(SAME_WHEN[way]))
    return parts + ([] if ways else [text("only")])

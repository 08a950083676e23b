"""Why here, and why not there: what joined a pattern and what ended it, and what keeps a call out of any."""

from __future__ import annotations

from typing import Any

import numpy as np

from loopviz.analysis.around import Around, around
from loopviz.analysis.boundaries import Apart, Boundary, after, before, calls_of, contrast_steps, gaps
from loopviz.analysis.inspection import Inspection
from loopviz.detectors.core.repeats import Cycle
from loopviz.detectors.core.steps import EMPTY, UNWATCHED, Match
from loopviz.timeline.contract import CycleState, Part
from loopviz.timeline.differing import beyond, fields_of, in_what, tell_member
from loopviz.timeline.words import SAME_WHEN, code, number, spaced, span, text

MOST_GAPS = 2
"""Places at which unwatched calls lie between copies that are named one by one."""
MOST_NAMED = 4
"""Calls that a sentence names."""

_HAS: dict[Match, str] = {
    "observation": "gave the same output",
    "name-args": "has the same arguments",
    "name": "calls the same tool",
}
_DIFFERS_IN = {
    "nothing in common": "everything",
    "no word in common": "every word",
    "no word in common in the part compared": "every word of the part compared",
    "another kind of value": "kind",
}
"""What it differs in, where that is not what it has in common."""
LONGEST_CELL = 48
"""Characters of a table's cell; the whole stands in its tip."""

Data = dict[str, Any]


def show_why(inspection: Inspection, call: int) -> Data:
    """The block that says why the chosen call, from 0, counts or does not."""
    step = int(inspection.grader.steps.of_call[call])
    if step == UNWATCHED:
        lines = _unwatched(inspection, call)
    elif _codes(inspection)[step] == EMPTY:
        lines = _empty(inspection, step)
    else:
        found = around(inspection, step)
        lines = _alone(inspection, step) if found is None else _inside(inspection, step, found)
    return {"kind": "lines", "title": "Why here", "aside": "", "lines": [spaced(line) for line in lines]}


def state_of(inspection: Inspection, found: Around) -> CycleState:
    """How a cycle stands under the settings."""
    if not found.counted:
        return CycleState.NOT_COUNTED
    return CycleState.OVER if found.cycle.occurrences > inspection.finding.settings.max else CycleState.COUNTED


def _codes(inspection: Inspection) -> Any:
    settings = inspection.finding.settings
    return inspection.grader.run_codes(0, settings.match, settings.max_cycle_period)


def ended_by(inspection: Inspection, cycle: Cycle, match: Match, bound: int) -> tuple[str, str]:
    """What ended a cycle, for the cell of a table and as a whole sentence.

    Args:
        inspection: The run.
        cycle: One of its cycles, counted or not.
        match: The way of "same" that finds it.
        bound: The longest pattern that finds it.
    """
    ended = after(inspection.grader, 0, cycle, match, bound)
    cell = _short(inspection, ended)
    cell = cell if len(cell) <= LONGEST_CELL else f"{cell[: LONGEST_CELL - 1]}…"
    return cell, "".join(part["text"] for part in spaced(_ended(inspection, ended)))


def at_the_end(inspection: Inspection) -> str:
    """What the cell says of a cycle that nothing ended."""
    return "no watched call after it" if _left_over(inspection) else "end of the run"


def _left_over(inspection: Inspection) -> int:
    """How many calls, all unwatched, come after the last watched one."""
    watched = inspection.grader.watched
    return int(np.argmax(watched[::-1])) if watched.any() else len(watched)


def _short(inspection: Inspection, ended: Boundary) -> str:
    if ended.call is None:
        return at_the_end(inspection)
    where = f"call {number(ended.call + 1)}"
    match ended.apart:
        case Apart.EMPTY:
            return f"empty output at {where}"
        case Apart.OUTPUT | Apart.ARGUMENTS:
            return f"other {ended.apart.value} at {where}: {_short_difference(ended)}"
        case Apart.UNKNOWN:
            return f"unrecorded at {where}"
    return f"different step: {where}, {_tools(inspection, ended)}"


def _short_difference(ended: Boundary) -> str:
    assert ended.difference is not None
    changes = ended.difference.changes
    if not changes:
        return beyond(ended.difference)
    if len(changes) > 1:
        return f"{number(len(changes))} " + (f"of {fields_of(ended.difference)}" if ended.difference.cut else "fields")
    change = changes[0]
    return f"{change.path}: {in_what(change)}" if change.path else in_what(change)


def _tools(inspection: Inspection, boundary: Boundary) -> str:
    assert boundary.step is not None
    return " + ".join(inspection.grader.step_tools(0, boundary.step))


def _inside(inspection: Inspection, step: int, found: Around) -> list[list[Part]]:
    cycle, match, bound = found.cycle, found.match, found.bound
    lines = []
    if not found.counted:
        lines += _not_counted(inspection, step, found)
    lines += _joined(inspection, cycle)
    lines += _parallel(inspection, step)
    began = before(inspection.grader, 0, cycle, match, bound)
    if began.call is not None and began.apart is not Apart.TOOLS:
        lines.append(_sentence(inspection, began, "The step before", ", so the pattern begins after it"))
    lines.append(_ended(inspection, after(inspection.grader, 0, cycle, match, bound)))
    return lines


def _ended(inspection: Inspection, ended: Boundary) -> list[Part]:
    if ended.apart is Apart.EDGE:
        rest = _left_over(inspection)
        if not rest:
            return [text("The run ends with it.")]
        are = ("", "is", "follows") if rest == 1 else ("s", "are", "follow")
        follow = f"{number(rest)} call{are[0]} that {are[1]} not watched {are[2]}"
        return [text(f"No watched call comes after it; {follow}.")]
    return _sentence(inspection, ended, "The next step", " and ends the pattern")


def _sentence(inspection: Inspection, boundary: Boundary, which: str, then: str = "") -> list[Part]:
    """A step that is not the same as another: what it is, in what they differ, and what that does to a pattern."""
    assert boundary.call is not None
    where = [text(f"{which} (call {number(boundary.call + 1)},"), code(_tools(inspection, boundary)), text(")")]
    match boundary.apart:
        case Apart.EMPTY:
            return [*where, text(f"gave an empty output{then}: an empty step matches no other.")]
        case Apart.TOOLS:
            return [*where, text(f"is different{then}.")]
        case Apart.UNKNOWN:
            return [*where, text(f"holds what was not recorded, which is taken as different{then}.")]
    assert boundary.other is not None
    did = "gave another output" if boundary.apart is Apart.OUTPUT else "has other arguments"
    several = inspection.grader.steps.n_calls[inspection.grader.steps.of_call[boundary.other]] > 1
    against = f"against call {number(boundary.other + 1)} " if then or several else ""
    return [*where, text(f"{did}{then}: {against}it differs in"), *_differs(boundary)]


def _differs(boundary: Boundary) -> list[Part]:
    """`2 numbers in line 3.`, or the members that differ, each with what differs in it."""
    assert boundary.difference is not None
    changes = boundary.difference.changes
    if not changes:
        return [text(f"what lies {beyond(boundary.difference)}." if boundary.difference.cut else "kind.")]
    if len(changes) == 1 and not changes[0].path:
        what = in_what(changes[0])
        return [text(_DIFFERS_IN.get(what, what) + ".")]
    parts: list[Part] = []
    for place, change in enumerate(changes[:MOST_NAMED]):
        parts += [*([text(",")] if place else []), *tell_member(change)]
    rest = len(changes) - MOST_NAMED
    return [*parts, *([text(f"and {number(rest)} more field{'s' if rest > 1 else ''}")] if rest > 0 else []), text(".")]


def needed(inspection: Inspection, cycle: Cycle, match: Match, bound: int) -> str:
    """The settings that would count a cycle which those in force do not: `same arguments and longest pattern 2`."""
    settings = inspection.finding.settings
    words = [] if match == settings.match else [SAME_WHEN[match]]
    if not cycle.period <= settings.max_cycle_period <= bound:
        words.append(f"longest pattern {cycle.period}")
    return " and ".join(words)


def _not_counted(inspection: Inspection, step: int, found: Around) -> list[list[Part]]:
    grader, settings, cycle = inspection.grader, inspection.finding.settings, found.cycle
    first, last = grader.first_call(0, cycle.start), grader.last_call_of_steps(0, cycle.start, cycle.stop)
    line = (
        f"Not counted here. With {needed(inspection, cycle, found.match, found.bound)} calls {span(first, last)} "
        f"would be {number(cycle.occurrences)} in a row."
    )
    if found.match == settings.match:
        return [[text(line)]]
    like = step - cycle.period if step - cycle.period >= cycle.start else step + cycle.period
    apart = contrast_steps(grader, 0, step, like, settings.match, settings.max_cycle_period)
    if apart.difference is None or apart.call is None or apart.other is None:
        return [[text(line)]]
    if _codes(inspection)[like] == EMPTY:
        empty = next(call for call in calls_of(grader, 0, like) if grader.columns.empty[call])
        nothing = (
            f"One copy away, the output of call {number(empty + 1)} is empty, and an empty output matches nothing."
        )
        return [[text(line)], [text(nothing)]]
    what = "the arguments differ" if apart.apart is Apart.ARGUMENTS else "the output differs"
    several = max(int(grader.steps.n_calls[at]) for at in (step, like)) > 1
    calls = f"call {number(apart.call + 1)} against call {number(apart.other + 1)}"
    where = calls if several else f"at call {number(apart.other + 1)}"
    return [
        [text(line)],
        [text(f"One copy away, {where}, {what} in"), *_differs(apart)],
    ]


def _joined(inspection: Inspection, cycle: Cycle) -> list[list[Part]]:
    """Calls that are not watched and lie between copies, or inside one, and so do not keep them apart."""
    found = gaps(inspection.grader, 0, cycle)
    if len(found) > MOST_GAPS:
        calls = [call for gap in found for call in gap.calls]
        names = list(dict.fromkeys(map(inspection.trajectory.tool, calls)))
        shown = ", ".join(number(call + 1) for call in calls[:MOST_NAMED]) + (", …" if len(calls) > MOST_NAMED else "")
        return [
            [
                text(f"{number(len(calls))} calls in between are not watched (calls {shown}:"),
                code(", ".join(names[:2]) + (" and others" if len(names) > 2 else "")),
                text("), so they do not keep the copies apart."),
            ]
        ]
    lines = []
    for gap in found:
        copies = [(at - cycle.start) // cycle.period + 1 for at in (gap.step, gap.step + 1)]
        which = f"copies {copies[0]} and {copies[1]} join" if copies[0] != copies[1] else f"copy {copies[0]} goes on"
        tools = {*map(inspection.trajectory.tool, gap.calls)}
        are = "is" if len(tools) == 1 else "are"
        lines.append([*_who(inspection, gap.calls), text(f", which {are} not watched: {which} across it.")])
    return lines


def _who(inspection: Inspection, calls: tuple[int, ...]) -> list[Part]:
    """`Turn 38 held only [update_plan]`, or `Call 40 is [update_plan]`."""
    turns, watched = inspection.trajectory.calls.turn, inspection.grader.watched
    turn = int(turns[calls[0]])
    tools = code(" + ".join(dict.fromkeys(map(inspection.trajectory.tool, calls))))
    near = slice(max(0, calls[0] - 50), calls[-1] + 50)
    whole = turn >= 0 and all(turns[call] == turn for call in calls) and not watched[near][turns[near] == turn].any()
    if whole:
        return [text(f"Turn {number(turn + 1)} held only"), tools]
    if len(calls) == 1:
        return [text(f"Call {number(calls[0] + 1)} is"), tools]
    return [text(f"Calls {span(calls[0], calls[-1])} hold"), tools]


def _parallel(inspection: Inspection, step: int) -> list[list[Part]]:
    n_calls = int(inspection.grader.steps.n_calls[step])
    if n_calls == 1:
        return []
    return [[text(f"Its turn holds {number(n_calls)} watched calls: one step, in which the same call counts once.")]]


def _alone(inspection: Inspection, step: int) -> list[list[Part]]:
    """A step in no cycle: from which neighbour it differs, and in what; where it came before."""
    settings, codes = inspection.finding.settings, _codes(inspection)
    match, bound = settings.match, settings.max_cycle_period
    sides = [contrast_steps(inspection.grader, 0, at, step, match, bound) for at in (step - 1, step + 1)]
    lines = [[text("In no pattern."), *_again(codes, inspection, step, bound)]]
    names = ("The step before", "The step after")
    if all(side.apart is Apart.TOOLS for side in sides):
        calls = [number((side.call or 0) + 1) for side in sides]
        tools = [code(_tools(inspection, side)) for side in sides]
        words = text(f"(call {calls[0]}) and"), text(f"(call {calls[1]}), which are different.")
        lines.append([text("Around it stand"), tools[0], words[0], tools[1], words[1]])
    else:
        for which, side in zip(names, sides, strict=True):
            if side.apart not in (Apart.EDGE, Apart.SAME):
                lines.append(_sentence(inspection, side, which))
    return lines + _parallel(inspection, step)


def _again(codes: Any, inspection: Inspection, step: int, bound: int) -> list[Part]:
    """How often the same step comes in the run, never so that a pattern comes round."""
    same = np.flatnonzero(codes == codes[step])
    if len(same) == 1:
        return [text(f"No other step of this run {_HAS[inspection.finding.settings.match]}.")]
    nearest = int(same[same != step][np.argmin(np.abs(same[same != step] - step))])
    call, distance = calls_of(inspection.grader, 0, nearest)[0], abs(nearest - step)
    away = f"{number(distance)} step{'' if distance == 1 else 's'} {'before' if nearest < step else 'after'}"
    pattern = "it never comes" if bound == 1 else f"no pattern of up to {bound} steps with it comes"
    words = (
        f"The same step comes {number(len(same))} times in this run, nearest at call {number(call + 1)}, {away}; "
        f"but {pattern} twice in a row."
    )
    return [text(words)]


def _empty(inspection: Inspection, step: int) -> list[list[Part]]:
    grader, cycles = inspection.grader, inspection.finding.cycles
    empty = [call for call in calls_of(grader, 0, step) if grader.columns.empty[call]]
    several = int(grader.steps.n_calls[step]) > 1
    what = f"In its turn the output of call {number(empty[0] + 1)} is" if several else "Its output is"
    lines = [[text(f"{what} empty: an empty step matches no other, so it ends any pattern and starts none.")]]
    ended = cycles.where(cycles.stop == step)
    for cycle in list(ended)[:1]:
        names = " → ".join(grader.pattern(0, cycle.start, cycle.period))
        lines.append([text("It ends"), code(names), text(f", {number(cycle.occurrences)} times in a row.")])
    found = around(inspection, step)
    return lines + (_not_counted(inspection, step, found) if found else [])


def _unwatched(inspection: Inspection, call: int) -> list[list[Part]]:
    watched = np.flatnonzero(inspection.grader.watched)
    at = int(np.searchsorted(watched, call))
    line = [code(inspection.trajectory.tool(call)), text("is not watched: it neither counts nor keeps others apart.")]
    if not 0 < at < len(watched):
        return [line]
    sides = [int(watched[at - 1]), int(watched[at])]
    steps = [int(inspection.grader.steps.of_call[side]) for side in sides]
    if steps[0] == steps[1]:
        return [line]
    names = " and ".join(number(side + 1) for side in sides)
    found = around(inspection, steps[0])
    joined = found is not None and found.counted and found.cycle.start <= steps[1] < found.cycle.stop
    return [
        line,
        [text(f"Calls {names} are neighbours for the grader{', and a pattern goes on across it' if joined else ''}.")],
    ]

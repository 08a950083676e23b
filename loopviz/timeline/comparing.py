"""Two calls set against each other, in words and as lines: what is the same, what differs, and whether it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from loopviz.analysis.boundaries import calls_of
from loopviz.analysis.difference import MOST_FIELDS, Change, Difference, compare_values, spread
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.unified import Row, unify
from loopviz.canonical import decode
from loopviz.detectors.core.steps import UNWATCHED, Match
from loopviz.timeline.contract import Part
from loopviz.timeline.differing import counted, tell_difference
from loopviz.timeline.words import SAME_WHEN, code, number, spaced, text

MOST_SHOWN = 8
"""Members whose two values are shown."""
MOST_CHARACTERS = 2_000_000
"""Characters of a text that is set against another one line by line."""

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """What two calls of a run have in common; calls count from 0."""

    call: int
    other: int
    same_tool: bool
    arguments: Difference
    output: Difference
    same: dict[Match, bool]
    """Whether the grader takes the two for the same call, for each way of "same"."""
    empty: tuple[bool, bool]
    """Whether this call's output, and that of the other, is missing or empty."""
    unrecorded: tuple[tuple[bool, bool], tuple[bool, bool]]
    """Whether nobody recorded the arguments of the two, and the outputs, so that they are taken as different."""


def compare_calls(inspection: Inspection, call: int, other: int) -> Pair:
    """Set a call against another one."""
    columns, unknown = inspection.grader.columns, inspection.grader.unknown
    trajectory = inspection.trajectory
    differences, equal, missing = [], [], []
    for codes, unrecorded, recorded in (
        (columns.arguments, columns.unknown_arguments, trajectory.arguments_json),
        (columns.observation, columns.unknown_observation, trajectory.observation_json),
    ):
        same_value = bool(codes[other] == codes[call])
        values = (None, None) if same_value else (value_of(recorded(other)), value_of(recorded(call)))
        differences.append(compare_values(*values))
        apart = unknown == "distinct"
        missing.append((apart and bool(unrecorded[call]), apart and bool(unrecorded[other])))
        equal.append(same_value and not any(missing[-1]))
    same_tool = bool(columns.tool[call] == columns.tool[other])
    empty = (bool(columns.empty[call]), bool(columns.empty[other]))
    same: dict[Match, bool] = {
        "observation": same_tool and equal[1] and not any(empty),
        "name-args": same_tool and equal[0],
        "name": same_tool,
    }
    return Pair(call, other, same_tool, differences[0], differences[1], same, empty, (missing[0], missing[1]))


def value_of(raw: bytes | None) -> Any:
    """A recorded value, its members in the order of the file; a missing one is null."""
    try:
        return None if raw is None else decode(raw)
    except ValueError:
        return raw.decode("utf-8", "surrogateescape") if raw else ""


def show_comparison(inspection: Inspection, call: int, chosen: int | None) -> list[Data]:
    """The block that sets the chosen call against another one; none where there is nothing to compare it with.

    Args:
        inspection: The run and what was found in it.
        call: The chosen call, from 0.
        chosen: The call that the person asked for, from 0; None for the near-repeat before.
    """
    offers = _offers(inspection, call)
    if chosen is not None and chosen != call and 0 <= chosen < len(inspection.trajectory.calls):
        other = chosen
    elif offers:
        other = next(iter(offers))
    else:
        return []
    pair = compare_calls(inspection, call, other)
    several = len(offers) + (other not in offers) > 1
    block = {
        "kind": "compare",
        "title": f"Against call {number(other + 1)}",
        "aside": offers.get(other, ""),
        "choices": [
            {"label": f"call {number(one + 1)}, {what}", "action": f"compare={one}", "now": one == other}
            for one, what in offers.items()
            if several
        ],
        "sentence": tell_pair(inspection, pair),
        "signs": [f"− call {number(other + 1)}", f"+ call {number(call + 1)}"],
        **_texts(pair),
    }
    return [block]


def _offers(inspection: Inspection, call: int) -> dict[int, str]:
    """The calls that it can be compared with at a click, each with what it is to the chosen one."""
    columns, near = inspection.grader.columns, inspection.near.before(call)
    of_tool = (columns.tool[:call] == columns.tool[call]).nonzero()[0]
    found: list[tuple[int | None, str]] = [
        (near, "the near-repeat before it"),
        (_copy_before(inspection, call), "its place in the copy before"),
        (int(of_tool[-1]) if len(of_tool) else None, "the call before it of this tool"),
    ]
    if near is not None and all(codes[near] == codes[call] for codes in (columns.arguments, columns.observation)):
        found[0] = near, "the same call before it"
    offers: dict[int, str] = {}
    for other, what in found:
        if other is not None:
            offers.setdefault(other, what)
    return offers


def _copy_before(inspection: Inspection, call: int) -> int | None:
    """The call of the same tool at the same place of the copy before, in the strongest counted cycle."""
    step = int(inspection.grader.steps.of_call[call])
    cycles = inspection.finding.cycles
    inside = cycles.where((cycles.start <= step) & (step < cycles.stop))
    if step == UNWATCHED or not len(inside):
        return None
    cycle = max(inside, key=lambda cycle: cycle.occurrences)
    if step - cycle.period < cycle.start:
        return None
    tool = inspection.grader.columns.tool
    mine = calls_of(inspection.grader, 0, step)
    others = calls_of(inspection.grader, 0, step - cycle.period)
    alike = [other for other in others if tool[other] == tool[call]]
    rank = [one for one in mine if tool[one] == tool[call]].index(call)
    return alike[min(rank, len(alike) - 1)] if alike else None


def tell_pair(inspection: Inspection, pair: Pair) -> list[Part]:
    """What two calls have in common, in what they differ, and whether they count as the same."""
    if not pair.same_tool:
        tools = [inspection.trajectory.tool(call) for call in (pair.call, pair.other)]
        return spaced([text("Another tool:"), code(tools[0]), text("instead of"), code(tools[1]), text(".")])
    arguments, outputs = map(any, pair.unrecorded)
    common = ["Same tool"]
    common += [] if pair.arguments or arguments else ["same arguments"]
    common += [] if pair.output or outputs or any(pair.empty) else ["same output"]
    parts = [text(", ".join(common) + ".")]
    if arguments:
        parts.append(text(_unrecorded("arguments", pair.unrecorded[0], pair.other)))
    elif pair.arguments:
        parts += [*tell_difference("Arguments", pair.arguments), text(".")]
    if any(pair.empty):
        parts.append(text(_emptiness(pair)))
    elif outputs:
        parts.append(text(_unrecorded("output", pair.unrecorded[1], pair.other)))
    elif pair.output:
        parts += [*tell_difference("Outputs", pair.output), text(".")]
    return spaced([*parts, text(_counts(inspection.finding.settings.match, pair))])


def _emptiness(pair: Pair) -> str:
    if all(pair.empty):
        return "Both outputs are empty, and an empty output matches nothing, not even another empty one."
    here = "This one's output" if pair.empty[0] else f"The output of call {number(pair.other + 1)}"
    return f"{here} is empty, and an empty output matches nothing."


def _unrecorded(noun: str, missing: tuple[bool, bool], other: int) -> str:
    """Which of two values nobody recorded, where such a value equals nothing."""
    one = noun == "output"
    if all(missing):
        return f"{'Outputs' if one else 'Arguments'} were not recorded, and are taken as different."
    whose = f"This one's {noun}" if missing[0] else f"The {noun} of call {number(other + 1)}"
    return f"{whose} {'was' if one else 'were'} not recorded, and {'is' if one else 'are'} taken as different."


def _counts(match: Match, pair: Pair) -> str:
    now = pair.same[match]
    modes: tuple[Match, ...] = ("observation", "name-args", "name")
    others = [mode for mode in modes if mode != match and (mode != "name" or not any(list(pair.same.values())[:2]))]
    words = f"So it {'counts' if now else 'does not count'} as the {SAME_WHEN[match]}"
    turned = [SAME_WHEN[mode] for mode in others if pair.same[mode] != now]
    alike = [SAME_WHEN[mode] for mode in others if pair.same[mode] == now]
    clauses = [f"and would {'not ' if now else ''}as the {' or the '.join(turned)}"] if turned else []
    if alike and not turned:
        clauses.append(f"and would {'' if now else 'not '}as the {' or the '.join(alike)} {'too' if now else 'either'}")
    return ", ".join([words, *clauses]) + "."


def _texts(pair: Pair) -> Data:
    """The two values of each member that differs, line by line, and of the output."""
    named = [(change.path or "arguments", change) for change in pair.arguments.changes]
    named += [(f"output {change.path}".strip(), change) for change in pair.output.changes]
    if not pair.same_tool:
        named = []
    rest = len(named) - MOST_SHOWN
    notes = [f"{counted(rest, 'more field')} that {'differs is' if rest == 1 else 'differ are'} not shown."]
    notes = notes if rest > 0 else []
    if pair.same_tool and (pair.arguments.cut or pair.output.cut):
        notes.append(f"What lies beyond the first {number(MOST_FIELDS)} fields is not compared.")
    return {
        "texts": [lines_of(title, change) for title, change in named[:MOST_SHOWN]],
        "note": " ".join(notes),
    }


def lines_of(title: str, change: Change) -> Data:
    """The two values of a member that differs, line by line."""
    sides = ["" if value is None else spread(value) for value in (change.before, change.after)]
    unified = unify(*(side[:MOST_CHARACTERS] for side in sides))
    empty = {sign for sign, side in zip("-+", sides, strict=True) if not side}  # which would be one empty line
    rows = [row for row in unified.rows if row.sign not in empty]
    cut = unified.cut or max(map(len, sides)) > MOST_CHARACTERS
    note = "Cut here: the rest is not compared." if cut else ""
    return {"title": title, "rows": [_row(row) for row in rows], "note": note}


def _row(row: Row) -> Data:
    if row.sign == "…":
        return {"sign": "", "pieces": [], "skipped": f"{counted(row.skipped, 'equal line')}"}
    sign = {"-": "−"}.get(row.sign, row.sign)
    return {"sign": sign, "pieces": [[words, marked] for words, marked in row.pieces]}

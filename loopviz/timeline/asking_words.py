"""Why a stretch counts or does not, as pieces of sentences: one for each reason of the fixed list."""

from __future__ import annotations

from collections.abc import Mapping

from loopviz.analysis.asking import Answer, WhyNone
from loopviz.analysis.lying import Loop
from loopviz.analysis.neighbours import Apart, Pairs
from loopviz.analysis.reasons import Fact, Reason
from loopviz.detectors.core.steps import Match
from loopviz.detectors.max_repeat import DID
from loopviz.timeline.contract import CycleState, Part
from loopviz.timeline.verdict import pattern_parts
from loopviz.timeline.words import allowed, code, mark, muted, number, spaced, span, text

MOST_STEPS = 10
"""Steps of a pattern that are named: all there can be."""
_APART: Mapping[Apart, str] = {
    Apart.EMPTY: "hold an empty output",
    Apart.TOOL: "differ in the tool",
    Apart.BOTH: "differ in arguments and output",
    Apart.ARGUMENTS: "differ in arguments only",
    Apart.OUTPUT: "differ in the output only",
    Apart.NOTHING: "do not differ",
}
_WHAT: Mapping[Match, str] = {"observation": "outputs", "name-args": "arguments", "name": "tools"}
_NO_TWO: Mapping[Match, str] = {
    "observation": "no two gave the same output",
    "name-args": "no two were called with the same arguments",
    "name": "no two are of the same tool",
}


def lead(answer: Answer) -> str:
    """Whether the stretch counts."""
    if answer.counts:
        return "Counts."
    return "Counts in part." if answer.head.reason is Reason.PARTLY else "Does not count."


def reason_parts(answer: Answer, *, most: int = MOST_STEPS) -> list[Part]:
    """The first reason that holds, with its figures."""
    head, settings, n_calls = answer.head, answer.settings, len(answer.stretch)
    limit = allowed(settings.max)
    match head.reason:
        case Reason.COUNTED:
            enough = _allow(_loop(head).occurrences)
            return [*_repeats(head, CycleState.OVER, most), text(f"; {limit}. With"), enough, text("it would not.")]
        case Reason.PARTLY:
            lie = "lies" if head.count == 1 else "lie"
            rest = f"; {limit}. Only {number(head.count)} of the {number(n_calls)} marked calls {lie} there."
            if 2 * head.count >= n_calls:
                rest = f"; {limit}. Fewer than two copies of it are marked."
            return [*_repeats(head, CycleState.OVER, most), text(rest)]
        case Reason.WITHIN_LIMIT:
            return [*_repeats(head, CycleState.COUNTED, most), text(f"; {limit}.")]
        case Reason.SMALL:
            rest = f", which covers {number(head.count)} of the {number(n_calls)} marked calls; {limit}."
            return [*_repeats(head, CycleState.COUNTED, most), text(rest)]
        case _:
            return [text(_plain_reason(answer))]


def _plain_reason(answer: Answer) -> str:
    """The reasons that speak of no loop."""
    head, settings, n_calls = answer.head, answer.settings, len(answer.stretch)
    match head.reason:
        case Reason.UNWATCHED:
            return "This call is not watched." if n_calls == 1 else f"None of its {number(n_calls)} calls is watched."
        case Reason.ONE_STEP if head.count == 1:
            return "It holds one watched call, and one step cannot repeat."
        case Reason.ONE_STEP:
            return f"Its {number(head.count)} watched calls are of one turn, and a turn is one counted step."
        case Reason.ALL_EMPTY:
            return (
                f"Each of its {counted_steps(head.count)} holds an empty output, and an empty step starts no pattern."
            )
    which = counted_steps(head.of) if head.of == answer.n_steps else f"{number(head.of)} steps with an output"
    if head.reason is Reason.ALL_DIFFER:
        return f"Its {which} all differ: {_NO_TWO[settings.match]}." if head.of > 1 else "Only one step has an output."
    length = settings.max_cycle_period
    pattern = "no step" if length == 1 else f"no pattern of up to {length} steps"
    return f"Of its {which} {number(head.count)} are different ones, and {pattern} follows itself directly."


def _loop(fact: Fact) -> Loop:
    assert fact.loop is not None, f"{fact.reason} speaks of a loop"
    return fact.loop


def _repeats(fact: Fact, state: CycleState, most: int = MOST_STEPS) -> list[Part]:
    """`[a] read → [b] edit gave the same outputs 5 times in a row (calls 34–49)`."""
    loop = _loop(fact)
    pattern = pattern_parts(loop.pattern, state)[: 3 * most - 1]
    if loop.period > most:
        pattern += [mark("→"), text("…")]
    did = DID[loop.match][loop.period > 1]
    return [*pattern, text(f"{did} {number(loop.occurrences)} times in a row (calls {span(loop.first, loop.last)})")]


def other_parts(fact: Fact, answer: Answer, *, most: int = MOST_STEPS) -> list[Part]:
    """One thing that would make more copies count, and whether these would be enough."""
    settings = answer.settings
    loop = _loop(fact)
    repeats = _repeats(fact, CycleState.NOT_COUNTED, most)
    enough = "" if loop.occurrences > settings.max else f" That is within the limit of {number(settings.max)}."
    longer = f"longer than the longest pattern, {settings.max_cycle_period}"
    match fact.reason:
        case Reason.EMPTY_CUTS:
            call = fact.call or 0
            left_out = text(f"gave an empty output, which ends the pattern.{enough} Left out:")
            return [call_part(call, "Call"), left_out, *repeats, text(".")]
        case Reason.HALF_EMPTY:
            words = "With longest pattern 1 a turn with some empty outputs keeps its other calls:"
            return [text(words), *repeats, text(f".{enough}")]
        case Reason.TOO_LONG:
            return [*repeats, text(f": a pattern of {loop.period} steps, {longer}.{enough}")]
        case Reason.VALUES_DIFFER:
            what = _WHAT[settings.match]
            where = [text(f"but some outputs are empty.{enough}")]
            if fact.call is not None and fact.against is not None:
                where = [
                    text(f"but the {what} differ, first between"),
                    call_part(fact.against),
                    text("and"),
                    call_part(fact.call),
                    text(f".{enough}"),
                ]
            if loop.period > settings.max_cycle_period:
                where.append(text(f"And its {loop.period} steps are {longer}."))
            return [*repeats, text(","), *where]
        case Reason.BETWEEN:
            return [
                text("Calls of"),
                code(fact.tools[0]),
                text("stand between. Without them:"),
                *repeats,
                text(f".{enough}"),
            ]
        case Reason.AMONG:
            return [
                text("Other tools stand between. With"),
                code(fact.tools[0]) if fact.tools else text("the tools of the marked calls"),
                text("alone:"),
                *repeats,
                text(f".{enough}"),
            ]
        case _:
            return [text("Tools of it are not watched. With them:"), *repeats, text(f".{enough}")]


def _allow(limit: int) -> Part:
    return {**text(f"{number(limit)} allowed"), "action": f"max={limit}"}


def call_part(call: int, word: str = "call") -> Part:
    """A call that a click chooses."""
    return {**text(f"{word} {number(call + 1)}"), "action": f"call={call}"}


def neighbour_parts(answer: Answer) -> list[Part] | None:
    """In what neighbours differ, the most frequent first; None where that says nothing."""
    if answer.neighbours is None or not answer.neighbours.pairs:
        return None
    total, first = answer.neighbours.total, answer.neighbours.pairs[0]
    if first.count == total and (total > 1 or first.apart is not Apart.EMPTY):
        which = "The two steps" if total == 1 else f"All {number(total)} pairs of neighbours"
        return [muted(f"{which} {_APART[first.apart]}.")]
    parts: list[Part] = [muted(f"Of {number(total)} pair{'' if total == 1 else 's'} of neighbours")]
    for place, pairs in enumerate(answer.neighbours.pairs):
        parts += [mark("·")] if place else []
        parts += _pairs(pairs)
    return spaced(parts)


def _pairs(pairs: Pairs) -> list[Part]:
    first, second = pairs.calls
    where = "first calls" if pairs.count > 1 else "calls"
    words = _APART[pairs.apart]
    if pairs.count == 1:
        words = words.replace("hold ", "holds ").replace("differ ", "differs ").replace("do not", "does not")
    return [
        text(f"{number(pairs.count)} {words}"),
        {**muted(f"({where} {number(first + 1)} and {number(second + 1)})"), "action": f"call={second}"},
    ]


def why_none(answer: Answer) -> str:
    """Why no setting counts the stretch."""
    match answer.why_none:
        case WhyNone.ONE_CALL:
            return "No setting counts it: one call cannot repeat. Mark at least two."
        case WhyNone.ONE_TURN:
            return "No setting counts it: its calls are of one turn, and a turn is one counted step at most."
        case _:
            tried = number(answer.tried)
            return f"No setting counts it: of {tried} tried, with any number allowed, none finds such a loop in it."


def counted_steps(count: int) -> str:
    """`12 counted steps`."""
    return f"{number(count)} counted step{'' if count == 1 else 's'}"

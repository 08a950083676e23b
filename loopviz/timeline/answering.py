"""Three questions, three answers, in words: the grader's is the verdict, those of the two guards are simulated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from loopviz.analysis.answers import GraderAnswer, LadderAnswer, ThrashAnswer, ThreeAnswers, three_answers
from loopviz.analysis.causes import Cause
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.left_out import would_stop
from loopviz.analysis.lines import too_late
from loopviz.analysis.parting import Parting
from loopviz.analysis.seen import NEVER
from loopviz.analysis.voices import Detector
from loopviz.detectors.after_stop import AfterStop
from loopviz.detectors.escalation import Level
from loopviz.detectors.max_repeat import DID
from loopviz.detectors.thrash import Kind
from loopviz.timeline.contract import Part
from loopviz.timeline.facts import duration
from loopviz.timeline.nearing import AT_ONCE
from loopviz.timeline.words import allowed, code, number, spaced, span, strong, text

Data = dict[str, Any]
Line = list[Part]
LEVELS = {Level.REPLAN: "replan", Level.EXPLORE: "explore", Level.FORCE_DONE: "force-done"}
NAMES = {Detector.GRADER: "the grader", Detector.LADDER: "the ladder", Detector.THRASH: "thrash"}


def show_answers(inspection: Inspection, *, quoting: bool = True) -> Data:
    """The section: three columns, and where the answers part. Pieces with an action are clicked to choose a call.

    `quoting` allows it to name the arguments that the settings leave out.
    """
    answers = three_answers(inspection)
    columns = (
        ("Grader", "the verdict", "Did it repeat, looking back?", _grader(inspection, answers.grader)),
        ("Ladder", "simulated", "Would similar arguments have drawn a nudge?", _ladder(inspection, answers)),
        (
            "Thrash",
            "simulated",
            "Would identical arguments have stopped it?",
            _thrash(inspection, answers, quoting=quoting),
        ),
    )
    return {
        "columns": [
            {
                "who": who,
                "role": role,
                "question": question,
                "answer": said[0],
                "lines": [spaced(line) for line in said[1]],
            }
            for who, role, question, said in columns
        ],
        "parting": spaced(_parting(inspection, answers)),
    }


def to_call(call: int, words: str = "") -> Part:
    """A call as a piece that chooses it when it is clicked: `call 20`."""
    return {**text(words or f"call {number(call + 1)}"), "action": f"call={call}"}


def to_calls(first: int, last: int) -> Part:
    """Several calls as a piece that chooses the first: `calls 34–49`."""
    return to_call(first, f"call{'' if first == last else 's'} {span(first, last)}")


def _grader(inspection: Inspection, answer: GraderAnswer) -> tuple[str, list[Line]]:
    limit = allowed(answer.limit)
    if not inspection.finding.watched_calls:
        return "No", [[text(_nothing_watched(inspection))]]
    if answer.first is None or answer.last is None:
        return "No", [[text(f"Every output is empty, so there is nothing to compare; {limit}.")]]
    if answer.occurrences == 1:
        return "No", [[text(f"Nothing comes twice in a row; {limit}.")]]
    did = DID[inspection.finding.settings.match][len(answer.pattern) > 1]
    lines = [
        [*_pattern(answer.pattern), text(did), text("in"), to_calls(answer.first, answer.last), text(f"; {limit}.")]
    ]
    figure = f"{number(answer.occurrences)} in a row"
    if answer.yes and answer.call is not None:
        lines.append([text("Over the limit at"), to_call(answer.call), text(".")])
        return f"Yes, {figure}", lines
    return (f"No, but at the limit: {figure}" if answer.occurrences == answer.limit else f"No, {figure}"), lines


def _pattern(pattern: tuple[str, ...]) -> Line:
    parts: Line = []
    for tools in pattern:
        parts += [text("→")] if parts else []
        parts.append(code(tools))
    return parts


def _ladder(inspection: Inspection, answers: ThreeAnswers) -> tuple[str, list[Line]]:
    answer, settings = answers.ladder, inspection.ladder.settings
    if answer.call is None or answer.first is None:
        first = f"the first nudge comes at {number(settings.replan)}."
        return "No", [_at_most(inspection, answer, "similar", first)]
    line: Line = []
    for firing in answer.strongest:
        name = LEVELS[firing.level]
        line += [text(","), text(name)] if line else [text(name.capitalize())]
        line += [text("at"), to_call(firing.call)]
    line += [text(f": {number(answer.longest)} similar"), *_tool(answer), *_place(answer)]
    lines = [line]
    if answer.call is not None and answer.call < answer.first:
        lines.append([text("The first nudge comes at"), to_call(answer.call), text(".")])
    return f"Yes, level {answer.level} of 3", lines + _after(answer.after, answers.outcome)


def _thrash(inspection: Inspection, answers: ThreeAnswers, *, quoting: bool) -> tuple[str, list[Line]]:
    answer, thrash = answers.thrash, inspection.thrash
    where = " in the run" if thrash.settings.scope == "run" else ""
    alike = "identical" if answer.to_the_letter else "otherwise identical"
    if answer.call is None:
        stop = f"it stops at {number(thrash.settings.n)}.{too_late(thrash, inspection.trajectory)}"
        lines = [_at_most(inspection, answer, alike, stop, where=where)]
        lines += _stops_without(inspection) if quoting else []
        return "No", [*lines, [text("Nothing after a stop point.")]]
    if answer.kind is Kind.PING_PONG:
        line = [text("Two calls take turns with the same outputs:"), *_place(answer)[1:]]
    else:
        what = alike
        if answer.kind is Kind.EMPTY_RETRY:
            what = f"nearly empty, {alike}" if answer.most > 1 else "nearly empty"
        line = [text(f"{number(answer.most)} {what}"), *_tool(answer), *_place(answer, where)]
    lines = [line]
    if answer.kind is not Kind.PING_PONG and not answer.to_the_letter:
        left_out = ", ".join(thrash.settings.ignore_args) or "see its schemas"
        lines.append([text(f"They differ in what is left out: {left_out if quoting else 'some arguments'}.")])
    lines += _after(answer.after, answers.outcome)
    return f"Yes, at call {number(answer.call + 1)}", lines


def _stops_without(inspection: Inspection) -> list[Line]:
    """The argument whose changing values keep thrash from stopping the run."""
    found = would_stop(inspection) if inspection.finding.watched_calls <= AT_ONCE else None
    if found is None:
        return []
    left_out = [text("With"), code(found.argument), text("left out (ignore_args) it would have stopped at")]
    return [[*left_out, to_call(found.call), text(".")]]


def _nothing_watched(inspection: Inspection) -> str:
    return "No call of this run is watched." if len(inspection.trajectory.calls) else "This run holds no call."


def _at_most(
    inspection: Inspection, answer: LadderAnswer | ThrashAnswer, what: str, limit: str, *, where: str = ""
) -> Line:
    """`At most 2 identical calls in a row (25–26); it stops at 3.`"""
    most = answer.longest if isinstance(answer, LadderAnswer) else answer.most
    if isinstance(answer, ThrashAnswer) and answer.passed_over:
        return [text("No watched call counts."), *(text(cause.value) for cause in answer.passed_over)]
    if answer.first is None or answer.last is None:
        return [text(_nothing_watched(inspection))]
    if most < 2:
        return [text(f"No two {what} calls{where or ' in a row'};"), text(limit)]
    calls = to_call(answer.first, f"({span(answer.first, answer.last)})")
    return [text(f"At most {number(most)} {what} calls{where or ' in a row'}"), calls, text(f"; {limit}")]


def _tool(answer: LadderAnswer | ThrashAnswer) -> Line:
    return [code(answer.tool)] if answer.tool else []


def _place(answer: LadderAnswer | ThrashAnswer, where: str = "") -> Line:
    """`calls, 18–23.`, or `calls, among 18–30.` where others stand between them."""
    assert answer.first is not None and answer.last is not None
    most = answer.longest if isinstance(answer, LadderAnswer) else answer.most
    among = " among" if answer.last - answer.first >= most else ""
    calls = to_call(answer.first, span(answer.first, answer.last))
    return [text(f"call{'' if most == 1 else 's'}{where},{among}"), calls, text(".")]


def _after(after: AfterStop | None, good: bool | None) -> list[Line]:
    """What a guard would have saved at most, and whether the run came out well without it."""
    if after is None:
        return []
    if not after.calls:
        return [[text("Nothing comes after the stop point.")]]
    figures = [f"{number(after.calls)} call{'' if after.calls == 1 else 's'}"]
    figures += [f"{number(after.tokens)} tokens"] if after.tokens is not None else []
    figures += [f"$ {after.cost:,.2f}"] if after.cost is not None else []
    figures += [duration(after.seconds).replace(" ", "\u00a0")] if after.seconds is not None else []
    lines = [[text(f"After the stop point, at most: {', '.join(figures)}.")]]
    return lines + ([[text("The run's recorded outcome is good all the same.")]] if good else [])


def _parting(inspection: Inspection, answers: ThreeAnswers) -> Line:
    if not answers.partings:
        return _agreement(inspection, answers)
    first = answers.partings[0]
    call: Part = {**strong(f"call {number(first.call + 1)}"), "action": f"call={first.call}"}
    parts = [strong("They first part at"), call, strong("."), *_why(inspection, first)]
    for later in answers.partings[1:]:
        parts += [text("In"), to_calls(later.first, later.last)]
        why = _why(inspection, later)
        if set(later.spoke).isdisjoint(first.spoke):
            parts.append(text("it is the other way round:"))
            why[0] = text(why[0]["text"][:1].lower() + why[0]["text"][1:])
        else:
            parts.append(text(f"{_list(later.spoke)} {_speak(later)}."))
        parts += why
    return parts


def _why(inspection: Inspection, parting: Parting) -> Line:
    parts: Line = [text(cause.value) for cause in parting.causes if cause is not Cause.LIMITS]
    if Cause.LIMITS in parting.causes:
        parts.append(text(f"{Cause.LIMITS.value} {_limits(inspection)}"))
    silent = (
        f"{_list(parting.spoke).capitalize()} {_speak(parting)} here, {_list(parting.others)} not yet or not at all."
    )
    return parts or [text(silent)]


def _speak(parting: Parting) -> str:
    return "speaks" if len(parting.spoke) == 1 else "speak"


def _limits(inspection: Inspection) -> str:
    replan, n = inspection.ladder.settings.replan, inspection.thrash.settings.n
    most = inspection.finding.settings.max
    return f"The ladder nudges at {number(replan)}, thrash stops at {number(n)}, the grader fails above {number(most)}."


def _list(detectors: Iterable[Detector]) -> str:
    return " and ".join(NAMES[detector] for detector in detectors)


def _agreement(inspection: Inspection, answers: ThreeAnswers) -> Line:
    if answers.grader.yes:
        return [strong("They part nowhere:"), text("all three speak at the same call.")]
    repeated = int((inspection.seen.same_arguments != NEVER).sum())
    parts = [strong("They part nowhere:"), text("all three say no.")]
    if repeated * 4 >= max(inspection.finding.watched_calls, 1):
        watched = number(inspection.finding.watched_calls)
        repeat = "calls repeats" if repeated == 1 else "calls repeat"
        words = f"But {number(repeated)} of {watched} {repeat} an earlier one; see"
        parts += [text(words), strong("Seen before"), text(".")]
    return parts

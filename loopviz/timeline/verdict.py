"""The verdict in words: one sentence and a few rows, as pieces that the page and the terminal both print."""

from __future__ import annotations

import numpy as np

from loopviz.analysis.alternatives import Alternative, other_verdict
from loopviz.analysis.boundaries import gaps
from loopviz.analysis.inspection import Inspection
from loopviz.analysis.recorded import disagrees, recorded_results
from loopviz.analysis.seen import SeenBefore
from loopviz.analysis.tool_figures import with_every_tool
from loopviz.detectors.core.repeats import MAX_PERIOD, Cycle
from loopviz.detectors.core.steps import MATCHES
from loopviz.detectors.max_repeat import DID, MaxRepeat, MaxRepeatFinding
from loopviz.model import GraderResult, Trajectory
from loopviz.settings import MaxRepeatSettings
from loopviz.timeline.contract import CycleState, Part, Verdict, VerdictRow
from loopviz.timeline.empties import turned_by_empties
from loopviz.timeline.words import SAME_WHEN, allowed, mark, muted, number, spaced, span, strong, text, verdict_word

MOST_RECORDED = 6
"""Recorded verdicts that are named where none is that of the grader on screen."""
_BY_ARGUMENTS = f"with {SAME_WHEN['name-args']}"
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()


def judge_in_words(inspection: Inspection, recorded: GraderResult | None, *, comparable: bool = True) -> Verdict:
    """The verdict block of one run: what repeated, where, what would change it, and what the file says.

    `comparable` tells whether the file judged by these settings: only then is another verdict a disagreement.
    """
    trajectory, grader, run, finding = inspection.trajectory, inspection.grader, 0, inspection.finding
    rows = [_where(trajectory, grader, run, finding)] if finding.occurrences > 1 else []
    rows += _what_else(grader, run, finding)
    rows += turned_by_empties(grader, finding)
    if inspection.caution:
        rows.append({"label": "Caution", "parts": [text(str(inspection.caution))]})
    rows.append(_recorded(trajectory, finding, recorded, comparable))
    return {
        "passed": finding.passed,
        "badge": "PASS" if finding.passed else "FAIL",
        "sentence": spaced(
            _passed(grader, run, finding, inspection.seen) if finding.passed else failing_sentence(finding)
        ),
        "rows": [{**row, "parts": spaced(row["parts"])} for row in rows],
    }


def not_judged(reason: str) -> Verdict:
    """The verdict block of a run that could not be judged."""
    return {"passed": None, "badge": "NOT JUDGED", "sentence": [text(reason)], "rows": []}


def pattern_parts(pattern: tuple[str, ...], state: CycleState) -> list[Part]:
    """A pattern as letters and tool names: `[a] read → [b] edit`."""
    parts: list[Part] = []
    for place, tools in enumerate(pattern):
        if place:
            parts.append(mark("→"))
        parts.append({"kind": "swatch", "text": chr(ord("a") + place), "period": len(pattern), "state": int(state)})
        parts.append({"kind": "code", "text": tools, "brief": True})
    return parts


def failing_sentence(finding: MaxRepeatFinding) -> list[Part]:
    """What repeated, how often, and how often is allowed: `[a] bash gave the same output 5 times in a row; …`."""
    did = DID[finding.settings.match][len(finding.pattern) > 1]
    return [
        *pattern_parts(finding.pattern, CycleState.OVER),
        text(f"{did} {number(finding.occurrences)} times in a row; {allowed(finding.settings.max)}."),
    ]


def _passed(grader: MaxRepeat, run: int, finding: MaxRepeatFinding, seen: SeenBefore) -> list[Part]:
    if not finding.watched_calls:
        if grader.columns.starts[run] == grader.columns.starts[run + 1]:
            return [text("This run holds no call, so nothing can repeat.")]
        return [text("The tool filter matches none of its calls, so nothing can repeat.")]
    if not finding.occurrences:
        return [text(_nothing_to_compare(grader, run, finding))]
    words = f"At most {number(finding.occurrences)} in a row; {allowed(finding.settings.max)}."
    begin, end = grader.columns.starts[run], grader.columns.starts[run + 1]
    watched = grader.watched[begin:end]
    repeated = int((seen.same_arguments[begin:end][watched] >= 0).sum())
    clauses = []
    if repeated * 4 >= finding.watched_calls:
        repeat = "repeats" if repeated == 1 else "repeat"
        clauses.append(f"{number(repeated)} of {number(finding.watched_calls)} calls {repeat} an earlier one")
    clauses += _larger_elsewhere(grader, run, finding)
    return [text(words + (f" But {', and '.join(clauses)}." if clauses else ""))]


def _nothing_to_compare(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> str:
    """What a run whose steps are all empty hides comes first: nothing was compared, so its pass says nothing."""
    clauses = _larger_elsewhere(grader, run, finding)
    counting = finding.occurrences_counting_empty
    if counting > finding.settings.max:
        alone = f"if empty outputs counted it would be {number(counting)}"
        clauses.append(f"{number(counting)} if empty outputs counted" if clauses else alone)
    words = "Every step holds an empty output, so there is nothing to compare."
    return f"{words} But {', and '.join(clauses)}." if clauses else words


def _larger_elsewhere(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> list[str]:
    """The largest figure over the limit that one other setting would find."""
    settings = finding.settings
    options = [
        (int(grader.best(match, settings.max_cycle_period).occurrences[run]), f"with {SAME_WHEN[match]}")
        for match in MATCHES[:2]
        if match != settings.match
    ]
    options += [
        (int(grader.best(settings.match, bound).occurrences[run]), f"with patterns of length {bound}")
        for bound in range(settings.max_cycle_period + 1, MAX_PERIOD + 1)
    ]
    most = max((option[0] for option in options), default=0)
    if most <= settings.max:
        return []
    words = next(words for figure, words in options if figure == most)
    new = ", each with a new output" if words == _BY_ARGUMENTS and _all_new(grader, run, settings) else ""
    return [f"{words} it would be {number(most)}{new}"]


def _all_new(grader: MaxRepeat, run: int, settings: MaxRepeatSettings) -> bool:
    """Whether the calls of the longest loop of same arguments all gave another output: progress, not a standstill."""
    best, columns = grader.best("name-args", settings.max_cycle_period), grader.columns
    begin, end = columns.starts[run], columns.starts[run + 1]
    step, first = grader.steps.of_call[begin:end], int(best.start[run])
    inside = (step >= first) & (step < first + int(best.period[run]) * int(best.occurrences[run]))
    outputs = columns.observation[begin:end][inside]
    known = not (columns.empty[begin:end] | columns.unknown_observation[begin:end])[inside].any()
    return known and len(np.unique(outputs)) == len(outputs)


def _where(trajectory: Trajectory, grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> VerdictRow:
    assert finding.start is not None and finding.stop is not None
    first, last = grader.first_call(run, finding.start), grader.last_call_of_steps(run, finding.start, finding.stop)
    calls = f"call {span(first, last)}" if first == last else f"calls {span(first, last)}"
    words = f"The {number(finding.occurrences)} {_copies(finding)} are {calls}"
    words += _started(grader, run, finding) + _in_turns(grader, run, finding)
    words += _joined(grader, run, finding, _deciding(finding))
    return {"label": "Where", "parts": [*_first_over(trajectory, grader, run, finding), text(words)]}


def _first_over(trajectory: Trajectory, grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> list[Part]:
    """`Over the limit at turn 14 (call 19).`, and by which loop where that is not the deciding one."""
    if finding.first_failing_call is None:
        return []
    place, limit = call_place(trajectory, finding.first_failing_call), finding.settings.max
    over = finding.cycles.over(limit)
    first = over.where(over.start + (limit + 1) * over.period - 1 == finding.first_failing_step)
    if ((first.start == finding.start) & (first.period == finding.period)).any():
        return [text(f"Over the limit at {place}.")]
    cycle = next(iter(first.where(np.argsort(-first.occurrences, kind="stable")[:1])))
    pattern = pattern_parts(grader.pattern(run, cycle.start, cycle.period), CycleState.OVER)
    return [
        text(f"Over the limit first at {place}, by another loop:"),
        *pattern,
        text(f"× {number(cycle.occurrences)}."),
    ]


def _in_turns(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> str:
    """That the calls of a turn count once, where the loop holds more calls than steps."""
    assert finding.start is not None and finding.stop is not None
    begin, n_steps = int(grader.steps.starts[run]), finding.stop - finding.start
    n_calls = int(grader.steps.n_calls[begin + finding.start : begin + finding.stop].sum())
    if n_calls == n_steps:
        return ""
    return f" All calls of one turn are one step: these {number(n_calls)} calls count as {number(n_steps)}."


def call_place(trajectory: Trajectory, call: int) -> str:
    """`turn 14 (call 19)`; the call alone where it belongs to no turn."""
    turn = int(trajectory.calls.turn[call])
    return f"turn {number(turn + 1)} (call {number(call + 1)})" if turn >= 0 else f"call {number(call + 1)}"


def _copies(finding: MaxRepeatFinding) -> str:
    return "copies" if finding.period and finding.period > 1 else "steps"


def _started(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> str:
    """A started copy after the last complete one, which does not count."""
    cycle = _deciding(finding)
    if cycle.stop == cycle.complete:
        return "."
    more = finding.occurrences + 1
    which = f"a {_ORDINALS[more - 2]}" if more - 2 < len(_ORDINALS) else f"copy {number(more)}"
    call = grader.first_call(run, cycle.complete)
    return f"; {which} starts at call {number(call + 1)} and does not count."


def _deciding(finding: MaxRepeatFinding) -> Cycle:
    return next(cycle for cycle in finding.cycles if (cycle.start, cycle.period) == (finding.start, finding.period))


def _joined(grader: MaxRepeat, run: int, finding: MaxRepeatFinding, cycle: Cycle) -> str:
    """Calls between the steps of the loop that are not watched, and so do not keep it apart."""
    calls = [grader.columns.starts[run] + call for gap in gaps(grader, run, cycle) for call in gap.calls]
    tools = sorted({grader.columns.tools[tool] for tool in grader.columns.tool[calls].tolist()}) if calls else []
    if not tools:
        return ""
    names = ", ".join(tools[:3]) + (" and others" if len(tools) > 3 else "")
    words = f" Calls of {names} in between are not watched, so they do not separate it."
    every = with_every_tool(grader, finding.settings.match, finding.settings.max_cycle_period)
    return words if every == finding.occurrences else f"{words} With every tool watched it would be {number(every)}."


def _what_else(grader: MaxRepeat, run: int, finding: MaxRepeatFinding) -> list[VerdictRow]:
    changes = other_verdict(grader, run, finding)
    if not changes:
        return []
    parts: list[Part] = []
    for change in changes:
        parts += [mark("or")] if parts else []
        parts += _alternative(change, finding)
    return [{"label": "Would fail with" if finding.passed else "Would pass with", "parts": parts}]


def _alternative(change: Alternative, finding: MaxRepeatFinding) -> list[Part]:
    figure = muted(f"({number(change.occurrences)} in a row)")
    action = f"{change.field}={change.value}"
    if change.field == "max":
        return [{**text(f"{change.value} allowed"), "action": action}]
    if change.field == "match":
        return [{**text(SAME_WHEN[change.value]), "action": action}, figure]  # type: ignore[index]
    further = "less" if int(change.value) < finding.settings.max_cycle_period else "more"
    words = f"longest pattern {change.value}" + (f" or {further}" if change.beyond else "")
    return [{**text(words), "action": action}, figure]


def _recorded(
    trajectory: Trajectory, finding: MaxRepeatFinding, recorded: GraderResult | None, comparable: bool
) -> VerdictRow:
    what = "recomputed here" if comparable else "with these settings"
    here = f"{what}: {verdict_word(finding.passed)}, {number(finding.occurrences)} in a row"
    if recorded is None:
        parts: list[Part] = [*_said_elsewhere(trajectory), mark("·"), text(here)]
    else:
        said = _said(recorded)
        apart = comparable and disagrees(finding.passed, recorded)
        parts = [strong(f"≠ {said}") if apart else text(said)]
        if recorded.evidence:
            parts.append(muted(recorded.evidence))
        if not comparable:
            parts.append(muted("(judged by other settings)"))
        parts += [mark("·"), strong(here) if apart else text(here)]
    trial = trial_in_words(trajectory)
    return {"label": "Vally said", "parts": [*parts, *([mark("·"), text(trial)] if trial else [])]}


def _said_elsewhere(trajectory: Trajectory) -> list[Part]:
    """What the file says where no single verdict in it is that of the grader on screen."""
    results = recorded_results(trajectory)
    if not results:
        return [muted("nothing about max-repeat in this file")]
    said = ", ".join(f"{result.configured_name or result.name}: {_said(result)}" for result in results[:MOST_RECORDED])
    more = f" and {number(len(results) - MOST_RECORDED)} more" if len(results) > MOST_RECORDED else ""
    which = (
        "1 verdict, of another grader" if len(results) == 1 else f"{number(len(results))} verdicts, of other graders"
    )
    return [text(which), muted(f"({said}{more})")]


def _said(result: GraderResult) -> str:
    return "an error" if result.passed is None else verdict_word(result.passed)


def trial_in_words(trajectory: Trajectory) -> str:
    """The trial's own verdict and score: `trial passed 0.83 ≥ 0.70`; empty where the file has none."""
    if trajectory.outcome is None:
        return ""
    words = f"trial {'passed' if trajectory.outcome else 'failed'}"
    score = trajectory.grade.score if trajectory.grade else None
    if score is None:
        return words
    if trajectory.threshold is None:
        return f"{words}, {score:.2f}"
    return f"{words} {score:.2f}\u00a0{'≥' if score >= trajectory.threshold else '<'}\u00a0{trajectory.threshold:.2f}"

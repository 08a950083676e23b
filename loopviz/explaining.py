"""What `loopviz explain` prints: the verdict on a run, how it came about, and its steps, as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from loopviz.analysis.inspection import Inspection, inspect
from loopviz.analysis.lines import Question
from loopviz.analysis.recorded import recorded_for
from loopviz.analysis.runset import RunSet
from loopviz.detectors.core.steps import EMPTY
from loopviz.masking import mask_json
from loopviz.model import Trajectory
from loopviz.patterns import PatternError
from loopviz.timeline.evidence import show_evidence
from loopviz.timeline.verdict import judge_in_words
from loopviz.timeline.words import number, plain, span


def explain_run(trajectory: Trajectory, question: Question, call: int | None, *, masked: bool = False) -> Iterator[str]:
    """Explain one run, line by line.

    Args:
        trajectory: The run.
        question: What it is judged by.
        call: A call to show in full, from 0.
        masked: Hide what stands under a telling name in its values, which their plain text no longer tells; what looks
            like a secret in the lines themselves is left to the caller.
    """
    yield f"{trajectory.source.name} {trajectory.run}"
    if trajectory.not_judged is not None:
        yield f"  Not judged: {trajectory.not_judged}"
        return
    choice = question.graders_of(trajectory)
    if choice.missing:
        yield f"  Not judged: {choice.missing}"
    runs = RunSet([trajectory])
    for place, grader in enumerate(choice.graders):
        yield f"{grader.name}:" if len(choice.graders) > 1 else ""
        if grader.settings is None:
            yield f"  Not judged: {grader.error or grader.not_judged}"
            continue
        try:
            found = inspect(runs, grader.settings, unknown=question.unknown_in_force)
        except PatternError as error:
            yield f"  Not judged: {error}"
            continue
        recorded = recorded_for(trajectory, grader.name, place, len(choice.graders))
        verdict = judge_in_words(found, recorded, comparable=not question.overrides.changes)
        yield f"  {verdict['badge']}. {plain(verdict['sentence'])}"
        for row in verdict["rows"]:
            yield f"  {row['label']}: {plain(row['parts'])}"
        shown = replace(found, trajectory=_hidden(trajectory)) if masked and call is not None else found
        yield from _evidence(shown, call)


def _hidden(trajectory: Trajectory) -> Trajectory:
    """The run with its values masked by the names of their fields."""
    book = trajectory.codebook
    return replace(trajectory, codebook=replace(book, values=tuple(map(mask_json, book.values))))


def _evidence(found: Inspection, call: int | None) -> Iterator[str]:
    call = call if call is not None and 0 <= call < len(found.trajectory.calls) else None
    evidence = show_evidence(found, call, raw=None, whole=frozenset({"arguments", "output"}))
    yield ""
    yield "  How it got there"
    for row in evidence["figures"]["funnel"]:
        yield f"  {row['n']:>10} {row['label']:<16} {row['note']}".rstrip()
    for line in evidence["figures"]["foot"]:
        yield f"  {line}"
    yield ""
    yield "  The whole grid: times in a row for each longest pattern, 1 to 10"
    for row in evidence["figures"]["grid"]["rows"]:
        yield f"  {row['label']:<15} " + " ".join(f"{cell['n']:>5}" for cell in row["cells"])
    yield ""
    yield "  Steps"
    yield from _steps(found)
    if call is not None and evidence["call"] is not None:
        yield from _call(evidence["call"])


def _steps(found: Inspection) -> Iterator[str]:
    """A line a step: number, calls, turn, tools, and its place in a cycle."""
    settings, grader, finding = found.finding.settings, found.grader, found.finding
    codes = grader.run_codes(0, settings.match, settings.max_cycle_period)
    marks: dict[int, str] = {}
    for cycle in sorted(finding.cycles, key=lambda cycle: cycle.occurrences):
        for step in range(cycle.start, cycle.stop):
            copy, place = divmod(step - cycle.start, cycle.period)
            which = f"copy {copy + 1} of {cycle.occurrences}" if copy < cycle.occurrences else "a started copy"
            marks[step] = f"{chr(ord('a') + place)}, {which}"
    for step in range(finding.steps):
        first, last = grader.first_call(0, step), grader.last_call(0, step)
        turn = int(found.trajectory.calls.turn[first])
        where = f"turn {number(turn + 1)}" if turn >= 0 else "alone"
        mark = "empty" if codes[step] == EMPTY else marks.get(step, "")
        over = "   <- over the limit" if step == finding.first_failing_step else ""
        tools = " + ".join(grader.step_tools(0, step))
        yield f"  {number(step + 1):>8}  {where:<11} call {span(first, last):<11} {tools:<28} {mark}{over}".rstrip()


def _call(shown: dict) -> Iterator[str]:  # type: ignore[type-arg]
    yield ""
    yield f"  {shown['title']} · {shown['tool']}"
    yield "  " + " · ".join(chip["text"] for chip in shown["chips"])
    for block in shown["blocks"]:
        yield f"  {block['title']} {block['aside']}".rstrip()
        lines = [f"{name}: {value}" for name, value in block["fields"]] if "fields" in block else [block["text"]]
        lines += [f"({block['note']})"] if "note" in block else []
        for line in "\n".join(lines).splitlines() or [""]:
            yield f"    {line}"
    for block in shown["beside"]:
        yield f"  {block['title']} {block['aside']}".rstrip()
        for parts in block.get("lines") or [block["sentence"]]:
            yield f"    {plain(parts)}"

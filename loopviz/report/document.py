"""What a report says, as plain data: findings put into words, texts masked and cut, nothing of how it looks.

Every text that comes from the run is taken from the run as `release` lets it leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from loopviz.analysis.inspection import Inspection
from loopviz.analysis.lines import Question
from loopviz.analysis.recorded import recorded_for
from loopviz.analysis.runset import RunSet
from loopviz.detectors.max_repeat import MaxRepeatFinding
from loopviz.model import Trajectory
from loopviz.report.calls import ToldCalls, tell_calls
from loopviz.report.cells import Cell, step_cells
from loopviz.report.export import Export, Masks
from loopviz.report.figures import Figure, key_figures
from loopviz.report.judging import REFUSED, Judged
from loopviz.report.looking import Looked, look
from loopviz.report.markup import readable
from loopviz.report.settings_told import defaults_told, settings_title, settings_yaml
from loopviz.report.texts import CELL, CUT, Text, brief, briefly, size
from loopviz.timeline.answering import show_answers
from loopviz.timeline.changing import show_changes
from loopviz.timeline.contract import Part, Payload, Verdict
from loopviz.timeline.evidence import show_cycles
from loopviz.timeline.facts import facts
from loopviz.timeline.picture import draw
from loopviz.timeline.verdict import judge_in_words, not_judged, trial_in_words
from loopviz.timeline.words import number, text

Data = dict[str, Any]

MOST_LAST = 20
"""Texts after the last call that are told, the last ones."""
MOST_PROBLEMS = 100
"""Parts that could not be used that are told, each in its own words."""
_ELSEWHERE = ("Would pass with", "Would fail with", "Vally said")
"""Rows of the verdict that have a place of their own in a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a report says of a run that has a verdict."""

    finding: MaxRepeatFinding
    pattern: tuple[str, ...]
    """Tools of the deciding pattern, where it comes more than once."""
    figures: list[Figure]
    picture: Payload
    caption: str
    cells: list[Cell]
    cells_note: str
    cycles: Data
    changes: Data
    answers: Data


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderRow:
    """One of several graders."""

    name: str
    passed: bool | None
    words: str
    shown: bool
    """The report's picture is of this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Everything that stands in a report."""

    heading: str
    facts: str
    grader: str
    day: str
    note: str
    verdict: Verdict
    trial: str
    """The trial's own verdict, in a sentence; empty where the file has none."""
    findings: Findings | None
    graders: list[GraderRow]
    calls: ToldCalls
    said: list[Text]
    """Prompt, final answer and error of the run."""
    settings_title: str
    settings_yaml: str
    defaults: str
    provenance: list[tuple[str, list[Part]]]
    problems: list[str]
    redacted: bool

    @property
    def passed(self) -> bool | None:
        return self.verdict["passed"]


def write_document(
    trajectory: Trajectory,
    question: Question,
    export: Export,
    *,
    grader: int | None = None,
    runs: RunSet | None = None,
) -> Document:
    """Say what is known of a run.

    Args:
        trajectory: The run.
        question: What it is judged by.
        export: What stays out, and what is put on top.
        grader: Which of its graders the picture is of; None for the first that failed.
        runs: The run as a set of its own, where somebody has made one already.
    """
    return document_of(look(trajectory, question, export, grader=grader, runs=runs), question, export)


def document_of(looked: Looked, question: Question, export: Export) -> Document:
    """The same of a run that was looked at already."""
    trajectory, released, judged, shown = looked.trajectory, looked.released, looked.judged, looked.shown
    found, masks = looked.found, looked.masks
    verdict = _verdict(released, shown, len(judged), export)
    said = next((row["parts"] for row in verdict["rows"] if row["label"] == "Vally said"), [])
    texts = _run_texts(released)
    calls = tell_calls(trajectory, released, found, masks, of_run=texts, redacted=export.redact)
    findings = None if found is None else _findings(found, masks, redacted=export.redact)
    document = Document(
        heading=brief(masks.text(heading(released))),
        facts=facts_line(released, masks),
        grader=brief(masks.text(shown.name)),
        day=export.day,
        note=masks.text(export.note.strip()),
        verdict=briefly(masks.value(_headline(verdict))),
        trial=_trial_sentence(released),
        findings=findings,
        graders=[_grader_row(one, shown, export, masks) for one in judged] if len(judged) > 1 else [],
        calls=calls,
        said=texts,
        settings_title=settings_title(question),
        settings_yaml=settings_yaml(judged, shown, question, masks, redacted=export.redact),
        defaults=defaults_told(judged, shown, question),
        provenance=[
            (label, [{**part, "text": brief(part["text"], CUT)} for part in parts])
            for label, parts in masks.value(_provenance(released, said, export))
        ],
        problems=_problems(released, export, masks),
        redacted=export.redact,
    )
    # How much was masked is known only now.
    document.provenance.append(("texts", [text(_texts_told([*calls.texts, *texts], masks, export))]))
    return document


def facts_line(released: Trajectory, masks: Masks) -> str:
    """The model, and what is counted; of a model's very long name the beginning."""
    model = "" if released.model is None else brief(masks.text(released.model))
    return " · ".join(filter(None, (model, masks.text(facts(released)))))


def heading(trajectory: Trajectory) -> str:
    """`fix-failing-test, trial 4`: what the page is about."""
    name = trajectory.stimulus or trajectory.run
    parts = [name] if trajectory.trial is None or trajectory.trials == 1 else [f"{name}, trial {trajectory.trial + 1}"]
    parts += [trajectory.variant] if trajectory.variant not in (None, "main") else []
    return ", ".join(filter(None, parts))


def _verdict(released: Trajectory, shown: Judged, n_graders: int, export: Export) -> Verdict:
    if shown.found is None:
        return not_judged(_reason(released, shown, export))
    kind = shown.grader.type if shown.grader is not None else shown.name
    recorded = recorded_for(released, shown.name, shown.place, n_graders, kind)
    # The trial's own verdict stands in the first sentence, so it is not told beside that of the grader again.
    found = replace(shown.found, trajectory=replace(released, outcome=None))
    return judge_in_words(found, recorded, comparable=shown.comparable)


def _reason(released: Trajectory, judged: Judged, export: Export) -> str:
    """Why there is no verdict; a refusal quotes settings, which a run may have recorded."""
    if released.not_judged is not None:
        return released.not_judged
    return REFUSED if export.redact and judged.grader is not None else judged.reason


def _headline(verdict: Verdict) -> Verdict:
    """The verdict without what a report says elsewhere."""
    return {**verdict, "rows": [row for row in verdict["rows"] if row["label"] not in _ELSEWHERE]}


def _findings(found: Inspection, masks: Masks, *, redacted: bool) -> Findings:
    picture = draw(found, None, {"call": None, "seq": 0})
    cells, cells_note = step_cells(found, picture)
    finding = found.finding
    return Findings(
        finding=finding,
        pattern=tuple(brief(masks.text(tools)) for tools in finding.pattern) if finding.occurrences > 1 else (),
        figures=key_figures(found),
        picture=_seen_picture(picture, masks),
        caption=_caption(found),
        cells=cells,
        cells_note=cells_note,
        cycles=briefly(masks.value(_cycles(found, masks, redacted=redacted))),
        changes=briefly(masks.value(show_changes(found))),
        answers=briefly(masks.value(show_answers(found, quoting=not redacted))),
    )


def _cycles(found: Inspection, masks: Masks, *, redacted: bool) -> Data:
    """The cycles; without the names of fields where these may not leave, or stand before words as before a secret."""
    bare = show_cycles(found, quoting=False)
    if redacted:
        return bare
    told = show_cycles(found)
    pairs = zip(told["rows"], bare["rows"], strict=True)
    return {**told, "rows": [row if masks.leaves([row["tip"], row["cells"]]) else plain for row, plain in pairs]}


def _seen_picture(picture: Payload, masks: Masks) -> Payload:
    """The picture with its texts masked; its columns are numbers in disguise, which no mask may touch."""
    texts: Data = {key: picture[key] for key in ("run", "tools", "events", "break_notes")}
    shown: Payload = {**picture, "idle": [], **_readable(briefly(masks.value(texts)))}
    return shown


def _readable(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    return [_readable(item) for item in value] if isinstance(value, list | tuple) else value


def _caption(found: Inspection) -> str:
    finding, n_calls = found.finding, len(found.trajectory.calls)
    empty = f"{number(finding.empty_steps)} empty" if finding.empty_steps else "none empty"
    return (
        f"{number(n_calls)} call{'' if n_calls == 1 else 's'} in {number(found.trajectory.n_turns)} turns, "
        f"{number(finding.steps)} counted step{'' if finding.steps == 1 else 's'}, {empty}. "
        "Seen before: pale, same arguments or output; strong, both. Ladder and thrash: simulated."
    )


def _trial_sentence(trajectory: Trajectory) -> str:
    words = trial_in_words(trajectory)
    return f"The {words}." if words else ""


def _grader_row(judged: Judged, shown: Judged, export: Export, masks: Masks) -> GraderRow:
    found = judged.found
    if found is None:
        words = REFUSED if export.redact else judged.reason
    else:
        finding = found.finding
        words = f"{number(finding.occurrences)} in a row, {number(finding.settings.max)} allowed"
    name, words = brief(masks.text(judged.name)), brief(masks.text(words), CELL)
    return GraderRow(name=name, passed=judged.passed, words=words, shown=judged is shown)


def _run_texts(released: Trajectory) -> list[Text]:
    """What was asked, what was said after the last call, the final answer, and what went wrong outside the agent."""
    events = [event.text for event in released.events if event.call == len(released.calls) and event.text]
    last = [words for words in events if words != released.output]
    more = len(last) - MOST_LAST
    title = "After the last call"
    told = [
        ("Prompt", released.prompt),
        *([(title, f"{number(more)} earlier texts are not here; the file holds them.")] if more > 0 else []),
        *((title, words) for words in last[-MOST_LAST:]),
    ]
    told += [("Final answer", released.output), ("Error", released.error)]
    return [Text(title=title, whole=readable(words)) for title, words in told if words]


def _provenance(released: Trajectory, said: list[Part], export: Export) -> list[tuple[str, list[Part]]]:
    line = "" if released.line is None else f"line {number(released.line)}"
    file = ", ".join(filter(None, ("left out" if export.redact else released.source.name, line)))
    rows: list[tuple[str, list[Part]]] = [
        ("file", [text(file)] if export.redact else _code(file)),
        *([] if released.run == heading(released) else [("run", _code(released.run))]),
        ("run digest", _code(released.digest)),
        ("format", [text(f"{released.source.format}, {size(released.source.size)}")]),
    ]
    if said:
        rows.append(("Vally said", said))
    return rows


def _code(words: str) -> list[Part]:
    return [{"kind": "code", "text": words}]


def _texts_told(texts: Sequence[Text], masks: Masks, export: Export) -> str:
    """How many texts are here, how many are cut, how many secrets are hidden."""
    hidden = "masking switched off"
    if export.masked:
        hidden = f"{number(masks.hidden)} masked" if masks.hidden else "no secrets found to mask"
    if export.redact:
        return f"left out: arguments, outputs, messages, errors; {hidden}"
    cut = sum(1 for one in texts if one.note)
    return f"{number(len(texts))} shown, {number(cut) if cut else 'none'} cut; {hidden}"


def _problems(released: Trajectory, export: Export, masks: Masks) -> list[str]:
    problems = released.problems
    if not export.redact:
        told = [brief(masks.text(f"{problem.where}: {problem.message}"), CELL) for problem in problems[:MOST_PROBLEMS]]
        more = len(problems) - MOST_PROBLEMS
        return [*told, f"{number(more)} more."] if more > 0 else told
    return [f"{number(len(problems))} of its parts could not be used."] if problems else []

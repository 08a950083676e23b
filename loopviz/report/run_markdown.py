"""One run as Markdown, for an issue or a pull request: what repeated, which calls, when to stop it, at what cost.

Everything in it is taken from the document of the report, so that nothing leaves here that stays out there.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from loopviz import __version__
from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.presenting.cost import cost_after
from loopviz.presenting.headline import headline_parts, unjudged_headline
from loopviz.presenting.stopping import stop_point
from loopviz.report import markdown
from loopviz.report.calls import ToldCall
from loopviz.report.document import Document, document_of
from loopviz.report.export import Export
from loopviz.report.looking import Looked, look
from loopviz.report.markdown import Markdown, code, line, words
from loopviz.report.pieces import SIGNS, verdict
from loopviz.report.release import run_key
from loopviz.report.texts import CELL, Text, brief
from loopviz.timeline.words import number

LONGEST_TEXT = 160
"""Characters of an argument or output in the table of calls."""
MOST_GRADERS = 20
FILE = "RUN_FILE"
"""Stands for the file where its name may not leave."""


def make_run_markdown(
    trajectory: Trajectory,
    question: Question,
    export: Export,
    *,
    grader: int | None = None,
    runs: RunSet | None = None,
) -> str:
    """Make it; the arguments are those of `loopviz.report.page.make_page`."""
    looked = look(trajectory, question, export, grader=grader, runs=runs)
    told = document_of(looked, question, export)
    return markdown.document(
        markdown.heading(3, f"{SIGNS[told.passed]} {told.verdict['badge']} · ", code(told.heading)),
        _headline(looked, export),
        markdown.paragraph(told.facts) if told.facts else None,
        markdown.quote(told.note) if told.note else None,
        markdown.table(("", ""), _answers(looked, told)),
        _graders(told),
        _calls(told),
        _settings(told),
        _again(looked, question, export),
        _foot(export),
    )


def _headline(looked: Looked, export: Export) -> Markdown:
    """One sentence for people who never saw a run."""
    found = looked.presentable
    if found is None:
        told = looked.masks.text(unjudged_headline(looked.released, hide_texts=export.redact))
        return markdown.strong(brief(told, CELL))
    parts = looked.masks.value(headline_parts(found, hide_texts=export.redact))
    return markdown.strong(markdown.sentence(parts))


def _answers(looked: Looked, told: Document) -> Iterator[tuple[str, Markdown]]:
    """What a reader asks, a row each."""
    yield "Verdict", line(markdown.sentence(told.verdict["sentence"]), " ", told.trial)
    yield from ((row["label"], markdown.sentence(row["parts"])) for row in told.verdict["rows"])
    if looked.found is None:
        return
    cost, stop = cost_after(looked.found), stop_point(looked.found)
    yield "When it could have been stopped", words(cost.at_most if stop is None else cost.how[0])
    if stop is not None:
        said = line(markdown.strong(cost.figure), f" {cost.words} {cost.at_most} {cost.ending}")
        yield "What came after", said


def _graders(told: Document) -> Markdown | None:
    """All graders of a run that has several."""
    if not told.graders:
        return None
    rows = [
        (code(row.name), verdict(row.passed), words(row.words), "told above" if row.shown else "")
        for row in told.graders[:MOST_GRADERS]
    ]
    n_more = len(told.graders) - MOST_GRADERS
    more = line(f"{number(n_more)} more.") if n_more > 0 else None
    table = markdown.table(("Grader", "Verdict", "Figure", ""), rows)
    return markdown.details(f"Every grader of this run ({number(len(told.graders))})", table, more)


def _calls(told: Document) -> Markdown | None:
    """The calls that show what repeated: the first copy, the first over the limit, the last."""
    if not told.calls.chosen:
        return None
    heads = ("Call", "Where", "Tool", "Part", *(("Compared",) if told.redacted else ("Arguments", "Output")))
    table = markdown.table(heads, map(_call, told.calls.chosen))
    return markdown.details(f"The calls that show it ({len(told.calls.chosen)} of {number(told.calls.n_calls)})", table)


def _call(call: ToldCall) -> tuple[Markdown, ...]:
    texts = (words(call.left_out),) if call.arguments is None else (_text(call.arguments), _text(call.output))
    return (words(number(call.call + 1)), words(" · ".join(call.facts)), code(call.tool), words(call.role), *texts)


def _text(told: Text | None) -> Markdown:
    if told is None:
        return words("")
    if told.missing:
        return words(told.missing)
    if told.same is not None:
        return words(f"as call {number(told.same + 1)}")
    flat = " ".join(told.whole.split())
    return code(flat if len(flat) <= LONGEST_TEXT else f"{flat[: LONGEST_TEXT - 1]}…")


def _settings(told: Document) -> Markdown | None:
    if not told.settings_yaml:
        return None
    defaults = words(told.defaults) if told.defaults else None
    return markdown.details(told.settings_title, markdown.fenced(told.settings_yaml, "yaml"), defaults)


def _again(looked: Looked, question: Question, export: Export) -> Markdown:
    """The commands that give the same verdict, and this run's report."""
    source, options = looked.trajectory.source.name, list(_options(question))
    file = FILE if export.redact else "-" if source == "<stdin>" else source
    file = f"./{file}" if file.startswith("-") and file != "-" else file
    key = run_key(looked.trajectory, export)
    grade = shlex.join(["loopviz", "grade", file, *options])
    report = shlex.join(["loopviz", "report", file, "--run", key, "-o", "run.html", *options])
    said = "To see it again"
    if question.config is not None:
        said += ", with the settings above kept in `loopviz.yaml`"
    if export.redact:
        said += f", with the run's file for `{FILE}`"
    commands = looked.masks.text(f"{grade}\n{report}")
    return Markdown(f"{said}:\n\n{markdown.fenced(commands, 'sh')}")


def _options(question: Question) -> Iterator[str]:
    """What the command was given, or would be for what is on screen."""
    given = question.overrides
    if question.config is not None:
        yield from ("--config", "loopviz.yaml")
    if given.max is not None:
        yield from ("--max", str(given.max))
    if given.max_cycle_period is not None:
        yield from ("--max-cycle-period", str(given.max_cycle_period))
    if given.match is not None:
        yield from ("--match", given.match)
    for pattern in given.tools or ():
        yield f"--tool={pattern}"
    if question.stimulus is not None:
        yield f"--stimulus={question.stimulus}"
    if question.unknown not in (None, "equal"):
        yield from ("--unknown", str(question.unknown))


def _foot(export: Export) -> Markdown:
    left_out = " Texts of the run are left out." if export.redact else ""
    return Markdown(f"<sub>loopviz {__version__}, {export.day}. Guards are simulated.{left_out}</sub>")

"""Every file in which a run can leave, by its kind: those of `loopviz report`, and that of the page Present."""

from __future__ import annotations

from collections.abc import Callable

from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.report.export import Export
from loopviz.report.formats import FORMATS, MARKDOWN, MakeRun
from loopviz.report.index import entry, make_index
from loopviz.report.looking import look
from loopviz.report.names import file_name
from loopviz.report.page import make_page
from loopviz.report.rows import rows_of
from loopviz.ui.present.one_file import file_of_run
from loopviz.ui.present.told import tell

Made = Callable[[Trajectory, Question, Export], str]


def _alone(make: MakeRun) -> Made:
    return lambda trajectory, question, export: make(trajectory, question, export)


def _summary(trajectory: Trajectory, question: Question, export: Export) -> str:
    assert MARKDOWN.of_runs is not None
    unread = [("/home/qzmarkunreadxq.json", "It holds qzmarkducksxq.")] if export.redact else []
    return MARKDOWN.of_runs(rows_of(RunSet([trajectory]), question, export), unread, export)


def _index(trajectory: Trajectory, question: Question, export: Export) -> str:
    name = file_name(trajectory, export)
    return name + make_index([entry(make_page(trajectory, question, export).document, name)], [], export)


def _present(trajectory: Trajectory, question: Question, export: Export) -> str:
    found = look(trajectory, question, export).shown.found
    return file_of_run(tell(trajectory, found, export), export)


KINDS: dict[str, Made] = {
    **{ending: _alone(format.of_run) for ending, format in FORMATS.items() if ending != ".htm"},
    "list of a folder": _index,
    "summary": _summary,
    "page Present": _present,
}


def every_export(trajectory: Trajectory, question: Question, export: Export) -> dict[str, str]:
    """What comes out, by kind."""
    return {kind: make(trajectory, question, export) for kind, make in KINDS.items()}

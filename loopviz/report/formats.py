"""The formats in which findings leave, by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.report.data_files import Unread, make_csv, make_json
from loopviz.report.export import Export
from loopviz.report.page import make_page
from loopviz.report.picture_file import make_picture
from loopviz.report.rows import RunRows, rows_of
from loopviz.report.run_markdown import make_run_markdown
from loopviz.report.summary import make_summary


class MakeRun(Protocol):
    """Makes the file of one run; the arguments are those of `loopviz.report.page.make_page`."""

    def __call__(
        self,
        trajectory: Trajectory,
        question: Question,
        export: Export,
        *,
        grader: int | None = None,
        runs: RunSet | None = None,
    ) -> str: ...


MakeRuns = Callable[[list[RunRows], Unread, Export], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format."""

    ending: str
    mime: str
    of_run: MakeRun
    of_runs: MakeRuns | None = None
    """None where a file holds one run."""


def _page(
    trajectory: Trajectory,
    question: Question,
    export: Export,
    *,
    grader: int | None = None,
    runs: RunSet | None = None,
) -> str:
    return make_page(trajectory, question, export, grader=grader, runs=runs).html


def _json(told: list[RunRows], unread: Unread, export: Export) -> str:
    return make_json((row for one in told for row in one.rows), unread, export)


def _csv(told: list[RunRows], unread: Unread, export: Export) -> str:
    return make_csv((row for one in told for row in one.rows), export)


def _of_one(make: MakeRuns) -> MakeRun:
    """One run by the maker of many; every grader of it is told, so that none is chosen."""

    def made(
        trajectory: Trajectory,
        question: Question,
        export: Export,
        *,
        grader: int | None = None,
        runs: RunSet | None = None,
    ) -> str:
        return make(rows_of(runs or RunSet([trajectory]), question, export), (), export)

    return made


HTML = Format(ending=".html", mime="text/html", of_run=_page)
SVG = Format(ending=".svg", mime="image/svg+xml", of_run=make_picture)
MARKDOWN = Format(ending=".md", mime="text/markdown", of_run=make_run_markdown, of_runs=make_summary)
CSV = Format(ending=".csv", mime="text/csv", of_run=_of_one(_csv), of_runs=_csv)
JSON = Format(ending=".json", mime="application/json", of_run=_of_one(_json), of_runs=_json)
FORMATS: dict[str, Format] = {one.ending: one for one in (HTML, MARKDOWN, CSV, JSON, SVG)} | {".htm": HTML}
"""By the ending of a file, in small letters."""
ENDINGS = ".html, .md, .csv, .json or .svg"
"""The endings as one would say them."""

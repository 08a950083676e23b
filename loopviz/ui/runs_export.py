"""The runs of the table as a file to hand on: their findings, a summary, or a folder with a report of each."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from loopviz.analysis.lines import Question
from loopviz.model import Trajectory
from loopviz.report.data_files import Unread
from loopviz.report.export import Export
from loopviz.report.formats import CSV, JSON, MARKDOWN, Format
from loopviz.report.index import entry, make_index
from loopviz.report.names import INDEX, file_name
from loopviz.report.page import make_page
from loopviz.report.rows import rows_by_question
from loopviz.timeline.words import number
from loopviz.ui import choice as choices
from loopviz.ui.export_options import export_options
from loopviz.ui.graders import grader_shown
from loopviz.ui.reporting import question_of
from loopviz.ui.runs_judged import Judged, Opened
from loopviz.ui.runs_words import noun

MOST_PAGES = 200
"""Runs up to which a folder of reports is offered; each takes some hundredths of a second and up to 2 MB."""
FOLDER = "Folder of reports"
_FORMATS: Mapping[str, tuple[Format, str]] = {
    "CSV": (CSV, "The findings as a table, a line for each run and grader."),
    "JSON": (JSON, "The findings for programs, in the words of `loopviz grade --json`."),
    "Summary": (MARKDOWN, "For the page of a CI job: how many fail, which, where and on what, in Markdown."),
}
_FOLDER_WORDS = "A page for each run and a list of them, in one .zip."

Asked = Sequence[tuple[Trajectory, Question]]


@dataclass(frozen=True, slots=True)
class Made:
    """A file to download."""

    make: Callable[[], str | bytes]
    name: str
    mime: str


@st.fragment
def export_popover(opened: Opened, judged: Judged, runs: Sequence[int]) -> None:
    """The button, and behind it the formats and what stays out; a fragment of its own, which leaves the table alone."""
    with st.popover("Export", key="runs.export", on_change="rerun", disabled=not runs) as popover:
        if not popover.open:
            return
        with st.container(key="runs-export-options"):
            _options(opened, judged, runs)


def _options(opened: Opened, judged: Judged, runs: Sequence[int]) -> None:
    names = [*_FORMATS, *([FOLDER] if len(runs) <= MOST_PAGES else [])]
    title = f"{number(len(runs))} {noun(judged, len(runs))} as shown in the table, as"
    name = st.segmented_control(title, names, required=True, default="CSV", key="runs.export.format", wrap=True)
    st.caption(_FOLDER_WORDS if name == FOLDER else _FORMATS[name or "CSV"][1])
    export = export_options("runs.export")
    made = made_of(opened, runs, export, name or "CSV")
    st.download_button(
        "Download",
        data=made.make,
        file_name=made.name,
        mime=made.mime,
        key=f"runs.export.download.{name}",
        on_click="ignore",
        icon=":material/download:",
    )


def made_of(opened: Opened, runs: Sequence[int], export: Export, name: str) -> Made:
    """What makes the file once it is asked for, from the settings that are in force now."""
    choice, spec = replace(choices.current(), grader=0), opened.library.spec
    unread = [(one.path, one.reason) for one in opened.library.unread if one.named]

    def asked() -> Asked:
        chosen = [opened.runs.trajectories[run] for run in runs]
        return [(run, question_of(run, spec, choice, grader_shown(run, spec, choice))) for run in chosen]

    if name == FOLDER:
        return Made(lambda: zipped(pages_of(asked(), unread, export)), "loopviz-reports.zip", "application/zip")
    format = _FORMATS[name][0]
    make = format.of_runs
    assert make is not None
    return Made(
        lambda: make(rows_by_question(asked(), export), unread, export),
        f"loopviz-runs{format.ending}",
        format.mime,
    )


def pages_of(asked: Asked, unread: Unread, export: Export) -> dict[str, str]:
    """A page for each run and the list of them, by the names of their files, as `loopviz report` writes a folder."""
    pages, entries = dict[str, str](), []
    for trajectory, question in asked:
        name = file_name(trajectory, export, pages)
        page = make_page(trajectory, question, export, index=INDEX)
        pages[name] = page.html
        entries.append(entry(page.document, name))
    return {INDEX: make_index(entries, unread, export), **pages}


def zipped(pages: Mapping[str, str]) -> bytes:
    """The files in one archive; the same bytes for the same files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for name, text in pages.items():
            into.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return archive.getvalue()

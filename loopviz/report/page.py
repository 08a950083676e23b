"""A report as one HTML file: no server, no network, nothing that is not in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from loopviz import __version__
from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.report import sections
from loopviz.report.calls_html import calls_section
from loopviz.report.document import Document, write_document
from loopviz.report.export import Export
from loopviz.report.markup import Content, Markup, element, joined, script_data, verbatim
from loopviz.report.policy import policy
from loopviz.timeline import script
from loopviz.timeline.palette import PALETTES, properties

MADE_BY = f"Made by loopviz {__version__}. "
LISTED = "loopviz-listed"
"""Marks a page of a folder, which the folder's list leads to, so that a later report knows it for its own."""
ONE_FILE = "One file, no network needed."
FOOT = f"{ONE_FILE} The timeline is live on screen: open the file and press n for the next cycle."


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A report that is ready to be written."""

    html: str
    document: Document


def make_page(
    trajectory: Trajectory,
    question: Question,
    export: Export,
    *,
    grader: int | None = None,
    runs: RunSet | None = None,
    index: str | None = None,
) -> Page:
    """Make the report of a run.

    Args:
        trajectory: The run.
        question: What it is judged by.
        export: What stays out of it, and what is put on it.
        grader: Which of its graders the picture is of; None for the first that failed.
        runs: The run as a set of its own, where somebody has made one already.
        index: Name of the file beside it that lists all runs.
    """
    document = write_document(trajectory, question, export, grader=grader, runs=runs)
    return Page(html=render(document, index=index), document=document)


def render(document: Document, *, index: str | None = None) -> str:
    """Write the document as HTML."""
    findings = document.findings
    main = element(
        "main",
        sections.head(document, index),
        *(
            (
                sections.figures(findings.figures),
                sections.where(findings),
                sections.cycles(findings.cycles),
                _pair(sections.changes(findings.changes), sections.answers(findings.answers)),
            )
            if findings is not None
            else ()
        ),
        sections.graders(document.graders),
        calls_section(document.calls, redacted=document.redacted),
        sections.run_texts(document.said),
        _pair(sections.settings(document), sections.provenance(document)),
        element("footer", MADE_BY, FOOT if findings is not None else ONE_FILE),
    )
    picture = None
    if findings is not None:
        data = Markup(script_data(findings.picture))
        picture = element("script", data, type="application/json", id="picture")
    title = f"{document.heading}: {document.verdict['badge']}"
    return frame(title, main, picture, code=_code() if picture else "", listed=index is not None)


def _pair(*content: Content) -> Markup:
    """Two sections side by side where there is room."""
    return element("div", content, class_="pair")


def frame(title: str, *content: Content, code: str = "", listed: bool = False) -> str:
    """A whole file: the policy first, then the style, the content, the script."""
    style = _style()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        policy(code, style),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="generator", content=f"loopviz {__version__}"),
        element("meta", name=LISTED, content="yes") if listed else None,
        element("title", title),
        verbatim("style", style),
    )
    body = element("body", content, verbatim("script", code, type="module") if code else None)
    return f"<!doctype html>\n{joined(element('html', head, body, lang='en'))}\n"


@cache
def _code() -> str:
    """The timeline's own script, and what ties it to the page."""
    return f"{script.module()}\n{_asset('report.js')}"


@cache
def _style() -> str:
    light, dark = properties(PALETTES["light"]), properties(PALETTES["dark"])
    colours = f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f"{colours}\n{script.css()}\n{_asset('report.css')}"


def _asset(name: str) -> str:
    return (files("loopviz.report") / "assets" / name).read_text("utf-8")

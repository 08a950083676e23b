"""The sections of a report, each from its part of the document."""

from __future__ import annotations

from typing import Any

from loopviz.report.cells import Cell
from loopviz.report.document import Document, Findings, GraderRow
from loopviz.report.figures import Figure
from loopviz.report.markup import Content, Markup, element, joined
from loopviz.report.pieces import badge, look, sentence, swatch, table, to_call, verdict
from loopviz.report.texts import Text
from loopviz.timeline.contract import CycleState

Data = dict[str, Any]


def section(title: str, *content: Content, id: str | None = None, aside: str = "") -> Markup:
    """A part of the page under its heading."""
    words = element("span", aside, class_="aside") if aside else None
    return element("section", element("h2", title, words), content, id=id)


def head(document: Document, index: str | None) -> Markup:
    """What the page is about, and the verdict in one sentence."""
    report = ("loopviz report · ", document.grader)
    top = element("p", element("span", report), element("span", document.day), class_="top")
    back = element("p", element("a", "← All runs", href=index), class_="back") if index else None
    name = element("bdi", document.heading)
    title = element("h1", name, " ", badge(document.passed, document.verdict["badge"]))
    note = element("p", document.note, class_="note") if document.note else None
    said = sentence(document.verdict["sentence"])
    rows = [
        element("p", *_label(row["label"]), sentence(row["parts"]), class_="row") for row in document.verdict["rows"]
    ]
    return element(
        "header",
        top,
        back,
        title,
        element("p", document.facts, class_="facts"),
        note,
        element("p", said, " ", document.trial, class_="sentence"),
        rows,
    )


def _label(label: str) -> tuple[Content, ...]:
    """`Where` needs no label under the sentence; the others do."""
    return () if label == "Where" else (element("b", label), ": ")


def figures(rows: list[Figure]) -> Markup:
    """The row of key figures."""
    return element(
        "dl",
        (element("div", element("dt", words), element("dd", figure)) for figure, words in rows),
        class_="figures",
    )


def where(findings: Findings) -> Markup:
    """The timeline, drawn by its script; the row of letters stands in where no script runs."""
    letters = element("ol", (_cell(cell) for cell in findings.cells), class_="cells")
    still = element(
        "div",
        letters,
        element("p", findings.cells_note, " A letter leads to its call.", class_="caption"),
        class_="still",
    )
    return section(
        "Where",
        element("div", id="timeline"),
        still,
        element("p", findings.caption, class_="caption"),
        element("div", id="chosen", hidden=True),
        id="where",
    )


def _cell(cell: Cell) -> Markup:
    classes = ["cell"]
    if cell.state is not None:
        classes.append(look(cell.period, CycleState.COUNTED if cell.started else cell.state))
    classes += ["empty"] if cell.empty else []
    item = to_call(cell.call, element("span", cell.letter or " ", class_=" ".join(classes)))
    return element("li", item, class_="fails" if cell.fails else None)


def cycles(data: Data) -> Markup | None:
    """The table of cycles."""
    if not data["rows"]:
        return None
    heads = ("Pattern", "In a row", "Tools", "Length", "Calls", "Turns", "Steps", "Ended by", "Under these settings")
    rows = (_cycle(row) for row in data["rows"])
    return section("Cycles", table(heads, rows, class_="cycles"), id="cycles", aside=data["caption"])


def _cycle(row: Data) -> Markup:
    letters = [swatch(chr(ord("a") + place), row["period"], row["state"]) for place in range(row["period"])]
    times, tools, length, calls, *others, standing = row["cells"]
    return element(
        "tr",
        element("td", letters, class_="letters"),
        element("td", element("b", times)),
        element("td", element("code", element("bdi", tools))),
        element("td", length),
        element("td", to_call(row["call"], calls)),
        (element("td", words) for words in others),
        element("td", standing, class_="strong" if row["state"] == CycleState.OVER else None),
    )


def changes(data: Data) -> Markup:
    """Every single setting moved, and the figure it gives."""
    rows = (_change(row) for row in (*data["settings"], *data["tools"]))
    return section("What would change it", table(("Setting", "In a row", "Verdict"), rows, class_="changes"))


def _change(row: Data) -> Markup:
    parts = [{**part, "action": ""} for part in row["parts"]]
    turned = "aside" in row
    return element(
        "tr",
        element("td", sentence(parts)),  # type: ignore[arg-type]
        element("td", row["n"]),
        element("td", verdict({"PASS": True, "FAIL": False}[row["verdict"]])),
        class_="turned" if turned else None,
    )


def answers(data: Data) -> Markup:
    """What each detector was asked, and what it says."""
    rows = (_answer(column) for column in data["columns"])
    parting = element("p", sentence(data["parting"]), class_="parting")
    return section("Three questions, three answers", table(("Detector", "Answer"), rows, class_="answers"), parting)


def _answer(column: Data) -> Markup:
    who = (column["who"], element("span", f", {column['role']}", class_="muted"))
    lines = (element("p", sentence(line)) for line in column["lines"])
    return element(
        "tr",
        element("td", element("p", who), element("p", column["question"], class_="muted")),
        element("td", element("p", element("b", column["answer"])), lines),
    )


def graders(rows: list[GraderRow]) -> Markup | None:
    """All graders of a run that has several."""
    if not rows:
        return None
    heads = ("Grader", "Verdict", "Figure", "")
    told = (
        element(
            "tr",
            element("td", element("bdi", row.name)),
            element("td", verdict(row.passed)),
            element("td", row.words),
            element("td", "shown on this page" if row.shown else None, class_="muted"),
        )
        for row in rows
    )
    return section("Every grader of this run", table(heads, told, class_="graders"), id="graders")


def run_texts(texts: list[Text]) -> Markup | None:
    """What the agent was asked, and what it answered, folded away."""
    if not texts:
        return None
    folds = (
        element(
            "details",
            element("summary", element("b", one.title), " ", element("span", _preview(one.shown), class_="muted")),
            element("pre", one.shown),
            element("p", one.note, class_="cut") if one.note else None,
            class_="fold",
        )
        for one in texts
    )
    return section("The run, as recorded", folds, id="run")


def _preview(words: str) -> str:
    line = " ".join(words[:200].split())
    return line if len(line) <= 110 else f"{line[:109]}…"


def settings(document: Document) -> Markup | None:
    """The settings in force, to be taken back."""
    if not document.settings_yaml:
        return None
    return section(
        document.settings_title,
        element("pre", document.settings_yaml.rstrip("\n")),
        element("p", document.defaults, class_="caption") if document.defaults else None,
    )


def provenance(document: Document) -> Markup:
    """Where all of this comes from."""
    told = document.provenance
    rows = (element("div", element("dt", label), element("dd", sentence(parts))) for label, parts in told)
    problems = element("ul", (element("li", words) for words in document.problems)) if document.problems else None
    return section(
        "Where this comes from",
        element("dl", rows, class_="provenance"),
        joined(element("p", "Could not be used:", class_="caption"), problems) if problems else None,
    )

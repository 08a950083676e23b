"""The plain picture of a run as a file of its own, under its headline and its number: SVG without script or font."""

from __future__ import annotations

import re

from loopviz import __version__
from loopviz.analysis.lines import Question
from loopviz.analysis.runset import RunSet
from loopviz.model import Trajectory
from loopviz.presenting.cost import cost_after
from loopviz.presenting.headline import headline, unjudged_headline
from loopviz.presenting.picture import plain_picture
from loopviz.presenting.svg import colours_of, standing_alone, tag, width_of, words_at, wrapped
from loopviz.report.document import facts_line, heading
from loopviz.report.export import Export
from loopviz.report.looking import Looked, look
from loopviz.report.texts import CELL, brief

WIDTH, MARGIN = 1200.0, 40.0
_INNER = WIDTH - 2 * MARGIN
_FIGURE = 46.0
MOST_LINES = 8
"""Lines of the note that are shown."""
_HEIGHT = re.compile(r'\bheight="(\d+)"')


def make_picture(
    trajectory: Trajectory,
    question: Question,
    export: Export,
    *,
    grader: int | None = None,
    runs: RunSet | None = None,
) -> str:
    """Draw it as SVG, in the light theme; the arguments are those of `loopviz.report.page.make_page`."""
    looked = look(trajectory, question, export, grader=grader, runs=runs)
    masks = looked.masks
    name = brief(masks.text(heading(looked.released)))
    title = brief(masks.text(_headline(looked, export)), CELL).replace("`", "")
    sheet = _Sheet()
    sheet.lines(" · ".join(filter(None, (name, facts_line(looked.released, masks)))), size=14, fill="muted")
    sheet.lines(title, size=28, fill="ink", bold=True)
    for line in masks.text(export.note.strip()).split("\n"):
        sheet.lines(line, size=16, fill="ink")
    _draw(sheet, looked, export)
    sheet.lines(f"loopviz {__version__}, {export.day}", size=12.5, fill="muted")
    return sheet.svg(f"{name}: {title}")


def _headline(looked: Looked, export: Export) -> str:
    found = looked.presentable
    if found is None:
        return unjudged_headline(looked.released, hide_texts=export.redact)
    return headline(found, hide_texts=export.redact)


def _draw(sheet: _Sheet, looked: Looked, export: Export) -> None:
    """The number and the picture, of a run with a verdict."""
    found = looked.presentable
    if found is None:
        return
    cost = cost_after(found)
    sheet.number(cost.figure, cost.words, f"{cost.at_most} {cost.ending}")
    picture = plain_picture(found, width=int(_INNER), theme="light", hide_texts=export.redact)
    sheet.put(picture)


class _Sheet:
    """Puts lines and pictures one below the other."""

    def __init__(self) -> None:
        self._colours = colours_of("light")
        self._parts: list[str] = []
        self._y = MARGIN - 8

    def lines(self, words: str, *, size: float, fill: str, bold: bool = False) -> None:
        """A text, in as many lines as it takes."""
        self._lines(words, size=size, fill=fill, bold=bold)
        self._y += 12 if words.strip() else 0

    def number(self, figure: str, words: str, more: str) -> None:
        """A large figure, and beside it what it means."""
        room = width_of(figure, _FIGURE, bold=True) + 16
        self._y += 4
        self._words(figure, MARGIN, self._y + _FIGURE * 0.86, size=_FIGURE, fill="ink", bold=True)
        top = self._y
        self._lines(words, size=17, fill="ink", bold=True, indent=room)
        self._lines(more, size=15, fill="ink", indent=room)
        self._y = max(self._y, top + _FIGURE) + 16

    def _lines(self, words: str, *, size: float, fill: str, bold: bool = False, indent: float = 0) -> None:
        for line in wrapped(words, size, _INNER - indent, bold=bold)[:MOST_LINES]:
            self._y += size * 1.25
            self._words(line, MARGIN + indent, self._y, size=size, fill=fill, bold=bold)

    def _words(self, words: str, x: float, y: float, *, size: float, fill: str, bold: bool) -> None:
        self._parts.append(words_at(x, y, words, size=size, fill=self._colours[fill], bold=bold))

    def put(self, picture: str) -> None:
        """A picture."""
        self._y += 12
        self._parts.append(tag("g", picture, transform=f"translate({MARGIN:g} {self._y:g})"))
        found = _HEIGHT.search(picture)
        self._y += (int(found[1]) if found else 0) + 20

    def svg(self, title: str) -> str:
        """The whole sheet as a file."""
        drawn = standing_alone(
            "".join(self._parts),
            width=WIDTH,
            height=round(self._y + MARGIN - 16),
            title=title,
            ground=self._colours["ground"],
        )
        return f"{drawn}\n"

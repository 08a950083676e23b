"""The calls of the plain picture: a cell each, the repeat coloured and numbered under a bracket with its words."""

from __future__ import annotations

from loopviz.presenting.canvas import Canvas, Placed
from loopviz.presenting.labels import bracket_words, caption
from loopviz.presenting.repeats import Copies
from loopviz.presenting.scene import COPY, OTHER, STARTED
from loopviz.presenting.svg import tag, width_of, wrapped
from loopviz.timeline.contract import CycleState
from loopviz.timeline.palette import hue_index
from loopviz.timeline.words import number

DIGIT = 0.55
"""Width of a digit, in em."""


def draw_head(canvas: Canvas) -> str:
    """The caption, and the bracket over the copies with its words."""
    said, copies = caption(canvas.scene), canvas.scene.copies
    if copies is None:
        words = canvas.lines(wrapped(said, canvas.small, canvas.width))
        canvas.height += 10
        return words
    begin, end = canvas.x_of(copies.first_call()), canvas.x_of(copies.last_call(), end=True)
    beside = begin >= width_of(said, canvas.small) + 16
    parts: list[str] = []
    if not beside:
        parts.append(canvas.lines(wrapped(said, canvas.small, canvas.width)))
        canvas.height += 10
    parts.append(_bracket(canvas, copies, begin, end))
    if beside:
        parts.append(canvas.words(0, canvas.height - 11, said, size=canvas.small, fill="muted"))
    return "".join(parts)


def _bracket(canvas: Canvas, copies: Copies, begin: float, end: float) -> str:
    parts = []
    for words in wrapped(bracket_words(copies, canvas.scene.limit), canvas.label, canvas.width, bold=True):
        canvas.height += canvas.label + 6
        half = width_of(words, canvas.label, bold=True) / 2
        middle = min(max((begin + end) / 2, half), max(canvas.width - half, half))
        y = canvas.height - 6
        parts.append(canvas.words(middle, y, words, size=canvas.label, fill="ink", anchor="middle", bold=True))
    top = canvas.height + 7
    line = f"M{begin + 1:.1f} {top + 12:.1f}V{top:.1f}H{max(end - 1, begin + 2):.1f}V{top + 12:.1f}"
    parts.append(
        tag(
            "path",
            d=line,
            fill="none",
            stroke=canvas.colours["ink"],
            stroke_width=2.5 if copies.state is CycleState.OVER else 1.5,
            stroke_dasharray="5 4" if copies.state is CycleState.NOT_COUNTED else None,
        )
    )
    canvas.height = top + 23
    return "".join(parts)


def draw_cells(canvas: Canvas) -> str:
    """The cells, a line below those made at once, and the numbers of calls."""
    canvas.cells_top = canvas.height
    parts = [_cell(canvas, cell) for cell in canvas.placed]
    canvas.height += canvas.cell_height
    if canvas.scene.at_once:
        parts.append(_ties(canvas))
        canvas.height += 6
    parts.append(_axis(canvas))
    return "".join(parts)


def _cell(canvas: Canvas, cell: Placed) -> str:
    item = cell.item
    look, fill, ink, dashed = _look(canvas, item.mark)
    inset = 1.0 if dashed and canvas.pitch >= 6 else 0.0
    shape = tag(
        "rect",
        x=cell.x + inset,
        y=canvas.cells_top + inset,
        width=max(cell.width - 2 * inset, 0.5),
        height=canvas.cell_height - 2 * inset,
        rx=min(4.0, cell.width / 4),
        fill=canvas.colours[fill],
        stroke=canvas.colours[dashed] if inset else None,
        stroke_width=1.5 if inset else None,
        stroke_dasharray="4 3" if inset else None,
    )
    return tag(
        "g",
        shape,
        _in_cell(canvas, cell, ink),
        class_=f"call {look}",
        data_call=str(item.first),
        data_to=str(item.last),
    )


def _look(canvas: Canvas, mark: int) -> tuple[str, str, str, str]:
    """(class, fill, ink on it, colour of a dashed outline or nothing) of a mark, as names of colours."""
    copies = canvas.scene.copies
    if mark == OTHER:
        return "other", "faint", "ground", ""
    if copies is None or mark not in (COPY, STARTED):
        return "plain", "cell", "muted", ""
    hue = hue_index(copies.period) + 1
    if copies.state is CycleState.NOT_COUNTED:
        fill = "ground" if canvas.pitch >= 6 else f"tint{hue}"
        return f"hollow h{hue}", fill, f"text{hue}", f"p{hue}"
    if mark == COPY and copies.state is CycleState.OVER:
        return f"copy h{hue}", f"p{hue}", f"on{hue}", ""
    return f"within h{hue}", f"tint{hue}", "ink", ""


def _in_cell(canvas: Canvas, cell: Placed, ink: str) -> str:
    """The number of the copy, or what is folded, as far as there is room."""
    item, size, bold = cell.item, canvas.figures, cell.item.mark == COPY
    if item.folds:
        words = f"× {number(item.folds)}"
    elif item.opens_copy and not canvas.scene.binned:
        words, size = number(item.copy + 1), 18.0 if canvas.pitch >= 30 else 13.0 if canvas.pitch >= 20 else 12.0
        if len(words) * size * DIGIT > cell.width:
            return ""
    elif item.wide:
        words = f"{number(item.n_calls)} calls"
        words = words if width_of(words, size) <= cell.width else number(item.n_calls)
    else:
        return ""
    if not item.opens_copy and width_of(words, size, bold=bold) > cell.width:
        return ""
    y = canvas.cells_top + canvas.cell_height / 2 + size * 0.35
    return canvas.words(cell.middle, y, words, size=size, fill=ink, anchor="middle", bold=bold)


def _ties(canvas: Canvas) -> str:
    """A line below calls that were made at once."""
    spans: list[tuple[float, float]] = []
    for cell, before in zip(canvas.placed[1:], canvas.placed, strict=False):
        if cell.item.joined:
            begin = spans.pop()[0] if spans and before.item.joined else before.x
            spans.append((begin, cell.end))
    y, colour = canvas.height + 4, canvas.colours["ink"]
    lines = (f"M{begin + 2:.1f} {y:.1f}H{end - 2:.1f}" for begin, end in spans)
    return "".join(tag("path", d=line, stroke=colour, stroke_width=1.5) for line in lines)


def _axis(canvas: Canvas) -> str:
    """Numbers of calls below the cells, as many as have room."""
    y, parts, free = canvas.height + canvas.figures + 4, [], float("-inf")
    for cell in canvas.placed:
        words = _axis_words(canvas, cell)
        wide = width_of(words, canvas.figures)
        middle = min(max(cell.middle, wide / 2), canvas.width - wide / 2)
        if middle - wide / 2 < free:
            continue
        free = middle + wide / 2 + (8 if "–" in words else 3 if wide < cell.width else 10 if canvas.pitch >= 15 else 24)
        shown = canvas.words(middle, y, words, size=canvas.figures, fill="muted", anchor="middle")
        item = cell.item
        parts.append(tag("g", shown, class_="axis", data_call=str(item.first), data_to=str(item.last)))
    canvas.height = y + 8
    return "".join(parts)


def _axis_words(canvas: Canvas, cell: Placed) -> str:
    words = number(cell.item.first + 1)
    whole = f"{words}–{number(cell.item.last + 1)}"
    fits = cell.item.wide and width_of(whole, canvas.figures) <= cell.width
    return whole if fits else words

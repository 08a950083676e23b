"""What the two live guards, simulated, would have done: the stop line with the hatched rest, and the ladder's steps."""

from __future__ import annotations

from loopviz.presenting.canvas import Canvas, Placed
from loopviz.presenting.labels import LADDER, LEVELS, SILENT_LADDER, stop_words
from loopviz.presenting.svg import tag, width_of, words_at, wrapped

LEVEL_HEIGHT = 26.0


def draw_stop(canvas: Canvas, rest: str) -> str:
    """The line at the stop point, what it says, and the rest of the run, hatched, with `rest` on it."""
    stop = canvas.scene.stop
    if stop is None:
        return ""
    beyond = stop.first_after >= canvas.scene.n_calls
    x = max(canvas.right + 1 if beyond else canvas.x_of(stop.first_after) - canvas.gap / 2, 1.5)
    top, band, said = canvas.height + 4, canvas.small + 9, stop_words(stop)
    room = canvas.right - x
    parts = [_hatched(canvas, x, top, room, band)] if room > 4 else []
    if rest and width_of(rest, canvas.small) + 34 <= room:
        parts.append(_on_hatch(canvas, x, top, band, rest))
    elif rest:
        said = f"{said}; {rest}"
    line = f"M{x:.1f} {canvas.cells_top - 6:.1f}V{top + band:.1f}"
    parts.append(tag("path", d=line, stroke=canvas.colours["ink"], stroke_width=3.0))
    canvas.height = top + band
    if width_of(said, canvas.small, bold=True) + 12 <= x:
        y = canvas.height - 7
        parts.append(canvas.words(x - 12, y, said, size=canvas.small, fill="ink", anchor="end", bold=True))
    else:
        parts.append(_below(canvas, x, said))
    canvas.height += 22
    return tag("g", *parts, class_="after-stop")


def _on_hatch(canvas: Canvas, x: float, top: float, band: float, rest: str) -> str:
    # Its own ground is drawn round the letters, so that it fits whatever font they have.
    return words_at(
        x + 16,
        top + band - 7,
        rest,
        size=canvas.small,
        fill=canvas.colours["ink"],
        halo=canvas.colours["ground"],
    )


def _below(canvas: Canvas, x: float, said: str) -> str:
    """The words of the stop line below it, where there is no room to its left."""
    lines = wrapped(said, canvas.small, canvas.width, bold=True)
    widest = max(width_of(line, canvas.small, bold=True) for line in lines)
    return canvas.lines(lines, x=max(min(x - 1.5, canvas.width - widest), 0), fill="ink", bold=True)


def _hatched(canvas: Canvas, x: float, y: float, width: float, height: float) -> str:
    name = f"{canvas.name}-hatch"
    line = tag("path", d="M-2 2L2 -2M0 8L8 0M6 10L10 6", stroke=canvas.colours["faint"], stroke_width=1.5)
    pattern = tag("pattern", line, id=name, width=8, height=8, patternUnits="userSpaceOnUse")
    return tag("defs", pattern) + tag("rect", x=x, y=y, width=width, height=height, fill=f"url(#{name})")


def draw_ladder(canvas: Canvas) -> str:
    """The steps of the ladder, as high as each level."""
    steps = [cell for cell in canvas.placed if cell.item.level]
    if not steps:
        return canvas.lines(wrapped(SILENT_LADDER, canvas.small, canvas.width))
    parts, side = [], _free_side(canvas, steps)
    if side is None:
        names = " · ".join(f"{level} {LEVELS[level]}" for level in (1, 2, 3))
        parts.append(canvas.lines(wrapped(names, canvas.small, canvas.width)))
    base = canvas.height + 3 * LEVEL_HEIGHT + canvas.small + 6
    parts += [_level(canvas, level, base, side) for level in (1, 2, 3)]
    parts += [_step(canvas, cell, base) for cell in steps]
    parts += _fired(canvas, steps, base)
    colour = canvas.colours["faint"]
    parts.append(tag("path", d=f"M0 {base:.1f}H{canvas.right:.1f}", stroke=colour, stroke_width=1.2))
    canvas.height = base + 2
    parts.append(canvas.lines(wrapped(LADDER, canvas.small, canvas.width)))
    return tag("g", *parts, class_="ladder")


def _free_side(canvas: Canvas, steps: list[Placed]) -> str | None:
    """Where the names of the levels do not lie on a step: at the start of the picture, or at its end."""
    widest = max(width_of(f"3 · {words}", canvas.small) for words in LEVELS) + 12
    if steps[0].x > widest:
        return "start"
    return "end" if steps[-1].end < canvas.right - widest else None


def _level(canvas: Canvas, level: int, base: float, side: str | None) -> str:
    y, colour = base - level * LEVEL_HEIGHT, canvas.colours["line"]
    line = tag("path", d=f"M0 {y:.1f}H{canvas.right:.1f}", stroke=colour, stroke_dasharray="2 3")
    if side is None:
        return line
    name = f"{level} · {LEVELS[level]}"
    if side == "start":
        return line + canvas.words(0, y - 6, name, size=canvas.small, fill="muted")
    return line + canvas.words(canvas.right, y - 6, name, size=canvas.small, fill="muted", anchor="end")


def _step(canvas: Canvas, cell: Placed, base: float) -> str:
    item, left = cell.item, cell.x - canvas.gap / 2
    y, ink, apart = base - item.level * LEVEL_HEIGHT, canvas.colours["ink"], canvas.pitch >= 10
    shape = tag(
        "rect",
        x=left,
        y=y,
        width=cell.width + canvas.gap,
        height=base - y,
        fill=canvas.colours[f"level{item.level}"],
        stroke=ink if apart else None,
        stroke_width=0.8 if apart else None,
    )
    edge = tag("path", d=f"M{left:.1f} {y:.1f}h{cell.width + canvas.gap:.1f}", stroke=ink, stroke_width=1.2)
    return tag("g", shape, edge, class_="call step", data_call=str(item.first), data_to=str(item.last))


def _fired(canvas: Canvas, steps: list[Placed], base: float) -> list[str]:
    """The number of a level over the cell in which it fires, as far as there is room."""
    parts, free, size = [], float("-inf"), canvas.figures + 1
    for cell in steps:
        item = cell.item
        if not item.fires or cell.middle - size / 2 < free:
            continue
        free = cell.middle + size / 2
        y = base - item.level * LEVEL_HEIGHT - 6
        words = canvas.words(cell.middle, y, str(item.fires), size=size, fill="ink", anchor="middle", bold=True)
        parts.append(tag("g", words, class_="call fires", data_call=str(item.first), data_to=str(item.last)))
    return parts

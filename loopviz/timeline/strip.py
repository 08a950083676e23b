"""Small pictures of a run for cards and tables, as SVG data addresses: a strip of cells, a pattern, a ladder level.

They are drawn for one theme, since an image does not see the page's colours.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from loopviz.timeline.contract import CycleState
from loopviz.timeline.palette import PALETTES, Palette, Theme

_PITCH = 18
_CELL_WIDTH = 16
_CELL_TOP = 6
_CELL_HEIGHT = 22
_STRIP_HEIGHT = 36
_SWATCH = 16
_FONT = "'Source Sans 3','Source Sans Pro',system-ui,sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One step of a strip."""

    letter: str = ""
    """Its place in the pattern; empty outside every cycle."""
    period: int = 1
    state: CycleState | None = None
    """None for a step outside every cycle."""
    started: bool = False
    """It belongs to a started copy, which does not count."""
    empty: bool = False
    """The step has no output."""
    fails: bool = False
    """The first failing step: a bar stands at its end."""
    seen: bool = False
    """Seen before in the run, where nothing else tells: a dash below."""
    level: int = 0
    """Ladder level, 0 to 3: a dash in its colour below."""


def strip_svg(cells: Sequence[Cell], theme: Theme) -> str:
    """Draw steps side by side, 18 px each and 36 px high."""
    palette = PALETTES[theme]
    parts = [_cell(cell, at * _PITCH, palette) for at, cell in enumerate(cells)]
    parts += [_bar(at * _PITCH, palette) for at, cell in enumerate(cells) if cell.fails]
    return _address(max(len(cells) * _PITCH, 1), _STRIP_HEIGHT, "".join(parts))


def pattern_svg(letters: Sequence[str], times: int, state: CycleState, theme: Theme) -> str:
    """Draw a pattern as its letters and the times it came in a row: `a b × 5`, 20 px high."""
    palette = PALETTES[theme]
    period = len(letters)
    cells = [
        _swatch(Cell(letter=letter, period=period, state=state), at * (_SWATCH + 1), 2, _SWATCH, _SWATCH, palette)
        for at, letter in enumerate(letters)
    ]
    text = f"× {times:,}"
    x = period * (_SWATCH + 1) + 4
    weight = 700 if state is CycleState.OVER else 400
    words = _text(text, x, 14.5, palette.ink, weight=weight, size=13, anchor="start")
    return _address(x + 8 * len(text), 20, "".join(cells) + words)


def ladder_svg(level: int, theme: Theme) -> str:
    """Draw a ladder level as blocks of rising height, filled up to the level (0 to 3); 24 by 16 px."""
    palette = PALETTES[theme]
    blocks = []
    for step in (1, 2, 3):
        height = 2 + 4 * step
        filled = step <= level
        fill, edge = (palette.levels[level], palette.ink) if filled else ("none", palette.faint)
        x, y = 8 * (step - 1) + 0.5, 15.5 - height
        blocks.append(f'<rect x="{x}" y="{y}" width="6" height="{height}" fill="{fill}" stroke="{edge}"/>')
    return _address(24, 16, "".join(blocks))


def _cell(cell: Cell, x: float, palette: Palette) -> str:
    below = ""
    y = _CELL_TOP + _CELL_HEIGHT + 2.5
    if cell.level:
        edge = f'stroke="{palette.ink}" stroke-width="0.75"'
        below = f'<rect x="{x}" y="{y}" width="{_PITCH}" height="4" fill="{palette.levels[cell.level]}" {edge}/>'
    elif cell.seen:
        below = f'<rect x="{x}" y="{y}" width="{_CELL_WIDTH}" height="4" fill="{palette.ink}"/>'
    return _swatch(cell, x, _CELL_TOP, _CELL_WIDTH, _CELL_HEIGHT, palette) + below


def _swatch(cell: Cell, x: float, y: float, width: float, height: float, palette: Palette) -> str:
    fill, edge, ink = _look(cell, palette)
    if edge:
        inner = f'x="{x + 0.75}" y="{y + 0.75}" width="{width - 1.5}" height="{height - 1.5}" rx="2.5"'
        shape = f'<rect {inner} fill="none" stroke="{edge}" stroke-width="1.25" stroke-dasharray="3 2"/>'
    else:
        shape = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="2.5" fill="{fill}"/>'
    weight = 400 if cell.state is CycleState.NOT_COUNTED else 600
    return shape + _text(cell.letter, x + width / 2, y + height / 2 + 4.25, ink, weight=weight, size=12.5)


def _look(cell: Cell, palette: Palette) -> tuple[str, str, str]:
    """Fill, dashed edge if any, and the colour of the letter."""
    if cell.state is CycleState.OVER and not cell.started:
        return palette.hue(cell.period), "", palette.on_hue(cell.period)
    if cell.state is CycleState.NOT_COUNTED:
        return "none", palette.hue(cell.period), palette.hue_text(cell.period)
    if cell.state is not None:
        return palette.tint(cell.period), "", palette.ink
    return palette.cell, palette.muted if cell.empty else "", palette.ink


def _bar(x: float, palette: Palette) -> str:
    return f'<rect x="{x + _CELL_WIDTH}" y="1" width="2" height="{_CELL_HEIGHT + 10}" fill="{palette.ink}"/>'


def _text(text: str, x: float, y: float, fill: str, *, weight: int, size: float, anchor: str = "middle") -> str:
    if not text:
        return ""
    look = f'font-family="{_FONT}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x}" y="{y}" {look}>{escape(text)}</text>'


def _address(width: float, height: float, body: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return "data:image/svg+xml;base64," + base64.b64encode(f"{head}{body}</svg>".encode()).decode("ascii")

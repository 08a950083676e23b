"""Times in a row by stimulus: one mark a trial, or where there are too many of them, one mark a figure with its count.

Plotly reads a little HTML in every text it draws, so names of stimuli and runs are escaped.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from loopviz.timeline.palette import PALETTES, Palette, Theme

ROW_HEIGHT = 27
ABOVE, BELOW = 30, 26
LINEAR_UP_TO = 10
"""Figures up to here stand at equal distances; beyond, each doubling takes the same room."""
DOUBLING = 3.0
SIDE_BY_SIDE = 5
"""Marks of one figure drawn side by side; more become one mark with their count."""
STEP = 0.2
"""Distance of such marks, as a share of the distance between two figures."""
LONGEST_NAME = 24
UNKNOWN = "?"
FONT = "Source Sans, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One run of the chart."""

    row: str
    """What its row is called."""
    name: str
    """What the run is called."""
    times: int | None
    """Times in a row; None where the run was not judged."""
    fails: bool
    limit: int | None
    run: int
    """Handed back when the mark is clicked."""


def dot_chart(dots: Sequence[Dot], rows: Sequence[str], theme: Theme, *, row_title: str) -> go.Figure:
    """Draw the chart, `rows` from top to bottom."""
    palette = PALETTES[theme]
    place = {row: len(rows) - 1 - at for at, row in enumerate(rows)}
    groups = _groups([dot for dot in dots if dot.row in place])
    least, most = _range(dots)
    figure = go.Figure()
    _shade(figure, dots, place, most, palette)
    for look in (_passing, _failing, _unjudged):
        look(figure, groups, place, least, palette)
    _lay_out(figure, rows, dots, least, most, palette, row_title)
    return figure


def position(times: int) -> float:
    """Where a figure stands on the axis."""
    return float(times) if times <= LINEAR_UP_TO else LINEAR_UP_TO + DOUBLING * math.log2(times / LINEAR_UP_TO)


def ticks(most: int) -> list[int]:
    """Figures named on the axis."""
    if most <= LINEAR_UP_TO:
        return list(range(most + 1))
    doubled = LINEAR_UP_TO * 2
    named = list(range(0, LINEAR_UP_TO + 1, 2))
    while doubled <= most * 1.4:
        named.append(doubled)
        doubled *= 2
    return named


_Groups = dict[tuple[str, int | None, bool], list[Dot]]


def _groups(dots: Sequence[Dot]) -> _Groups:
    """The runs that stand at one place of the chart."""
    groups: _Groups = defaultdict(list)
    for dot in dots:
        groups[dot.row, dot.times, dot.fails].append(dot)
    return groups


def _range(dots: Sequence[Dot]) -> tuple[int, int]:
    """(smallest figure, largest figure) that the axis has room for, limits included."""
    known = [dot.times for dot in dots if dot.times is not None]
    limits = [dot.limit for dot in dots if dot.limit is not None]
    return min(known, default=1), max([*known, *(limit + 2 for limit in limits), 4])


def _shade(figure: go.Figure, dots: Sequence[Dot], place: dict[str, int], most: int, palette: Palette) -> None:
    """Where a run of each row would fail; rows whose runs have different limits stay plain."""
    limits: dict[str, set[int]] = defaultdict(set)
    for dot in dots:
        if dot.limit is not None:
            limits[dot.row].add(dot.limit)
    for row, at in place.items():
        if len(limits[row]) == 1:
            limit = next(iter(limits[row]))
            left = (position(limit) + position(limit + 1)) / 2
            box = {"x0": left, "x1": position(most) + 1, "y0": at - 0.5, "y1": at + 0.5}
            figure.add_shape(type="rect", **box, layer="below", line_width=0, fillcolor=palette.block)
    for at in place.values():
        figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=at, y1=at, layer="below", line=_line(palette))


def _line(palette: Palette) -> dict[str, Any]:
    return {"color": palette.line, "width": 1}


def _passing(figure: go.Figure, groups: _Groups, place: dict[str, int], least: int, palette: Palette) -> None:
    marks = [mark for key, dots in groups.items() if key[1] is not None and not key[2] for mark in _spread(key, dots)]
    look = {"symbol": "circle", "color": palette.ground, "line": {"color": palette.ink, "width": 1.5}}
    _add(figure, marks, place, look, size=10, ink=palette.ink)


def _failing(figure: go.Figure, groups: _Groups, place: dict[str, int], least: int, palette: Palette) -> None:
    marks = [mark for key, dots in groups.items() if key[2] for mark in _spread(key, dots, sign="✗")]
    _add(figure, marks, place, {"symbol": "circle", "color": palette.ink}, size=16, ink=palette.on_ink)


def _unjudged(figure: go.Figure, groups: _Groups, place: dict[str, int], least: int, palette: Palette) -> None:
    marks = [
        mark for key, dots in groups.items() if key[1] is None for mark in _spread(key, dots, x=position(least) - 1)
    ]
    look = {"symbol": "circle-open-dot", "color": palette.faint, "line": {"width": 1.25}}
    _add(figure, marks, place, look, size=10, ink=palette.muted)


@dataclass(frozen=True, slots=True)
class _Mark:
    x: float
    dot: Dot
    text: str
    count: int
    hover: str


def _spread(
    key: tuple[str, int | None, bool], dots: Sequence[Dot], *, x: float | None = None, sign: str = ""
) -> list[_Mark]:
    """The marks of one place, side by side; too many become one with their count."""
    centre = position(key[1] or 0) if x is None else x
    words = "not judged" if key[1] is None else f"{key[1]:,} in a row"
    if len(dots) > SIDE_BY_SIDE:
        hover = f"{escape(key[0])}: {len(dots):,} runs, {words}"
        return [_Mark(centre, dots[0], f"{len(dots):,}", len(dots), hover)]
    left = centre - STEP * (len(dots) - 1) / 2
    return [
        _Mark(left + STEP * at, dot, sign, 1, f"{escape(_short(dot.name, 60))}: {words}") for at, dot in enumerate(dots)
    ]


def _add(
    figure: go.Figure, marks: Sequence[_Mark], place: dict[str, int], look: dict[str, Any], *, size: int, ink: str
) -> None:
    if not marks:
        return
    still = {"marker": {"opacity": 1}, "textfont": {"color": ink}}
    figure.add_scatter(
        x=[mark.x for mark in marks],
        y=[place[mark.dot.row] for mark in marks],
        mode="markers+text",
        marker={**look, "size": [_size(mark, size) for mark in marks], "opacity": 1},
        text=[mark.text for mark in marks],
        textfont={"size": 10, "color": ink, "weight": 600},
        hovertext=[mark.hover for mark in marks],
        hoverinfo="text",
        customdata=[[mark.dot.run, mark.count] for mark in marks],
        selected=still,
        unselected=still,
        cliponaxis=False,
        showlegend=False,
    )


def _size(mark: _Mark, size: int) -> int:
    return size if mark.count == 1 else 12 + 6 * len(mark.text)


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _lay_out(
    figure: go.Figure,
    rows: Sequence[str],
    dots: Sequence[Dot],
    least: int,
    most: int,
    palette: Palette,
    row_title: str,
) -> None:
    unknown = any(dot.times is None for dot in dots)
    shown = [tick for tick in ticks(most) if tick >= least]
    right = position(most) + 0.6
    figure.update_layout(
        height=ABOVE + ROW_HEIGHT * len(rows) + BELOW,
        margin={"l": 8, "r": 4, "t": ABOVE, "b": BELOW, "pad": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "size": 13.5, "color": palette.ink},
        dragmode=False,
        hoverlabel={
            "bgcolor": palette.ground,
            "bordercolor": palette.ink,
            "font": {"color": palette.ink, "family": FONT, "size": 13},
        },
        xaxis={
            "range": [position(least) - (1.6 if unknown else 0.7), right],
            "tickvals": ([position(least) - 1] if unknown else []) + [position(tick) for tick in shown],
            "ticktext": ([UNKNOWN] if unknown else []) + [f"{tick:,}" for tick in shown],
            "tickfont": {"color": palette.muted, "size": 13},
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        yaxis={
            "range": [-0.5, len(rows) - 0.5],
            "tickvals": list(range(len(rows))),
            "ticktext": [escape(_short(row, LONGEST_NAME)) for row in reversed(rows)],
            "automargin": True,
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        annotations=_titles(dots, most, palette, row_title),
    )


def _titles(dots: Sequence[Dot], most: int, palette: Palette, row_title: str) -> list[dict[str, Any]]:
    """`stimulus` above the names, `more than 3: fails` above the shaded part."""
    limits = {dot.limit for dot in dots if dot.limit is not None}
    common = {
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"color": palette.muted, "size": 13},
    }
    titles: list[dict[str, Any]] = [
        {**common, "x": 0, "xref": "paper", "xanchor": "right", "xshift": -8, "text": row_title}
    ]
    if limits:
        words = f"more than {limits.pop()}: fails" if len(limits) == 1 else "shaded: fails"
        titles.append({**common, "x": 1, "xref": "paper", "xanchor": "right", "text": words})
    return titles

"""Times in a row, one mark a run in a row for each stimulus; where many runs share a figure, one mark with their count.

Plotly reads a little HTML in every text it draws, so names of stimuli and runs are escaped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from loopviz.timeline.palette import PALETTES, Palette, Theme

SIDE_BY_SIDE = 5
"""Marks of one figure drawn side by side; more become one mark with their count."""
STEP = 0.2
"""Distance of such marks, as a share of the distance between two figures."""
LINEAR_UP_TO = 10
"""Figures up to here stand at equal distances; beyond, each doubling takes the same room."""
DOUBLING = 3.0
TICKS_APART = 1.2
"""Least distance of two names beyond the even part."""
ROW_HEIGHT = 27
TITLE_LETTER = 7
"""Room for a letter of the title above the rows, which may be wider than every name below it."""
ABOVE, BELOW = 30, 26
LONGEST_ROW, LONGEST_NAME = 24, 60
UNKNOWN = "?"
FONT = "Source Sans, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """The runs that stand at one place of the chart."""

    row: int
    """From 0, at the top."""
    times: int | None
    """Times in a row; None where the runs were not judged."""
    fails: bool
    count: int
    runs: tuple[tuple[int, str], ...]
    """The first of them, at most `SIDE_BY_SIDE`: what a click hands back, and what the run is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the chart."""

    name: str
    limit: int | None
    """How many times its runs may come in a row; None where that differs, or none was judged."""


def dot_chart(rows: Sequence[Row], spots: Sequence[Spot], theme: Theme, *, row_title: str) -> go.Figure:
    """Draw the chart, `rows` from top to bottom; a click hands back `[run, how many the mark stands for]`."""
    palette = PALETTES[theme]
    scale = _Scale.of(rows, spots)
    figure = go.Figure()
    _shade(figure, rows, scale, palette)
    for look in _looks(palette):
        marks = [mark for spot in spots if look.shows(spot) for mark in _spread(spot, rows[spot.row].name, scale)]
        if marks:
            _add(figure, marks, look)
    _lay_out(figure, rows, scale, palette, row_title)
    return figure


def position(times: int) -> float:
    """Where a figure stands on the axis."""
    return float(times) if times <= LINEAR_UP_TO else LINEAR_UP_TO + DOUBLING * math.log2(times / LINEAR_UP_TO)


def ticks(most: int, beyond: Iterable[int] = ()) -> list[int]:
    """Figures named on the axis: where it is no longer even, those of the marks, as far as their names find room."""
    if most <= LINEAR_UP_TO:
        return list(range(most + 1))
    figures = sorted({times for times in beyond if times > LINEAR_UP_TO})
    if figures:
        named = _apart(figures)
        even = (1, LINEAR_UP_TO // 2, LINEAR_UP_TO)
        return [*(tick for tick in even if position(named[0]) - position(tick) >= TICKS_APART), *named]
    named = [1, LINEAR_UP_TO // 2, LINEAR_UP_TO]
    while named[-1] * 4 <= most * 1.4:
        named.append(named[-1] * 4)
    return named


def _apart(figures: Sequence[int]) -> list[int]:
    """Those that stand far enough from each other and from the even part; the largest is always among them."""
    chosen = [figures[-1]]
    for figure in figures[-2::-1]:
        near = position(chosen[0]) - position(figure) < TICKS_APART
        if not near and position(figure) - LINEAR_UP_TO >= TICKS_APART:
            chosen.insert(0, figure)
    return chosen


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where the axis begins and ends."""

    least: int
    most: int
    known: tuple[int, ...]
    """The figures that marks stand at."""
    unknown: bool
    """Whether some run was not judged, so that the axis has a place for it."""

    @classmethod
    def of(cls, rows: Sequence[Row], spots: Sequence[Spot]) -> _Scale:
        known = [spot.times for spot in spots if spot.times is not None]
        over = [row.limit + 2 for row in rows if row.limit is not None]
        return cls(
            min(known, default=1), max([*known, *over, 4]), tuple(known), any(spot.times is None for spot in spots)
        )

    def place(self, times: int | None) -> float:
        return position(self.least) - 1 if times is None else position(times)

    @property
    def range(self) -> list[float]:
        return [position(self.least) - (1.6 if self.unknown else 0.7), position(self.most) + 0.6]

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Place and name of each."""
        named = [(position(tick), f"{tick:,}") for tick in ticks(self.most, self.known) if tick >= self.least]
        return [(self.place(None), UNKNOWN), *named] if self.unknown else named


@dataclass(frozen=True, slots=True)
class _Mark:
    x: float
    row: int
    run: int
    count: int
    text: str
    hover: str


def _spread(spot: Spot, row: str, scale: _Scale) -> list[_Mark]:
    """The marks of one place, side by side; too many become one with their count."""
    centre, sign = scale.place(spot.times), "✗" if spot.fails else ""
    words = "not judged" if spot.times is None else f"{spot.times:,} in a row"
    if spot.count > SIDE_BY_SIDE:
        hover = f"{escape(_short(row, LONGEST_NAME))}: {spot.count:,} runs, {words}"
        return [_Mark(centre, spot.row, spot.runs[0][0], spot.count, f"{spot.count:,}", hover)]
    left = centre - STEP * (spot.count - 1) / 2
    return [
        _Mark(left + STEP * at, spot.row, run, 1, sign, f"{escape(_short(name, LONGEST_NAME))}: {words}")
        for at, (run, name) in enumerate(spot.runs)
    ]


@dataclass(frozen=True, slots=True)
class _Look:
    """One kind of mark."""

    shows: Callable[[Spot], bool]
    marker: dict[str, Any]
    size: int
    ink: str
    """Colour of a sign or count on it."""


def _looks(palette: Palette) -> tuple[_Look, ...]:
    """Passing, failing and not judged runs, the last above the others."""
    edge = {"color": palette.ink, "width": 1.5}
    return (
        _Look(
            lambda spot: spot.times is not None and not spot.fails,
            {"symbol": "circle", "color": palette.ground, "line": edge},
            10,
            palette.ink,
        ),
        _Look(
            lambda spot: spot.times is None,
            {"symbol": "circle-open-dot", "color": palette.faint, "line": {"width": 1.25}},
            10,
            palette.muted,
        ),
        _Look(lambda spot: spot.fails, {"symbol": "circle", "color": palette.ink}, 16, palette.on_ink),
    )


def _add(figure: go.Figure, marks: Sequence[_Mark], look: _Look) -> None:
    sizes = [look.size if mark.count == 1 else 12 + 6 * len(mark.text) for mark in marks]
    as_it_is = {"marker": {"opacity": 1}, "textfont": {"color": look.ink}}
    figure.add_scatter(
        x=[mark.x for mark in marks],
        y=[-mark.row for mark in marks],
        mode="markers+text",
        marker={**look.marker, "size": sizes, "opacity": 1},
        text=[mark.text for mark in marks],
        textfont={"size": 10, "color": look.ink, "weight": 600},
        hovertext=[mark.hover for mark in marks],
        hoverinfo="text",
        customdata=[[mark.run, mark.count] for mark in marks],
        selected=as_it_is,  # a picked mark would else dim the others
        unselected=as_it_is,
        cliponaxis=False,
        showlegend=False,
    )


def _shade(figure: go.Figure, rows: Sequence[Row], scale: _Scale, palette: Palette) -> None:
    """Where a run of each row would fail, and a line to follow each row by."""
    for at, row in enumerate(rows):
        if row.limit is not None:
            left = (position(row.limit) + position(row.limit + 1)) / 2
            box = {"x0": left, "x1": scale.range[1], "y0": -at - 0.5, "y1": -at + 0.5}
            figure.add_shape(type="rect", **box, layer="below", line_width=0, fillcolor=palette.block)
    for at in range(len(rows)):
        line = {"color": palette.line, "width": 1}
        figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=-at, y1=-at, layer="below", line=line)


def _lay_out(figure: go.Figure, rows: Sequence[Row], scale: _Scale, palette: Palette, row_title: str) -> None:
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True}
    text = {"family": FONT, "color": palette.ink}
    figure.update_layout(
        height=ABOVE + ROW_HEIGHT * len(rows) + BELOW,
        margin={"l": 8 + TITLE_LETTER * len(row_title), "r": 4, "t": ABOVE, "b": BELOW, "pad": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={**text, "size": 13.5},
        dragmode=False,
        hoverlabel={"bgcolor": palette.ground, "bordercolor": palette.ink, "font": {**text, "size": 13}},
        xaxis={
            **bare,
            "range": scale.range,
            "tickvals": [place for place, _ in scale.ticks],
            "ticktext": [name for _, name in scale.ticks],
            "tickfont": {"color": palette.muted, "size": 13},
            "tickangle": 0,
        },
        yaxis={
            **bare,
            "range": [0.5 - len(rows), 0.5],
            "tickvals": [-at for at in range(len(rows))],
            "ticktext": [escape(_short(row.name, LONGEST_ROW)) for row in rows],
            "automargin": True,
        },
        annotations=[*_titles(rows, palette, row_title), *_bend(scale, palette)],
    )


def _bend(scale: _Scale, palette: Palette) -> Iterable[dict[str, Any]]:
    """Two strokes on the axis where its even part ends."""
    if scale.most > LINEAR_UP_TO and LINEAR_UP_TO in ticks(scale.most, scale.known):
        font = {"color": palette.muted, "size": 13}
        at = {"x": position(LINEAR_UP_TO), "xshift": 15, "y": 0, "yref": "paper", "yanchor": "top", "yshift": -6}
        yield {**at, "text": "//", "font": font, "showarrow": False, "hovertext": "from here on closer together"}


def _titles(rows: Sequence[Row], palette: Palette, row_title: str) -> Iterable[dict[str, Any]]:
    """`stimulus` above the names, `more than 3: fails` above the shaded part."""
    above = {"y": 1, "xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "bottom", "showarrow": False}
    font = {"color": palette.muted, "size": 13}
    yield {**above, "font": font, "x": 0, "xshift": -8, "text": row_title}
    limits = {row.limit for row in rows}
    if limits != {None}:
        words = f"more than {next(iter(limits))}: fails" if len(limits) == 1 else "shaded: fails"
        yield {**above, "font": font, "x": 1, "text": words}


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"

"""The small picture of many runs, as SVG: each stimulus as a bar, and the share over the limit as time goes on."""

from __future__ import annotations

from collections.abc import Sequence

from loopviz.masking import mask_text
from loopviz.presenting.canvas import NARROW
from loopviz.presenting.sets import Group, SetStory, Trend
from loopviz.presenting.svg import Colours, Ground, colours_of, standing_alone, tag, width_of, words_at, wrapped
from loopviz.timeline.words import number

MOST_STIMULI, MOST_PERIODS = 10, 60
"""Bars and columns that are drawn; what is beyond is told in words, or joined."""
_ROW, _CHART = 30.0, 110.0
_ACCENT = "level3"
"""The one colour that says how many runs fail."""


def set_picture(story: SetStory, *, width: int, theme: Ground) -> str:
    """Draw many runs; no text is smaller than 11 px at that width."""
    drawing = _Drawing(float(width), colours_of(theme))
    body = drawing.stimuli(story) + drawing.trend(story)
    return standing_alone(
        body,
        width=width,
        height=round(drawing.height + 6),
        title=story.headline,
        description=_description(story),
        ground=None if theme == "page" else drawing.colours["ground"],
        look="set-picture",
    )


def _description(story: SetStory) -> str:
    rows = [f"{mask_text(group.name)}: {_of(group)}." for group in story.stimuli[:MOST_STIMULI] if group.n_over]
    return " ".join([*rows, story.trend_words])


def _of(group: Group) -> str:
    return f"{number(group.n_over)} of {number(group.n)}"


def _others(story: SetStory, n_shown: int) -> str:
    """The runs over the limit that no bar shows: `none in the other stimulus, 2 in runs without a stimulus`."""
    rest, parts = story.stimuli[n_shown:], []
    if rest:
        over = sum(group.n_over for group in rest)
        others = "the other stimulus" if len(rest) == 1 else f"the {number(len(rest))} other stimuli"
        parts.append(f"{number(over) if over else 'none'} in {others}")
    if story.n_over_elsewhere:
        parts.append(f"{number(story.n_over_elsewhere)} in runs without a stimulus")
    return ", ".join(parts)


class _Drawing:
    """Draws from the top down."""

    def __init__(self, width: float, colours: Colours) -> None:
        self.width, self.colours = width, colours
        self.small = 12.5 if width < NARROW else 14.0
        self.height = 0.0

    def _words(self, x: float, y: float, words: str, fill: str = "ink", **more: object) -> str:
        return words_at(x, y, words, size=self.small, fill=self.colours[fill], **more)  # type: ignore[arg-type]

    def stimuli(self, story: SetStory) -> str:
        """A bar for each stimulus: how many runs it has, and how many of them are over the limit."""
        shown = [group for group in story.stimuli if group.n_over][:MOST_STIMULI]
        if not shown:
            return ""
        self.height += self.small + 4
        parts = [self._words(0, self.height, "runs over the limit, by stimulus", "muted")]
        self.height += 10
        names = [mask_text(group.name) for group in shown]
        gutter = min(max(width_of(name, self.small) for name in names) + 16, self.width * 0.45)
        room = self.width - gutter - 90
        most = max(group.n for group in shown)
        for group, name in zip(shown, names, strict=True):
            parts.append(self._row(group, name, gutter, room / most))
        for line in wrapped(_others(story, len(shown)), self.small, self.width):
            self.height += self.small + 8
            parts.append(self._words(0, self.height, line, "muted"))
        self.height += 24
        return "".join(parts)

    def _row(self, group: Group, name: str, gutter: float, scale: float) -> str:
        y = self.height
        self.height += _ROW
        label = wrapped(name, self.small, gutter - 8)
        fits = len(label) == 1
        shown = label[0] if fits else f"{label[0][: max(len(label[0]) - 1, 1)]}…"
        whole, filled = max(group.n * scale, 2.0), group.n_over * scale
        return "".join(
            (
                self._words(0, y + 20, shown),
                tag("rect", x=gutter, y=y + 6, width=whole, height=18, rx=3, fill=self.colours["cell"]),
                tag("rect", x=gutter, y=y + 6, width=filled, height=18, rx=3, fill=self.colours[_ACCENT])
                if filled
                else "",
                self._words(gutter + whole + 10, y + 20, _of(group), bold=bool(group.n_over)),
            )
        )

    def trend(self, story: SetStory) -> str:
        """A column for each day or file: the share of its runs over the limit."""
        if story.trend is None:
            return ""
        groups = joined(story.trend.groups, min(MOST_PERIODS, max(int(self.width / 14), 2)))
        self.height += self.small + 4
        parts = [self._words(0, self.height, _by(story.trend, len(groups)), "muted")]
        base = self.height + 36 + _CHART
        pitch = min(self.width / len(groups), 90.0)
        free = float("-inf")
        for place, group in enumerate(groups):
            x, tall = place * pitch, max(group.share * _CHART, 2.0)
            middle = x + (pitch - 6) / 2
            parts.append(
                tag("rect", x=x, y=base - _CHART, width=pitch - 6, height=_CHART, rx=3, fill=self.colours["block"])
                + (
                    tag("rect", x=x, y=base - tall, width=pitch - 6, height=tall, rx=2, fill=self.colours[_ACCENT])
                    if group.n_over
                    else ""
                )
            )
            if pitch >= 46:
                said = _of(group)
                parts.append(self._words(middle, base - _CHART - 6, said, anchor="middle", bold=bool(group.n_over)))
            half = width_of(group.name, self.small) / 2
            at = min(max(middle, half), self.width - half)
            if at - half >= free and half * 2 <= self.width:
                parts.append(self._words(at, base + 18, group.name, "muted", anchor="middle"))
                free = at + half + 10
        self.height = base + 26
        return "".join(parts)


def _by(trend: Trend, n_columns: int) -> str:
    """`share over the limit, by day`, and how many of them a column holds."""
    size = -(-len(trend.groups) // n_columns)
    each = "" if size == 1 else f", up to {number(size)} {trend.by}s in each column"
    return f"share over the limit, by {trend.by}{each}"


def joined(groups: tuple[Group, ...], most: int) -> list[Group]:
    """Neighbours put together until there are at most so many, so that none is left out."""
    if len(groups) <= most:
        return list(groups)
    size = -(-len(groups) // most)
    parts = [groups[at : at + size] for at in range(0, len(groups), size)]
    return [
        Group(name=_span(part), n=sum(each.n for each in part), n_over=sum(each.n_over for each in part))
        for part in parts
    ]


def _span(part: Sequence[Group]) -> str:
    """`1 Nov – 2 Nov`."""
    return part[0].name if len(part) == 1 else f"{part[0].name} – {part[-1].name}"

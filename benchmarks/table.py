"""The table: what was promised, what was measured, and whether it was kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

MET, MISSED, NOT_MEASURED = "met", "MISSED", "not measured"
_HEAD = ("item", "what", "bound", "measured", "seconds", "")


class Unit(Enum):
    """What a figure is a multiple of."""

    JSON = "J"
    """`json.loads` of the long run; the figure is given in seconds and divided when the table is made."""
    LOADS = "× json.loads"
    """`json.loads` of the same file."""
    FASTER = "× as fast"
    SPREAD = "× dearest to cheapest"
    FILE = "× the file"
    EMPTY_APP = "× an empty app"
    FEW = "× the few"
    SECONDS = "s"
    """Seconds themselves, where those are what was promised; beside them stands what they are of J."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    item: str
    """`a` to `j`."""
    what: str
    unit: Unit
    bound: float
    """The most that the figure may be; the least, where it says how many times as fast."""
    figure: float | None = None
    """None where nothing was measured; `what` then says why."""
    seconds: str = ""
    """What the figure was made from, in words."""

    def ratio(self, json_s: float) -> float | None:
        """The figure as a multiple of its unit."""
        return self.figure / json_s if self.figure is not None and self.unit is Unit.JSON else self.figure

    def verdict(self, json_s: float) -> str:
        """Whether the bound is kept."""
        ratio = self.ratio(json_s)
        if ratio is None:
            return NOT_MEASURED
        return MET if (ratio >= self.bound if self.unit is Unit.FASTER else ratio <= self.bound) else MISSED


def render(rows: Sequence[Row], json_s: float) -> str:
    """The table in Markdown, its columns aligned.

    Args:
        rows: In the order to print.
        json_s: Seconds of J.
    """
    cells = [_HEAD, *(_cells(row, json_s) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEAD))]
    lines = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def summary(rows: Sequence[Row], json_s: float) -> str:
    """One sentence under the table."""
    verdicts = [row.verdict(json_s) for row in rows]
    counts = [f"{verdicts.count(word)} {word}" for word in (MET, MISSED, NOT_MEASURED)]
    return f"{', '.join(counts)}."


def seconds(value: float) -> str:
    """Seconds with three figures that count: `0.0123 s`, `1.23 s`, `123 s`."""
    return f"{value:#.3g}".rstrip(".") + " s"


def _cells(row: Row, json_s: float) -> tuple[str, ...]:
    ratio = row.ratio(json_s)
    bound = ("≥ " if row.unit is Unit.FASTER else "≤ ") + _multiple(row.bound, row.unit)
    measured = "–" if ratio is None else _multiple(ratio, row.unit)
    return row.item, row.what.replace("|", "\\|"), bound, measured, row.seconds, row.verdict(json_s)


def _multiple(value: float, unit: Unit) -> str:
    if unit is not Unit.JSON:
        return f"{value:.3g} {unit.value}" if value >= 10 else f"{value:.2f} {unit.value}"
    return f"{value:.2f} J" if value >= 0.5 else f"J/{1 / value:.1f}".removesuffix(".0")

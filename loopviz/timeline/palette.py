"""The colours of both themes, as the canvas script has them: ink is the interface, hue is data.

Four hues stand for pattern lengths 1, 2, 3, and 4 or more; solid is over the limit, tinted is counted and within it,
dashed is found but not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Theme = Literal["light", "dark"]

TINT = 0.24
"""Share of the hue in a cell that is counted, within the limit."""
HUE_IN_TEXT = 0.68
"""Share of the hue in a text that is written in it; the rest is ink."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """One theme; every colour is `#RRGGBB`."""

    ground: str
    block: str
    ink: str
    on_ink: str
    muted: str
    faint: str
    mark: str
    cell: str
    line: str
    seen_one: str
    seen_both: str
    hues: tuple[str, str, str, str]
    """Pattern lengths 1, 2, 3, 4 and more."""
    on_hues: tuple[str, str, str, str]
    """A letter on each of them."""
    levels: tuple[str, str, str, str]
    """Ladder levels 0 to 3."""

    def hue(self, period: int) -> str:
        """The hue of a pattern length."""
        return self.hues[hue_index(period)]

    def on_hue(self, period: int) -> str:
        """A letter on the hue of a pattern length."""
        return self.on_hues[hue_index(period)]

    def tint(self, period: int) -> str:
        """The hue of a pattern length, tinted."""
        return blend(self.hue(period), self.ground, TINT)

    def hue_text(self, period: int) -> str:
        """The hue of a pattern length, dark or light enough to read."""
        return blend(self.hue(period), self.ink, HUE_IN_TEXT)


PALETTES = MappingProxyType(
    {
        "light": Palette(
            ground="#FFFFFF",
            block="#F3F4F7",
            ink="#1B1F27",
            on_ink="#FFFFFF",
            muted="#59616E",
            faint="#868E9A",
            mark="#8E96A2",
            cell="#E4E7EB",
            line="#E1E4E9",
            seen_one="#B4BBC6",
            seen_both="#5C6572",
            hues=("#0F4FAE", "#1593CF", "#B8085F", "#1B1446"),
            on_hues=("#FFFFFF", "#0B1116", "#FFFFFF", "#FFFFFF"),
            levels=("#D9D9D9", "#F3C300", "#D1590A", "#6A0F4B"),
        ),
        "dark": Palette(
            ground="#0E1117",
            block="#1B202A",
            ink="#F1F3F7",
            on_ink="#0E1117",
            muted="#A9B1BE",
            faint="#737C8A",
            mark="#6B7482",
            cell="#2A303B",
            line="#2A303B",
            seen_one="#4A5362",
            seen_both="#A5AEBC",
            hues=("#2F7AEE", "#52F3EF", "#E774B5", "#C3A2F8"),
            on_hues=("#0B0E13", "#0B0E13", "#0B0E13", "#0B0E13"),
            levels=("#3D3D3D", "#A0522D", "#F28E2B", "#FFF2A8"),
        ),
    }
)
"""By theme name."""


def properties(palette: Palette) -> str:
    """A theme as custom properties of a style sheet: `--ink: #1B1F27; --p1: …`, hues by pattern length."""
    values = {
        "ground": palette.ground,
        "block": palette.block,
        "ink": palette.ink,
        "on-ink": palette.on_ink,
        "muted": palette.muted,
        "faint": palette.faint,
        "cell": palette.cell,
        "line": palette.line,
    }
    for length, (hue, letter) in enumerate(zip(palette.hues, palette.on_hues, strict=True), start=1):
        values |= {f"p{length}": hue, f"on{length}": letter, f"tint{length}": palette.tint(length)}
        values[f"text{length}"] = palette.hue_text(length)
    values |= {f"level{level}": colour for level, colour in enumerate(palette.levels)}
    return " ".join(f"--{name}: {value};" for name, value in values.items())


def hue_index(period: int) -> int:
    """Which of the four hues a pattern length has, from 0."""
    return min(max(period, 1), 4) - 1


def blend(over: str, under: str, share: float) -> str:
    """Lay `share` (0 to 1) of one colour over another; opaque, rounded to whole steps."""
    mixed = (round(a * share + b * (1 - share)) for a, b in zip(_channels(over), _channels(under), strict=True))
    return "#" + "".join(f"{value:02X}" for value in mixed)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))

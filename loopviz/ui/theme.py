"""How the app looks, as Streamlit options: ink is the interface, hue is data, so nothing here but charts has a hue.

Streamlit follows the light or dark preference of the reader's system as long as both are described.
"""

from __future__ import annotations

from typing import Any

from loopviz.timeline.palette import PALETTES, Palette

ALERTS = ("red", "orange", "yellow", "green", "blue")
"""Streamlit's names of what its messages are painted with; here they are told apart by their words."""


def surface(palette: Palette) -> dict[str, Any]:
    """The options of one appearance, by their short names."""
    colours: dict[str, Any] = {
        "backgroundColor": palette.ground,
        "secondaryBackgroundColor": palette.block,
        "textColor": palette.ink,
        "primaryColor": palette.ink,
        "linkColor": palette.ink,
        "borderColor": palette.line,
        "codeBackgroundColor": palette.block,
        "codeTextColor": palette.ink,
        "dataframeBorderColor": palette.line,
        "dataframeHeaderBackgroundColor": palette.block,
        "dataframeHeaderTextColor": palette.muted,
        "grayColor": palette.mark,
        "grayTextColor": palette.muted,
        "chartCategoricalColors": list(palette.hues),
    }
    for name in ALERTS:
        colours |= {
            f"{name}Color": palette.ink,
            f"{name}BackgroundColor": palette.block,
            f"{name}TextColor": palette.ink,
        }
    return colours


THEME: dict[str, Any] = {
    "theme.font": "sans-serif",
    "theme.codeFont": "monospace",
    "theme.codeFontSize": "13px",
    "theme.headingFontSizes": ["2rem", "1.125rem", "1rem"],
    "theme.headingFontWeights": [700, 600, 600],
    "theme.linkUnderline": True,
    "theme.paddingTop": "1.75rem",
    "theme.paddingBottom": "4rem",
    "theme.showWidgetBorder": False,
    **{
        f"theme.{name}.{option}": value
        for name, palette in PALETTES.items()
        for option, value in surface(palette).items()
    },
}
"""Sizes: headline of a page 32 px, section 18, group 16; text from a run 13."""

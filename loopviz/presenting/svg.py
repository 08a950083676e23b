"""SVG as text: every text is escaped where it goes in; how wide a text is can only be estimated."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Literal

from loopviz.presenting.names import seen
from loopviz.timeline.palette import PALETTES, properties

Ground = Literal["light", "dark", "page"]
"""Whose colours a picture has: one theme's own, or custom properties of the page that it is part of."""
Colours = dict[str, str]
"""Colours by the names that `loopviz.timeline.palette.properties` gives them: `ink`, `cell`, `p1`, `level3`."""

SANS = "'Source Sans 3', 'Source Sans Pro', 'Source Sans', system-ui, sans-serif"
_WIDTHS = ((re.compile(r"[ilj.,:;'!|I ]"), 0.34), (re.compile(r"[mwMW]"), 0.9), (re.compile(r"[A-Z0-9_@]"), 0.62))
_USUAL = 0.57
"""Width of most letters, in em: more than those of Source Sans, so that the fonts of most systems find room."""
_VALUE = re.compile(r"--([\w-]+): (#[0-9A-Fa-f]{6});")


def colours_of(ground: Ground) -> Colours:
    """The colours to draw with; `page` names the custom properties, so that a picture follows the theme of its page."""
    values = dict(_VALUE.findall(properties(PALETTES["light" if ground == "page" else ground])))
    return {name: f"var(--{name})" for name in values} if ground == "page" else values


def written(words: str) -> str:
    """A text as XML that shows it."""
    return escape(seen(words), quote=False)


def tag(name: str, /, *content: str, **attributes: str | float | None) -> str:
    """An element; its content is XML already.

    Args:
        name: The element's name.
        content: What `tag` or `written` made.
        attributes: `class_` stands for `class`, `data_call` for `data-call`; numbers are rounded to tenths, None is
            left out.
    """
    head = "".join([f"<{name}", *(_attribute(key, value) for key, value in attributes.items())])
    return f"{head}>{''.join(content)}</{name}>" if content else f"{head}/>"


def standing_alone(
    body: str,
    *,
    width: float,
    height: int,
    title: str,
    description: str | None = None,
    ground: str | None = None,
    look: str | None = None,
) -> str:
    """A whole picture, which any page or viewer can show.

    Args:
        body: What is drawn, as XML.
        width: In px, as the height.
        height: Of all that is drawn.
        title: What it is called, and for whom cannot see it what it says.
        description: The same at length.
        ground: The colour below it; None for that of the page.
        look: Its class.
    """
    return tag(
        "svg",
        tag("title", written(title)),
        "" if description is None else tag("desc", written(description)),
        "" if ground is None else tag("rect", width=width, height=height, fill=ground),
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height}",
        width=width,
        height=height,
        role="img",
        font_family=SANS,
        class_=look,
    )


def _attribute(key: str, value: str | float | None) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
    return f' {key.rstrip("_").replace("_", "-")}="{escape(seen(text))}"'


def words_at(
    x: float,
    y: float,
    words: str,
    *,
    size: float,
    fill: str,
    anchor: Literal["start", "middle", "end"] = "start",
    bold: bool = False,
    halo: str | None = None,
) -> str:
    """A line of text with its baseline at y; a halo is a colour drawn round its letters."""
    return tag(
        "text",
        written(words),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="600" if bold else None,
        stroke=halo,
        stroke_width=None if halo is None else 14.0,
        stroke_linejoin=None if halo is None else "round",
        paint_order=None if halo is None else "stroke",
    )


def width_of(words: str, size: float, *, bold: bool = False) -> float:
    """About how wide a text is, rather more than less."""
    return size * sum(map(_width, words)) * (1.1 if bold else 1)


@lru_cache(maxsize=512)
def _width(letter: str) -> float:
    return next((width for pattern, width in _WIDTHS if pattern.match(letter)), _USUAL if ord(letter) < 0x2E80 else 1.0)


def wrapped(words: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """A text in lines that fit a width, broken at plain spaces; a word that does not fit alone is cut."""
    lines: list[str] = []
    for word in _fitting(words.split(" "), size, width, bold=bold):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _fitting(words: Iterable[str], size: float, width: float, *, bold: bool) -> Iterable[str]:
    for word in words:
        while len(word) > 1 and width_of(word, size, bold=bold) > width:
            word = f"{word[:-2]}…"
        yield word

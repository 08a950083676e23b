"""Small pieces of a report's HTML: sentences with their letters, verdict signs, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from loopviz.report.markup import Content, Markup, element, joined, written
from loopviz.timeline.contract import CycleState, Part
from loopviz.timeline.palette import hue_index
from loopviz.timeline.verdict import pattern_parts
from loopviz.timeline.words import spaced

SIGNS = {True: "✓", False: "✗", None: "–"}
"""Before the word, so that a verdict survives without its colour."""
_STATES = {CycleState.NOT_COUNTED: "hollow", CycleState.COUNTED: "counted", CycleState.OVER: "over"}
_PATHS = {True: "M3 9 6.5 14 13 2", False: "M2.5 2.5 13.5 13.5M13.5 2.5 2.5 13.5", None: "M2 8H14"}
_TO_CALL = re.compile(r"call=(\d+)")


def look(period: int, state: CycleState | int) -> str:
    """The classes of a mark: its hue is the length of its pattern, its weight what the pattern counts for."""
    return f"p{hue_index(period) + 1} {_STATES[CycleState(state)]}"


def swatch(letter: str, period: int, state: CycleState | int) -> Markup:
    """The letter of a place in a pattern, as on the timeline."""
    return element("span", letter, class_=f"swatch {look(period, state)}")


def pattern(tools: Sequence[str], *, over: bool) -> Markup:
    """A pattern as its letters and tools, as in the verdict."""
    return sentence(spaced(pattern_parts(tuple(tools), CycleState.OVER if over else CycleState.COUNTED)))


def sentence(parts: Sequence[Part]) -> Markup:
    """The pieces of a sentence; what chooses a call in the app leads to it here."""
    return joined(_linked(part) for part in parts)


def _linked(part: Part) -> Markup:
    wanted = _TO_CALL.fullmatch(part.get("action", ""))
    shown = _part(part)
    return to_call(int(wanted[1]), shown) if wanted else shown


def _part(part: Part) -> Markup:
    words = part["text"]
    match part["kind"]:
        case "swatch":
            return swatch(words, part.get("period", 1), part.get("state", 0))
        case "code":
            return element("code", element("bdi", words))
        case "strong":
            return element("b", words)
        case "muted":
            return element("span", words, class_="muted")
        case "mark":
            return element("span", f" {words} ", class_="mark")
        case _:
            return written(words)


def to_call(call: int, *content: Content) -> Markup:
    """A link to a call, from 0."""
    return element("a", content, href=f"#call-{call + 1}")


def badge(passed: bool | None, word: str) -> Markup:
    """FAIL, PASS or NOT JUDGED with its sign; failing is filled, everything else is an outline."""
    wide = "3.2" if passed is False else "2.4"
    sign = element(
        "svg",
        element("path", d=_PATHS[passed], fill="none", stroke="currentColor", stroke_width=wide),
        viewBox="0 0 16 16",
        aria_hidden="true",
    )
    return element("span", sign, word, class_="badge" if passed is not False else "badge fail")


def verdict(passed: bool | None) -> str:
    """`✗ fail`, for a cell."""
    return f"{SIGNS[passed]} {'not judged' if passed is None else 'pass' if passed else 'fail'}"


def table(heads: Sequence[str], rows: Iterable[Markup], *, class_: str) -> Markup:
    """A table in a frame that scrolls where the page is too narrow for it."""
    head = element("thead", element("tr", (_head(words) for words in heads)))
    return element("div", element("table", head, element("tbody", rows), class_=class_), class_="scrolls")


def _head(words: str) -> Markup:
    """A column's heading; a name in capital letters only for those who cannot see that it needs none."""
    return element("th", words, scope="col")

"""The small words of the app: pieces of sentences, numbers and spans as a person reads them."""

from __future__ import annotations

from loopviz.detectors.core.steps import Match
from loopviz.timeline.contract import Part

SAME_WHEN: dict[Match, str] = {"observation": "same output", "name-args": "same arguments", "name": "same tool"}
"""Short names of the match modes on screen."""


def text(words: str) -> Part:
    """A piece of plain text."""
    return {"kind": "text", "text": words}


def strong(words: str) -> Part:
    """A piece set in semibold."""
    return {"kind": "strong", "text": words}


def muted(words: str) -> Part:
    """A piece set in grey."""
    return {"kind": "muted", "text": words}


def code(name: str) -> Part:
    """A name or text of the run, in the code font."""
    return {"kind": "code", "text": name}


def mark(sign: str) -> Part:
    """A thin sign between two names."""
    return {"kind": "mark", "text": sign}


def spaced(parts: list[Part]) -> list[Part]:
    """The pieces with a space between each two; none behind the letter of a tool, none before a sign that closes.

    Names of the run may begin with such a sign, and are set apart all the same.
    """
    line: list[Part] = []
    for part in parts:
        closes = part["kind"] != "code" and part["text"][:1] in (",", ".", ";", ":", ")")
        if line and line[-1]["kind"] != "swatch" and not closes:
            line.append(text(" "))
        line.append(part)
    return line


def plain(parts: list[Part]) -> str:
    """The pieces as one line of text, without the letters of the picture."""
    shown = [part for part in parts if part["kind"] != "swatch"]
    return "".join(f"`{part['text']}`" if part["kind"] == "code" else part["text"] for part in shown)


def number(value: int) -> str:
    """A whole number with thousands separators."""
    return f"{value:,}"


def span(first: int, last: int) -> str:
    """Calls or turns from one to another, counted from 1: `calls 34–49`."""
    return number(first + 1) if first == last else f"{number(first + 1)}–{number(last + 1)}"


def allowed(limit: int) -> str:
    """`3 are allowed`."""
    return f"{number(limit)} {'is' if limit == 1 else 'are'} allowed"


def verdict_word(passed: bool | None) -> str:
    """`PASS`, `FAIL` or `not judged`."""
    return "not judged" if passed is None else "PASS" if passed else "FAIL"

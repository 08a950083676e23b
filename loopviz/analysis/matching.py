"""What was typed, as a way to look at texts: words, case aside, or a pattern; and the texts of a JSON value.

Texts are matched as a person reads them, JSON's own signs undone: each text inside a value, and each name of a field,
is searched alone. Most values are settled by their bytes, which is many times faster than decoding them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from loopviz import patterns
from loopviz.model import BoolArray, IntArray
from loopviz.patterns import Span

Kind = Literal["text", "pattern"]

_STRUCTURE = re.compile(r'[{}\[\],:"\\\x00-\x1f]')
"""Signs that mean something in JSON: bytes that hold them need not stand in a text."""
_ALSO_ASCII = frozenset("İıſ\u212a")
"""The letters beyond ASCII that, case aside, are letters of it: i, s and k."""
_ASCII_SPELLED = re.compile(rb"\\u00[2-7]")
"""A plain sign written by its number, as JSON allows."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for."""

    words: str
    kind: Kind = "text"


def readable(raw: bytes) -> Iterator[tuple[str, str]]:
    """(outermost field, text) of each text in a JSON value, names of fields and numbers as spelled among them."""
    try:
        text = raw.decode("utf-8", "surrogatepass")
        value = json.loads(text, strict=False, parse_int=str, parse_float=str, object_pairs_hook=_Members)
    except (ValueError, RecursionError):
        value = raw.decode("utf-8", "replace")
    if not isinstance(value, _Members):
        yield from (("", text) for text in _leaves(value))
        return
    for name, member in value:
        yield name, name
        yield from ((name, text) for text in _leaves(member))


def _leaves(value: Any) -> Iterator[str]:
    """Each text inside a value, in its order; a stack, since values nest deeper than calls may."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, _Members):
            waiting += [part for item in reversed(value) for part in reversed(item)]
        elif isinstance(value, list):
            waiting += reversed(value)
        else:
            yield json.dumps(value)


class _Members(list[tuple[str, Any]]):
    """The members of an object, those of a name that is given twice all kept: each is a text that the file holds."""


class Finder(Protocol):
    """How a query looks at texts."""

    def texts(self, texts: Sequence[str]) -> BoolArray:
        """Whether each text holds it."""

    def spans(self, texts: Sequence[str]) -> list[Span | None]:
        """Where it stands first in each."""

    def values(self, values: Sequence[bytes]) -> BoolArray:
        """Whether any text inside each JSON value holds it."""


def finder_of(query: Query) -> Finder:
    return _Words(query.words) if query.kind == "text" else _Pattern(query.words)


class _Words:
    """Words, case aside. Bytes decide where they can: a hundred thousand values are not decoded for that."""

    def __init__(self, words: str) -> None:
        self._ascii = words.isascii()
        flags = re.IGNORECASE | (re.ASCII if self._ascii else re.NOFLAG)
        self._expression = re.compile(re.escape(words), flags)
        self._lower = words.lower().encode("utf-8", "surrogatepass")
        self._never_ascii = not all(sign.isascii() or sign in _ALSO_ASCII for sign in words)
        self._plain = self._ascii and not _STRUCTURE.search(words) and words == words.strip(" ")
        # Beside a letter beyond ASCII, i, s and k stand for such letters, too.
        piece = max(re.split(r'[^\x20-\x7e]|["\\]' + ("" if self._ascii else "|[isk]"), words.lower()), key=len)
        self._piece = (words.lower() if self._plain else piece).encode()

    def texts(self, texts: Sequence[str]) -> BoolArray:
        if self._ascii:  # Lower case is several times faster than an expression, and the same for ASCII.
            lower = self._lower.decode()
            found = [lower in text.lower() and self._holds(text) for text in texts]
        else:
            found = [not (self._never_ascii and text.isascii()) and self._holds(text) for text in texts]
        return np.array(found, dtype=np.bool_)

    def spans(self, texts: Sequence[str]) -> list[Span | None]:
        return [match.span() if (match := self._expression.search(text)) else None for text in texts]

    def values(self, values: Sequence[bytes]) -> BoolArray:
        return np.array([self._in_value(value) for value in values], dtype=np.bool_)

    def _in_value(self, value: bytes) -> bool:
        if self._never_ascii and value.isascii() and b"\\u" not in value:
            return False
        lower = value.lower()
        if self._piece not in lower:
            return _may_spell(lower, self._ascii) and self._holds_one(value)
        if not self._plain or b"\\u" in lower or b"\\" + self._piece in lower:
            return self._holds_one(value)
        return True

    def _holds_one(self, value: bytes) -> bool:
        return any(self._holds(text) for _, text in readable(value))

    def _holds(self, text: str) -> bool:
        return self._expression.search(text) is not None


def _may_spell(lower: bytes, ascii_words: bool) -> bool:
    """Whether a JSON text that does not hold some words as they are may still hold them, written otherwise."""
    if not ascii_words:
        return b"\\" in lower
    return b"\\/" in lower or (b"\\u00" in lower and _ASCII_SPELLED.search(lower) is not None)


class _Pattern:
    """An ECMAScript pattern, which worker processes run."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def texts(self, texts: Sequence[str]) -> BoolArray:
        return np.array([span is not None for span in self.spans(texts)], dtype=np.bool_)

    def spans(self, texts: Sequence[str]) -> list[Span | None]:
        return patterns.spans(texts, self._pattern)

    def values(self, values: Sequence[bytes]) -> BoolArray:
        texts, owner = flat([[text for _, text in readable(value)] for value in values])
        found = np.zeros(len(values), dtype=np.bool_)
        found[owner[self.texts(texts)]] = True
        return found


def flat(texts: Sequence[Sequence[str]]) -> tuple[list[str], IntArray]:
    """(all texts in one list, the place in `texts` that each comes from)."""
    sizes = np.array([len(some) for some in texts], dtype=np.int64)
    return [text for some in texts for text in some], np.repeat(np.arange(len(texts)), sizes)

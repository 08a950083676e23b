"""Finding the parts of a JSON text that no decoder accepts as it stands.

A token scan that never decodes: it finds where values end by their brackets and quotes, so that one lone surrogate,
one `NaN` or one cut-off end does not cost the rest of the file. It takes time in proportion to the text, also when
everything in it is broken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from loopviz.canonical import decode

BLANK = b" \t\r\n\x00"
"""What may stand around a record; zero bytes are what a crashed writer leaves."""
EFFORT = 4
"""How many times its own length a broken list may be scanned before the rest of it is given up."""

_TEXT = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_STRING = re.compile(_TEXT, re.DOTALL)
_TO_BRACKET = re.compile(rb'[^"{}\[\]]*+(?:' + _TEXT + rb'[^"{}\[\]]*+)*+([{}\[\]]|"|\Z)', re.DOTALL)
_KEY = re.compile(rb"[\s,\x00]*(" + _TEXT + rb")\s*:\s*", re.DOTALL)
_GAP = re.compile(rb"[\s,\x00]*")
_AFTER_ELEMENT = re.compile(rb"[\s\x00]*(?:[,\]]|\Z)")
_NEXT_KEY = re.compile(rb"[\s\x00]*,\s*\{\s*(" + _TEXT + rb")\s*:", re.DOTALL)
_SCALAR = re.compile(rb'[^\s,:"{}\[\]]*')


class Span(NamedTuple):
    """Part of a text: bytes from `start` to before `stop`."""

    start: int
    stop: int


class Value(NamedTuple):
    """Where a value ends, and whether it really does or the text ends before it."""

    stop: int
    closed: bool


@dataclass(slots=True)
class Members:
    """The members of an object, by key; of a key given twice the last."""

    spans: dict[str, Span] = field(default_factory=dict)
    closed: bool = True
    """The object has an end."""
    clean: bool = True
    """Nothing but members stands in it."""
    stop: int = 0
    """Where the object ends."""


def find_value(data: bytes, start: int, stop: int) -> Value:
    """Find the end of the value that begins at byte `start`, looking no further than `stop`."""
    first = data[start : start + 1]
    if first in (b"{", b"["):
        return _find_closing(data, start, stop)
    if first == b'"':
        text = _STRING.match(data, start, stop)
        return Value(text.end(), True) if text else Value(stop, False)
    scalar = _SCALAR.match(data, start, stop)
    end = scalar.end() if scalar else start
    return Value(end, end < stop)


def _find_closing(data: bytes, start: int, stop: int) -> Value:
    own = b"}" if data[start : start + 1] == b"{" else b"]"
    depth = 0
    for token in _TO_BRACKET.finditer(data, start, stop):
        mark = token[1]
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"", b'"'):
            break
        elif depth > 1:
            depth -= 1
        elif mark == own:  # A closing bracket of the other kind is one too many: it ends nothing here.
            return Value(token.end(), True)
    return Value(stop, False)


def nested(data: bytes, level: int) -> Iterator[Span]:
    """The lists and objects of a JSON text that stand inside so many others."""
    depth = start = 0
    for token in _TO_BRACKET.finditer(data):
        mark = token[1]
        if mark in (b"{", b"["):
            if depth == level:
                start = token.end() - 1
            depth += 1
        elif mark in (b"", b'"'):
            return
        else:
            depth -= 1
            if depth == level:
                yield Span(start, token.end())


def find_members(data: bytes, start: int, stop: int) -> Members:
    """Find the members of the object that begins at byte `start`, as far as they go."""
    members = Members()
    position = start + 1
    while True:
        key = _KEY.match(data, position, stop)
        if key is None:
            position = skip(data, position, stop)
            if position >= stop:
                members.closed, members.stop = False, stop
                return members
            if data[position : position + 1] == b"}":
                members.stop = position + 1
                return members
            members.clean = False
            position = max(find_value(data, position, stop).stop, position + 1)
            continue
        value = find_value(data, key.end(), stop)
        if value.stop == key.end():
            members.clean = False
        else:
            members.spans[key_text(key[1])] = Span(key.end(), value.stop)
        position = value.stop


def skip(data: bytes, position: int, stop: int) -> int:
    """The first byte from `position` on that is no blank and no comma."""
    gap = _GAP.match(data, position, stop)
    return gap.end() if gap else position


def key_text(raw: bytes) -> str:
    """Decode the text of a key, or take it as it is spelled where that fails."""
    try:
        return str(decode(raw))
    except ValueError:
        return raw.decode("utf-8", "replace")


def find_elements(data: bytes, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """Find the elements of the list that begins at byte `start`: where each begins, and its bytes.

    What is no JSON comes as it stands, up to where the list seems to go on.
    """
    return _Elements(data, stop).read(start + 1)


@dataclass(slots=True)
class _Elements:
    data: bytes
    stop: int
    effort: int = 0
    """Bytes that may still be scanned on behalf of broken elements."""
    keys: list[str] = field(default_factory=list)
    """The first keys of the last good element: how to know the next one by."""

    def read(self, position: int) -> Iterator[tuple[int, bytes]]:
        self.effort = EFFORT * (self.stop - position) + 1
        while True:
            position = skip(self.data, position, self.stop)
            if position >= self.stop or self.data[position : position + 1] == b"]":
                return
            found = find_value(self.data, position, self.stop)
            end = found.stop if self._is_good(position, found) else self._resume(position, found)
            yield position, self.data[position:end]
            position = end

    def _is_good(self, start: int, found: Value) -> bool:
        raw = self.data[start : found.stop]
        keys = _first_keys(raw) if found.closed else None
        if keys is None:
            self.effort -= len(raw)
            return False
        self.keys = keys or self.keys
        return True

    def _resume(self, start: int, found: Value) -> int:
        """Where the list goes on after the broken element at `start`."""
        end = max(found.stop, start + 1)
        if self.data[start] in b"{[" and not (found.closed and self._may_end(start, end)):
            end = self.stop
        keys = self.keys or self._own_keys(start, end)
        if not keys:
            return end
        for candidate in _opening(json.dumps(keys[0]).encode()).finditer(self.data, start + 1, end):
            if self.effort <= 0:
                return self.stop
            at = candidate.start(1)
            value = find_value(self.data, at, self.stop)
            self.effort -= value.stop - at
            if value.closed and _first_keys(self.data[at : value.stop]) == keys:
                return at
        return end

    def _may_end(self, start: int, end: int) -> bool:
        """Whether a broken element may end where its brackets do: not where one of its own parts seems to follow."""
        following = _NEXT_KEY.match(self.data, end, self.stop)
        if following is None:
            return _AFTER_ELEMENT.match(self.data, end, self.stop) is not None
        own = _KEY.match(self.data, start + 1, end)
        if own is not None and own[1] == following[1]:
            return True
        return _opening(following[1]).search(self.data, start + 1, end) is None

    def _own_keys(self, start: int, end: int) -> list[str]:
        """The first keys of a broken element, where no good one came before it."""
        if self.data[start] != ord("{"):
            return []
        self.effort -= end - start
        return list(find_members(self.data, start, end).spans)[:2]


def _opening(key: bytes) -> re.Pattern[bytes]:
    """How an element begins that is an object with this key first."""
    return re.compile(rb"[,\[\n]\s*(\{\s*" + re.escape(key) + rb"\s*:)")


def _first_keys(raw: bytes) -> list[str] | None:
    """The first two keys of an object, none of another value; None for what is no JSON.

    What is nested too deep is not looked into.
    """
    try:
        value = decode(raw)
    except ValueError:
        return None
    return list(value)[:2] if isinstance(value, dict) else []

"""Decoding pieces of a file tolerantly, and spelling what was decoded as JSON again.

What `loopviz.canonical` takes is taken here: lone surrogates, `NaN`, integers of any length, keys given twice. A piece
that is nested too deep comes back with its deepest parts as the texts that spell them, so that a message is not lost
for one argument.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from loopviz import canonical
from loopviz.canonical import MAX_DEPTH, SHALLOW, decode_strictly
from loopviz.model import Json
from loopviz.readers.scanning import nested

LEVELS = 12
"""How many brackets deep a piece is decoded that is nested too deep; what it says of itself lies higher than that."""

encode: Callable[[Json], bytes] = msgspec.json.Encoder().encode
"""Spells a value quickly, as long as it holds no lone surrogate, no number beyond 64 bits, and no `NaN`."""
_OPENING = ("{", "[")
_NULL = b"null"
_NOT_FINITE = (b"NaN", b"1e999")


def decode(raw: bytes) -> Json:
    """Decode a piece of a file.

    Raises:
        ValueError: if it is not JSON.
    """
    try:
        value = decode_strictly(raw)
    except (ValueError, RecursionError):
        return _decode_with_care(raw)
    # Many messages of many files come this way, so the quickest tests come first: few have so many brackets at all.
    if len(raw) > SHALLOW and raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        return value if canonical.is_flat(value) or not canonical.is_deep(raw) else _decode_deep(raw)
    return value


def decode_text(text: str) -> Json:
    """The value that a text spells, where it spells an object or a list; else the text itself."""
    if text[:1] not in _OPENING and text.lstrip()[:1] not in _OPENING:
        return text
    if len(text) <= SHALLOW:
        try:
            return decode_strictly(text)
        except ValueError:
            pass
    try:
        return decode(text.strip().encode("utf-8", "surrogatepass"))
    except ValueError:
        return text


def spell(value: Json) -> bytes:
    """Spell a decoded value as a JSON text that every library reads, numbers as they were."""
    try:
        raw = encode(value)
    except (ValueError, OverflowError):
        return canonical.canonical(value)
    if _NULL in raw and type(value) is not str:  # msgspec spells NaN and infinity so.
        exact = canonical.canonical(value)
        if any(mark in exact for mark in _NOT_FINITE):
            return exact
    return raw


def _decode_with_care(raw: bytes) -> Json:
    value = canonical.decode(raw)
    if type(value) is str and raw[:1] in (b"{", b"["):  # A text that stands for what is too deep.
        return _decode_deep(raw)
    return value


def _decode_deep(raw: bytes) -> Json:
    try:
        return canonical.decode_loosely(_shallow(raw))
    except RecursionError:
        raise ValueError("cut off") from None


def _shallow(raw: bytes) -> bytes:
    """The same text with what is too deep inside as texts that spell it."""
    pieces: list[bytes] = []
    end = 0
    for start, stop in nested(raw, LEVELS):
        if canonical.is_deep(raw[start:stop]):
            text = raw[start:stop].decode("utf-8", "surrogateescape")
            pieces += raw[end:start], canonical.canonical(text)
            end = stop
    return b"".join((*pieces, raw[end:]))

"""Decoding pieces of a file tolerantly, and spelling what was decoded as JSON again.

What `loopviz.canonical` takes is taken here: lone surrogates, `NaN`, integers of any length, keys given twice. A piece
that is nested too deep comes back with its deepest parts as the texts that spell them, so that a message is not lost
for one argument.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from loopviz import canonical
from loopviz.model import Json
from loopviz.readers.jsontext import elements, members

LEVELS = 12
"""How deep a piece is taken apart that is nested too deep as a whole; what it says of itself lies higher than that."""

_encode: Callable[[Json], bytes] = msgspec.json.Encoder().encode
_NULL = b"null"
_NOT_FINITE = (b"NaN", b"1e999")


def decode(raw: bytes, levels: int = LEVELS) -> Json:
    """Decode a piece of a file.

    Raises:
        ValueError: if it is not JSON.
    """
    value = canonical.decode(raw)
    if levels and type(value) is str and raw[:1] in (b"{", b"["):  # A text that stands for what is too deep.
        return _decode_parts(raw, levels - 1)
    return value


def decode_text(text: str) -> Json:
    """The value that a text spells, where it spells an object or a list; else the text itself."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return decode(text.strip().encode("utf-8", "surrogatepass"))
    except ValueError:
        return text


def spell(value: Json) -> bytes:
    """Spell a decoded value as a JSON text that every library reads, numbers as they were."""
    try:
        raw = _encode(value)
    except (ValueError, OverflowError):
        return canonical.canonical(value)
    if _NULL in raw and type(value) is not str:  # msgspec spells NaN and infinity so.
        exact = canonical.canonical(value)
        if any(mark in exact for mark in _NOT_FINITE):
            return exact
    return raw


def _decode_parts(raw: bytes, levels: int) -> Json:
    found = members(raw, 0, len(raw))
    if found is None:
        return [decode(bytes(piece), levels) for _, piece in elements(raw, 0, len(raw))]
    if not found.closed:
        raise ValueError("cut off")
    return {key: decode(raw[span.start : span.stop], levels) for key, span in found.spans.items()}

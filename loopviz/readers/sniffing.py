"""Looking into the first objects of a file, to tell its format: helpers for `Reader.sniff`, none of which raises.

An object comes as JSON texts by key, the last of them perhaps cut off.
"""

from __future__ import annotations

from collections.abc import Callable

from loopviz.readers.base import Head
from loopviz.readers.jsontext import elements, members
from loopviz.readers.texts import plain

Peeked = dict[str, bytes]
"""An object at the beginning of a file: JSON texts by key."""

_NEAR = 1 << 16
"""Bytes of a list that are looked at to find its first element."""


def best(head: Head, score: Callable[[Peeked], float]) -> float:
    """The score of the object that a reader is surest of."""
    return max(map(score, head.objects), default=0.0)


def text(record: Peeked, key: str) -> str:
    """A member that is a text; empty for any other."""
    try:
        value = plain(record.get(key, b"null"))
    except ValueError:
        return ""
    return value if isinstance(value, str) else ""


def is_list(record: Peeked, key: str) -> bool:
    """Whether a member is a list."""
    return record.get(key, b"")[:1] == b"["


def is_object(record: Peeked, key: str) -> bool:
    """Whether a member is an object."""
    return record.get(key, b"")[:1] == b"{"


def inside(record: Peeked, *path: str) -> Peeked:
    """The members of the object at the end of a path of keys; none where there is no object."""
    for key in path:
        record = _peek(record.get(key, b""))
    return record


def first(record: Peeked, key: str) -> Peeked:
    """The members of the first element of a list; none where there is no list, or no object in it."""
    raw = record.get(key, b"")
    if raw[:1] != b"[":
        return {}
    return next((_peek(bytes(piece)) for _, piece in elements(raw[:_NEAR], 0, min(len(raw), _NEAR))), {})


def _peek(raw: bytes) -> Peeked:
    found = members(raw, 0, len(raw))
    return {} if found is None else {key: raw[span.start : span.stop] for key, span in found.spans.items()}

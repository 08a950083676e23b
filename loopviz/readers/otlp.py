"""How OTLP writes spans in JSON: in batches, with attributes as lists of keys and of values that name their type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Raw, defstruct
from msgspec.json import Decoder

from loopviz.model import Json
from loopviz.readers.attributes import flat
from loopviz.readers.fields import member
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.scanning import skip

Fields = dict[str, Json]

DEEPEST = 20
"""Lists inside lists that an attribute is taken apart to."""
NANOSECONDS = 19
"""Digits of the nanoseconds since the epoch, since 2001."""

BATCHES = ("resourceSpans", "resource_spans")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")
_VALUES = ("stringValue", "boolValue", "doubleValue", "bytesValue", "string_value", "bool_value", "double_value")

_Scope: Any = defstruct("_Scope", [("spans", list[Raw], [])], gc=False)
_Batch: Any = defstruct("_Batch", [(key, list[_Scope], []) for key in _SCOPES], gc=False)
_Document: Any = defstruct("_Document", [(key, list[_Batch], []) for key in BATCHES], gc=False)
_decode = Decoder(_Document).decode


def spans_in(reading: Reading, document: Node) -> Iterator[Node]:
    """The spans of a document, undecoded."""
    found = _found(document)
    if found is None:
        yield from _searched(reading, document)
        return
    for span in found:
        yield span
        if not reading.goes_on(span.stop):
            return


def _found(document: Node) -> list[Node] | None:
    """The spans of a document in which nothing is wrong, in one go; each is looked for behind the one before."""
    data, at, stop = document.origin.text.data, document.start, document.stop
    try:
        batches = _decode(memoryview(data)[at:stop])
    except (ValueError, RecursionError):
        return None
    found = []
    for scope in (scope for batch in _all(batches, BATCHES) for scope in _all(batch, _SCOPES)):
        for number, raw in enumerate(scope.spans, start=1):
            at = skip(data, at, stop)
            at = at if data.startswith(raw, at) else data.find(raw, at, stop)
            if at < 0:
                return None
            found.append(Node(document.origin, at, at + len(raw), document.line, number))
            at += len(raw)
    return found


def _all(whole: Any, keys: tuple[str, ...]) -> Iterator[Any]:
    return (each for key in keys for each in getattr(whole, key))


def _searched(reading: Reading, document: Node) -> Iterator[Node]:
    """The spans of any document, list by list."""
    for batch in (batch for key in BATCHES for batch in reading.each(document, key, noun="batch")):
        for scope in (scope for key in _SCOPES for scope in reading.each(batch, key, noun="scope")):
            yield from reading.each(scope, "spans", noun="span")


def plain_attributes(given: Json) -> Fields:
    """Attributes, a list of keys and values that name their type, as an object."""
    return _of_pairs(given, DEEPEST) if isinstance(given, list) else flat(given)


def _of_pairs(pairs: list[Json], depth: int) -> Fields:
    found: Fields = {}
    for pair in pairs:
        key = pair.get("key") if isinstance(pair, dict) else None
        if isinstance(key, str):
            value = pair.get("value")
            said = value.get("stringValue") if isinstance(value, dict) else None  # As nearly all have.
            found[key] = _value(value, depth) if said is None else said
    return found


def _value(typed: Json, depth: int) -> Json:
    if not isinstance(typed, dict):
        return typed
    for key in _VALUES:
        if key in typed:
            return typed[key]
    whole = typed.get("intValue", typed.get("int_value"))
    if whole is not None:
        return _whole(whole)
    values = member(typed.get("arrayValue", typed.get("array_value")), "values")
    pairs = member(typed.get("kvlistValue", typed.get("kvlist_value")), "values")
    if depth and isinstance(values, list):
        return [_value(value, depth - 1) for value in values]
    return _of_pairs(pairs, depth - 1) if depth and isinstance(pairs, list) else None


def _whole(spelled: Json) -> Json:
    """A whole number, which is written as a text."""
    is_number = isinstance(spelled, str) and spelled.isascii() and spelled.lstrip("-").isdecimal() and len(spelled) < 20
    return int(spelled) if is_number else spelled


def nanoseconds(time: Json) -> Json:
    """A point in time; zero stands for none."""
    if isinstance(time, str) and len(time) == NANOSECONDS and time.isdecimal() and time.isascii():
        return float(time) / 1e9
    return None if time in (0, "0", "") else time

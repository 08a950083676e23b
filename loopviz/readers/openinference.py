"""OpenInference spans: traces whose spans hold those inside them, as the Patronus tracer and the TRAIL benchmark keep
them, and spans one after the other, as Phoenix exports them.

What makes turns, calls and runs is told in `spans`, what attributes say in `attributes`. A tool that was called from
code that a model wrote, as agents of smolagents do it, is a call in the turn of the answer with the code; of arguments
that were passed in Python those by name count, with those by position as `args`. Tokens are those of each model span;
input includes what was read from the cache.

Spans as Phoenix exports them were never seen in a real file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from loopviz.model import Json, Loaded
from loopviz.readers import attributes
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.otel import understand
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.spans import Outline, Span, Traces
from loopviz.readers.times import seconds
from loopviz.readers.trees import Kind

Fields = dict[str, Json]

DEEPEST = 100
"""Levels of spans inside spans that are read."""

LARGE = 1 << 14
"""Bytes of a span from which on it is taken apart."""

_INNER = "child_spans"
_OWN = frozenset((
    "trace_id", "span_id", "parent_span_id", "span_name", "timestamp", "duration", "status_code", "status_message",
    "span_attributes", "events",
))  # fmt: skip
_DURATION = re.compile(r"P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")
_SECONDS = (86_400, 3_600, 60, 1)
_KINDS = {"LLM": Kind.MODEL, "TOOL": Kind.TOOL, "AGENT": Kind.AGENT}


def sniff_nested(head: Head) -> float:
    """How surely a file holds traces of spans inside spans."""
    return best(head, _score_nested)


def _score_nested(record: Peeked) -> float:
    if not is_list(record, "spans"):
        return 0.0
    return 1.0 if first(record, "spans").keys() & {_INNER, "span_attributes"} else 0.0


def sniff_phoenix(head: Head) -> float:
    """How surely a file holds spans that Phoenix exported."""
    return best(head, _score_phoenix)


def _score_phoenix(record: Peeked) -> float:
    if not peeked_text(record, "span_kind") or not is_object(record, "context"):
        return 0.0
    return 1.0 if "trace_id" in inside(record, "context") else 0.0


def read_nested(file: Opened) -> Loaded:
    """Read the traces of a file of spans inside spans."""
    reading = Reading(file)
    traces = Traces(reading, _outline_nested, _understand_nested, _open)
    for document in reading.documents():
        if not document.has_list("spans"):
            message = "This is no trace: it has no list of `spans`; it is left out."
            reading.problems.add(document.where("record"), message)
        trace = text(document.get("trace_id")) or ""
        level = list(reading.each(document, "spans", noun="span"))
        for _ in range(DEEPEST):
            if not level:
                break
            level = [inner for span in level for inner in _add(traces, reading, span.bare(), trace)]
        reading.leave_out("span that lies too deep", "spans that lie too deep", len(level))
    traces.tell()
    return reading.loaded()


def read_phoenix(file: Opened) -> Loaded:
    """Read the traces of a file of spans."""
    reading = Reading(file)
    traces = Traces(reading, _outline_phoenix, _understand_phoenix)
    for node, fields in reading.objects():
        traces.add(node, fields)
    traces.tell()
    return reading.loaded()


NESTED = Reader(
    name="openinference",
    sniff=sniff_nested,
    read=read_nested,
    title="OpenInference spans, each with those inside it",
    found="traces of Patronus and of the TRAIL benchmark",
)
PHOENIX = Reader(
    name="phoenix",
    sniff=sniff_phoenix,
    read=read_phoenix,
    title="OpenInference spans exported from Phoenix",
    found="what `client.spans.get_spans` of Phoenix gives, kept as JSON",
)


def _add(traces: Traces, reading: Reading, span: Node, trace: str) -> Iterator[Node]:
    """Add a span; those inside it."""
    fields = _open(span)
    if fields is not None:
        traces.add(span, fields, trace=trace)
    if fields is None or _is_large(span) or fields.pop(_INNER, None):
        yield from reading.each(span, _INNER, noun="span")


def _open(node: Node) -> Fields | None:
    """The members of a span; of a large one without the spans inside it, which would be decoded at every level."""
    if _is_large(node):
        return {key: node.get(key) for key in node.keys() & _OWN}
    return node.object(node.origin.problems, "span")


def _is_large(node: Node) -> bool:
    return node.stop - node.start >= LARGE


def _outline_nested(fields: Fields) -> Outline:
    start = fields.get("timestamp")
    start_s = seconds(start)
    return Outline(
        attributes.kind(attributes.flat(fields.get("span_attributes")), text(fields.get("span_name")) or ""),
        name(fields.get("trace_id")) or "",
        name(fields.get("span_id")) or "",
        name(fields.get("parent_span_id")) or "",
        start if math.isnan(start_s) else start_s,
        _end(start_s, fields.get("duration")),
    )


def _understand_nested(fields: Fields, kind: Kind) -> Span:
    return understand(
        kind,
        attributes.flat(fields.get("span_attributes")),
        name=fields.get("span_name"),
        status=fields.get("status_code"),
        message=fields.get("status_message"),
        events=[_renamed(event) for event in _objects(fields.get("events"))],
    )


def _outline_phoenix(fields: Fields) -> Outline:
    said, context = _KINDS.get(str(fields.get("span_kind"))), fields.get("context")
    return Outline(
        said or attributes.kind(attributes.flat(fields.get("attributes")), text(fields.get("name")) or ""),
        name(member(context, "trace_id")) or "",
        name(member(context, "span_id")) or "",
        name(fields.get("parent_id")) or "",
        fields.get("start_time"),
        fields.get("end_time"),
    )


def _understand_phoenix(fields: Fields, kind: Kind) -> Span:
    return understand(
        kind,
        attributes.flat(fields.get("attributes")),
        name=fields.get("name"),
        status=fields.get("status_code"),
        message=fields.get("status_message"),
        events=fields.get("events"),
    )


def _renamed(event: Fields) -> Fields:
    """An event as others name its parts."""
    return {
        "name": event.get("Name", event.get("name")),
        "attributes": event.get("Attributes", event.get("attributes")),
    }


def _end(start_s: float, duration: Json) -> float | None:
    """When a span ended that says how long it took: `PT1M48.7S`."""
    found = _DURATION.fullmatch(duration) if isinstance(duration, str) else None
    if found is None or math.isnan(start_s):
        return None
    return start_s + sum(float(part) * unit for part, unit in zip(found.groups(), _SECONDS, strict=True) if part)


def _objects(value: Json) -> list[Fields]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []

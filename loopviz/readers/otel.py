"""OpenTelemetry spans of generative AI, in two ways of writing them: OTLP as JSON, a batch for each document or line,
and flat lines, a span each, as Copilot's CLI, the exporters for consoles and programs of one's own write them.

What makes turns, calls and runs is told in `spans`, what attributes say in `attributes`; a trace may be spread over
batches. The conventions make it a choice whether arguments and results are recorded, and by default they are not: then
they are unknown. Messages that stand in events of a span are read too. Tokens are those of each model span; input
includes what was read from the cache. Metrics and logs are left out.

Of flat lines, only those of Copilot's CLI were seen in a real file; the one real OTLP file has no spans of tools.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers import attributes
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.otlp import BATCHES, nanoseconds, plain_attributes, spans_in
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, inside, is_list, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.spans import Outline, Span, Traces
from loopviz.readers.trees import Kind

Fields = dict[str, Json]

_OTHERS = ("resourceMetrics", "resourceLogs", "resource_metrics", "resource_logs")
_ERRORS = (2, "2", "ERROR", "Error", "STATUS_CODE_ERROR", "StatusCode.ERROR")


def sniff_otlp(head: Head) -> float:
    """How surely a file holds OTLP as JSON."""
    return best(head, _score_otlp)


def _score_otlp(record: Peeked) -> float:
    if any(is_list(record, key) for key in BATCHES):
        return 1.0
    return 0.5 if any(is_list(record, key) for key in _OTHERS) else 0.0


def sniff_flat(head: Head) -> float:
    """How surely a file holds spans, one a line."""
    return best(head, _score_flat)


def _score_flat(record: Peeked) -> float:
    if peeked_text(record, "traceId") and peeked_text(record, "spanId"):
        return 0.9
    if is_object(record, "context") and "trace_id" in inside(record, "context") and "span_kind" not in record:
        return 0.8
    return 0.5 if peeked_text(record, "type") == "metric" and is_list(record, "dataPoints") else 0.0


def read_otlp(file: Opened) -> Loaded:
    """Read the traces of a file of OTLP."""
    reading = Reading(file)
    traces = Traces(reading, _outline_otlp, _understand_otlp, _open_otlp)
    for document in reading.documents():
        keys = document.keys()
        if keys.intersection(_OTHERS):
            reading.leave_out("batch of metrics or logs", "batches of metrics or logs")
        elif not keys.intersection(BATCHES):
            message = "This is no batch of spans: it has no `resourceSpans`; it is left out."
            reading.problems.add(document.where("record"), message)
        for span in spans_in(reading, document):
            traces.add(span)
    traces.tell()
    return reading.loaded()


def read_flat(file: Opened) -> Loaded:
    """Read the traces of a file of spans."""
    reading = Reading(file)
    traces = Traces(reading, _outline_flat, _understand_flat)
    for node, fields in reading.objects():
        if fields.keys() & {"spanId", "span_id", "context"}:
            traces.add(node, fields)
        else:
            reading.leave_out("line that is no span", "lines that are no spans")
    traces.tell()
    return reading.loaded()


OTLP = Reader(
    name="otel.otlp",
    sniff=sniff_otlp,
    read=read_otlp,
    title="OpenTelemetry spans of generative AI, as OTLP in JSON",
    found="written by the file exporter of a collector, or saved by a backend",
)
FLAT = Reader(
    name="otel.flat",
    sniff=sniff_flat,
    read=read_flat,
    title="OpenTelemetry spans of generative AI, one a line",
    found="the file that `COPILOT_OTEL_FILE_EXPORTER_PATH` names for Copilot CLI, or what a console exporter prints",
)


def understand(
    kind: Kind, own: Fields, *, name: Json, status: Json = None, message: Json = None, events: Json = None
) -> Span:
    """What a span is about whose attributes keep to these conventions.

    Args:
        own: Its attributes, by their whole names.
        events: Each with a name and its attributes.
    """
    given, made, error = _events(own, events) if events else ([], [], None)
    span = Span(
        name=text(name) or "",
        failed=(isinstance(status, (int, str)) and status in _ERRORS) or attributes.has_failed(own),
        error=text(message) or error,
        given=given or None,
        made=made or None,
    )
    attributes.read(span, kind, own)
    return span


def _open_otlp(node: Node) -> Fields | None:
    """The members of a span, its attributes as an object."""
    fields = node.object(node.origin.problems, "span")
    if fields is not None:
        fields["attributes"] = plain_attributes(fields.get("attributes"))
    return fields


def _outline_otlp(fields: Fields) -> Outline:
    return Outline(
        attributes.kind(fields["attributes"], text(fields.get("name")) or ""),
        name(fields.get("traceId", fields.get("trace_id"))) or "",
        name(fields.get("spanId", fields.get("span_id"))) or "",
        name(fields.get("parentSpanId", fields.get("parent_span_id"))) or "",
        nanoseconds(fields.get("startTimeUnixNano", fields.get("start_time_unix_nano"))),
        nanoseconds(fields.get("endTimeUnixNano", fields.get("end_time_unix_nano"))),
    )


def _understand_otlp(fields: Fields, kind: Kind) -> Span:
    status, events = fields.get("status"), fields.get("events")
    if events:
        events = [
            {**event, "attributes": plain_attributes(event.get("attributes"))}
            for event in (events if isinstance(events, list) else ())
            if isinstance(event, dict)
        ]
    return understand(
        kind,
        fields["attributes"],
        name=fields.get("name"),
        status=member(status, "code"),
        message=member(status, "message"),
        events=events,
    )


def _outline_flat(fields: Fields) -> Outline:
    context = fields.get("context")
    return Outline(
        attributes.kind(attributes.flat(fields.get("attributes")), text(fields.get("name")) or ""),
        name(fields.get("traceId", member(context, "trace_id"))) or "",
        name(fields.get("spanId", member(context, "span_id"))) or "",
        name(fields.get("parentSpanId", fields.get("parentId", fields.get("parent_id")))) or "",
        fields.get("startTime", fields.get("start_time")),
        fields.get("endTime", fields.get("end_time")),
    )


def _understand_flat(fields: Fields, kind: Kind) -> Span:
    status = fields.get("status")
    return understand(
        kind,
        attributes.flat(fields.get("attributes")),
        name=fields.get("name"),
        status=member(status, "code") if member(status, "status_code") is None else member(status, "status_code"),
        message=member(status, "message") or member(status, "description"),
        events=fields.get("events"),
    )


def _events(own: Fields, events: Json) -> tuple[list[Json], list[Json], str | None]:
    """The messages in the events of a span, given and made, and what an exception said.

    What else events say that are about models goes into `own`.
    """
    given: list[Json] = []
    made: list[Json] = []
    error = None
    for event in events if isinstance(events, list) else ():
        called, said = text(member(event, "name")) or "", member(event, "attributes")
        if not isinstance(said, dict):
            continue
        if called == "exception":
            error = text(said.get("exception.message")) or text(said.get("exception.type"))
        elif (message := attributes.message_in(called, said)) is not None:
            (made if called == "gen_ai.choice" else given).append(message)
        elif called.startswith("gen_ai."):
            own.update({key: value for key, value in said.items() if key not in own})
    return given, made, error

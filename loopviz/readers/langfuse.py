"""Langfuse exports: traces with their observations, as a document, a line or an element of a list for each trace, or
observations alone, of one trace or of many, also as the API lists them.

What makes turns, calls and runs is told in `spans`. A generation is a model span; a tool is an observation of that
type, one whose attributes say so, or one that gave back a single tool message, as LangGraph's do in older versions.
Inputs and outputs are often JSON inside a text, once or twice, and are decoded; what the attributes that came with an
observation say of a call goes before.

Tokens and cost are those of each generation. Scores of a trace make its grade; one that is named for success
(`correctness`, `resolved`, `reward`, …) and reaches 1 is a good outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from loopviz.model import GraderResult, Json, Loaded
from loopviz.readers import attributes
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.dialogue import unpacked, words
from loopviz.readers.fields import member, name, number, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, is_list, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.spans import Outline, Span, Traces
from loopviz.readers.telling import ABSENT, Telling
from loopviz.readers.trees import Kind

Fields = dict[str, Json]

_KINDS = {"GENERATION": Kind.MODEL, "TOOL": Kind.TOOL, "AGENT": Kind.AGENT}
_TYPES = frozenset((
    "GENERATION", "SPAN", "EVENT", "TOOL", "AGENT", "CHAIN", "RETRIEVER", "EMBEDDING", "EVALUATOR", "GUARDRAIL",
))  # fmt: skip
_USAGE = frozenset((
    "usageDetails", "usage", "promptTokens", "completionTokens", "costDetails", "calculatedTotalCost", "totalCost",
))  # fmt: skip
_SUCCESS = re.compile(r"(?:task[ _-]?)?(?:success|correct(?:ness)?|resolved|pass(?:ed)?|reward)", re.IGNORECASE)


def sniff(head: Head) -> float:
    """How surely a file holds traces of Langfuse."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    if is_list(record, "observations") and (is_object(record, "trace") or _is_trace(record)):
        return 1.0
    listed = first(record, "data")
    return 0.9 if _is_observation(record) or _is_observation(listed) or _is_trace(listed) else 0.0


def _is_trace(record: Peeked) -> bool:
    return _is_observation(first(record, "observations"))


def _is_observation(record: Peeked) -> bool:
    return peeked_text(record, "type") in _TYPES and "startTime" in record and "id" in record


def read(file: Opened) -> Loaded:
    """Read the traces of a file."""
    reading = Reading(file)
    alone = Traces(reading, _outline, _understand)
    for document in _records(reading):
        where = next(
            (path for path in (("observations",), ("trace", "observations")) if document.has_list(*path)), None
        )
        if where is None:
            alone.add(document)
            continue
        trace, own = Traces(reading, _outline, _understand), _trace_id(document)
        for observation in reading.each(document, *where, noun="observation"):
            trace.add(observation, trace=own)
        trace.tell(partial(_state_facts, document))
        if not trace.n_spans:
            run = reading.run(document, noun="observation")
            _state_facts(document, "", run)
            _state_words(document, run)
    alone.tell()
    return reading.loaded()


READER = Reader(
    name="langfuse",
    sniff=sniff,
    read=read,
    title="Traces exported from Langfuse",
    found="exported from a trace's page, or from the API: `GET /api/public/traces/<id>`",
)


def _records(reading: Reading) -> Iterator[Node]:
    """The documents of a file; of an answer of the API those in its `data`."""
    for document in reading.documents():
        if document.has_list("data") and not document.has_list("observations"):
            yield from reading.each(document, "data", noun="observation")
        else:
            yield document


def _trace_id(document: Node) -> str:
    return text((document.member("trace") or document).get("id")) or ""


def _outline(observation: Fields) -> Outline:
    return Outline(
        _KINDS.get(str(observation.get("type"))) or _kind(observation),
        name(observation.get("traceId")) or "",
        name(observation.get("id")) or "",
        name(observation.get("parentObservationId")) or "",
        observation.get("startTime"),
        observation.get("endTime"),
    )


def _kind(observation: Fields) -> Kind:
    """What an observation is whose type does not tell."""
    called = text(observation.get("name")) or ""
    found = attributes.kind(_attributes(observation), called)
    if found is not Kind.OTHER:
        # Langfuse makes a generation of every model span that it knows.
        return found if found is not Kind.MODEL else Kind.OTHER
    answer = _tool_message(unpacked(observation.get("output")))
    return Kind.TOOL if answer is not None and answer.get("name") == called else Kind.OTHER


def _understand(observation: Fields, kind: Kind) -> Span:
    own, output = _attributes(observation), unpacked(observation.get("output"))
    answer = _tool_message(output)
    span = Span(
        name=text(observation.get("name")) or "",
        failed=observation.get("level") == "ERROR" or attributes.has_failed(own) or member(answer, "status") == "error",
        error=observation.get("statusMessage"),
        given=observation.get("input"),
        made=output,
    )
    if kind is Kind.MODEL:
        span.model, span.usage = observation.get("model"), _usage(observation)
        attributes.read_usage(span, own)
    elif kind is Kind.TOOL:
        span.arguments = _given(observation.get("input"))
        span.result = ABSENT if output is None else output
        attributes.read(span, kind, own)
        if answer is not None:
            span.result, span.call_id = answer.get("content", ABSENT), answer.get("tool_call_id")
    return span


def _attributes(observation: Fields) -> Fields:
    """The attributes of the span that an observation was made of."""
    metadata = observation.get("metadata")
    if isinstance(metadata, str) and "attributes" not in metadata:
        return {}
    return attributes.flat(member(unpacked(metadata), "attributes"))


def _tool_message(output: Json) -> Fields | None:
    """The message of LangChain's that a tool gave back, where the output is one."""
    if not isinstance(output, dict):
        return None
    kwargs = output.get("kwargs")
    message = kwargs if output.get("type") == "constructor" and isinstance(kwargs, dict) else output
    is_answer = "tool_call_id" in message and (message is kwargs or message.get("type") == "tool")
    return message if is_answer else None


def _given(value: Json) -> Json:
    value = unpacked(value)
    return ABSENT if value is None else value


def _usage(observation: Fields) -> Fields:
    if _USAGE.isdisjoint(observation):
        return {}
    used = unpacked(observation.get("usageDetails"))
    used = used if isinstance(used, dict) else {}
    older = observation.get("usage")
    return {
        "input": _either(used.get("input"), member(older, "input"), observation.get("promptTokens")),
        "output": _either(used.get("output"), member(older, "output"), observation.get("completionTokens")),
        "cache_read": _either(used.get("input_cache_read"), used.get("cache_read_input_tokens")),
        "cache_write": _either(used.get("input_cache_creation"), used.get("cache_creation_input_tokens")),
        "cost": _either(
            member(unpacked(observation.get("costDetails")), "total"), observation.get("calculatedTotalCost"),
            observation.get("totalCost"),
        ),
    }  # fmt: skip


def _either(*values: Json) -> Json:
    return next((value for value in values if value is not None), None)


def _state_facts(document: Node, trace: str, run: Telling) -> None:
    """What a trace says of itself, in the document that holds its observations."""
    whole = document.member("trace") or document
    facts = run.facts
    facts.run = trace or text(whole.get("id"))
    facts.stimulus = text(whole.get("name"))
    given = whole.get("scores")
    scores = [score for score in given if isinstance(score, dict)] if isinstance(given, list) else []
    parts = tuple(_grade(score) for score in scores)
    if parts:
        facts.grade = (
            parts[0] if len(parts) == 1 else GraderResult(name="scores", type=None, passed=None, details=parts)
        )
        facts.outcome = next((part.passed for part in parts if part.passed is not None), None)


def _state_words(document: Node, run: Telling) -> None:
    """What a trace without observations began with and came to."""
    whole = document.member("trace") or document
    run.facts.prompt = words(whole.get("input"), "user")
    run.facts.output = words(whole.get("output"), "assistant")


def _grade(score: Fields) -> GraderResult:
    called, value = text(score.get("name")) or "score", number(score.get("value"))
    return GraderResult(
        name=called,
        type=None,
        passed=value >= 1 if value is not None and _SUCCESS.fullmatch(called) else None,
        score=value,
        evidence=text(score.get("comment")),
        label=text(score.get("stringValue")),
    )

"""Exports of Langfuse written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from loopviz.model import Json
from tests.readers.spans_by_hand import BEGAN_S, Told, spans
from tests.readers.stories import Story

TYPES = {"agent": "AGENT", "model": "GENERATION", "tool": "TOOL"}


def write(stories: Sequence[Story]) -> bytes:
    """A document for each trace; several are a list."""
    documents = [export(*map(_observation, spans(told)), id=told.name) for told in stories]
    return dump(documents if len(documents) > 1 else documents[0])


def dump(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def export(*observations: Json, **trace: Any) -> dict[str, Any]:
    """A document of one trace."""
    return {"trace": {"id": "s1", "name": "demo", "scores": [], **trace}, "observations": list(observations)}


def time(after_s: float) -> str:
    """A point in time, in seconds after the trace began."""
    return datetime.fromtimestamp(BEGAN_S + after_s, UTC).isoformat()


def observation(type: str, number: float, **fields: Any) -> dict[str, Any]:
    """An observation that begins so many seconds after the trace, and takes half a second."""
    own = {"id": f"o{number}", "type": type, "name": "x", "traceId": "s1", "level": "DEFAULT", "metadata": "{}"}
    return {**own, "startTime": time(number), "endTime": time(number + 0.5), **fields}


def _observation(span: Told) -> Json:
    fields: dict[str, Any] = {"id": span.id, "traceId": span.trace, "parentObservationId": span.parent or None}
    if span.sort == "model":
        fields |= {"input": json.dumps([{"role": "user", "content": span.given}]), "output": json.dumps(span.made)}
    elif span.call is not None:
        fields |= {
            "name": span.call.tool,
            "input": json.dumps(span.call.arguments),
            "output": span.call.observation if span.has_result else None,
            "level": "ERROR" if span.call.failed else "DEFAULT",
            "metadata": json.dumps({"attributes": {"gen_ai.tool.call.id": span.call.id}}),
        }
    times = {"startTime": time(span.start_s - BEGAN_S), "endTime": time(span.end_s - BEGAN_S)}
    return observation(TYPES[span.sort], span.number, **{**times, **fields})

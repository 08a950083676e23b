"""Runs exported from LangSmith: `{id, run_type, inputs, outputs, trace_id, parent_run_id}`, a line or an element of a
list for each, or with those inside them as `child_runs`.

What makes turns, calls and runs is told in `spans`: a run of type `llm` is a model span, one of type `tool` a call. The
input of a tool is what LangChain passed on, a text where it is one; its output is the content of the tool's message.
Tokens are those that a run states itself, or else its response, once a response; input includes what was read from the
cache. Feedback is left out.

Files of this format were never seen; it follows a description of the API.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.dialogue import messages, unpacked
from loopviz.readers.fields import member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.spans import Outline, Span, Traces
from loopviz.readers.telling import ABSENT
from loopviz.readers.trees import Kind

Fields = dict[str, Json]

DEEPEST = 100
"""Levels of runs inside runs that are read."""

_INNER = "child_runs"
_KINDS = {"llm": Kind.MODEL, "tool": Kind.TOOL}
_LINKS = frozenset(("trace_id", "parent_run_id", "dotted_order", "session_id", _INNER))
_MODEL = (("extra", "metadata", "ls_model_name"), ("extra", "invocation_params", "model"))


def sniff(head: Head) -> float:
    """How surely a file holds runs of LangSmith."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    return 1.0 if peeked_text(record, "run_type") and record.keys() & _LINKS else 0.0


def read(file: Opened) -> Loaded:
    """Read the traces of a file."""
    reading = Reading(file)
    traces = Traces(reading, _outline, _understand, _open)
    for document in reading.documents():
        trace = name(document.get("trace_id")) or name(document.get("id")) or ""
        level = [document]
        for _ in range(DEEPEST):
            if not level:
                break
            for run in level:
                traces.add(run.bare(), trace=trace)
            level = [inner for run in level for inner in _inside(reading, run)]
        reading.leave_out("run that lies too deep", "runs that lie too deep", len(level))
    traces.tell()
    return reading.loaded()


READER = Reader(
    name="langsmith",
    sniff=sniff,
    read=read,
    title="Runs exported from LangSmith",
    found="what `client.list_runs` or `client.read_run` of LangSmith gives, kept as JSON",
)


def _inside(reading: Reading, run: Node) -> Iterator[Node]:
    return reading.each(run, _INNER, noun="run") if run.has_list(_INNER) else iter(())


def _open(node: Node) -> Fields | None:
    """The members of a run without the runs inside it, which would be decoded at every level."""
    if _INNER not in node.keys():  # noqa: SIM118
        return node.object(node.origin.problems, "run")
    return {key: node.get(key) for key in node.keys() - {_INNER}}


def _outline(run: Fields) -> Outline:
    return Outline(
        _KINDS.get(str(run.get("run_type")), Kind.OTHER),
        name(run.get("trace_id")) or "",
        name(run.get("id")) or "",
        name(run.get("parent_run_id")) or "",
        run.get("start_time"),
        run.get("end_time"),
    )


def _understand(run: Fields, kind: Kind) -> Span:
    inputs, outputs, error = run.get("inputs"), run.get("outputs"), text(run.get("error"))
    span = Span(name=text(run.get("name")) or "", failed=error is not None, error=error, given=inputs, made=outputs)
    if kind is Kind.MODEL:
        span.model = next((found for path in _MODEL if (found := text(member(run, *path)))), None)
        span.usage = _usage(run)
    elif kind is Kind.TOOL:
        span.tool = run.get("name")
        span.arguments = ABSENT if inputs is None else unpacked(_only(inputs, "input"))
        _take_output(span, ABSENT if outputs is None else _only(outputs, "output"))
    return span


def _take_output(span: Span, output: Json) -> None:
    """Take a tool's output: the content of its message, where it is one."""
    said = messages(output, "tool") if isinstance(output, dict) else []
    answer = said[0].answered[0] if len(said) == 1 and len(said[0].answered) == 1 else None
    if answer is None or answer.id is None:
        span.result = output
    else:
        span.result, span.call_id = answer.content, answer.id
        span.failed = span.failed or answer.failed


def _only(value: Json, key: str) -> Json:
    """The one member of an object that has no other."""
    return value[key] if isinstance(value, dict) and value.keys() == {key} else value


def _usage(run: Fields) -> Fields:
    generation = _first(_first(member(run, "outputs", "generations")))
    response = member(generation, "message")
    used = member(response, "kwargs", "usage_metadata") or member(response, "usage_metadata")
    reported = member(run, "outputs", "llm_output", "token_usage")
    return {
        "input": _either(run.get("prompt_tokens"), member(used, "input_tokens"), member(reported, "prompt_tokens")),
        "output": _either(
            run.get("completion_tokens"), member(used, "output_tokens"), member(reported, "completion_tokens")
        ),
        "cache_read": member(used, "input_token_details", "cache_read"),
        "cache_write": member(used, "input_token_details", "cache_creation"),
        "cost": run.get("total_cost"),
    }


def _first(value: Json) -> Json:
    return value[0] if isinstance(value, list) and value else None


def _either(*values: Json) -> Json:
    return next((value for value in values if value is not None), None)

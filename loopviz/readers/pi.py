"""pi sessions: the lines that the coding agent pi keeps, and the events that its JSON mode prints.

A message of the assistant is a turn, its `toolCall` blocks are the calls, and messages of the role `toolResult` answer
them by id. A line of the type `session` begins a run; what was branched off from another session holds its past. Where
a person went back and on from an earlier line, all that was done stays, in the order of the file.

Tokens and cost are those of each message's `usage`; input does not include the cache. Commands that a person ran are no
calls. Left out are the details of results, streamed pieces, and the list that repeats all messages at a stream's end.
Of real files, only the beginning of one was seen; the stream follows descriptions.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import count, member, name, text
from loopviz.readers.nodes import Node
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, inside
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

Line = dict[str, Json]

_OWN_ROLES = frozenset(("toolResult", "bashExecution", "branchSummary", "compactionSummary"))
_STREAMED = frozenset(("message_start", "message_update", "tool_execution_start", "tool_execution_update"))


def sniff(head: Head) -> float:
    """How surely a file holds lines of pi."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    kind = peeked_text(record, "type")
    if kind == "session":
        return 0.9 if record.keys() >= {"id", "timestamp", "cwd"} else 0.0
    if kind not in ("message", "message_end"):
        return 0.0
    role = peeked_text(inside(record, "message"), "role")
    return 1.0 if role in _OWN_ROLES else 0.8 if role in ("user", "assistant") else 0.0


def read(file: Opened) -> Loaded:
    """Read the sessions of a file, one after the other."""
    reading = Reading(file)
    run: Telling | None = None
    for node, line in reading.objects():
        if run is None or line.get("type") == "session":
            run = reading.run()
        _tell(run, node, line)
    return reading.loaded()


READER = Reader(
    name="pi",
    sniff=sniff,
    read=read,
    title="pi sessions",
    found="`~/.pi/agent/sessions/--<folder>--/<time>_<session>.jsonl`, or printed by `pi --mode json`",
)


def _tell(run: Telling, node: Node, line: Line) -> None:
    kind, message = line.get("type"), line.get("message")
    run.at(node, line.get("timestamp") or member(message, "timestamp"))
    match kind:
        case "session":
            run.facts.run = name(line.get("id"))
            run.facts.model = text(line.get("modelId"))
        case "message" | "message_end" if isinstance(message, dict):
            _tell_message(run, message)
        case "compaction":
            tokens = count(line.get("tokensBefore"))
            at = "" if tokens is None else f" at {tokens:,} tokens"
            run.say("compaction", f"The context was compacted{at}.\n{text(line.get('summary')) or ''}".rstrip())
        case "branch_summary":
            run.say("system", line.get("summary"))
        case "custom_message":
            run.say("system", texts_in(line.get("content")))
        case str() if kind in _STREAMED:
            run.leave_out("streamed piece", "streamed pieces")
        case _:
            run.leave_out("line that says nothing of the run", "lines that say nothing of the run")


def _tell_message(run: Telling, message: Line) -> None:
    content = message.get("content")
    match message.get("role"):
        case "assistant":
            _tell_response(run, message)
        case "toolResult":
            if message.get("details") is not None:
                run.leave_out("structured twin of a result", "structured twins of results")
            run.result(
                message.get("content", ABSENT),
                id=message.get("toolCallId"),
                tool=message.get("toolName"),
                failed=message.get("isError") is True,
            )
        case "user":
            run.say("user", texts_in(content))
            run.leave_out_media(content)
        case "compactionSummary":
            run.say("compaction", message.get("summary"))
        case "bashExecution":
            output = text(message.get("output")) or ""
            run.say("system", f"$ {text(message.get('command')) or ''}\n{output}".rstrip())
        case _:
            run.say("system", texts_in(content) or message.get("summary"))


def _tell_response(run: Telling, message: Line) -> None:
    run.turn()
    content, usage = message.get("content"), message.get("usage")
    for block in content if isinstance(content, list) else [content]:
        match member(block, "type"):
            case "toolCall":
                run.call(member(block, "name"), _arguments(block), id=member(block, "id"))
            case "thinking":
                run.say("reasoning", member(block, "thinking"))
            case _:
                run.say("assistant", texts_in(block))
    run.use(
        input=member(usage, "input"),
        output=member(usage, "output"),
        cache_read=member(usage, "cacheRead"),
        cache_write=member(usage, "cacheWrite"),
        cost=member(usage, "cost", "total"),
        model=message.get("model"),
    )
    run.facts.end_reason = text(message.get("stopReason")) or run.facts.end_reason
    tell_stop(run, message.get("stopReason"))
    if (error := text(message.get("errorMessage"))) is not None:
        run.say("error", error)


def _arguments(call: Json) -> Json:
    return call.get("arguments", ABSENT) if isinstance(call, dict) else ABSENT

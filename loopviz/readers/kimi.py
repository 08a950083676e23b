"""Kimi Code sessions: the `wire.jsonl` of each agent.

A step is a turn: from `step.begin` on, all that is said and called up to the next one. Calls and results are the events
of `tool.call` and `tool.result`, paired by `toolCallId`. A file is one agent's, a sub-agent's too, so it is one run; an
`agentId`, where lines have one, tells agents apart that share a file.

Tokens are those of `usage.record`, or of `step.end` where it states them; two records of one step that agree are one.
Their `inputOther` is the input without the cache. Never seen in a real file; it follows descriptions of such files and
of their tests.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import member, name, text
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, is_object
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

Event = dict[str, Json]

_SAYS_NOTHING = ("line that says nothing of the run", "lines that say nothing of the run")


def sniff(head: Head) -> float:
    """How surely a file holds the records of a Kimi session."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    kind = peeked_text(record, "type")
    if kind == "context.append_loop_event" and is_object(record, "event"):
        return 1.0
    if kind == "context.append_message" and is_object(record, "message"):
        return 1.0
    return 0.8 if kind == "metadata" and "protocol_version" in record else 0.0


def read(file: Opened) -> Loaded:
    """Read the agents of a file."""
    reading = Reading(file)
    for node, line in reading.objects():
        if line.get("type") == "metadata":
            reading.leave_out(*_SAYS_NOTHING)
            continue
        agent = name(line.get("agentId")) or ""
        run = reading.run(key=agent)
        run.facts.run = agent or None
        event = line.get("event")
        run.at(node, line.get("time") or member(event, "time"))
        match line.get("type"):
            case "context.append_loop_event" if isinstance(event, dict):
                _tell(run, event)
            case "context.append_message":
                _tell_message(run, line.get("message"))
            case "usage.record":
                _tell_usage(run, line)
            case "context.apply_compaction" | "full_compaction.complete":
                run.say("compaction", text(line.get("summary")) or "The context was compacted.")
            case _:
                run.leave_out(*_SAYS_NOTHING)
    return reading.loaded()


READER = Reader(
    name="kimi.wire",
    sniff=sniff,
    read=read,
    title="Kimi Code sessions",
    found="`wire.jsonl` in a session's `agents/<agent>/`",
)


def _tell(run: Telling, event: Event) -> None:
    match event.get("type"):
        case "step.begin":
            run.turn()
        case "content.part":
            part = event.get("part")
            thought = member(part, "think") or member(part, "thinking")
            run.say("reasoning", thought) if thought is not None else run.say("assistant", texts_in(part))
        case "tool.call":
            run.call(event.get("name"), event.get("args", ABSENT), id=event.get("toolCallId"))
        case "tool.result":
            result = event.get("result", ABSENT)
            output = result.get("output", ABSENT) if isinstance(result, dict) else result
            run.result(output, id=event.get("toolCallId"), failed=member(event, "result", "isError") is True)
        case "step.end":
            _tell_usage(run, event)
            run.facts.end_reason = text(event.get("finishReason")) or run.facts.end_reason
            tell_stop(run, event.get("finishReason"))
        case _:
            run.leave_out(*_SAYS_NOTHING)


def _tell_usage(run: Telling, record: Event) -> None:
    usage = record.get("usage")
    run.facts.model = run.facts.model or text(record.get("model"))
    run.use(
        input=member(usage, "inputOther"),
        output=member(usage, "output"),
        cache_read=member(usage, "inputCacheRead"),
        cache_write=member(usage, "inputCacheCreation"),
    )


def _tell_message(run: Telling, message: Json) -> None:
    """A message that was put into the context; those of the assistant come from another agent's past."""
    said = texts_in(member(message, "content"))
    run.leave_out_media(member(message, "content"))
    role, origin = member(message, "role"), member(message, "origin", "kind")
    is_asked = role == "user" and origin in (None, "user") and not said.startswith("<system-reminder>")
    run.say("user" if is_asked else "assistant" if role == "assistant" else "system", said)

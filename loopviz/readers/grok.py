"""Grok sessions: the `chat_history.jsonl` of Grok's coding agent.

A line of the assistant is a turn, its `tool_calls` are the calls, and lines of the type `tool_result` answer them by
id. There are no times, no tokens, and no word on whether a call failed. What a user's line says is no request where it
has a `synthetic_reason`. Never seen in a real file; it follows descriptions of such files.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.contents import texts_in
from loopviz.readers.fields import member
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, is_list
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

Line = dict[str, Json]


def sniff(head: Head) -> float:
    """How surely a file is a history of Grok."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    kind = peeked_text(record, "type")
    if "content" not in record or record.keys() & {"role", "message", "source"}:
        return 0.0
    if kind == "tool_result":
        return 1.0 if "tool_call_id" in record else 0.0
    if kind == "assistant" and is_list(record, "tool_calls"):
        return 0.9
    return 0.4 if kind in ("user", "assistant") else 0.0


def read(file: Opened) -> Loaded:
    """Read the session of a file."""
    reading = Reading(file)
    run = reading.run()
    for node, line in reading.objects():
        run.at(node)
        content = line.get("content")
        match line.get("type"):
            case "user":
                run.leave_out_media(content)
                run.say("user" if line.get("synthetic_reason") is None else "system", texts_in(content))
            case "system":
                run.say("system", texts_in(content))
            case "reasoning":
                run.say("reasoning", texts_in(line.get("summary")) or texts_in(content))
            case "assistant":
                _tell_response(run, line)
            case "tool_result":
                run.result(line.get("content", ABSENT), id=line.get("tool_call_id"))
            case _:
                run.leave_out("line that says nothing of the run", "lines that say nothing of the run")
    return reading.loaded()


READER = Reader(
    name="grok",
    sniff=sniff,
    read=read,
    title="Grok sessions",
    found="`~/.grok/sessions/<folder>/<session>/chat_history.jsonl`",
)


def _tell_response(run: Telling, line: Line) -> None:
    run.turn()
    run.say("assistant", texts_in(line.get("content")))
    calls = line.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            function = call.get("function")
            given = function if isinstance(function, dict) else call
            run.call(given.get("name"), given.get("arguments", ABSENT), id=member(call, "id"))

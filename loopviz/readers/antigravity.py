"""Antigravity conversations: the `transcript.jsonl` of Google's agent.

A `PLANNER_RESPONSE` is a turn, and its `tool_calls` are the calls. They have no ids: the records that follow, one a
tool, answer them in order up to the next response, and what is left stays without a result. Arguments are texts, each
of which spells its value in JSON; what a call says of itself for people (`toolAction`, `toolSummary`) is none.

Tokens are those of a response's `usage`. A checkpoint is a compaction. Never seen in a real file; it follows
descriptions of such files and of their tests.
"""

from __future__ import annotations

import re
from collections import deque

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.decoding import decode
from loopviz.readers.fields import member, text
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.telling import ABSENT, Telling

Line = dict[str, Json]

_NO_ARGUMENTS = frozenset(("toolAction", "toolSummary"))
_REQUEST = re.compile(r"<USER_REQUEST>\n?(.*?)\n?</USER_REQUEST>", re.DOTALL)


def sniff(head: Head) -> float:
    """How surely a file is a conversation of Antigravity."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    kind = peeked_text(record, "type")
    if kind == "PLANNER_RESPONSE":
        return 1.0
    return 0.8 if "step_index" in record and kind.isupper() else 0.0


def read(file: Opened) -> Loaded:
    """Read the conversation of a file."""
    reading = Reading(file)
    run = reading.run()
    waiting: deque[int] = deque()
    for node, line in reading.objects():
        run.at(node, line.get("created_at"))
        match line.get("type"):
            case "PLANNER_RESPONSE":
                waiting = deque(_tell_response(run, line))
            case "USER_INPUT" | "USER_MESSAGE":
                said = text(line.get("content")) or ""
                request = _REQUEST.search(said)
                run.say("user", said if request is None else request[1])
            case "CHECKPOINT":
                run.say("compaction", text(line.get("content")) or "The context was compacted.")
            case "ERROR_MESSAGE":
                run.say("error", line.get("content"))
            case "SYSTEM_MESSAGE":
                run.say("system", line.get("content"))
            case str() if waiting and line.get("source") != "SYSTEM":
                run.result(line.get("content", ABSENT), of=waiting.popleft(), failed=line.get("status") == "ERROR")
            case _:
                run.leave_out("line that says nothing of the run", "lines that say nothing of the run")
    return reading.loaded()


READER = Reader(
    name="antigravity",
    sniff=sniff,
    read=read,
    title="Antigravity conversations",
    found="`~/.gemini/antigravity-cli/brain/<conversation>/.system_generated/logs/transcript.jsonl`",
)


def _tell_response(run: Telling, line: Line) -> list[int]:
    """Tell a response of the model; the numbers of the calls that wait for a result."""
    run.turn()
    run.say("reasoning", line.get("thinking"))
    content = line.get("content")
    run.say("assistant", content if isinstance(content, str) else member(content, "text"))
    usage = line.get("usage")
    run.use(
        input=member(usage, "input_tokens") or member(usage, "prompt_token_count"),
        output=member(usage, "output_tokens") or member(usage, "candidates_token_count"),
        cache_read=member(usage, "cached_content_token_count"),
        model=line.get("model"),
    )
    calls = line.get("tool_calls")
    return [
        run.call(call.get("name"), _arguments(call.get("args", ABSENT)))
        for call in (calls if isinstance(calls, list) else ())
        if isinstance(call, dict)
    ]


def _arguments(arguments: Json) -> Json:
    if not isinstance(arguments, dict):
        return arguments
    return {key: _spelled(value) for key, value in arguments.items() if key not in _NO_ARGUMENTS}


def _spelled(value: Json) -> Json:
    """The value that a text spells in JSON; the text itself where it spells none."""
    if not isinstance(value, str):
        return value
    try:
        return decode(value.encode("utf-8", "surrogatepass"))
    except ValueError:
        return value

"""Sessions of Qwen Code: lines `{uuid, parentUuid, sessionId, type, message: {role, parts}}` that look like those of
Claude Code but hold contents of Gemini's API. A session is a run.

A line of the model is a response and a turn; its calls are the parts `functionCall`. A result is a part
`functionResponse` in a line `tool_result`, belongs to the call of its id, or else of its name, and failed where the
`toolCallResult` beside it says so. Lines that are written again, known by their `uuid`, count once.

Tokens are those of each response's `usageMetadata`; input includes what was read from the cache, output includes
thoughts. A compression of the conversation is a compaction; other lines of the system are left out. There is no
outcome.

Files of this format were never seen; it follows a description of the sessions.
"""

from __future__ import annotations

from loopviz.model import Json, Loaded
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.fields import count, member, name, text
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, inside, is_list
from loopviz.readers.telling import ABSENT, Telling

Fields = dict[str, Json]

_COMPRESSION = "chat_compression"


def sniff(head: Head) -> float:
    """How surely a file is a session of Qwen Code."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    return 1.0 if "parentUuid" in record and is_list(inside(record, "message"), "parts") else 0.0


def read(file: Opened) -> Loaded:
    """Read the sessions in a file."""
    reading = Reading(file)
    seen: set[str] = set()
    for node, line in reading.objects():
        uuid = name(line.get("uuid"))
        if uuid is not None and uuid in seen:
            reading.leave_out("line that was written before", "lines that were written before")
            continue
        seen.update(() if uuid is None else (uuid,))
        session = name(line.get("sessionId"))
        run = reading.run(key=session or "", noun="line")
        run.facts.run = session
        run.at(node, line.get("timestamp"))
        _tell(run, line)
    return reading.loaded()


READER = Reader(
    name="qwen",
    sniff=sniff,
    read=read,
    title="Qwen Code sessions",
    found="`~/.qwen/projects/<project>/chats/<session>.jsonl`",
)


def _tell(run: Telling, line: Fields) -> None:
    parts = _objects(member(line.get("message"), "parts"))
    match line.get("type"):
        case "assistant":
            run.turn()
            for part in parts:
                _tell_made(run, part)
            _tell_tokens(run, line)
        case "tool_result":
            _tell_results(run, line, parts)
        case "user":
            for part in parts:
                run.say("user", part.get("text"))
        case "system" if line.get("subtype") == _COMPRESSION:
            run.say("compaction", "Qwen Code summarised the conversation so far.")
        case _:
            run.leave_out("line of another sort", "lines of other sorts")


def _tell_made(run: Telling, part: Fields) -> None:
    call = part.get("functionCall")
    if isinstance(call, dict):
        arguments = call.get("args", ABSENT)
        run.call(call.get("name"), arguments, id=call.get("id"), known=arguments is not ABSENT)
    else:
        run.say("reasoning" if part.get("thought") is True else "assistant", part.get("text"))


def _tell_results(run: Telling, line: Fields, parts: list[Fields]) -> None:
    beside = line.get("toolCallResult")
    has_failed = text(member(beside, "status")) in ("error", "cancelled")
    for part in parts:
        answer = part.get("functionResponse")
        if isinstance(answer, dict):
            response = answer.get("response", ABSENT)
            run.result(
                _content(response),
                id=answer.get("id") or member(beside, "callId"),
                tool=answer.get("name"),
                failed=has_failed or _is_error(response),
            )
        elif part.get("inlineData") is not None:
            run.leave_out("image or file", "images or files")


def _content(response: Json | object) -> Json:
    if _is_error(response):
        return member(response, "error")
    return response["output"] if isinstance(response, dict) and "output" in response else response


def _is_error(response: Json | object) -> bool:
    return isinstance(response, dict) and "output" not in response and response.get("error") is not None


def _tell_tokens(run: Telling, line: Fields) -> None:
    usage = line.get("usageMetadata")
    made = count(member(usage, "candidatesTokenCount"))
    thoughts = count(member(usage, "thoughtsTokenCount"))
    run.use(
        input=member(usage, "promptTokenCount"),
        output=made if thoughts is None else (made or 0) + thoughts,
        cache_read=member(usage, "cachedContentTokenCount"),
        model=line.get("model"),
    )


def _objects(value: Json) -> list[Fields]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []

"""Messages of the Anthropic API: a bare list of them, a message or a list a line, or wrapped as `{messages, …}`, a
document or a line a run; messages whose content are blocks `tool_use` and `tool_result`. Messages of OpenAI's chat API
among them are read as those.

An assistant's message is a turn; several with one `id` are one, as some programs keep each block by itself. A call is
a `tool_use` block, of the client, the server or MCP; a result belongs to it by `tool_use_id`, and failed where
`is_error` says so. A wrapper may hold the answer to its messages as `response`: it is a turn; such requests that repeat
each other are one run, as `loopviz.readers.exchanges` tells it.

Tokens are those of each message's own `usage`, once a message, and of the `response`; input does not include what was
read from the cache. Encrypted thoughts and tool schemas are left out. An outcome is what a wrapper calls `resolved` or
`success`.

Files of this format were never seen outside of the sessions that other formats keep.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from loopviz.model import Json, Loaded
from loopviz.readers import chat
from loopviz.readers.base import Head, Opened, Reader
from loopviz.readers.blocks import CALLS, tell_result_or_thought
from loopviz.readers.contents import texts_in
from loopviz.readers.exchanges import Called, Dialect, Exchanges
from loopviz.readers.fields import member, text
from loopviz.readers.nodes import Node
from loopviz.readers.openai_chat import path_to_messages, state_wrapping
from loopviz.readers.reading import Reading
from loopviz.readers.sniffing import Peeked, best, first, inside, is_list
from loopviz.readers.sniffing import text as peeked_text
from loopviz.readers.stops import tell_stop
from loopviz.readers.telling import ABSENT, Telling

Message = dict[str, Json]

_REQUESTS = (("messages",), ("request", "messages"))
"""Where a record keeps the messages of a request."""
_MARK = re.compile(rb'"type"\s*:\s*"(?:\w*tool_use|\w*tool_result|thinking|redacted_thinking)"')
_CHAT_MARK = re.compile(rb'"tool_call_id"\s*:')
_OF_CHAT = frozenset(("tool_calls", "function_call"))
_NEAR = 1 << 16
"""Bytes of a list that are looked at to find a block that only this API has."""


def sniff(head: Head) -> float:
    """How surely a file holds messages of the Anthropic API."""
    return best(head, _score)


def _score(record: Peeked) -> float:
    for *path, key in _REQUESTS:
        request = inside(record, *path)
        if is_list(request, key):
            return _score_message(first(request, key), request[key])
    return _score_message(record, record["content"] if is_list(record, "content") else b"")


def _score_message(message: Peeked, raw: bytes) -> float:
    """How surely a message is of this API, by the text of its blocks, or of the messages after it."""
    if peeked_text(message, "role") not in ("user", "assistant") or "content" not in message:
        return 0.0
    is_sure = _MARK.search(raw[:_NEAR]) and not _CHAT_MARK.search(raw[:_NEAR])
    return 0.8 if is_sure else 0.3


def read(file: Opened) -> Loaded:
    """Read the conversations of a file, each a run."""
    reading = Reading(file)
    exchanges = Exchanges(reading, DIALECT)
    for document in reading.documents():
        request = next((path for path in _REQUESTS if document.has_list(*path)), None)
        response = document.member("response")
        if request and response and response.has_list("content"):
            _tell_exchange(exchanges, document, request)
        elif document.member("messages") is not None or not document.keys() & {"role", "content"}:
            _tell_whole(reading, document)
        elif (message := document.object(reading.problems, "message")) is not None:
            run = reading.run(key="", noun="message")
            run.at(document, message.get("timestamp"))
            tell(run, message)
    exchanges.finish()
    return reading.loaded()


READER = Reader(
    name="anthropic.messages",
    sniff=sniff,
    read=read,
    title="Messages of the Anthropic API, bare or wrapped",
    found="what a program of one's own keeps",
)


def tell(run: Telling, message: Message) -> None:
    """Tell a message."""
    role = message.get("role")
    if role in ("tool", "function"):
        chat.tell_result(run, message)
        return
    if role != "assistant":
        for block in _blocks(message.get("content")):
            _tell_block(run, block, speaker=text(role) or "message")
        return
    run.turn(response=message.get("id"))
    tell_answer(run, message)
    _tell_tokens(run, message)


def tell_answer(run: Telling, message: Message, ran: Collection[Called] | None = None) -> None:
    """Tell what an assistant thought, said and asked for, in the turn that is open.

    Args:
        ran: Tool and id of the calls that ran, where others were asked for; these keep no id.
    """
    if not _OF_CHAT.isdisjoint(message):
        chat.tell_assistant(run, message, ran=ran)
        return
    for block in _blocks(message.get("content")):
        if block.get("type") not in CALLS:
            _tell_block(run, block, speaker="assistant")
            continue
        tool, identity = block.get("name"), block.get("id")
        has_run = ran is None or (tool, identity) in ran
        arguments = block.get("input", ABSENT)
        known = arguments is not ABSENT
        run.call(tool, arguments, id=identity if has_run else None, known=known, executed=has_run)
    tell_stop(run, message.get("stop_reason"))


def _tell_whole(reading: Reading, document: Node) -> None:
    run = reading.run(document, noun="message")
    run.say("system", document.get("system"))
    for message in run.each(document, *path_to_messages(document), time="timestamp"):
        tell(run, message)
    state_wrapping(run, document)


def _tell_exchange(exchanges: Exchanges, document: Node, request: tuple[str, ...]) -> None:
    """Tell a request that is kept together with its response, and perhaps with those before it."""
    time = document.get("timestamp")
    run = exchanges.ask(document.elements(*request), time)
    place = document.member("response")
    if place is not None:
        exchanges.answer(place, document.get("response"), time=time, cost=document.get("cost"))
    state_wrapping(run, document)
    run.facts.model = run.facts.model or text(document.get("response", "model"))


def _tell_tokens(run: Telling, message: Json, cost: Json = None) -> None:
    """Tell the tokens of a response, a message of the model with all that the API says of it."""
    usage = member(message, "usage")
    if usage is None and cost is None:
        run.use(model=member(message, "model"))
        return
    run.use(
        input=member(usage, "input_tokens"),
        output=member(usage, "output_tokens"),
        cache_read=member(usage, "cache_read_input_tokens"),
        cache_write=member(usage, "cache_creation_input_tokens"),
        cost=cost,
        model=member(message, "model"),
        response=member(message, "id"),
    )


def _blocks(content: Json) -> Iterator[Message]:
    """The blocks of a message; a text is one."""
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, dict):
            yield block
        elif block is not None:
            yield {"type": "text", "text": block}


def _tell_block(run: Telling, block: Message, *, speaker: str) -> None:
    """Tell a block that is no call."""
    if not tell_result_or_thought(run, block):
        run.say(speaker, texts_in(block) or block)


def _answer_in(response: Json) -> Message | None:
    return {**response, "role": "assistant"} if isinstance(response, dict) and "content" in response else None


def _called(message: Message) -> list[Called]:
    blocks = _blocks(message.get("content"))
    return [(block.get("name"), block.get("id")) for block in blocks if block.get("type") in CALLS]


def _answered(message: Message) -> Json:
    return [block.get("tool_use_id") for block in _blocks(message.get("content")) if "tool_use_id" in block]


def _said(message: Message) -> Json:
    blocks = _blocks(message.get("content"))
    return [
        message.get("role"),
        [{key: value for key, value in block.items() if key != "cache_control"} for block in blocks],
    ]


DIALECT = Dialect(
    tell=tell,
    tell_answer=tell_answer,
    tell_tokens=_tell_tokens,
    answer=_answer_in,
    calls=_called,
    answers=_answered,
    said=_said,
)
